#include "integrate/motion_extent.hpp"

namespace sinew {

MotionExtent::MotionExtent(const DynamicSystem& system) : system_(system), first_(system.make_configuration()) {
  for (VecHandle* v : {&is_displacement_, &place_, &low_, &high_, &slowest_, &fastest_, &low_ahead_, &high_ahead_, &range_})
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
  petsc(VecPointwiseMin(slowest_, slowest_, s.z));
  petsc(VecPointwiseMax(fastest_, fastest_, s.z));
  speed_ = widest(slowest_, fastest_);
  return reached_ = widest(low_, high_);
}

double MotionExtent::growth(const State& s, PetscVec accelerations, double h) {
  petsc(VecWAXPY(range_, h, s.z, place_));
  petsc(VecAXPY(range_, h * h / 2, accelerations));
  return widest_with(low_, high_, range_) - reached_;
}

double MotionExtent::speed_growth(const State& s, PetscVec accelerations, double h) {
  petsc(VecWAXPY(range_, h, accelerations, s.z));
  return widest_with(slowest_, fastest_, range_) - speed_;
}

void MotionExtent::persist(Archive& archive) {
  auto& [system, first, is_displacement, place, low, high, slowest, fastest, low_ahead, high_ahead, range, reached, speed,
         has_first] = *this;
  const Archive::Part part(archive, "extent");
  archive.pass("has_first", has_first);
  archive.pass("reached", reached);
  archive.pass("speed", speed);
  archive.pass("first", first);
  archive.pass_dofs("low", low);
  archive.pass_dofs("high", high);
  archive.pass_dofs("slowest", slowest);
  archive.pass_dofs("fastest", fastest);
}

/// With what is ahead as well.
double MotionExtent::widest_with(PetscVec low, PetscVec high, PetscVec ahead) {
  petsc(VecPointwiseMin(low_ahead_, low, ahead));
  petsc(VecPointwiseMax(high_ahead_, high, ahead));
  return widest(low_ahead_, high_ahead_);
}

double MotionExtent::widest(PetscVec low, PetscVec high) {
  petsc(VecWAXPY(range_, -1.0, low, high));
  petsc(VecPointwiseMult(range_, range_, is_displacement_));
  return max_norm(range_);
}

}  // namespace sinew
