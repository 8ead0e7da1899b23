#include "stationary_run.hpp"

#include "base/timing.hpp"
#include "linear/solver_notes.hpp"
#include "model/check.hpp"
#include "model/choices.hpp"
#include "observe/field_series.hpp"
#include "observe/sensor_file.hpp"
#include "observe/step_file.hpp"
#include "petsc_options.hpp"
#include "run/rest.hpp"
#include "solve/smallest_reactions.hpp"
#include "standard_output.hpp"
#include "stationary_levels.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

/// The options that these analyses have.
std::map<std::string, std::string> options_without_time(const Model& model) {
  std::map<std::string, std::string> options;
  for (const auto& [name, text] : options_of(model))
    if (name == "analysis" || name == "initial" || name == "newton.tolerance") options[name] = text;
  const Analysis& a = model.analysis;
  if (a.type == AnalysisType::modes) options["about"] = name_of(a.about);
  if (a.type == AnalysisType::modes && a.about == ModesAbout::motion) options["steady"] = name_in_file(a.steady);
  if (a.type != AnalysisType::statics) options["count"] = fmt::format("{}", a.count);
  if (a.type == AnalysisType::statics) options["path"] = name_of(a.static_path);
  if (a.type == AnalysisType::buckling) options["about"] = name_of(a.about);
  if (finds_rest(a)) options["unstable"] = name_of(a.unstable);
  if (a.static_steps > 0) options["steps"] = fmt::format("{}", a.static_steps);
  return options;
}

StepRecord step_record(const LoadIncrement& done, long number) {
  StepRecord record;
  record.number = number;
  record.time = done.load_factor;
  record.step = done.step;
  record.outcome.accepted = done.accepted;
  record.outcome.reason = done.reason;
  record.outcome.newton = done.newton;
  record.outcome.linear = done.linear;
  record.outcome.factorizations = done.factorizations;
  record.outcome.residual = done.correction;
  return record;
}

}  // namespace

StationaryRun::StationaryRun(const RunRequest& request, BuiltModel& built)
    : request_(request),
      built_(built),
      state_(make_state(*built.system)),
      acceleration_(built.system->make_dof_vector()),
      record_(built.system->layout().comm, report_) {
  sensors_ = std::make_unique<Sensors>(built.model, built.meshes, *built.numbering, *built.system);
  sensors_->choose_reactions(smallest_reactions(*built.system));
  if (!request.no_output) directory_ = open_output(comm(), built.model);
  report_.warnings = built.model.warnings;
  for (const std::string& warning : settle_constraints(built).all) report_.warnings.push_back(warning);
  const bool moves = built.model.analysis.type == AnalysisType::modes && built.model.analysis.about == ModesAbout::motion;
  if (!moves) system().hold(0.0, 1.0);
  system().initial_state(state_.q, state_.z);
  if (!moves) system().clear_all_but_states(state_.z);
  system().require_admissible(state_.q);
  const PetscVec z = state_.z;
  const InitialValues initial = built.model.analysis.initial;
  if (initial == InitialValues::given) require_consistency(system(), 0.0, state_.q, z, 1e-8);
  // a dynamic model whose run would begin at rest is drawn onto its constraints like any other
  if (initial == InitialValues::consistent || initial == InitialValues::statics) {
    report_.consistency = finds_rest(built.model.analysis) ? project_for_rest(system(), 0.0, state_.q, z, Turns::counted)
                                                           : project_onto_constraints(system(), 0.0, state_.q, z, Turns::counted);
  } else {
    report_.consistency = measure_consistency(system(), 0.0, state_.q, z);
    count_turns(system(), 0.0, state_.q, z);
  }
  if (report_.consistency.lost_turns.exist()) warn_as_it_is(report_.consistency.lost_turns.as("warning"));
  system().accept({0.0, &state_.q, z, nullptr});
  // statics carry out prescribed motions that crumple the model when they are carried out at once; others take it as it is now
  if (!finds_rest(built.model.analysis)) system().require_admissible(state_.q);
  if (!moves) system().clear_all_but_states(z);
  report_.command_line = request.command_line;
  report_.model_file = request.model;
  report_.title = built.model.title;
  report_.options = options_without_time(built.model);
  report_.sizes = sizes_of(built.model, system());
  say(to_text(built.model));
}

void StationaryRun::say(const std::string& text) const {
  if (!request_.quiet) print_once(comm(), text);
}

void StationaryRun::open_files() {
  if (request_.is_level) return;
  signals_ = std::make_unique<StopSignals>();
  if (!directory_) return record_.open({});
  directory_->create();
  if (!directory_->notice().empty()) say(directory_->notice() + "\n");
  record_.open(directory_->path());
  Output& output = built_.model.output;
  const bool has_increments = built_.model.analysis.type == AnalysisType::statics;
  // an interval of a motion in time says nothing of shapes: all of them are written
  for (Interval* interval : {&output.sensors, &output.fields})
    if (!has_increments || interval->unit != Interval::Unit::steps) *interval = {Interval::Unit::steps, 1, {}};
  if (!sensors_->is_empty())
    sensor_file_ = std::make_unique<SensorFile>(comm(), file("sensors.csv"), *sensors_, output.sensors, 0.0);
  if (has_increments) observers_.push_back(std::make_unique<StepFile>(comm(), file("steps.csv")));
  observers_.push_back(
      std::make_unique<FieldSeries>(directory_->path(), built_.model, built_.meshes, *built_.numbering, system()));
}

