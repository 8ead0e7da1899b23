#include "compared_runs.hpp"

#include <fmt/format.h>

namespace sinew {

ComparedRuns::ComparedRuns(BuiltModel& built, const MeshLevels& levels, const RunObservers& observers, const State& begin,
                           const SimulationOptions& choices, RunReport& report, bool quiet)
    : built_(built),
      observers_(observers),
      choices_(choices),
      report_(report),
      quiet_(quiet),
      steps_(recorded_motion(built, observers.sensors(), begin, quiet), choices, report) {
  if (!levels.is_empty()) levels_.emplace(levels, quiet);
}

/// On the finest mesh.
ComparedRun ComparedRuns::run_steps(const MakeObservers& observe) {
  const Analysis& analysis = built_.model.analysis;
  if (!wants_error_bars(analysis)) return steps_.run(choices_, observe(), "finest mesh");
  return global_tolerance(analysis) > 0 ? steps_.meet_tolerance(observe) : steps_.run_twice(observe);
}

ComparedRun ComparedRuns::run(const MakeObservers& observe, const OutputDirectory* directory) {
  ComparedRun kept = run_steps(observe);
  if (report_.summary.stopped) return kept;
  const Sensors& sensors = observers_.sensors();
  const ErrorBars* of_steps = steps_.bars() ? &*steps_.bars() : nullptr;
  BarSum sum(sensors.header());
  if (of_steps) sum.add(*of_steps);
  if (levels_) {
    const auto bars = levels_->compare(sensors, kept, choices_, report_);
    if (!bars) return kept;
    bars->tell(built_.system->layout().comm, of_steps, report_, quiet_);
    sum = bars->sum(of_steps);
  }
  if (observers_.rows()) sum.write(built_.system->layout().comm, *directory / "errors.csv", observers_.rows()->times());
  return kept;
}

void require_comparison(const Model& model, const MeshLevels& levels, const Sensors& sensors) {
  const Analysis& analysis = model.analysis;
  if (!levels.is_empty() && model.output.checkpoint.unit != Interval::Unit::unset)
    throw InputError(
        fmt::format("{}: error: --refine compares several runs, none of which goes on from a checkpoint: take "
                    "output.checkpoint out, or --refine",
                    model.source.locate(model.output.checkpoint.mark)));
  if (wants_error_bars(analysis)) require_error_bars(analysis, sensors);
  if (!levels.is_empty() && sensors.is_empty())
    throw InputError("--refine compares what sensors record, and there are none: add sensors to the model");
}

}  // namespace sinew
