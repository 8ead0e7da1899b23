#include "recorded_motion.hpp"

#include "run/motion.hpp"
#include "standard_output.hpp"

namespace sinew {

std::set<std::string> names_of_sensors(const Model& model, SensorKind kind) {
  std::set<std::string> names;
  for (std::size_t k = 0; k < model.sensors.size(); ++k)
    for (std::int64_t n = 0; model.sensors[k].kind == kind && n < model.sensors[k].repeat.count(); ++n)
      names.insert(model.sensor_names.name({static_cast<int>(k), n}));
  return names;
}

RecordedMotion recorded_motion(const BuiltModel& built, const Sensors& sensors, const State& begin, bool quiet) {
  const System& system = *built.system;
  const MPI_Comm comm = system.layout().comm;
  RecordedMotion motion;
  motion.system = &system;
  motion.analysis = built.model.analysis;
  motion.begin = beginning(built, begin);
  motion.columns = sensors.header();
  motion.numbers = names_of_sensors(built.model, SensorKind::control);
  motion.measure = [&sensors](const Stage& stage, PetscVec a) { return sensors.measure(stage, a); };
  motion.terms = SensorSeries::terms_of(sensors);
  motion.recorded = built.model.output.sensors;
  if (!quiet) motion.tell = [comm](const std::string& line) { print_once(comm, line); };
  motion.warn = [comm](const std::string& line) { warn_once(comm, line); };
  return motion;
}

}  // namespace sinew
