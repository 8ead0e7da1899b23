/// \file
/// Sums over a run: its steps, what they have cost, what there is to say of them at the end.
#pragma once

#include "integrate/integrator.hpp"
#include "system/archive.hpp"

#include <string>

namespace sinew {

/// Sums over a run.
struct SimulationSummary {
  long steps = 0, rejected = 0, newton = 0, factorizations = 0;
  long inaccurate = 0;               ///< of the rejected ones: solved, but with too large an error
  double shortest = 0, longest = 0;  ///< accepted steps
  int most_newton = 0;               ///< of an accepted step
  long switches = 0;                 ///< instants at which switches of the state have changed
  long cut = 0;                      ///< steps that a function of time has ended, off the prescribed times where there are some
  double end_time = 0;
  std::string chatter;   ///< which switches chatter (EventLocation::chatter)
  std::string singular;  ///< where steps have ended in singular positions (SingularPlaces::verdict)
  std::string hidden;    ///< what forces did within steps that these have not shown (EventLocation::verdict)
  bool stopped = false;  ///< because it was asked to, before the end time
  bool is_over = false;  ///< because the model's condition for that holds (DynamicSystem::is_over)

  /// An attempt at a step of size h, accepted or not.
  void count(const StepOutcome&, double h);
};

/// What a run that goes on adds to.
void persist(Archive&, SimulationSummary&);

}  // namespace sinew
