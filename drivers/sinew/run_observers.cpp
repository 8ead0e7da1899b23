#include "run_observers.hpp"

#include "observe/field_series.hpp"
#include "observe/step_file.hpp"
#include "petsc_options.hpp"
#include "solve/smallest_reactions.hpp"

namespace sinew {

RunObservers::RunObservers(const BuiltModel& built)
    : built_(built), sensors_(built.model, built.meshes, *built.numbering, *built.system) {
  sensors_.choose_reactions(smallest_reactions(*built.system));
}

void RunObservers::add_files(const OutputDirectory& directory) {
  const Model& model = built_.model;
  const MPI_Comm comm = built_.system->layout().comm;
  const Existing existing = directory.existing();
  if (!sensors_.is_empty())
    rows_ = add<SensorFile>(comm, directory / "sensors.csv", sensors_, model.output.sensors, 0.0, existing);
  add<StepFile>(comm, directory / "steps.csv", existing);
  add<FieldSeries>(directory.path(), model, built_.meshes, *built_.numbering, *built_.system, existing);
}

std::vector<Observer*> RunObservers::make(const OutputDirectory* directory, RunRecord& record, bool quiet, RunReport& report) {
  list_.clear();
  owned_.clear();
  if (directory) add_files(*directory);
  list_.push_back(&record);
  add<OptionWatch>(report.warnings);
  const double begin = report.restarted ? report.restarted->time : 0.0;
  progress_ = add<ProgressLine>(built_.system->layout().comm, begin, built_.model.analysis.end_time, quiet);
  return list_;
}

void RunObservers::finish() {
  if (progress_) progress_->finish();
}

}  // namespace sinew
