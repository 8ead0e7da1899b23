/// \file
/// The coarser levels of a model without time: states of rest under the same load, modes and load factors by their numbers.
#pragma once

#include "mesh_bars.hpp"
#include "stationary_run.hpp"

#include <memory>
#include <vector>

namespace sinew {

class StationaryLevels {
 public:
  /// The levels and the run of the finest one must outlive it. Throws InputError. Collective.
  StationaryLevels(const RunRequest&, MeshLevels&, StationaryRun& finest);
  /// Once the finest one is done: does the same on the coarser levels and writes errors.csv. Collective.
  void compare();

 private:
  LevelSeries analyse_level(StationaryRun&) const;
  LevelSeries modes_of(const StationaryRun&) const;

  MeshLevels& levels_;
  StationaryRun& finest_;
  bool is_static_;
  SensorSeries series_;  ///< of the finest
  std::vector<std::unique_ptr<StationaryRun>> runs_;
};

}  // namespace sinew
