#include "integrate/bdf_errors.hpp"

#include "base/reduction.hpp"
#include "integrate/bdf_coefficients.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sinew {

BdfErrors::BdfErrors(const DynamicSystem& system, const StageEquations& equations, const MultistepHistory& history)
    : system_(system),
      equations_(equations),
      history_(history),
      w_(system.make_dof_vector()),
      z_(system.make_dof_vector()),
      part_(system.make_dof_vector()) {}

void BdfErrors::judge_by(const ErrorTolerance& tolerance) {
  weights_.emplace(system_, tolerance, equations_.states());
  if (tolerance.per_unit_step && system_.is_mechanical()) lasting_.emplace(equations_, *weights_);
}

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

/// What errors of places and of velocities come to of the tolerance; of all steps of their size, where they count per unit step.
/// There, of an error of the velocities, what stiff forces do not take back within the step (L. F. Shampine, Implementation of
/// implicit formulas for the solution of ODEs, SIAM J. Sci. Stat. Comput. 1 (1980) 103-118) counts once, and what changes the
/// motion itself to the end of the run; vibrations come and go, and displace at their peaks as much as the error of the places,
/// which counts twice.
double BdfErrors::judged(const State& before, double h, PetscVec w, PetscVec z, StepSolver& solver,
                         std::optional<double> smooth) {
  const double steps = weights_->tolerance().steps(h), of_places = weights_->of_configuration(w);
  if (!lasting_) return steps * std::max(of_places, weights_->of_velocity(z));
  petsc(VecSet(part_, 0.0));
  equations_.states().copy(z, part_);
  const double of_states = weights_->of_velocity(part_);
  petsc(VecCopy(z, part_));
  equations_.states().set(part_, 0.0);
  solver.soften(part_);
  equations_.states().set(part_, 0.0);
  const double of_velocities = weights_->of_velocity(part_);
  double lasting = lasting_->along_motion(before, part_);
  if (smooth) is_rough_ = attempts_.shows_more(before.t, h, lasting, *smooth);
  if (is_rough_) lasting = 0;
  return std::max({steps * std::max({2 * of_places, lasting, of_states}), of_velocities});
}

/// What the error of a smooth motion would be proportional to in a step like this.
double BdfErrors::smooth(const Step& step) const {
  const std::vector<double> distances = history_.distances(step.h, std::min(step.points, step.order + 1));
  return std::accumulate(distances.begin(), distances.end(), factor(step, step.order), std::multiplies<>());
}

double BdfErrors::of_order(const Step& step, int order) {
  const double factor = this->factor(step, order);
  const bool has_points = step.points > order;
  if (has_points && !lasting_)
    return factor * (are_judged() ? weights_->tolerance().steps(step.h) : 1.0) *
           newest_.sizes[static_cast<std::size_t>(order + 1 - HistoryTerms::lowest)];
  if (has_points) {
    find_misfit(step, order + 1);
  } else {
    petsc(VecWAXPY(w_, -1.0, step.w, equations_.chart()));
    petsc(VecWAXPY(z_, -1.0, step.z, step.z1));
  }
  for (PetscVec v : {w_.get(), z_.get()}) petsc(VecScale(v, factor));
  return are_judged()
             ? judged(step.before, step.h, w_, z_, *step.solver, order == step.order ? std::optional(smooth(step)) : std::nullopt)
             : equations_.of_all(size_of_misfit());
}

double BdfErrors::of_start(const State& before, double h, const ExtrapolatedEuler& start, StepSolver& solver) {
  weights_->set(before, h);
  return judged(before, h, start.error_of_places(), start.error_of_velocities(), solver, h * h * h);
}

void BdfErrors::persist(Archive& archive) {
  if (weights_) weights_->persist(archive);
}

}  // namespace sinew
