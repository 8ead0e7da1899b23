#include "integrate/error_weights.hpp"

#include <limits>

namespace sinew {

ErrorWeights::ErrorWeights(const DynamicSystem& system, const ErrorTolerance& tolerance)
    : system_(system),
      tolerance_(tolerance),
      q_weight_(system.make_dof_vector()),
      z_weight_(system.make_dof_vector()),
      quotient_(system.make_dof_vector()) {}

void ErrorWeights::set(const State& s) {
  system_.error_sizes(s.q, s.z, q_weight_, z_weight_);
  petsc(VecScale(q_weight_, tolerance_.relative));
  petsc(VecShift(q_weight_, tolerance_.absolute));
  petsc(VecAXPBY(z_weight_, 1 / tolerance_.unit, tolerance_.relative, q_weight_));
}

void ErrorWeights::divide(PetscVec e, bool velocity, PetscVec out) const {
  petsc(VecPointwiseDivide(out, e, velocity ? z_weight_ : q_weight_));
}

/// PETSc's largest norm passes over numbers that are none; the sum does not.
double ErrorWeights::measure(PetscVec e, PetscVec weight) const {
  petsc(VecPointwiseDivide(quotient_, e, weight));
  double size = 0, sum = 0;
  petsc(VecNorm(quotient_, NORM_INFINITY, &size));
  petsc(VecNorm(quotient_, NORM_1, &sum));
  return sum < std::numeric_limits<double>::max() ? size : std::numeric_limits<double>::infinity();
}

}  // namespace sinew
