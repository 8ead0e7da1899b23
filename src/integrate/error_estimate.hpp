/// \file
/// Local errors of generalized-alpha from the accelerations of two steps, at the price of one solution with matrices at hand. See
/// docs/theory/error-control.md.
#pragma once

#include "integrate/error_weights.hpp"
#include "integrate/persistent_rate.hpp"
#include "integrate/step_solver.hpp"
#include "integrate/tangent_projection.hpp"
#include "integrate/vibration_filter.hpp"

#include <limits>
#include <optional>
#include <string>

namespace sinew {

/// e_q = Cq h^2 (a1 - aA) + h^3/12 [z, a1] + beta h^2 (a1 - at) and e_z = Cz h^3 a'', a'' by divided differences of a_old, a, a1,
/// both as far as the constraints allow; the first steps have e_q alone. First-order states:
/// e_s = h (1/2 - gs) (s1' - s0') - h^3 s'''/12, s''' by divided differences of s'; the first step has its first term. With the
/// rule of two steps e_s follows from what the trapezoidal rule gives instead.
class ErrorEstimate {
 public:
  /// The equations must outlive it.
  ErrorEstimate(const StageEquations&, Method, const ErrorTolerance&);

  /// Before a step of size h from this state, which the equations have begun: sets the weights. Collective.
  void begin(const State&, double h);
  /// Error over tolerance of a step of size h from aA to a1, which the solver has just solved; per unit step what persists of it
  /// is multiplied by unit / h. Infinite where a1 is not finite. Collective.
  double judge(const State&, double h, PetscVec aA, PetscVec a1, StepSolver&);
  /// The step that was judged last is accepted.
  void accept();
  /// What the last `judge` found, for messages. Collective.
  std::string describe(double error);
  /// The tolerance that Newton's method needs so that what it leaves does not spoil the estimate of this step: a part of the
  /// error that is allowed, in its own units, as far as rounding permits. What it may leave is not taken for an error of the
  /// velocities.
  double newton_tolerance() const { return newton_tolerance_; }

 private:
  void find_position_error(const State&, double h, PetscVec aA, PetscVec a1);
  double position_error(double h);
  double velocity_error(const State&, double h, PetscVec a1, StepSolver&);
  bool has_drives();
  void allow(PetscVec e_z, StepSolver&);
  TangentProjection& tangent_at(PetscVec z);
  bool is_rough(double t, double h, double z);
  double state_error(const State&, double h, PetscVec aA, PetscVec a1);
  void keep_along_motion(PetscVec z, double h);

  const StageEquations& equations_;
  const DynamicSystem& system_;
  AlphaCoefficients c_;
  double Cq_, Cz_, position_factor_;
  ErrorWeights weights_;
  std::optional<TangentProjection> tangent_;  ///< where the solver of a step has none
  bool is_index3_ = false;
  PetscInt num_rows_ = 0;
  std::optional<VibrationFilter> filter_;  ///< per unit step
  VecHandle e_q_, e_z_, e_s_, product_, rest_, rows_;
  double least_displacement_ = 0, least_velocity_ = 0;  ///< the least weights, in the units of Newton's tolerance
  double newton_tolerance_ = 0;
  int settling_steps_ = 1;  ///< after a start, without e_z
  int steps_ = 0;           ///< accepted since then
  double rejected_time_ = std::numeric_limits<double>::quiet_NaN(), rejected_step_ = 0,
         rejected_error_ = 0;  ///< for its velocities
  PersistentRate along_motion_;
  PetscVec worst_ = nullptr;  ///< e_q_, e_z_ or e_s_
};

}  // namespace sinew
