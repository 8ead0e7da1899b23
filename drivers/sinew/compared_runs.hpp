/// \file
/// Runs of a model that are compared for error bars: of steps, of meshes, or of both.
#pragma once

#include "level_runs.hpp"
#include "observe/error_bar_run.hpp"
#include "observe/output_directory.hpp"
#include "run_observers.hpp"

#include <optional>

namespace sinew {

class ComparedRuns {
 public:
  /// `begin`: the state before it is made consistent, which is copied. All else must outlive it. Collective.
  ComparedRuns(BuiltModel&, const MeshLevels&, const RunObservers&, const State& begin, const SimulationOptions&, RunReport&,
               bool quiet);

  /// The run that is kept; errors.csv beside its rows. `directory`: none, if no files are wanted. Throws SolveError. Collective.
  ComparedRun run(const MakeObservers&, const OutputDirectory* directory);

 private:
  ComparedRun run_steps(const MakeObservers&);

  BuiltModel& built_;
  const RunObservers& observers_;
  const SimulationOptions& choices_;
  RunReport& report_;
  bool quiet_;
  ErrorBarRun steps_;
  std::optional<LevelRuns> levels_;
};

/// Error bars need something to compare. Throws InputError.
void require_comparison(const Model&, const MeshLevels&, const Sensors&);

}  // namespace sinew
