/// \file
/// The coarser levels of a model in time, run with the steps of the finest one.
#pragma once

#include "mesh_bars.hpp"
#include "recorded_motion.hpp"

#include <optional>
#include <vector>

namespace sinew {

class LevelRuns {
 public:
  /// Finds the sensors of every level and makes its constraints fit. The levels must outlive it. Throws InputError. Collective.
  LevelRuns(const MeshLevels&, bool quiet);

  /// Runs them, coarsest first: as the options say where steps are prescribed, else with those that the finest level has taken.
  /// Nothing where a signal has stopped one; `report` then says so. Throws SolveError. Collective.
  std::optional<MeshBars> compare(const Sensors&, const ComparedRun& finest, const SimulationOptions&, RunReport& report);

 private:
  const MeshLevels& levels_;
  std::vector<Sensors> sensors_;
  bool quiet_;
};

}  // namespace sinew