void StationaryRun::observe(long number, double label, bool is_last) {
  state_.t = label;
  record_.observe({state_, acceleration_, number, is_last});
  const bool is_shape = number > 0 && built_.model.analysis.type != AnalysisType::statics;
  if (sensor_file_ && !is_shape) sensor_file_->observe({state_, acceleration_, number, is_last});
  for (Observer* listener : listeners_) listener->observe({state_, acceleration_, number, is_last});
  for (const auto& observer : observers_) observer->observe({state_, acceleration_, number, is_last});
}

void StationaryRun::find_rest(bool observes) {
  EquilibriumSolver solver(system(), *built_.numbering, equilibrium_options(built_.model.analysis));
  SimulationSummary& summary = report_.summary;
  const auto tell = [&](const LoadIncrement& done) {
    if (done.accepted) ++summary.steps;
    petsc(VecCopy(solver.velocity(), state_.z));
    if (done.accepted) summary.most_newton = std::max(summary.most_newton, done.newton);
    if (done.accepted) summary.end_time = done.load_factor;
    if (summary.steps == 1)
      for (const std::string& warning : warn_of_unused_options(OptionsOf::sinew)) report_.warnings.push_back(warning);
    if (observes) {
      for (const auto& observer : observers_) observer->record(step_record(done, summary.steps));
      if (done.accepted) observe(summary.steps, done.load_factor, done.load_factor == 1);
    }
    if (done.load_factor < 1) heed_signals(comm());
  };
  const auto tell_start = [&] {
    // where the motions are carried out at once the model may be crumpled: no state of it, and without energy
    if (observes && system().fault(state_.q).empty()) observe(0, 0.0, false);
  };
  const EquilibriumReport rest = solver.solve(state_.q, state_.lambda, tell, tell_start);
  summary.rejected = rest.rejected;
  summary.newton = rest.newton;
  summary.factorizations = rest.factorizations;
  summary.end_time = 1;
  report_.rest = figures_of(rest);
  say(to_text(rest, built_.model));
  const bool is_all = built_.model.analysis.type != AnalysisType::buckling;  // before which there are kept loads alone
  for (const std::string& warning :
       {instability_warning(rest), is_all ? idle_warning(built_.model, rest) : std::string(), system().folded(state_.q)})
    if (!warning.empty()) warn(warning);
}

void StationaryRun::warn(const std::string& sentence) { warn_as_it_is("warning: " + sentence); }

void StationaryRun::warn_as_it_is(const std::string& warning) {
  report_.warnings.push_back(warning);
  if (built_.warn) built_.warn(warning);
}

int StationaryRun::finish(int signal) {
  record_.close(signal == 0 ? "done" : "stopped", signal == 0 ? std::string() : fmt::format("signal {}", signal));
  const PhaseTimes times = gather_phase_times(comm());
  if (signal != 0) say("stopped by a signal\n");
  say(detours_of_solvers());
  say(to_text(times));
  if (directory_) say(fmt::format("results: {}\n", directory_->path().string()));
  return signal == 0 ? 0 : 128 + signal;
}

void run_statics(StationaryRun& run) {
  run.open_files();
  run.find_rest(true);
}

void refuse_unknown(const Model& model) {
  const Analysis& analysis = model.analysis;
  if (const auto wrong = check_samples(model)) throw InputError(format_error(model.source, *wrong));
  if (analysis.type == AnalysisType::buckling) {
    refuse_states(model, "buckling");
    for (const ForceItem& force : model.forces)
      if (force.feedback)
        throw InputError(
            fmt::format("{}: error: buckling multiplies loads that are known, and what '{}' ({}) exerts is an expression of what "
                        "it measures (make it a force, or give it a stiffness)",
                        model.source.locate(force.mark), force.name.text(), force.word));
  }
  if (analysis.type != AnalysisType::modes) return;
  if (analysis.about == ModesAbout::motion) refuse_states(model, "modes about a motion");
  if (analysis.matrices) refuse_states(model, "`matrices: true`");
}

void analyse(StationaryRun& run) {
  switch (run.built().model.analysis.type) {
    case AnalysisType::statics: run_statics(run); break;
    case AnalysisType::modes: run_modes(run); break;
    case AnalysisType::buckling: run_buckling(run); break;
    case AnalysisType::dynamic: throw InputError("a dynamic analysis has steps in time");
  }
}

int run_stationary(const RunRequest& request, BuiltModel& built, MeshLevels& levels) {
  refuse_unknown(built.model);
  StationaryRun run(request, built);
  StationaryLevels compared(request, levels, run);
  return run.conduct([&] {
    analyse(run);
    compared.compare();
  });
}

}  // namespace sinew
