/// \file
/// The motion of a model in time, for programs that use the library. Nothing is written.
#pragma once

#include "integrate/integrator.hpp"
#include "integrate/simulation.hpp"
#include "integrate/size_runs.hpp"
#include "run/built_model.hpp"
#include "system/sensors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// Sets a state to one that is not yet consistent, which is copied, and lets the system forget what went before. Collective.
BeginState beginning(const BuiltModel&, const State& begin);

/// One run of a built model by its `analysis`, whose steps are prescribed or controlled: first `start`, then `run`. Observers
/// hear of every step; what the model's sensors say in one of them is `sensors().measure` of its stage and accelerations, and
/// SensorSeries keeps all rows. All members are collective.
class Motion {
 public:
  /// The model must outlive it. Throws InputError where its analysis is no such run: states of rest, modes, and runs that are
  /// compared for error bars.
  explicit Motion(BuiltModel&);

  /// Settles the joints, finds the state of rest where the analysis asks for it, and makes the state consistent. Of warnings the
  /// model's `warn` hears. Throws InputError, and SolveError where no state of rest is found.
  ConsistencyReport start();
  /// To the end of the analysis. Throws SolveError where no step converges; the state is then that of the last good step.
  SimulationSummary run(const std::vector<Observer*>& observers = {});
  /// What there is to say against the run, in sentences.
  std::vector<std::string> verdicts() const;

  const Sensors& sensors() const { return sensors_; }
  const State& state() const { return state_; }
  const SimulationSummary& summary() const { return summary_; }

 private:
  BuiltModel& built_;
  Sensors sensors_;
  SimulationOptions options_;
  std::unique_ptr<Integrator> integrator_;
  State state_;
  std::optional<Simulation> simulation_;  ///< once it has started
  SimulationSummary summary_;
};

}  // namespace sinew
