/// \file
/// What backward differentiation formulas of any order have wrong in a solved step.
#pragma once

#include "integrate/error_weights.hpp"
#include "integrate/extrapolated_euler.hpp"
#include "integrate/history_terms.hpp"
#include "integrate/lasting_error.hpp"
#include "integrate/multistep_history.hpp"
#include "integrate/repeated_attempt.hpp"
#include "integrate/step_solver.hpp"

#include <optional>

namespace sinew {

/// By how much y1 leaves polynomials through its past, places as vectors in the chart of the step's beginning: the polynomial
/// through k points misses it by the term h^k y^(k), on equal steps the difference of order k. Sizes are over the tolerance where
/// errors are judged, else over extent and speed.
class BdfErrors {
 public:
  /// All must outlive it. Collective.
  BdfErrors(const DynamicSystem&, const StageEquations&, const MultistepHistory&);

  /// From now on errors are judged by this.
  void judge_by(const ErrorTolerance&);
  bool are_judged() const { return weights_.has_value(); }

  /// A solved step, which ends in the chart of the equations and with velocities z1.
  struct Step {
    const State& before;
    double h = 0;
    int order = 1;                      ///< that it was made with
    int points = 1;                     ///< of the history that are of use
    PetscVec w = nullptr, z = nullptr;  ///< predicted, in the chart and of velocities
    PetscVec z1 = nullptr;
    StepSolver* solver = nullptr;  ///< with the factors of the step
  };
  /// Before `of_order`: the terms of a solved step, up to the one of `highest`. Collective.
  void find_terms(const Step&, int highest);
  /// The last that were found.
  const HistoryTerms::Terms& terms() const { return newest_; }
  /// What the formula of this order has wrong: y1 less the polynomial through order + 1 past points, times h/(t1 - t_order); on
  /// equal steps the difference of order + 1, divided by order + 1. Collective.
  double of_order(const Step&, int order);
  /// Where errors are judged: what a step of the start has wrong. Collective.
  double of_start(const State& before, double h, const ExtrapolatedEuler&, StepSolver&);
  /// That factor; one half as long as there are not so many points.
  double factor(const Step&, int order) const;
  void persist(Archive&);

 private:
  void find_misfit(const Step&, int points);
  double size_of_misfit() const;
  double judged(const State& before, double h, PetscVec w, PetscVec z, StepSolver&, std::optional<double> smooth);
  double smooth(const Step&) const;

  const DynamicSystem& system_;
  const StageEquations& equations_;
  const MultistepHistory& history_;
  std::optional<ErrorWeights> weights_;
  std::optional<LastingError> lasting_;  ///< of mechanical systems, per unit step
  RepeatedAttempt attempts_;             ///< errors that last
  bool is_rough_ = false;
  HistoryTerms::Terms newest_;  ///< of the solved step
  VecHandle w_, z_;             ///< by how much a polynomial has missed
  VecHandle part_;              ///< of what velocities have missed by
};

}  // namespace sinew
