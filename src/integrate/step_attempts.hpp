/// \file
/// Attempts at a step: each is recorded and counted, and what strays or fails near a singular position is tried in another way.
#pragma once

#include "integrate/crossing.hpp"
#include "integrate/event_location.hpp"
#include "integrate/observer.hpp"
#include "integrate/simulation_summary.hpp"
#include "integrate/singular_places.hpp"

#include <vector>

namespace sinew {

/// Makes one step and no more; whoever asks decides on the size, and on what follows a failure.
class StepAttempts {
 public:
  /// All must outlive it.
  StepAttempts(Integrator&, EventLocation&, Crossing&, SingularPlaces&);
  /// Who hears of attempts from now on, and what they are added to; both must outlive them.
  void report_to(const std::vector<Observer*>&, SimulationSummary&);

  /// An attempt, and where it strays another one that knows why; h becomes what was taken of it. What strays near a singular
  /// position is not accepted. Collective.
  StepOutcome make(State&, double& h);
  /// Makes a step that has failed, with `outcome`, once more with constraints that give way. Collective.
  void make_giving_way(State&, double& h, StepOutcome& outcome);

 private:
  StepOutcome make_once(State&, double& h);

  Integrator& integrator_;
  EventLocation& events_;
  Crossing& crossing_;
  SingularPlaces& singular_places_;
  const std::vector<Observer*>* observers_ = nullptr;
  SimulationSummary* summary_ = nullptr;
};

}  // namespace sinew
