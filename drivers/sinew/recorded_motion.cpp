#include "recorded_motion.hpp"

#include "standard_output.hpp"

namespace sinew {

RecordedMotion recorded_motion(const BuiltModel& built, const Sensors& sensors, const State& begin, bool quiet) {
  const System& system = *built.system;
  const MPI_Comm comm = system.layout().comm;
  RecordedMotion motion;
  motion.system = &system;
  motion.analysis = built.model.analysis;
  const auto first = std::make_shared<State>(make_state(system));
  Kokkos::deep_copy(first->q.values, begin.q.values);
  petsc(VecCopy(begin.z, first->z));
  motion.begin = [&system, first](State& state) {
    system.initial_state(state.q, state.z);  // makes the system forget
    Kokkos::deep_copy(state.q.values, first->q.values);
    petsc(VecCopy(first->z, state.z));
  };
  motion.columns = sensors.header();
  motion.measure = [&sensors](const Stage& stage, PetscVec a) { return sensors.measure(stage, a); };
  if (!quiet) motion.tell = [comm](const std::string& line) { print_once(comm, line); };
  motion.warn = [comm](const std::string& line) { warn_once(comm, line); };
  return motion;
}

}  // namespace sinew
