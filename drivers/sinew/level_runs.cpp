#include "level_runs.hpp"

#include "base/stop_signal.hpp"
#include "run/rest.hpp"
#include "solve/smallest_reactions.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

/// As the run of the finest level begins.
State begin_of(BuiltModel& built) {
  State state = make_state(*built.system);
  built.system->initial_state(state.q, state.z);
  if (built.model.analysis.initial == InitialValues::statics) start_from_rest(built, state);
  return state;
}

/// Nothing where a signal stops the search for rest.
std::optional<State> begin_unless_stopped(BuiltModel& built) {
  try {
    return begin_of(built);
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace

LevelRuns::LevelRuns(const MeshLevels& levels, bool quiet) : levels_(levels), quiet_(quiet) {
  for (const auto& built : levels.coarser) {
    sensors_.emplace_back(built->model, built->meshes, *built->numbering, *built->system);
    sensors_.back().choose_reactions(smallest_reactions(*built->system));
    settle_constraints(*built);
  }
}

std::optional<MeshBars> LevelRuns::compare(const Sensors& sensors, const ComparedRun& finest, const SimulationOptions& options,
                                           RunReport& report) {
  std::vector<LevelSeries> series;
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    BuiltModel& built = *levels_.coarser[k];
    SimulationOptions same = options;
    if (same.control || finest.is_over) same.grid = finest.grid.divided(1);
    const std::optional<State> begin = begin_unless_stopped(built);
    if (!begin) {
      report.summary.stopped = true;
      return {};
    }
    RunReport own;
    ErrorBarRun level(recorded_motion(built, sensors_[k], *begin, true), same, own);
    ComparedRun run = level.run(same, {}, {});
    if (!quiet_)
      print_once(built.system->layout().comm,
                 fmt::format("coarser mesh ({} unknowns): {} steps\n", built.system->global_dofs() + built.system->global_rows(),
                             level.steps()));
    if (own.summary.stopped) {
      report.summary.stopped = true;
      return {};
    }
    series.push_back({sensors_[k].header(), std::move(run.series)});
  }
  return MeshBars(levels_, {sensors.header(), finest.series}, series);
}

}  // namespace sinew
