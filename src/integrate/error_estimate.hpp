/// \file
/// Local errors of generalized-alpha from the accelerations of two steps. See docs/theory/error-control.md.
#pragma once

#include "integrate/error_weights.hpp"
#include "integrate/lasting_error.hpp"
#include "integrate/repeated_attempt.hpp"
#include "integrate/step_solver.hpp"
#include "integrate/tangent_projection.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// Part of an allowed error that Newton's method may leave.
inline constexpr double newton_share = 0.01;
/// Newton's method is not asked for more.
inline constexpr double least_newton_tolerance = 1e-14;

/// e_q = Cq h^2 (a1 - aA) + h^3/12 [z, a1] + beta h^2 (a1 - at) and, per unit step, e_z = Cz h^3 a'', a'' by divided differences
/// of a_old, a, a1: over the frequency with which it turns, and as far as it changes the motion for good; the first step has e_q
/// alone. First-order states: e_s = h (1/2 - gs) (s1' - s0') - h^3 s'''/12, s''' by divided differences of s'; the first step has
/// its first term. With the rule of two steps e_s follows from what the trapezoidal rule gives instead.
class ErrorEstimate {
 public:
  /// The equations must outlive it.
  ErrorEstimate(const StageEquations&, Method, const ErrorTolerance&);

  /// Before a step of size h from this state, which the equations have begun: sets the weights. Collective.
  void begin(const State&, double h);
  /// Error over tolerance of a step of size h from aA to a1, which has just been solved; per unit step all that such steps would
  /// amount to by the end. Infinite where a1 is not finite. Collective.
  double judge(const State&, double h, PetscVec aA, PetscVec a1, StepSolver&);
  /// s'' of first-order states where a first step begins; null: not known.
  void set_first_rates(PetscVec);
  /// The step that was judged last is accepted.
  void accept();
  /// What earlier steps have shown. Collective.
  void persist(Archive&);
  /// As if it had just been made. Collective.
  void renew();
  /// What the last `judge` found, for messages. Collective.
  std::string describe(double error);
  /// The tolerance that Newton's method needs so that what it leaves does not spoil the estimate of this step: a part of the
  /// error that is allowed, in its own units, as far as rounding permits.
  double newton_tolerance() const { return newton_tolerance_; }

 private:
  void find_position_error(const State&, double h, PetscVec aA, PetscVec a1);
  double position_error(double h, double time);
  double find_velocity_error(const State&, double h, PetscVec a1, StepSolver&);
  double lasting_error(const State&);
  double state_error(const State&, double h, PetscVec aA, PetscVec a1);

  const StageEquations& equations_;
  const DynamicSystem& system_;
  AlphaCoefficients c_;
  ErrorWeights weights_;
  std::optional<TangentProjection> tangent_;  ///< index-3 form
  std::optional<LastingError> lasting_;       ///< of mechanical systems, per unit step
  VecHandle e_q_, e_z_, e_s_, product_, faster_;
  std::vector<double> first_rates_;  ///< s'' of first-order states at the beginning of a first step; empty: not known
  double least_displacement_ = 0;    ///< the least weight, in the units of Newton's tolerance
  double newton_tolerance_ = 0;
  RepeatedAttempt velocities_, rates_;  ///< errors of them
  PetscVec worst_ = nullptr;            ///< e_q_, e_z_ or e_s_
};

}  // namespace sinew
