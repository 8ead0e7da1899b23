/// \file
/// Local errors of generalized-alpha from the accelerations of two steps; no further solve is needed. See docs/theory/error-control.md.
#pragma once

#include "integrate/alpha_coefficients.hpp"
#include "integrate/error_weights.hpp"

#include <string>

namespace sinew {

/// e_q = Cq h^2 (a1 - aA) and e_z = Cz h^3 a'', a'' by divided differences of a_old, a, a1; the first step has e_q alone.
class ErrorEstimate {
 public:
  ErrorEstimate(const DynamicSystem&, const AlphaCoefficients&, const ErrorTolerance&);

  /// Before a step from this state: sets the weights. Collective.
  void begin(const State&);
  /// Error over tolerance of a step of size h from aA to a1; per unit step it is multiplied by unit / h. Infinite where a1 is not finite.
  /// Collective.
  double judge(const State&, double h, PetscVec aA, PetscVec a1);
  /// What the last `judge` found, for messages. Collective.
  std::string describe(double error);
  /// The tolerance that Newton's method needs so that what it leaves does not spoil the estimate of a step of size h: a hundredth of the error
  /// that is allowed, in its own units. Collective.
  double newton_tolerance(const State&, double h) const;

 private:
  const DynamicSystem& system_;
  AlphaCoefficients c_;
  double Cq_, Cz_;
  ErrorWeights weights_;
  VecHandle e_q_, e_z_;
  bool velocity_is_worse_ = false;
};

}  // namespace sinew
