#include "integrate/step_interpolation.hpp"

namespace sinew {

StepInterpolation::StepInterpolation(const DynamicSystem& system)
    : system_(system), between_(system.make_configuration()), w_(system.make_dof_vector()), z_(system.make_dof_vector()) {}

Stage StepInterpolation::at(const State& begin, const Stage& end, double part) {
  const double h = end.t - begin.t, p = part, r = 1 - part;
  system_.difference(begin.q, *end.q, w_);
  petsc(VecScale(w_, p * p * (3 - 2 * p)));
  petsc(VecAXPBYPCZ(w_, p * r * r * h, -p * p * r * h, 1.0, begin.z, end.z));
  system_.retract(begin.q, w_, between_);
  petsc(VecCopy(begin.z, z_));
  petsc(VecAXPBYPCZ(z_, p * p, p * r * h, 1 - p * p, end.z, begin.a));
  return {begin.t + p * h, &between_, z_, nullptr};
}

}  // namespace sinew
