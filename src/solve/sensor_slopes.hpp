/// \file
/// What the sensors show of small changes of a model's state and loads.
#pragma once

#include "solve/extrapolated_slopes.hpp"
#include "solve/moving_frame.hpp"
#include "solve/natural_unknowns.hpp"
#include "solve/steady_motion.hpp"
#include "system/sensors.hpp"

#include <vector>

namespace sinew {

/// Changes w, w', w'' of the dofs and mu of the multipliers, in natural order; w is null where places stay, w' where velocities
/// do. `load` changes by one unit with them.
struct StateChange {
  const double *w = nullptr, *rate = nullptr, *second = nullptr, *mu = nullptr;
  const LoadComponent* load = nullptr;
};

/// Measures the sensors on both sides of a state. All functions are collective.
class SensorSlopes {
 public:
  /// `frame`: of a moving state; null at rest. All of them must outlive it.
  SensorSlopes(const System&, const NaturalUnknowns&, const MovingState&, const MovingFrame* frame, const Sensors&);

  /// The derivatives of all outputs along a change, on rank 0. Changes that follow one another are alike: what is small beside
  /// the largest derivative of its output so far need not be known to as many digits.
  std::vector<double> along(const StateChange&);
  /// The changes that follow are of another kind.
  void forget_sizes() { sizes_.clear(); }

 private:
  /// A change as vectors of the system.
  struct Direction {
    VecHandle q, z, a, lambda;
    const LoadComponent* load = nullptr;
  };
  void measure_rounding();
  Direction direction(const StateChange&) const;
  VecHandle dofs(const double* column) const;
  void add(PetscMat A, PetscVec x, PetscVec sum) const;
  double longest_step(const Direction&) const;
  std::vector<double> measure(double h, const Direction&) const;
  bool settle(ExtrapolatedSlopes&);

  const System& system_;
  const NaturalUnknowns& unknowns_;
  const MovingState& state_;
  const Sensors& sensors_;
  MatHandle B_, C_, A_;           ///< of the frame; null at rest
  std::vector<double> rounding_;  ///< rank 0: what rounding of the state makes of the outputs
  std::vector<double> sizes_;     ///< rank 0: the largest derivatives of the outputs so far
};

}  // namespace sinew
