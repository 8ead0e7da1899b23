#include "observe/sensor_file.hpp"

#include "base/timing.hpp"

#include <fmt/format.h>

#include <iterator>

namespace sinew {

SensorFile::SensorFile(MPI_Comm comm, const std::filesystem::path& path, const Sensors& sensors, Interval interval,
                       double start_time, Existing existing)
    : comm_(comm), sensors_(sensors), schedule_(interval, start_time, 0.0), file_(comm, path, existing) {
  if (existing == Existing::continued) return;
  std::string line = "time";
  for (const std::string& name : sensors.header()) line += ',' + name;
  file_.write(line + '\n');
}

void SensorFile::persist(Archive& archive) {
  const Archive::Part part(archive, "sensors.csv");
  schedule_.persist(archive);
  file_.persist(archive);
}

void SensorFile::observe(const Snapshot& snapshot) {
  const TimedPhase timer(Phase::output);
  if (!schedule_.is_due(snapshot, comm_)) return;
  const State& s = snapshot.state;
  const std::vector<double> values = sensors_.measure({s.t, &s.q, s.z, s.lambda}, snapshot.acceleration);
  fmt::memory_buffer line;
  if (file_.is_writer()) {
    times_.push_back(s.t);
    fmt::format_to(std::back_inserter(line), "{:.17g}", s.t);
    for (const double v : values) fmt::format_to(std::back_inserter(line), ",{:.17g}", v);
    line.push_back('\n');
  }
  file_.write(fmt::to_string(line));
}

}  // namespace sinew
