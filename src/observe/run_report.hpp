/// \file
/// run.json: what ran, on what, with which options, how long, and how it ended.
#pragma once

#include "base/timing.hpp"
#include "integrate/simulation.hpp"
#include "system/system.hpp"

#include <mpi.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

/// Plain data; the same on all ranks.
struct RunReport {
  std::vector<std::string> command_line;
  std::string model_file, title;
  std::map<std::string, std::string> options;  ///< of Sinew: integrator, step, tolerance ...
  std::map<std::string, std::int64_t> sizes;   ///< bodies, joints, nodes, unknowns ...
  std::vector<std::string> warnings;
  std::string outcome = "running";  ///< running, done, failed, stopped
  std::string reason;               ///< why it failed or stopped
  SimulationSummary summary;        ///< what was run before a restart included
  /// Where a run goes on from a checkpoint.
  struct Restarted {
    std::string checkpoint;
    double time = 0;
    long steps = 0;
  };
  std::optional<Restarted> restarted;
  std::vector<std::map<std::string, double>> modes;  ///< figures of every mode: frequency, damping_ratio ... or load_factor
  std::map<std::string, double> rest;                ///< the search for a state of rest, where there was one
  std::map<std::string, double> motion;              ///< modes about a motion: the frame and how far it is steady
  /// where runs were compared: the worst of the bars, and what it took
  std::map<std::string, std::variant<double, std::string>> error_bars;
  ConsistencyReport consistency;  ///< what the start needed
  /// phase_seconds when the steps began; none of an analysis without steps
  std::optional<std::array<double, num_phases>> before_steps;
};

/// Sizes of a system and its model for RunReport::sizes: bodies, joints, forces, nodes, dofs, rows. Collective.
std::map<std::string, std::int64_t> sizes_of(const Model& model, const System& system);
/// Method, step, tolerances and their like for RunReport::options.
std::map<std::string, std::string> options_of(const Model& model);

/// The text of run.json. What stands between the two places is known at the end only: outcome, reason and summary.
struct RunText {
  std::string text;
  std::size_t outcome_begin = 0, outcome_end = 0;
};

/// Writes run.json, replacing an earlier one in one go; versions, ranks, host, PETSc's options and the times by phase are added
/// here. Returns what it holds. Throws EnvironmentError; an earlier one is left as it was then. Collective.
RunText write_run_report(MPI_Comm comm, const std::filesystem::path& file, const RunReport& report);

}  // namespace sinew
