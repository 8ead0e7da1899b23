#include "checkpointed_run.hpp"

#include "partition/exchange.hpp"
#include "standard_output.hpp"

#include <fmt/format.h>

namespace sinew {

CheckpointedRun::CheckpointedRun(const std::string& checkpoint, const BuiltModel& built)
    : parts_{built.model, built.meshes, *built.numbering, *built.system} {
  if (checkpoint.empty()) return;
  restart_.emplace(parts_, checkpoint);
  warnings_of_start_ = restart_->warnings();
}

Existing CheckpointedRun::existing(const std::filesystem::path& directory) const {
  if (!restart_) return Existing::replaced;
  const MPI_Comm comm = parts_.system.layout().comm;
  int is_there = 0;  // as one rank sees the file system: what follows is done by all together
  std::error_code code;
  if (comm_rank(comm) == 0) is_there = std::filesystem::equivalent(restart_->path().parent_path() / ".", directory, code) ? 1 : 0;
  MPI_Bcast(&is_there, 1, MPI_INT, 0, comm);
  return is_there == 1 ? Existing::continued : Existing::replaced;
}

CheckpointWriter* CheckpointedRun::prepare(const OutputDirectory* directory, double length) {
  if (!directory) return nullptr;
  checkpoints_.emplace(parts_, directory->path(), length);
  checkpoints_->set_warnings(warnings_of_start_);
  if (!restart_) return &*checkpoints_;
  checkpoints_->set_last(restart_->path(), restart_->time());
  return &*checkpoints_;
}

void CheckpointedRun::go_on(Simulation& simulation, State& state, RunReport& report) {
  report.restarted = {restart_->path().string(), restart_->time(), restart_->steps()};
  parts_.system.persist(restart_->archive());
  simulation.go_on_from(restart_->archive(), state, restart_->has_new_steps());
}

void CheckpointedRun::watch(const std::vector<Observer*>& observers, const OutputDirectory* directory) {
  if (checkpoints_) checkpoints_->watch(observers);
  if (!restart_) return;
  if (directory && directory->existing() == Existing::continued) {
    const Archive::Part files(restart_->archive(), "files");
    for (Observer* observer : observers) observer->persist(restart_->archive());
  }
  restart_.reset();
}

SolveError CheckpointedRun::with_way_on(const SolveError& failure) const {
  return checkpoints_ && !checkpoints_->last().empty() ? SolveError(fmt::format("{}\n{}", failure.what(), way_on())) : failure;
}

void CheckpointedRun::say_way_on(MPI_Comm comm) const {
  if (checkpoints_ && !checkpoints_->last().empty()) print_once(comm, way_on() + "\n");
}

/// In the directory of the run the files go on; in any other, the default one too, new ones would begin.
std::string CheckpointedRun::way_on() const {
  const std::filesystem::path last = checkpoints_->last();
  return fmt::format("the last checkpoint is that of t = {:.9g}: --restart {} -o {}", checkpoints_->last_time(), last.string(),
                     last.has_parent_path() ? last.parent_path().string() : ".");
}

}  // namespace sinew
