#include "integrate/simulation_options.hpp"

#include <algorithm>
#include <variant>

namespace sinew {

SimulationOptions simulation_options(const Analysis& analysis, const Output& output) {
  SimulationOptions o;
  o.end_time = analysis.end_time;
  if (const auto* control = std::get_if<StepControl>(&analysis.step)) {
    o.control = *control;
  } else {
    o.steps = std::get<StepSequence>(analysis.step);
  }
  for (const Interval& every : {output.fields, output.sensors, output.checkpoint})
    if (every.unit == Interval::Unit::simulated) o.stop_intervals.push_back(every.value);
  o.initial = analysis.initial;
  return o;
}

ErrorTolerance error_tolerance(const SimulationOptions& options) {
  const StepControl& control = *options.control;
  ErrorTolerance t;
  t.absolute = control.absolute;
  t.relative = control.relative > 0 ? control.relative : control.tolerance;
  t.per_unit_step = control.per_unit_step;
  if (options.largest_error > 0) t.least_count = std::max(1.0, t.relative / options.largest_error);
  t.unit = options.duration() > 0 ? options.duration() : 1.0;
  t.end = options.end_time;
  t.length = options.length;
  t.state_sizes = options.state_sizes;
  return t;
}

}  // namespace sinew
