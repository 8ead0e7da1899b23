/// \file
/// Who watches a run in time: files, run.json, the line of progress.
#pragma once

#include "command_model.hpp"
#include "observe/output_directory.hpp"
#include "observe/progress_line.hpp"
#include "observe/run_record.hpp"
#include "observe/sensor_file.hpp"
#include "system/sensors.hpp"

#include <memory>
#include <vector>

namespace sinew {

/// The observers of a run, made once the start is known to be right.
class RunObservers {
 public:
  /// Finds the sensors. Throws InputError. Collective.
  explicit RunObservers(const BuiltModel&);

  const Sensors& sensors() const { return sensors_; }
  /// sensors.csv, where there is one.
  const SensorFile* rows() const { return rows_; }
  /// Those of a run that is to be kept; those of an earlier one are gone. `directory`: none, if no files are wanted. Collective.
  std::vector<Observer*> make(const OutputDirectory* directory, RunRecord&, bool quiet, RunReport&);
  /// The line of progress ends.
  void finish();

 private:
  template <class T, class... Arguments>
  T* add(Arguments&&... arguments) {
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T* address = made.get();
    list_.push_back(address);
    owned_.push_back(std::move(made));
    return address;
  }
  void add_files(const OutputDirectory&);

  const BuiltModel& built_;
  Sensors sensors_;
  std::vector<std::unique_ptr<Observer>> owned_;
  std::vector<Observer*> list_;
  ProgressLine* progress_ = nullptr;
  const SensorFile* rows_ = nullptr;
};

}  // namespace sinew
