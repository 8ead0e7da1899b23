#include "system/device_access.hpp"
#include "system/system.hpp"

#include <cmath>
#include <optional>

namespace sinew {

namespace {

/// Without an increment a node stays where it is.
struct Retract {
  const double *from, *w;
  double* to;
  template <class M>
  KOKKOS_INLINE_FUNCTION void operator()(M) const {
    if (w != nullptr) return M::retract(from, w, to);
    for (int i = 0; i < M::config_size; ++i) to[i] = from[i];
  }
};

struct Difference {
  const double *from, *to;
  double* w;
  template <class M>
  KOKKOS_INLINE_FUNCTION void operator()(M) const {
    M::difference(from, to, w);
  }
};

struct Commutator {
  const double *a, *b;
  double* c;
  template <class M>
  KOKKOS_INLINE_FUNCTION void operator()(M) const {
    M::commutator(a, b, c);
  }
};

struct ChartStep {
  const double* base;
  double b;
  const double* velocity;
  double* w;
  template <class M>
  KOKKOS_INLINE_FUNCTION void operator()(M) const {
    M::chart_step(base, b, velocity, w);
  }
};

}  // namespace

void System::retract(const Configuration& q0, PetscVec w, Configuration& q1) const {
  share({w}, {});
  const DeviceRead increment(w);
  const double* d = increment.data();
  const NodeTable nodes = nodes_;
  const double* from = q0.values.data();
  double* to = q1.values.data();
  const int count = static_cast<int>(local_.node_id.size());
  Kokkos::parallel_for(
      "sinew::retract", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const int node) {
        const int c = nodes.config(node), dof = nodes.dof(node);
        on_manifold(nodes.kind(node), Retract{from + c, dof < 0 ? nullptr : d + dof, to + c});
      });
}

void System::difference(const Configuration& q0, const Configuration& q1, PetscVec w) const {
  clear_states(w);
  const DeviceWrite target(w, OldValues::kept);
  double* out = target.data();
  const NodeTable nodes = nodes_;
  const double *from = q0.values.data(), *to = q1.values.data();
  const int count = static_cast<int>(local_.node_id.size()), owned = local_.num_owned_dofs;
  Kokkos::parallel_for(
      "sinew::difference", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const int node) {
        const int c = nodes.config(node), dof = nodes.dof(node);
        if (dof < 0 || dof >= owned) return;
        on_manifold(nodes.kind(node), Difference{from + c, to + c, out + dof});
      });
}

void System::commutator(PetscVec u, PetscVec v, PetscVec out) const {
  petsc(VecSet(out, 0.0));
  const DeviceRead left(u), right(v);
  const DeviceWrite target(out, OldValues::kept);
  const double *a = left.data(), *b = right.data();
  double* c = target.data();
  const NodeTable nodes = nodes_;
  const int count = static_cast<int>(local_.node_id.size()), owned = local_.num_owned_dofs;
  Kokkos::parallel_for(
      "sinew::commutator", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const int node) {
        const int dof = nodes.dof(node);
        if (dof < 0 || dof >= owned) return;
        on_manifold(nodes.kind(node), Commutator{a + dof, b + dof, c + dof});
      });
}

double System::largest_turn(PetscVec w, PetscVec angles) const {
  if (angles != nullptr) petsc(VecSet(angles, 0.0));
  if (!has_rotations_) return 0;
  double largest = 0;
  const VecRead increment(w);
  std::optional<VecWrite> angle;
  if (angles != nullptr) angle.emplace(angles);
  for (int n = 0; n < local_.num_owned_nodes; ++n) {
    const ManifoldSize size = local_.size(n);
    if (size.first_turn < 0) continue;
    const PetscInt r = local_.dof[n] + size.first_turn;
    const double square = increment[r] * increment[r] + increment[r + 1] * increment[r + 1] + increment[r + 2] * increment[r + 2];
    largest = square <= largest ? largest : square;
    if (angle) (*angle)[r] = std::sqrt(square);
  }
  return std::sqrt(largest);
}

void System::chart_step(PetscVec base, double b, PetscVec z, PetscVec w) const {
  clear_states(w);
  const DeviceRead start(base), velocity(z);
  const DeviceWrite target(w, OldValues::kept);
  const double *x = start.data(), *v = velocity.data();
  double* out = target.data();
  const NodeTable nodes = nodes_;
  const int count = static_cast<int>(local_.node_id.size()), owned = local_.num_owned_dofs;
  Kokkos::parallel_for(
      "sinew::chart_step", Kokkos::RangePolicy<ExecutionSpace>(0, count), KOKKOS_LAMBDA(const int node) {
        const int dof = nodes.dof(node);
        if (dof < 0 || dof >= owned) return;
        on_manifold(nodes.kind(node), ChartStep{x + dof, b, v + dof, out + dof});
      });
}

}  // namespace sinew
