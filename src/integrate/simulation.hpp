/// \file
/// The time loop: initial values, steps on a prescribed grid or error-controlled, cuts after failures, observers.
#pragma once

#include "integrate/event_location.hpp"
#include "integrate/integrator.hpp"
#include "integrate/step_controller.hpp"
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
  PetscVec acceleration;  ///< at t_n
  long number = 0;        ///< accepted steps so far, 0: the start
  bool is_last = false;
  bool is_at_switch = false;  ///< the step ended where a switch of the state changes, at a time of this run alone
};

/// Collective calls, on all ranks in the same order.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void observe(const Snapshot&) = 0;
  virtual void record(const StepRecord&) {}
};

/// Times at which steps end, rising.
struct StepGrid {
  std::vector<double> times;
};

struct SimulationOptions {
  double start_time = 0;
  double end_time = 1;
  StepSequence steps;
  std::optional<StepControl> control;  ///< error-controlled steps; `steps` then has no meaning
  double length = 0;                   ///< by which errors are measured where the model has no extent, m; 0: not known
  std::optional<StepGrid> grid;        ///< the steps of another run or parts of them; goes before both
  std::vector<double> stop_intervals;  ///< steps end at the multiples of these
  std::function<bool()> wants_stop;    ///< asked after every step, on all ranks together; may be empty
  InitialValues initial = InitialValues::consistent;
  double smallest_step_ratio = 1e-6;  ///< a step cut below this part of the prescribed one ends the run
};

/// What a model asks of a dynamic run; times of the output are times at which steps end.
SimulationOptions simulation_options(const Analysis&, const Output&);

/// Sums over a run.
struct SimulationSummary {
  long steps = 0, rejected = 0, newton = 0, factorizations = 0;
  long inaccurate = 0;               ///< of the rejected ones: solved, but with too large an error
  double shortest = 0, longest = 0;  ///< accepted steps
  int most_newton = 0;               ///< of an accepted step
  long switches = 0;                 ///< instants at which switches of the state have changed
  long cut = 0;                      ///< steps that a function of time has ended, off the prescribed times where there are some
  double end_time = 0;
  bool stopped = false;  ///< because it was asked to, before the end time
};

class StopTimes;

class Simulation {
 public:
  /// The system and the integrator must outlive it.
  Simulation(const DynamicSystem&, Integrator&, SimulationOptions);

  /// Makes (q, z) consistent (or checks them, as the options say), then accelerations and multipliers. Throws InputError.
  /// Collective.
  ConsistencyReport start(State&);
  /// From the start to the end time. Throws SolveError when no step converges, or none of an allowed size is accurate enough.
  /// Collective. `so_far`, where it is given, holds the sums all along: also of a run that fails.
  SimulationSummary run(State&, const std::vector<Observer*>& observers, SimulationSummary* so_far = nullptr);

 private:
  using Observers = std::vector<Observer*>;
  StepOutcome attempt(State&, double& h, const Observers&, SimulationSummary&);
  std::string lock(const State&, double t) const;
  void step_to(State&, double target, const Observers&, SimulationSummary&);
  double prescribed_time(long n) const { return options_.start_time + options_.steps.sum(n + 1); }
  double next_time(double t, StopTimes&, long& n) const;
  void run_prescribed(State&, const Observers&, SimulationSummary&);
  void run_controlled(State&, const Observers&, SimulationSummary&);
  void run_on_grid(State&, const Observers&, SimulationSummary&);
  void controlled_step(State&, double target, StepController&, const Observers&, SimulationSummary&);
  void restart(State&, double h);
  void jump_to(State&, double t, double h);
  bool pass_jump(State&, const StopTimes&, double h);
  void pass_bend(State&, const StopTimes&, double h);
  bool must_stop(SimulationSummary&) const;
  void observe(const State&, bool is_last, const Observers&, SimulationSummary&);
  ErrorTolerance tolerance() const;
  double first_step(const State&) const;
  double first_prescribed_step() const;
  int order_of_errors() const;
  double duration() const { return options_.end_time - options_.start_time; }

  const DynamicSystem& system_;
  Integrator& integrator_;
  SimulationOptions options_;
  EventLocation events_;
  VecHandle acceleration_;
};

}  // namespace sinew
