#include "system/device_loops.hpp"

namespace sinew {

namespace {

using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::ptrdiff_t>>;

}  // namespace

void scale_numbers(double* values, std::ptrdiff_t count, double factor) {
  Kokkos::parallel_for("sinew::scale", Range(0, count), KOKKOS_LAMBDA(const std::ptrdiff_t i) { values[i] *= factor; });
}

void copy_numbers(const double* from, std::ptrdiff_t count, double* to) {
  Kokkos::parallel_for("sinew::copy", Range(0, count), KOKKOS_LAMBDA(const std::ptrdiff_t i) { to[i] = from[i]; });
}

void pick_numbers(const double* from, const DeviceArray<PetscInt>& list, std::size_t stride, double* to) {
  const LentArray<PetscInt> places = list;
  Kokkos::parallel_for(
      "sinew::pick", Range(0, static_cast<std::ptrdiff_t>(places.extent(0))),
      KOKKOS_LAMBDA(const std::ptrdiff_t k) { to[static_cast<std::ptrdiff_t>(stride) * k] = from[places(k)]; });
}

void put_numbers(const double* from, std::size_t stride, std::ptrdiff_t count, double* to) {
  Kokkos::parallel_for(
      "sinew::put", Range(0, count),
      KOKKOS_LAMBDA(const std::ptrdiff_t k) { to[k] = from[static_cast<std::ptrdiff_t>(stride) * k]; });
}

void zero_numbers(double* values, std::ptrdiff_t count) {
  Kokkos::parallel_for("sinew::zero", Range(0, count), KOKKOS_LAMBDA(const std::ptrdiff_t i) { values[i] = 0; });
}

void zero_numbers(double* values, const DeviceArray<int>& list) {
  const LentArray<int> places = list;
  Kokkos::parallel_for(
      "sinew::zero", Kokkos::RangePolicy<ExecutionSpace>(0, static_cast<int>(places.extent(0))),
      KOKKOS_LAMBDA(const int i) { values[places(i)] = 0; });
}

void find_tangent_operators(const NodeTable& table, int num_nodes, const double* w, const DeviceArray<double>& operators) {
  const NodeTable nodes = table;
  const LentArray<double> T = operators;
  Kokkos::parallel_for(
      "sinew::tangent_operators", Kokkos::RangePolicy<ExecutionSpace>(0, num_nodes), KOKKOS_LAMBDA(const int node) {
        const int frame = nodes.frame(node), dof = nodes.dof(node);
        if (frame < 0) return;
        Vec3<double> theta;
        for (int i = 0; i < 3 && dof >= 0; ++i) theta[i] = w[dof + Pose::first_turn + i];
        const Mat3<double> t = exp_tangent(theta);
        for (int i = 0; i < 9; ++i) T(9 * frame + i) = t(i / 3, i % 3);
      });
}

void put_curvature_rows(const CurvatureRows& wanted, const DeviceArray<double>& found, double* values) {
  const CurvatureRows c = wanted;
  const LentArray<double> curvature = found;
  Kokkos::parallel_for(
      "sinew::curvature_rows", Kokkos::RangePolicy<ExecutionSpace>(0, c.entries.count), KOKKOS_LAMBDA(const int e) {
        const int D = c.dofs, R = c.rows;
        const auto columns = element_slots(values, c.entries, e).from(D * D), rows = columns.from(D * R);
        const auto of_curvature = element_slots(curvature.data(), c.found, e);
        for (int k = 0; k < R * D; ++k)
          rows[k] = c.factor * of_curvature[k] + (c.keeps_gradient ? columns[k % D * R + k / D] : 0.0);
      });
}

}  // namespace sinew
