/// \file
/// Chooses step sizes from estimated errors: a digital filter that knows of times at which a step must end.
#pragma once

#include "system/archive.hpp"

namespace sinew {

/// What a controller may do.
struct StepLimits {
  double first = 0;     ///< of the first step
  double smallest = 0;  ///< no step is tried below this, except to reach a time at which a step must end
  double longest = 0;
  bool kept = false;  ///< steps change by little only where that is asked for
};

/// The controller H211b (b = 8) of G. Soderlind, Digital filters in adaptive time-stepping, ACM Trans. Math. Software 29 (2003)
/// 1-26: after steps h, h' (one before) with errors e, e' over what is aimed at the next has the size rho h,
///
///   rho = (e e')^(-1/(b k)) (h/h')^(-1/b)
///
/// k the power of h with which e falls, rho limited smoothly to 1 + kappa atan((rho - 1)/kappa) (G. Soderlind, L. Wang, Adaptive
/// time-stepping and computational stability, J. Comput. Appl. Math. 185 (2006) 225-243). Steps that are to be kept grow when
/// they can by half (as in CVODE) and shrink when they must by a tenth (as in DASSL). A step with an error above 1 is repeated.
/// Every rho is rounded to a power of 2^(1/8), see on_grid() in the source.
class StepController {
 public:
  StepController(const StepLimits&, int order);

  /// The size of the next attempt when a step must end after `remaining`: the last two steps before that time are made alike.
  double next(double remaining);
  /// The power of h with which errors fall from now on.
  void set_order(int order) { order_ = order; }
  void accept(double error);
  /// Its error was too large.
  void reject(double error);
  /// It had no solution.
  void fail();
  /// Forgets the past, after a discontinuity.
  void restart(double first);
  /// What has become of the steps so far; limits and order are those of this run. Collective.
  void persist(Archive&);
  /// What is wanted next is below the smallest step.
  bool is_exhausted() const { return wanted_ < limits_.smallest; }
  double wanted() const { return wanted_; }

 private:
  void wait();

  StepLimits limits_;
  double order_;
  double wanted_;       ///< were there no times to meet
  double planned_ = 0;  ///< of the last attempt, before it was fitted to the time to be met
  double taken_ = 0;
  double last_step_ = 0;  ///< accepted, before it was fitted; 0: none
  double last_error_ = 1;
  int waiting_ = 0;        ///< so many steps may not grow, since an attempt was not accepted
  int refused_ = 0;        ///< attempts in a row
  double most_error_ = 0;  ///< of those that could not
};

}  // namespace sinew
