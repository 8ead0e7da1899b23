/// \file
/// Analyses without time steps: states of rest, vibrations about a state, buckling. What they share: start, files, report,
/// closing words.
#pragma once

#include "command_model.hpp"
#include "mesh_levels.hpp"
#include "observe/output_directory.hpp"
#include "observe/run_record.hpp"
#include "observe/sensor_file.hpp"
#include "run_request.hpp"
#include "solve/equilibrium.hpp"
#include "system/sensors.hpp"

namespace sinew {

/// Runs a built model whose analysis is not dynamic, and its coarser levels for error bars of the mesh; returns the exit code.
/// Throws InputError, SolveError, EnvironmentError. Collective.
int run_stationary(const RunRequest&, BuiltModel&, MeshLevels& levels);

/// One run: a state, the files it goes to and the report. All members are collective.
class StationaryRun {
 public:
  /// Looks at sensors, directory and constraints; nothing is written. The state is the model's initial one, at rest unless
  /// modes about its motion are wanted.
  StationaryRun(const RunRequest&, BuiltModel&);

  /// Makes the directory and the files of sensors, steps and fields.
  void open_files();
  /// Finds the state of rest, telling every increment if `observes`. Throws SolveError.
  void find_rest(bool observes);
  /// Hands the state to the fields as number `number`, under that label for a time, and to the sensors where it is more than a
  /// shape.
  void observe(long number, double label, bool is_last);
  /// From now on it is told as the files are. It must outlive the run.
  void add_observer(Observer& observer) { listeners_.push_back(&observer); }
  /// sensors.csv, where there is one.
  const SensorFile* rows() const { return sensor_file_.get(); }
  /// Are files wanted?
  bool writes() const { return directory_ != nullptr; }
  const std::filesystem::path& directory() const { return directory_->path(); }
  const Sensors& sensors() const { return *sensors_; }
  /// A file of the run's directory.
  std::filesystem::path file(const std::string& name) const { return *directory_ / name; }
  /// Prints a warning, quiet or not, and keeps it for the report.
  void warn(const std::string& sentence);
  /// Prints unless the user wants quiet.
  void say(const std::string& text) const;
  /// Does the analysis, sees to the report whatever comes of it, and ends with the table of times and the directory; returns the
  /// exit code.
  template <class Work>
  int conduct(Work work) {
    int signal = 0;
    try {
      record_.guard(work);
    } catch (const Stopped& stop) {
      signal = stop.signal;
    }
    return finish(signal);
  }

  BuiltModel& built() { return built_; }
  bool is_quiet() const { return request_.quiet; }
  System& system() { return *built_.system; }
  MPI_Comm comm() const { return built_.system->layout().comm; }
  State& state() { return state_; }
  PetscVec acceleration() { return acceleration_; }
  RunReport& report() { return report_; }
  const RunReport& report() const { return report_; }

 private:
  int finish(int signal);
  /// As `warn`, of a text that says itself that it is a warning, and where.
  void warn_as_it_is(const std::string& warning);

  RunRequest request_;
  BuiltModel& built_;
  State state_;
  VecHandle acceleration_;
  RunReport report_;
  std::unique_ptr<Sensors> sensors_;
  std::unique_ptr<OutputDirectory> directory_;
  RunRecord record_;
  std::unique_ptr<StopSignals> signals_;
  std::vector<std::unique_ptr<Observer>> observers_;
  std::vector<Observer*> listeners_;
  std::unique_ptr<SensorFile> sensor_file_;
};

/// What these analyses do not know of controls. Throws InputError.
void refuse_unknown(const Model&);
/// Of modes and buckling: is there what can move, and what loads it? Throws InputError where there is not. Collective.
void require_modes(const BuiltModel&, const Configuration&);

/// The analyses, one function each. Collective.
void run_statics(StationaryRun&);
void run_modes(StationaryRun&);
void run_buckling(StationaryRun&);

/// What the analysis of the model asks for. Collective.
void analyse(StationaryRun&);

}  // namespace sinew
