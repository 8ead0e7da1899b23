/// \file
/// The time loop: initial values, steps on a prescribed grid or error-controlled, cuts after failures, observers.
#pragma once

#include "integrate/crossing.hpp"
#include "integrate/early_switch.hpp"
#include "integrate/event_location.hpp"
#include "integrate/integrator.hpp"
#include "integrate/prescribed_steps.hpp"
#include "integrate/simulation_summary.hpp"
#include "integrate/singular_places.hpp"
#include "integrate/step_controller.hpp"
#include "integrate/stop_times.hpp"
#include "solve/consistent.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace sinew {

/// One row of steps.csv: an attempt at a step.
struct StepRecord {
  long number = 0;  ///< counts accepted steps from 1
  double time = 0;  ///< at the end of the step (that was tried)
  double step = 0;
  StepOutcome outcome;
  double seconds = 0;  ///< wall clock of the attempt
};

/// What observers see after the start and after every accepted step.
struct Snapshot {
  const State& state;
  PetscVec acceleration;  ///< at t_n; null for checkpoints
  long number = 0;        ///< accepted steps so far, 0: the start
  bool is_last = false;
  bool is_at_switch = false;    ///< the step ended where a switch of the state changes, at a time of this run alone
  bool is_first = false;        ///< where this run began: the start, or the checkpoint that it goes on from
  bool is_before_jump = false;  ///< the last instant before something jumps that acts at times known beforehand
  long prescribed = -1;         ///< prescribed steps that have ended, whatever pieces they were taken in; -1: as `number`

  /// What intervals in steps count.
  long counted_steps() const { return prescribed < 0 ? number : prescribed; }
};

/// Collective calls, on all ranks in the same order.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void observe(const Snapshot&) = 0;
  virtual void record(const StepRecord&) {}
  /// A switch of the state changes within a prescribed step, at a time at which nothing is observed.
  virtual void pass_switch(double /*time*/) {}
  /// How far what has been written goes; taken back: what was written behind that is gone, and the next step follows. Collective.
  virtual void persist(Archive&) {}
};

/// Says when a run is to write down what it needs to go on, and does it. Collective calls, on all ranks in the same order.
class CheckpointWriter {
 public:
  virtual ~CheckpointWriter() = default;
  /// The run begins here, where none is needed.
  virtual void begin_behind(const Snapshot&) = 0;
  /// Is it time for one behind this step?
  virtual bool is_due(const Snapshot&) = 0;
  /// Do steps and times of the model say when, and no clock: are those of a run that is repeated the same?
  virtual bool is_repeatable() const = 0;
  /// Writes what `persist` passes. Throws EnvironmentError.
  virtual void write(const Snapshot&, const std::function<void(Archive&)>& persist) = 0;
};

struct SimulationOptions {
  double start_time = 0;
  double end_time = 1;
  StepSequence steps;
  std::optional<StepControl> control;  ///< error-controlled steps; `steps` then has no meaning
  double length = 0;                   ///< by which errors of points that start in one place are measured, m; 0: not known
  std::vector<double> state_sizes;     ///< what is expected of first-order states (FirstOrderStates::expect)
  std::optional<StepGrid> grid;        ///< the steps of another run or parts of them; goes before both
  std::vector<double> stop_intervals;  ///< steps end at the multiples of these
  std::function<bool()> wants_stop;    ///< asked after every step, on all ranks together; may be empty
  InitialValues initial = InitialValues::consistent;
  CheckpointWriter* checkpoints = nullptr;  ///< may be null; not of runs on the grid of another
  double sliding_width = 1;                 ///< a factor on that within which switches of the state slide
  double smallest_step_ratio = 1e-6;        ///< a step cut below this part of the prescribed one ends the run
};

/// What a model asks of a dynamic run; times of the output are times at which steps end.
SimulationOptions simulation_options(const Analysis&, const Output&);

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
  StepOutcome attempt(State&, double& h, const Observers&, SimulationSummary&);
  StepOutcome attempt_once(State&, double& h, const Observers&, SimulationSummary&);
  void give_way(State&, double& h, const Observers&, SimulationSummary&, StepOutcome&);
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
  void controlled_step(State&, double target, StepController&, const Observers&, SimulationSummary&);
  void pass_changes(State&);
  bool must_stop(SimulationSummary&) const;
  long prescribed_steps(const State&) const;
  Snapshot snapshot_for_checkpoints(const State&, const SimulationSummary&, bool is_last) const;
  /// `stops`: of the course that the run takes, none before its first step.
  void observe(const State&, const Observers&, SimulationSummary&, bool is_last, const StopTimes* stops);
  ErrorTolerance tolerance() const;
  double first_step(const State&) const;
  double first_step(const State&, PetscVec accelerations) const;
  double first_step_behind(const State&, PetscVec a_before) const;
  double first_prescribed_step() const;
  int order_of_errors() const;
  double duration() const { return options_.end_time - options_.start_time; }

  const DynamicSystem& system_;
  Integrator& integrator_;
  SimulationOptions options_;
  EventLocation events_;
  Crossing crossing_;
  SingularPlaces singular_places_;
  EarlySwitch early_switch_;      ///< of runs on a grid
  std::optional<Course> course_;  ///< once it has begun; of runs on a grid none
  SimulationSummary before_;      ///< of what was run before this process
};

}  // namespace sinew
