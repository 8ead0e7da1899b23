/// \file
/// The time loop: initial values, steps on a prescribed grid or error-controlled, cuts after failures, observers.
#pragma once

#include "integrate/early_switch.hpp"
#include "integrate/first_step.hpp"
#include "integrate/prescribed_steps.hpp"
#include "integrate/simulation_options.hpp"
#include "integrate/step_attempts.hpp"
#include "integrate/step_controller.hpp"
#include "integrate/stop_times.hpp"
#include "integrate/stuck_steps.hpp"
#include "solve/consistent.hpp"

#include <optional>
#include <vector>

namespace sinew {

class Simulation {
 public:
  /// The system and the integrator must outlive it.
  Simulation(const DynamicSystem&, Integrator&, SimulationOptions);

  /// Makes (q, z) consistent (or checks them, as the options say), then accelerations and multipliers. Throws InputError.
  /// Collective.
  ConsistencyReport start(State&);
  /// In place of `start`: takes back what a checkpoint holds, after the system has taken its part. `has_new_steps`: the list of
  /// steps is another one, and begins here. Throws InputError. Collective.
  void go_on_from(Archive&, State&, bool has_new_steps);
  /// From the start to the end time. Throws SolveError when no step converges, or none of an allowed size is accurate enough.
  /// Collective. `so_far`, where it is given, holds the sums all along: also of a run that fails.
  SimulationSummary run(State&, const std::vector<Observer*>& observers, SimulationSummary* so_far = nullptr);
  /// Before the start: `creep` will be asked for.
  void watch_creep() { events_.watch_creep(); }
  /// How fast what slides now may creep within its width, a dof vector; null: nothing slides.
  PetscVec creep() const { return events_.creep(); }

 private:
  using Observers = std::vector<Observer*>;
  bool step_to(State&, double target, const Observers&, SimulationSummary&);
  /// Where a run is among its steps.
  struct Course {
    StopTimes stops;
    std::optional<StepController> controller;  ///< of error-controlled steps
    PrescribedSteps list;                      ///< of the others
  };
  StopTimes::Breakpoints breakpoints() const;
  Course make_course(const State&) const;
  void begin_course(State&);
  void persist(Archive&, State&, SimulationSummary&, bool is_last);
  bool end_step(State&, SimulationSummary&);
  void run_prescribed(State&, const Observers&, SimulationSummary&);
  void run_controlled(State&, const Observers&, SimulationSummary&);
  void run_on_grid(State&, const Observers&, SimulationSummary&);
  void controlled_step(State&, double target, StepController&);
  bool pass_changes(State&);
  void pass_changes(State&, const Observers&, SimulationSummary&);
  bool must_stop(SimulationSummary&) const;
  bool begins_to_be_over(const State&, double time) const;
  bool is_over(const State&, double time, SimulationSummary&) const;
  bool is_over_behind(const State&, const StopTimes&, SimulationSummary&) const;
  long prescribed_steps(const State&) const;
  Snapshot snapshot_for_checkpoints(const State&, const SimulationSummary&, bool is_last) const;
  /// `stops`: of the course that the run takes, none before its first step; `is_again`: Snapshot::is_again.
  void observe(const State&, const Observers&, SimulationSummary&, bool is_last, const StopTimes* stops, bool is_again = false);
  double first_prescribed_step() const;
  double duration() const { return options_.duration(); }

  const DynamicSystem& system_;
  Integrator& integrator_;
  SimulationOptions options_;
  EventLocation events_;
  Crossing crossing_;
  SingularPlaces singular_places_;
  StepAttempts attempts_;
  std::optional<FirstStep> first_step_;  ///< of error-controlled runs
  EarlySwitch early_switch_;             ///< of runs on a grid
  StuckSteps stuck_;                     ///< of error-controlled runs
  std::optional<Course> course_;         ///< once it has begun; of runs on a grid none
  SimulationSummary before_;             ///< of what was run before this process
};

}  // namespace sinew
