/// \file
/// The motion within a solved step, as its two ends tell it.
#pragma once

#include "integrate/integrator.hpp"

namespace sinew {

/// Between the ends of a step of size h, at its part p, with r = 1 - p:
///
///   q = q0 o exp(w),   w = p^2 (3 - 2 p) (q1 - q0) + p r^2 h z0 - p^2 r h z1
///   z = p^2 z1 + p r h a0 + (1 - p^2) z0
///
/// positions by their values and velocities at both ends (Hermite), velocities by both ends and the first acceleration.
class StepInterpolation {
 public:
  /// The system must outlive it. Collective.
  explicit StepInterpolation(const DynamicSystem&);
  /// The state at a part of the step, 0 to 1; it holds until the next one is asked for. Collective.
  Stage at(const State& begin, const Stage& end, double part);

 private:
  const DynamicSystem& system_;
  Configuration between_;
  VecHandle w_, z_;
};

}  // namespace sinew
