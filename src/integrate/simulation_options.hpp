/// \file
/// What a run in time is told: where it ends, by which steps, how exact it is to be.
#pragma once

#include "integrate/early_switch.hpp"
#include "integrate/observer.hpp"
#include "model/model.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace sinew {

struct SimulationOptions {
  double start_time = 0;
  double end_time = 1;
  StepSequence steps;
  std::optional<StepControl> control;  ///< error-controlled steps; `steps` then has no meaning
  double largest_error = 0;            ///< of any one step, in units of sizes, however much all may err together; 0: no bound
  double length = 0;                   ///< by which errors of points that start in one place are measured, m; 0: not known
  std::vector<double> state_sizes;     ///< what is expected of first-order states (FirstOrderStates::expect)
  std::optional<StepGrid> grid;        ///< the steps of another run or parts of them; goes before both
  std::vector<double> stop_intervals;  ///< steps end at the multiples of these
  std::function<bool()> wants_stop;    ///< asked after every step, on all ranks together; may be empty
  InitialValues initial = InitialValues::consistent;
  CheckpointWriter* checkpoints = nullptr;  ///< may be null; not of runs on the grid of another
  double sliding_width = 1;                 ///< a factor on that within which switches of the state slide
  double smallest_step_ratio = 1e-6;        ///< a step cut below this part of the prescribed one ends the run

  double duration() const { return end_time - start_time; }
};

/// What a model asks of a dynamic run; times of the output are times at which steps end.
SimulationOptions simulation_options(const Analysis&, const Output&);

/// How exact error-controlled steps are to be. What is not given follows from what is: relative from tolerance, absolute none.
/// `control` must be given.
ErrorTolerance error_tolerance(const SimulationOptions&);

}  // namespace sinew
