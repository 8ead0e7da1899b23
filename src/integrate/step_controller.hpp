/// \file
/// Chooses step sizes from estimated errors: a proportional-integral controller that knows of times at which a step must end.
#pragma once

#include <limits>

namespace sinew {

/// What a controller may do.
struct StepLimits {
  double first = 0;     ///< of the first step
  double smallest = 0;  ///< no step is tried below this, except to reach a time at which a step must end
  double longest = 0;
};

/// After an accepted step of error e (over the tolerance, e' one step before) the next is longer by the factor 0.9 e^(-0.7/k)
/// e'^(0.4/k), at most 2 and at least 0.3; between 0.9 and 1.2 it stays as it is, unless growth by 1.2 leaves an error of 0.3 at
/// most. A step with e > 1 is repeated with max(0.2, 0.9 e^(-1/k)) of its size, one that found no solution with a quarter. After
/// a step with more than 6 iterations the next one is at most
/// 0.7 times as long, and each that follows 1.02 times. k: the power of h with which e falls.
class StepController {
 public:
  StepController(const StepLimits&, int order);

  /// The size of the next attempt when a step must end after `remaining`: the last two steps before that time are made alike.
  double next(double remaining);
  /// A step that was accepted, after so many Newton iterations.
  void accept(double error, int iterations = 0);
  void reject(double error);
  void fail();
  /// Forgets the past, after a discontinuity.
  void restart(double first);
  /// What is wanted next is below the smallest step.
  bool is_exhausted() const { return wanted_ < limits_.smallest; }
  double wanted() const { return wanted_; }

 private:
  StepLimits limits_;
  double order_;
  double wanted_;       ///< were there no times to meet
  double planned_ = 0;  ///< of the last attempt, before it was fitted to the time to be met
  double taken_ = 0;
  double last_step_ = 0;  ///< accepted; 0: none
  double last_error_ = 1;
  double envelope_ = 0;  ///< largest error of late, as it would be with the last step
  int steps_ = 0;        ///< accepted since the last start
  int caution_ = 0;      ///< accepted steps that must not grow yet
  /// For which Newton's method is expected to need few iterations.
  double longest_easy_ = std::numeric_limits<double>::infinity();
};

}  // namespace sinew
