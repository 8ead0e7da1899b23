/// \file
/// What the comparison of meshes says, for runs in time and without: bars, words for the user, figures for run.json.
#pragma once

#include "mesh_levels.hpp"
#include "observe/bar_sum.hpp"
#include "observe/run_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// What was recorded on one level.
struct LevelSeries {
  std::vector<std::string> columns;  ///< on rank 0
  SensorSeries series;
};

/// Compares the finest level with the others, the coarsest first, in the columns that all of them have.
class MeshBars {
 public:
  /// On rank 0 everything, on the others nothing.
  MeshBars(const MeshLevels&, const LevelSeries& finest, const std::vector<LevelSeries>& coarser);

  const ErrorBars& bars() const { return *bars_; }
  /// Adds warnings and figures to the report, prints both on rank 0. `of_steps`: what runs with other steps have shown, may
  /// be null.
  void tell(MPI_Comm, const ErrorBars* of_steps, RunReport&, bool quiet) const;
  /// The bars of steps and mesh added up, in the columns of the finest level.
  BarSum sum(const ErrorBars* of_steps) const;

 private:
  std::vector<std::string> warnings(const BarSum&) const;

  const MeshLevels& levels_;
  std::vector<std::string> columns_;
  std::optional<ErrorBars> bars_;
  ErrorVerdict verdict_;
};

}  // namespace sinew
