/// \file
/// sensors.csv: a header, then a row of all sensors at the start, at the model's interval, and at the end.
#pragma once

#include "observe/schedule.hpp"
#include "observe/text_file.hpp"
#include "system/sensors.hpp"

namespace sinew {

/// Numbers have 17 significant digits: what is read back is the same double.
class SensorFile final : public Observer {
 public:
  /// Writes the header `time,...`. The sensors must outlive it. Throws EnvironmentError. Collective.
  SensorFile(MPI_Comm comm, const std::filesystem::path& path, const Sensors& sensors, Interval interval, double start_time,
             Existing existing = Existing::replaced);
  void observe(const Snapshot& snapshot) override;
  void persist(Archive&) override;
  /// Of the rows so far; on rank 0.
  const std::vector<double>& times() const { return times_; }

 private:
  MPI_Comm comm_;
  const Sensors& sensors_;
  Schedule schedule_;
  TextFile file_;
  std::vector<double> times_;
};

}  // namespace sinew
