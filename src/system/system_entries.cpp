#include "kernels/elements/sample.hpp"
#include "system/system.hpp"

namespace sinew {

namespace {

constexpr unsigned num_probes = 3;

/// Numbers in [-size, size), the same in every run.
void fill(PetscVec v, double size, Sampler& sampler) {
  PetscInt n = 0;
  petsc(VecGetLocalSize(v, &n));
  VecWrite x(v);
  for (PetscInt i = 0; i < n; ++i) x[i] = sampler.uniform(-size, size);
}

/// Marks the entries of an element's block that are not zero in one of the elements.
void mark(const DeviceArray<double>& values, std::vector<char>& is_entry) {
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), values);
  for (std::size_t k = 0; k < host.extent(0); ++k)
    if (host(k) != 0) is_entry[k % is_entry.size()] = 1;
}

/// Joints and what acts on frames have blocks that are mostly empty; those of cables and solids are full.
bool is_worth_probing(const Family& family) { return family.size() > 0 && family.shape().dofs_per_node == 6; }

}  // namespace

/// A joint's block of 12 x 12 entries holds few that are ever different from zero, and the factorisation pays for every one it is told of. Which
/// they are is found by evaluating the sweeps at states without any symmetry: turned, moving, with multipliers, signals and T.
void System::find_entries() {
  for (const MatrixKind kind : {MatrixKind::tangent, MatrixKind::projection})
    for (const auto& family : families_)
      entries_[static_cast<int>(kind)].emplace_back(is_worth_probing(*family) ? family->entries_per_element(kind) : 0, 0);
  for (unsigned probe = 0; probe < num_probes; ++probe) probe_entries(probe);
  signals_are_set_ = false;
}

void System::probe_entries(unsigned probe) {
  Sampler sampler(probe);
  VecHandle w = make_dof_vector(), z = make_dof_vector(), lambda = make_row_vector();
  fill(w, 0.7, sampler);
  fill(z, 1.0, sampler);
  fill(lambda, 1.0, sampler);
  Configuration start = make_configuration(), q = make_configuration();
  retract(start, w, q);
  tangent_operators(w);
  SweepState s = sweep_state({0.0, &q, z, lambda});
  const VecRead velocity(z), multipliers(lambda);
  s.velocity = velocity.data();
  s.multiplier = multipliers.data();
  s.tangent_operator = T_.data();
  const Shift shift{1, 1, 1, 1, 1, 1};
  for (std::size_t f = 0; f < families_.size(); ++f) {
    Family& family = *families_[f];
    std::vector<char>&tangent = entries_[0][f], &projection = entries_[1][f];
    if (tangent.empty()) continue;
    std::vector<double> signals(static_cast<std::size_t>(family.size()) * 3 * family.shape().num_signals);
    for (double& x : signals) x = sampler.uniform(-1, 1);
    family.set_signals(signals);
    const auto count = static_cast<std::size_t>(family.size());
    DeviceArray<double> values("probe", count * tangent.size());
    family.tangent(s, shift, values.data());
    mark(values, tangent);
    if (!projection.empty()) {
      DeviceArray<double> gradients("probe", count * projection.size());
      family.projection(s, gradients.data());
      mark(gradients, projection);
    }
    const int R = family.shape().rows(), D = family.shape().dofs();
    if (R == 0) continue;
    DeviceArray<double> curvature("probe", count * R * D);
    family.constraint_curvature(s, curvature.data());
    std::vector<char> rows(static_cast<std::size_t>(R) * D, 0);
    mark(curvature, rows);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (rows[k]) tangent[tangent.size() - rows.size() + k] = 1;
  }
}

}  // namespace sinew
