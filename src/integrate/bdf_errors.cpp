#include "integrate/bdf_errors.hpp"

#include "base/reduction.hpp"
#include "integrate/bdf_coefficients.hpp"

#include <algorithm>

namespace sinew {

BdfErrors::BdfErrors(const DynamicSystem& system, const StageEquations& equations, const MultistepHistory& history)
    : system_(system), equations_(equations), history_(history), w_(system.make_dof_vector()), z_(system.make_dof_vector()) {}

void BdfErrors::judge_by(const ErrorTolerance& tolerance) { weights_.emplace(system_, tolerance, equations_.states()); }

/// Of the polynomial through so many points.
void BdfErrors::find_misfit(const Step& step, int points) {
  const std::vector<double> weights = extrapolation_weights(history_.distances(step.h, points));
  history_.combine_positions(weights, w_);
  history_.combine_velocities(weights, z_);
  petsc(VecAYPX(w_, -1.0, equations_.chart()));
  petsc(VecAYPX(z_, -1.0, step.z1));
}

/// What w_ and z_ are of the tolerance, else of extent and speed, on this rank.
double BdfErrors::size_of_misfit() const {
  if (are_judged()) return std::max(weights_->of_own_configuration(w_), weights_->of_own_velocity(z_));
  const StepScales& scales = equations_.scales();
  return std::max(scales.largest(w_) / scales.length(), scales.largest(z_) / scales.rate());
}

void BdfErrors::find_terms(const Step& step, int highest) {
  newest_ = {};
  newest_.known = std::clamp(std::min(step.points, highest) - HistoryTerms::lowest + 1, 0, HistoryTerms::count);
  Reduction all(system_.layout().comm);
  if (are_judged()) weights_->set(step.before, step.h);
  for (int i = 0; i < newest_.known; ++i) {
    find_misfit(step, HistoryTerms::lowest + i);
    all.largest(size_of_misfit());
  }
  all.share();
  for (int i = 0; i < newest_.known; ++i) newest_.sizes[i] = all[i];
}

double BdfErrors::factor(const Step& step, int order) const {
  return step.points > order ? step.h / history_.distances(step.h, order + 1).back() : 0.5;
}

double BdfErrors::of_order(const Step& step, int order) {
  const double factor = this->factor(step, order) * (are_judged() ? weights_->tolerance().steps(step.h) : 1.0);
  if (step.points > order) return factor * newest_.sizes[static_cast<std::size_t>(order + 1 - HistoryTerms::lowest)];
  petsc(VecWAXPY(w_, -1.0, step.w, equations_.chart()));
  petsc(VecWAXPY(z_, -1.0, step.z, step.z1));
  return factor * equations_.of_all(size_of_misfit());
}

void BdfErrors::persist(Archive& archive) {
  if (weights_) weights_->persist(archive);
}

}  // namespace sinew
