/// \file
/// How long the steps of an error-controlled run begin.
#pragma once

#include "integrate/integrator.hpp"

namespace sinew {

/// The shortest and the longest step of an error-controlled run that the model file does not limit, as parts of its duration.
inline constexpr double smallest_part = 1e-10, longest_part = 0.1;

/// A part of the time T in which accelerations move something by its size or change a velocity by its size: the error of a step
/// of T is of the order of the sizes themselves, and falls with a power of h.
class FirstStep {
 public:
  /// System and integrator must outlive it. `given`: the first step that the model file names, 0: none; `duration`: of the run.
  FirstStep(const DynamicSystem&, Integrator&, ErrorTolerance, double given, double duration);

  /// Of a run that begins in this state: what the model file says, else what its accelerations ask for. Collective.
  double at(const State&) const;
  /// Behind a jump the motion is the one before, which the steps suit, and what the jump of the accelerations adds: the first
  /// step is one that would be taken into that alone. (Formulas of several steps begin with the lowest order, to which all that
  /// the motion does is new.) Collective.
  double behind_jump(const State&, PetscVec a_before) const;
  /// The power of h with which the error over the tolerance falls.
  int order_of_errors() const { return integrator_.error_order() - (tolerance_.per_unit_step ? 1 : 0); }

 private:
  double into(const State&, PetscVec accelerations) const;

  const DynamicSystem& system_;
  Integrator& integrator_;
  ErrorTolerance tolerance_;
  double given_;  ///< by the model file; 0: none
  double duration_;
};

}  // namespace sinew
