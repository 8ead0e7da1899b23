/// \file
/// Where a run begins that may go on from a checkpoint, and the checkpoints that it leaves.
#pragma once

#include "command_model.hpp"
#include "integrate/simulation.hpp"
#include "observe/checkpoints.hpp"
#include "observe/output_directory.hpp"
#include "observe/run_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A run by itself. One of several that are compared neither goes on from a checkpoint nor leaves any.
class CheckpointedRun {
 public:
  /// Opens the checkpoint to go on from, where one is named. Throws InputError. Collective.
  CheckpointedRun(const std::string& checkpoint, const BuiltModel&);

  bool is_restarted() const { return restart_.has_value(); }
  /// Is the checkpoint one of those in the directory of this run, whose files then go on? Collective.
  Existing existing(const std::filesystem::path& directory) const;
  /// Of the model, as the run found it that left the checkpoint.
  double length() const { return restart_->length(); }
  /// What there was to say of the start, by the process that made it. Checkpoints hold it, so that run.json has it whoever goes
  /// on.
  const std::vector<std::string>& warnings_of_start() const { return warnings_of_start_; }
  void keep_warnings_of_start(std::vector<std::string> warnings) { warnings_of_start_ = std::move(warnings); }
  /// What the simulation is to call; null where no files are wanted.
  CheckpointWriter* prepare(const OutputDirectory* directory, double length);
  /// In place of the simulation's start. Collective.
  void go_on(Simulation&, State&, RunReport&);
  /// The files begin, or go on where the checkpoint has left them. Collective.
  void watch(const std::vector<Observer*>& observers, const OutputDirectory* directory);
  /// A failure, with how to go on from the last checkpoint where there is one.
  SolveError with_way_on(const SolveError& failure) const;
  /// Prints it. Collective.
  void say_way_on(MPI_Comm) const;

 private:
  std::string way_on() const;

  CheckpointedModel parts_;
  std::optional<Restart> restart_;
  std::optional<Checkpoints> checkpoints_;
  std::vector<std::string> warnings_of_start_;
};

}  // namespace sinew
