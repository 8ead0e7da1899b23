#include "integrate/error_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// The length of what has not moved, m: nothing that could be wrong is as small.
constexpr double standstill = 1e-100;

}  // namespace

ErrorWeights::ErrorWeights(const DynamicSystem& system, const ErrorTolerance& tolerance, const FirstOrderStates& states)
    : system_(system),
      states_(states),
      tolerance_(tolerance),
      q_weight_(system.make_dof_vector()),
      z_weight_(system.make_dof_vector()),
      quotient_(system.make_dof_vector()) {
  if (system.is_one_point()) extent_.emplace(system);
}

double ErrorWeights::length(const State& s, double h) {
  if (tolerance_.length > 0) return std::max(tolerance_.length, system_.extent());
  const double reached = extent_->include(s);
  const double parts = tolerance_.per_unit_step ? std::max(1.0, (tolerance_.end - s.t) / h) : 1.0;
  return std::max({standstill, system_.extent(), reached + extent_->growth(s, h) * parts});
}

void ErrorWeights::set(const State& s, double h) {
  system_.error_sizes(s.q, s.z, q_weight_, z_weight_);
  if (extent_) system_.dof_sizes_with(length(s, h), q_weight_);
  petsc(VecScale(q_weight_, tolerance_.relative));
  petsc(VecShift(q_weight_, tolerance_.absolute));
  petsc(VecAXPBY(z_weight_, 1 / tolerance_.unit, tolerance_.relative, q_weight_));
  if (!states_.exist()) return;
  VecWrite weight(z_weight_);
  for (std::size_t k = 0; k < states_.dofs().size(); ++k)
    weight[states_.dofs()[k]] = tolerance_.absolute / tolerance_.unit + tolerance_.relative * states_.size(k);
}

void ErrorWeights::divide(PetscVec e, bool velocity, PetscVec out) const {
  petsc(VecPointwiseDivide(out, e, velocity ? z_weight_ : q_weight_));
}

double ErrorWeights::measure(PetscVec e, PetscVec weight) const {
  petsc(VecPointwiseDivide(quotient_, e, weight));
  const double size = max_norm(quotient_);
  return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;
}

}  // namespace sinew
