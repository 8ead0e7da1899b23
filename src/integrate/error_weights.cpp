#include "integrate/error_weights.hpp"

#include "base/reduction.hpp"

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
      z_size_(system.make_dof_vector()),
      quotient_(system.make_dof_vector()),
      lasting_weight_(system.make_dof_vector()) {
  if (system.is_one_point()) extent_.emplace(system);
}

/// What the motion will have come to by the end of a step of size h with these accelerations; per unit step, by the end of the
/// run, went it on so.
void ErrorWeights::look_ahead(const State& s, double h, PetscVec accelerations) {
  const double parts = tolerance_.per_unit_step ? std::max(1.0, (tolerance_.end - s.t) / h) : 1.0;
  length_ = std::max(length_, reached_ + extent_->growth(s, accelerations, h) * parts);
  if (is_short(h)) speed_ = std::max(speed_, extent_->speed_growth(s, accelerations, h) * tolerance_.steps(h));
}

double ErrorWeights::length() const {
  return std::max({standstill, system_.extent(), measures_motion() ? length_ : tolerance_.length});
}

void ErrorWeights::weigh_displacements(double length, PetscVec weight) const {
  system_.dof_sizes_with(length, weight);
  petsc(VecScale(weight, tolerance_.relative));
  petsc(VecShift(weight, tolerance_.absolute));
}

void ErrorWeights::set(const State& s, double h) {
  system_.error_sizes(s.q, s.z, q_weight_, z_size_);
  petsc(VecScale(q_weight_, tolerance_.relative));
  petsc(VecShift(q_weight_, tolerance_.absolute));
  if (measures_motion()) {
    reached_ = extent_->include(s);
    length_ = speed_ = 0;
    look_ahead(s, h, s.a);
  }
  set_lengths();
}

void ErrorWeights::see_end(const State& s, double h, PetscVec accelerations) {
  if (!measures_motion() || !is_short(h)) return;
  look_ahead(s, h, accelerations);
  set_lengths();
}

/// With the length as it is known by now.
void ErrorWeights::set_lengths() {
  if (extent_) weigh_displacements(length(), q_weight_);
  petsc(VecCopy(z_size_, z_weight_));
  petsc(VecAXPBY(z_weight_, 1 / tolerance_.unit, tolerance_.relative, q_weight_));
  if (!states_.exist()) return;
  VecWrite weight(z_weight_);
  for (std::size_t k = 0; k < states_.dofs().size(); ++k)
    weight[states_.dofs()[k]] = tolerance_.absolute / tolerance_.unit + tolerance_.relative * states_.size(k);
}

double ErrorWeights::of_lasting(PetscVec e, double time) const {
  if (!measures_motion()) return time * of_configuration(e);
  weigh_displacements(length() + speed_ * time, lasting_weight_);
  return time * measure(e, lasting_weight_);
}

void ErrorWeights::divide(PetscVec e, bool velocity, PetscVec out) const {
  petsc(VecPointwiseDivide(out, e, velocity ? z_weight_ : q_weight_));
}

double ErrorWeights::measure(PetscVec e, PetscVec weight) const {
  return largest_of_all(system_.layout().comm, measure_own(e, weight));
}

double ErrorWeights::measure_own(PetscVec e, PetscVec weight) const {
  petsc(VecPointwiseDivide(quotient_, e, weight));
  const VecRead parts(quotient_);
  double size = 0, odd = 0;  // odd: zero, or no number
  for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) {
    size = std::max(size, std::abs(parts[i]));
    odd += parts[i] - parts[i];
  }
  return odd == 0 ? size : std::numeric_limits<double>::infinity();
}

}  // namespace sinew
