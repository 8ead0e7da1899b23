/// \file
/// The checkpoints of a run: when they are written, what they are called, how one is read again.
#pragma once

#include "integrate/simulation.hpp"
#include "observe/checkpoint_file.hpp"
#include "observe/schedule.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// A model on its ranks, as checkpoints see it. All must outlive them.
struct CheckpointedModel {
  const Model& model;
  const SolidMeshes& meshes;
  const Numbering& numbering;
  System& system;
};

/// The step behind which a checkpoint was written, by its name; -1: it is none.
long checkpoint_step(const std::filesystem::path&);

/// Writes checkpoint-00001234.h5 (behind step 1234) at the model's interval, at the end of the run, and when it is stopped. A
/// file has its name only once it is whole and on the disk. The last ones stay, as many as the model says.
class Checkpoints final : public CheckpointWriter {
 public:
  /// `length`: by which errors are measured (see SimulationOptions).
  Checkpoints(const CheckpointedModel&, std::filesystem::path directory, double length);

  /// From now on checkpoints hold how far the files of these observers go, which must outlive it.
  void watch(std::vector<Observer*> observers) { observers_ = std::move(observers); }
  /// What there was to say of the start, which who goes on from a checkpoint does not find again.
  void set_warnings(std::vector<std::string> warnings) { warnings_ = std::move(warnings); }
  void begin_behind(const Snapshot& snapshot) override { schedule_.begin_behind(snapshot); }
  bool is_due(const Snapshot&) override;
  bool is_repeatable() const override;
  void write(const Snapshot&, const std::function<void(Archive&)>& persist) override;
  /// The last one that is whole, and its time; no name: there is none yet.
  const std::filesystem::path& last() const { return last_; }
  double last_time() const { return last_time_; }
  void set_last(std::filesystem::path file, double time) {
    last_ = std::move(file);
    last_time_ = time;
  }

 private:
  void write_file(const std::filesystem::path&, const Snapshot&, const std::function<void(Archive&)>& persist);
  void remove_old(long newest) const;

  CheckpointedModel parts_;
  MPI_Comm comm_;
  std::filesystem::path directory_;
  double length_;
  Schedule schedule_;
  std::optional<CheckpointLayout> layout_;  ///< once it is needed
  double start_ = 0;                        ///< what tells where bodies begin
  std::vector<Observer*> observers_;
  std::vector<std::string> warnings_;
  std::filesystem::path last_;
  double last_time_ = 0;
};

/// Gives the reduced bodies of a model the shapes that a checkpoint holds: its amplitudes are of these, and where two frequencies
/// are the same others would serve as well. Those of another model are left alone. Throws InputError where the file is no
/// checkpoint. Collective.
void take_modal_shapes(MPI_Comm, const std::filesystem::path& checkpoint, Model&);

/// A checkpoint from which a run goes on.
class Restart {
 public:
  /// Opens the file and looks whether it is one of this model. Throws InputError. Collective.
  Restart(const CheckpointedModel&, const std::filesystem::path& file);

  const std::filesystem::path& path() const { return file_.path(); }
  double time() const { return time_; }
  long steps() const { return steps_; }
  /// By which errors are measured (see SimulationOptions).
  double length() const { return length_; }
  /// What there was to say of the start (Checkpoints::set_warnings).
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Are the steps others than those of the run that wrote it?
  bool has_new_steps() const { return has_new_steps_; }
  Archive& archive() { return archive_; }

 private:
  void compare(const Model&);

  Hdf5Reader file_;
  CheckpointLayout layout_;
  CheckpointInput archive_;
  double time_ = 0, length_ = 0;
  long steps_ = 0;
  std::vector<std::string> warnings_;
  bool has_new_steps_ = false;
};

}  // namespace sinew
