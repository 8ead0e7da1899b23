#include "integrate/motion_extent.hpp"

namespace sinew {

MotionExtent::MotionExtent(const DynamicSystem& system) : system_(system), first_(system.make_configuration()) {
  for (VecHandle* v : {&is_displacement_, &place_, &low_, &high_, &low_ahead_, &high_ahead_, &range_})
    *v = system.make_dof_vector();
  system.dof_sizes_with(1, is_displacement_);
  system.dof_sizes_with(0, range_);
  petsc(VecAXPY(is_displacement_, -1.0, range_));
}

double MotionExtent::include(const State& s) {
  if (!has_first_) Kokkos::deep_copy(first_.values, s.q.values);
  has_first_ = true;
  system_.difference(first_, s.q, place_);
  petsc(VecPointwiseMin(low_, low_, place_));
  petsc(VecPointwiseMax(high_, high_, place_));
  return reached_ = widest(low_, high_);
}

double MotionExtent::growth(const State& s, double h) {
  petsc(VecWAXPY(range_, h, s.z, place_));
  petsc(VecAXPY(range_, h * h / 2, s.a));
  petsc(VecPointwiseMin(low_ahead_, low_, range_));
  petsc(VecPointwiseMax(high_ahead_, high_, range_));
  return widest(low_ahead_, high_ahead_) - reached_;
}

void MotionExtent::persist(Archive& archive) {
  auto& [system, first, is_displacement, place, low, high, low_ahead, high_ahead, range, reached, has_first] = *this;
  const Archive::Part part(archive, "extent");
  archive.pass("has_first", has_first);
  archive.pass("reached", reached);
  archive.pass("first", first);
  archive.pass_dofs("low", low);
  archive.pass_dofs("high", high);
}

double MotionExtent::widest(PetscVec low, PetscVec high) {
  petsc(VecWAXPY(range_, -1.0, low, high));
  petsc(VecPointwiseMult(range_, range_, is_displacement_));
  return max_norm(range_);
}

}  // namespace sinew
