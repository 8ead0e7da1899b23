#include "system/dynamic_system.hpp"

#include "base/object_type.hpp"
#include "base/reduction.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"

#include <algorithm>

namespace sinew {

double largest_turn(const DynamicSystem& system, PetscVec w) {
  double turn = system.largest_turn(w);
  return largest_of_all(system.layout().comm, turn);
}

double DynamicSystem::configuration_norm(const Configuration& q) const {
  double largest = largest_coordinate(q);
  return largest_of_all(layout().comm, largest);
}

void DynamicSystem::sum_over_bodies(std::initializer_list<PetscVec> vectors) const {
  for (PetscVec v : vectors) {
    double sum = 0;
    petsc(VecSum(v, &sum));
    petsc(VecSet(v, sum));
  }
}

void DynamicSystem::error_sizes(const Configuration& q, PetscVec z, PetscVec q_size, PetscVec z_size) const {
  petsc(VecSet(q_size, configuration_norm(q)));
  const double speed = max_norm(z);
  petsc(VecSet(z_size, speed));
}

void split_kkt(PetscVec kkt, PetscVec dofs, PetscVec rows) {
  PetscInt n = 0, m = 0;
  petsc(VecGetLocalSize(dofs, &n));
  petsc(VecGetLocalSize(rows, &m));
  if (is_of_kokkos(kkt)) {
    const DeviceRead x(kkt);
    const DeviceWrite a(dofs, OldValues::kept), l(rows, OldValues::kept);
    copy_numbers(x.data(), n, a.data());
    copy_numbers(x.data() + n, m, l.data());
    return;
  }
  const VecRead x(kkt);
  VecWrite a(dofs), l(rows);
  std::copy_n(x.data(), n, a.data());
  std::copy_n(x.data() + n, m, l.data());
}

void join_kkt(PetscVec dofs, PetscVec rows, PetscVec kkt) {
  PetscInt n = 0, m = 0;
  petsc(VecGetLocalSize(dofs, &n));
  petsc(VecGetLocalSize(rows, &m));
  if (is_of_kokkos(kkt)) {
    const DeviceRead a(dofs), l(rows);
    const DeviceWrite x(kkt, OldValues::overwritten);
    copy_numbers(a.data(), n, x.data());
    copy_numbers(l.data(), m, x.data() + n);
    return;
  }
  VecWrite x(kkt);
  const VecRead a(dofs), l(rows);
  std::copy_n(a.data(), n, x.data());
  std::copy_n(l.data(), m, x.data() + n);
}

VecHandle make_kkt_vector(const Layout& layout) {
  VecHandle v = make_vector(layout.comm, layout.num_dofs + layout.num_rows);
  petsc(VecSet(v, 0.0));
  return v;
}

}  // namespace sinew
