/// \file
/// How fast arguments of switches change, by the accelerations of the motion, and what rounding makes of them.
#pragma once

#include "integrate/integrator.hpp"
#include "solve/acceleration_solver.hpp"

#include <memory>
#include <vector>

namespace sinew {

/// Of an argument that is rounding: a difference of two places, each the sum of several products.
inline constexpr double roundings_of_argument = 8;

/// g' and g'' of all arguments g of this rank's switches, with the pieces as they are held. Both follow from the accelerations of
/// a state, which are solved for anew.
class SwitchRates {
 public:
  /// The system must outlive it. `reach`: a time in which switches change something that counts. Collective.
  SwitchRates(const DynamicSystem&, double reach);

  /// Settlements begin at this state, whose accelerations and multipliers are a first guess. Collective.
  void begin(const State&);
  /// Lets go of the matrix. Local.
  void end() { solver_.reset(); }
  /// g' in a state; `accelerations` are then those that it follows from. Collective.
  std::vector<double> first(const State&);
  PetscVec accelerations() const { return a_; }
  /// g'' likewise: by g' a moment later, along the accelerations a for which `first` has found these rates. Collective.
  std::vector<double> second(const State&, PetscVec a, const std::vector<double>& first);
  /// How far arguments go in a moment by the velocities of a state; 0 of those that follow forces at once (speeds), which may
  /// turn within it. The steep piece between two close rows of a table is over so: a step within it would be solved with a
  /// stiffness that the motion never meets. Collective.
  std::vector<double> ways_of_places(const Stage&, double moment) const;
  /// What rounding of velocities makes of g''. Collective.
  std::vector<double> rounding_of_second(const Stage&) const;
  /// What rounding of places, velocities and states makes of arguments. Collective.
  std::vector<double> rounding_of_arguments(const Stage&) const;

 private:
  const DynamicSystem& system_;
  double reach_;
  std::unique_ptr<AccelerationSolver> solver_;
  VecHandle a_, lambda_;
  Configuration later_;  ///< a moment after the state that is looked at
};

}  // namespace sinew
