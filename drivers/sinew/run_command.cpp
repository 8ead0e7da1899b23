#include "run_command.hpp"

#include "base/machine_memory.hpp"
#include "base/stop_signal.hpp"
#include "built_model.hpp"
#include "integrate/extent_run.hpp"
#include "integrate/make_integrator.hpp"
#include "level_runs.hpp"
#include "observe/checkpoints.hpp"
#include "observe/field_series.hpp"
#include "observe/output_directory.hpp"
#include "observe/progress_line.hpp"
#include "observe/run_record.hpp"
#include "observe/sensor_file.hpp"
#include "observe/step_file.hpp"
#include "petsc_options.hpp"
#include "recorded_motion.hpp"
#include "rest.hpp"
#include "solve/smallest_reactions.hpp"
#include "standard_output.hpp"
#include "stationary_run.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>

namespace sinew {

namespace {

struct RunOptions {
  std::string model, directory, restart;
  std::vector<std::string> overrides, refinements, command_line;
  bool quiet = false;
  bool no_output = false;
};

std::string describe(const ConsistencyReport& r) {
  const double given = std::max(r.position_residual, r.velocity_residual);
  if (given < 1e-12) return "initial state: consistent as given\n";
  return fmt::format(
      "initial state: residuals {:.2e} (position), {:.2e} (velocity) as given; changed by at most {:.2e} and {:.2e}; now {:.1e}, "
      "{:.1e}\n",
      r.position_residual, r.velocity_residual, r.position_change, r.velocity_change, r.position_left, r.velocity_left);
}

/// The observers of a run, made once the start is known to be right.
struct Observers {
  std::unique_ptr<Sensors> sensors;
  std::vector<std::unique_ptr<Observer>> owned;
  std::vector<Observer*> list;
  ProgressLine* progress = nullptr;
  const SensorFile* rows = nullptr;  ///< sensors.csv, where there is one

  template <class T, class... Arguments>
  T* add(Arguments&&... arguments) {
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T* address = made.get();
    list.push_back(address);
    owned.push_back(std::move(made));
    return address;
  }
};

void add_files(const BuiltModel& built, const OutputDirectory& directory, Observers& observers) {
  const Model& model = built.model;
  const MPI_Comm comm = built.system->layout().comm;
  const Existing existing = directory.existing();
  if (!observers.sensors->is_empty())
    observers.rows =
        observers.add<SensorFile>(comm, directory / "sensors.csv", *observers.sensors, model.output.sensors, 0.0, existing);
  observers.add<StepFile>(comm, directory / "steps.csv", existing);
  observers.add<FieldSeries>(directory.path(), model, built.meshes, *built.numbering, *built.system, existing);
}

/// Files, run.json, progress, of a run that is to be kept; those of an earlier one are gone. Collective.
std::vector<Observer*> make_observers(const BuiltModel& built, const OutputDirectory* directory, RunRecord& record, bool quiet,
                                      RunReport& report, Observers& observers) {
  observers.list.clear();
  observers.owned.clear();
  if (directory) add_files(built, *directory, observers);
  observers.list.push_back(&record);
  observers.add<OptionWatch>(report.warnings);
  const double begin = report.restarted ? report.restarted->time : 0.0;
  observers.progress = observers.add<ProgressLine>(built.system->layout().comm, begin, built.model.analysis.end_time, quiet);
  return observers.list;
}

std::string closing_words(const SimulationSummary& s) {
  return fmt::format(
      "{}: {} steps ({:.3g} to {:.3g}) to t = {:.6g}{}{}, {} attempts rejected{}, {:.2f} Newton iterations a step (at most {}), "
      "{} factorisations\n",
      s.stopped ? "stopped by a signal" : "done", s.steps, s.shortest, s.longest, s.end_time,
      s.cut > 0 ? fmt::format(", {} cut by functions of time", s.cut) : "",
      s.switches > 0 ? fmt::format(", {} switches met", s.switches) : "", s.rejected,
      s.inaccurate > 0 ? fmt::format(" ({} for their error)", s.inaccurate) : "",
      s.steps > 0 ? static_cast<double>(s.newton) / static_cast<double>(s.steps) : 0.0, s.most_newton, s.factorizations);
}

/// With `initial: static`: the state of rest, and what the user is to read of it. Collective.
std::string settle(BuiltModel& built, State& state, RunReport& report) {
  if (built.model.analysis.initial != InitialValues::statics) return {};
  const StaticStart start = start_from_rest(built, state);
  report.rest = figures_of(start.rest);
  if (!start.warning.empty()) {
    report.warnings.push_back("warning: " + start.warning);
    warn_once(built.system->layout().comm, report.warnings.back());
  }
  return to_text(start.rest);
}

/// What the report and the first lines say of a run before its first step; `rest`: what is to be said of a state of rest.
void describe_start(const RunOptions& options, const BuiltModel& built, const std::string& rest, RunReport& report) {
  report.command_line = options.command_line;
  report.model_file = options.model;
  report.title = built.model.title;
  report.options = options_of(built.model);
  report.sizes = sizes_of(built.model, *built.system);
  report.before_steps = phase_seconds();
  if (options.quiet) return;
  const MPI_Comm comm = built.system->layout().comm;
  print_once(comm, to_text(built.model));
  if (!rest.empty()) print_once(comm, rest);
  print_once(comm, report.restarted ? fmt::format("goes on from {}, t = {:.9g}, behind step {}\n", report.restarted->checkpoint,
                                                  report.restarted->time, report.restarted->steps)
                                    : describe(report.consistency));
}

/// What is said at the end of a run that has not failed.
void say_ending(MPI_Comm comm, const RunReport& report, const OutputDirectory* directory) {
  const PhaseTimes times = gather_phase_times(comm);
  print_once(comm, closing_words(report.summary));
  print_once(comm, to_text(times));
  if (directory) print_once(comm, fmt::format("results: {}\n", directory->path().string()));
}

/// What the steps have not resolved, and what has left the range that its element describes, is said once and stands in run.json.
/// Collective.
void judge_run(const Integrator& integrator, const System& system, const State& end, RunReport& report) {
  std::vector<std::string> verdicts = integrator.verdicts();
  verdicts.push_back(system.outgrown());
  verdicts.push_back(system.folded(end.q));
  for (const std::string& verdict : verdicts) {
    if (verdict.empty()) continue;
    report.warnings.push_back("warning: " + verdict);
    warn_once(system.layout().comm, report.warnings.back());
  }
}

/// Runs that are compared for error bars: of steps, of meshes, or of both.
class BarRuns {
 public:
  /// `begin`: the state before it is made consistent. Collective.
  BarRuns(BuiltModel& built, const MeshLevels& levels, const Observers& observers, const State& begin,
          const SimulationOptions& choices, RunReport& report, bool quiet)
      : built_(built),
        observers_(observers),
        choices_(choices),
        report_(report),
        quiet_(quiet),
        steps_(recorded_motion(built, *observers.sensors, begin, quiet), choices, report) {
    if (!levels.is_empty()) levels_.emplace(levels, quiet);
  }

  /// The run that is kept; errors.csv beside its rows. Throws SolveError. Collective.
  ComparedRun run(const MakeObservers& observe, const OutputDirectory* directory) {
    const Analysis& analysis = built_.model.analysis;
    ComparedRun kept = !wants_error_bars(analysis) ? steps_.run(choices_, observe(), "finest mesh")
                       : analysis.error_bars       ? steps_.run_twice(observe)
                                                   : steps_.meet_tolerance(observe);
    if (report_.summary.stopped) return kept;
    const Sensors& sensors = *observers_.sensors;
    BarSum sum(sensors.header());
    if (steps_.bars()) sum.add(*steps_.bars());
    if (levels_) {
      const auto bars = levels_->compare(sensors, kept, choices_, report_);
      if (!bars) return kept;
      bars->tell(built_.system->layout().comm, steps_.bars() ? &*steps_.bars() : nullptr, report_, quiet_);
      sum = bars->sum(steps_.bars() ? &*steps_.bars() : nullptr);
    }
    if (observers_.rows) sum.write(built_.system->layout().comm, *directory / "errors.csv", observers_.rows->times());
    return kept;
  }

 private:
  BuiltModel& built_;
  const Observers& observers_;
  const SimulationOptions& choices_;
  RunReport& report_;
  bool quiet_;
  ErrorBarRun steps_;
  std::optional<LevelRuns> levels_;
};

/// Error bars need something to compare. Throws InputError.
void require_comparison(const Analysis& analysis, const MeshLevels& levels, const Sensors& sensors) {
  if (wants_error_bars(analysis)) require_error_bars(analysis, sensors);
  if (!levels.is_empty() && sensors.is_empty())
    throw InputError("--refine compares what sensors record, and there are none: add sensors to the model");
}

/// A run by itself, which may go on from a checkpoint and leaves some. One of several that are compared does neither.
class SingleRun {
 public:
  /// Opens the checkpoint that the options name, if they do. Throws InputError. Collective.
  SingleRun(const RunOptions& options, BuiltModel& built) : parts_{built.model, built.meshes, *built.numbering, *built.system} {
    if (!options.restart.empty()) restart_.emplace(parts_, options.restart);
  }

  bool is_restarted() const { return restart_.has_value(); }
  /// Is the checkpoint one of those in the directory of this run, whose files then go on?
  Existing existing(const std::filesystem::path& directory) const {
    std::error_code code;
    const bool is_there = restart_ && std::filesystem::equivalent(restart_->path().parent_path() / ".", directory, code);
    return is_there ? Existing::continued : Existing::replaced;
  }
  double length() const { return restart_->length(); }
  /// What the simulation is to call. `directory`: none, if no files are wanted.
  CheckpointWriter* prepare(const OutputDirectory* directory, double length) {
    if (!directory) return nullptr;
    checkpoints_.emplace(parts_, directory->path(), length);
    if (!restart_) return &*checkpoints_;
    checkpoints_->begin_behind(restart_->time());
    checkpoints_->set_last(restart_->path(), restart_->time());
    return &*checkpoints_;
  }
  /// In place of the simulation's start. Collective.
  void go_on(Simulation& simulation, State& state, RunReport& report) {
    report.restarted = {restart_->path().string(), restart_->time(), restart_->steps()};
    parts_.system.persist(restart_->archive());
    simulation.go_on_from(restart_->archive(), state, restart_->has_new_steps());
  }
  /// The files begin, or go on where the checkpoint has left them. Collective.
  void watch(const std::vector<Observer*>& observers, const OutputDirectory* directory) {
    if (checkpoints_) checkpoints_->watch(observers);
    if (!restart_) return;
    if (directory && directory->existing() == Existing::continued) {
      const Archive::Part files(restart_->archive(), "files");
      for (Observer* observer : observers) observer->persist(restart_->archive());
    }
    restart_.reset();
  }
  /// A failure, with how to go on from the last checkpoint where there is one.
  SolveError with_way_on(const SolveError& failure) const {
    return checkpoints_ && !checkpoints_->last().empty() ? SolveError(fmt::format("{}\n{}", failure.what(), way_on())) : failure;
  }
  /// Collective.
  void say_way_on(MPI_Comm comm) const {
    if (checkpoints_ && !checkpoints_->last().empty()) print_once(comm, way_on() + "\n");
  }

 private:
  std::string way_on() const {
    return fmt::format("the last checkpoint is that of t = {:.9g}: --restart {}", checkpoints_->last_time(),
                       checkpoints_->last().string());
  }

  CheckpointedModel parts_;
  std::optional<Restart> restart_;
  std::optional<Checkpoints> checkpoints_;
};

/// Of runs that are compared.
void refuse_restart(const RunOptions& options) {
  if (!options.restart.empty())
    throw InputError("--restart: error bars compare runs from the start on; none of them goes on from a checkpoint");
}

/// The run itself, from a built model: what is needed first is tested first, and nothing is written before the start is right.
int integrate(const RunOptions& options, BuiltModel& built, const MeshLevels& levels) {
  return_freed_memory();  // what brought the model to its ranks
  const MPI_Comm comm = built.system->layout().comm;
  const bool is_compared = wants_error_bars(built.model.analysis) || !levels.is_empty();
  SimulationOptions choices = simulation_options(built.model.analysis, built.model.output);
  std::optional<StopSignals> signals;
  choices.wants_stop = [&] { return signals->received(comm) != 0; };
  Observers observers;
  observers.sensors = std::make_unique<Sensors>(built.model, built.meshes, *built.numbering, *built.system);
  observers.sensors->choose_reactions(smallest_reactions(*built.system));
  require_comparison(built.model.analysis, levels, *observers.sensors);
  if (is_compared) refuse_restart(options);
  SingleRun single(options, built);
  std::unique_ptr<OutputDirectory> directory;
  if (!options.no_output) directory = open_output(comm, built.model, single.existing(built.model.output.directory));

  const auto integrator = make_integrator(*built.system, built.model.analysis);
  std::unique_ptr<Integrator> of_kept_run;  // of those that are compared for error bars
  State state = make_state(*built.system);
  built.system->initial_state(state.q, state.z);
  RunReport report;
  report.warnings = built.model.warnings;
  for (const std::string& warning : settle_constraints(built)) report.warnings.push_back(warning);
  const std::string rest = single.is_restarted() ? std::string() : settle(built, state, report);
  choices.length = single.is_restarted() ? single.length()
                                         : find_extent(*built.system, built.model.analysis, choices, beginning(built, state));
  if (!is_compared) choices.checkpoints = single.prepare(directory.get(), choices.length);
  Simulation simulation(*built.system, *integrator, choices);
  std::optional<BarRuns> bars;
  if (is_compared) bars.emplace(built, levels, observers, state, choices, report, options.quiet);
  if (single.is_restarted())
    single.go_on(simulation, state, report);
  else
    report.consistency = simulation.start(state);
  return_freed_memory();  // what only the start needs: matrices, factors
  describe_start(options, built, rest, report);
  signals.emplace();  // until here there is nothing that a signal could leave unfinished
  RunRecord record(comm, report);
  if (directory) directory->create();
  if (directory && !directory->notice().empty() && !options.quiet) print_once(comm, directory->notice() + "\n");
  const auto observe = [&] { return make_observers(built, directory.get(), record, options.quiet, report, observers); };
  std::vector<Observer*> list;
  const auto begin_files = [&] {
    list = observe();
    single.watch(list, directory.get());
  };
  if (single.is_restarted()) begin_files();  // files that do not fit are the input's fault, and nothing has happened yet
  record.open(directory ? std::optional(directory->path()) : std::nullopt);
  record.guard([&] {
    try {
      if (bars) {
        ComparedRun kept = bars->run(observe, directory.get());
        of_kept_run = std::move(kept.integrator);
        state = std::move(kept.state);
      } else {
        if (list.empty()) begin_files();
        simulation.run(state, list, &report.summary);
      }
    } catch (const SolveError& failure) {
      judge_run(*integrator, *built.system, state, report);
      throw single.with_way_on(failure);
    }
  });
  if (observers.progress) observers.progress->finish();
  judge_run(of_kept_run ? *of_kept_run : *integrator, *built.system, state, report);
  const int signal = report.summary.stopped ? signals->received(comm) : 0;
  record.close(signal != 0 ? "stopped" : "done", signal != 0 ? fmt::format("signal {}", signal) : std::string());
  if (!options.quiet) say_ending(comm, report, directory.get());
  if (!options.quiet && signal != 0) single.say_way_on(comm);
  return signal == 0 ? 0 : 128 + signal;
}

int run(const RunOptions& options) {
  if (!options.refinements.empty()) refuse_restart(options);
  const auto built = build_finest(PETSC_COMM_WORLD, options.model, options.overrides, options.refinements);
  MeshLevels levels = build_levels(PETSC_COMM_WORLD, options.model, options.overrides, options.refinements, *built);
  if (!options.directory.empty()) set_output(built->model, options.directory);
  if (built->model.analysis.type == AnalysisType::dynamic) return integrate(options, *built, levels);
  if (!options.restart.empty()) throw InputError("--restart: only dynamic runs go on from a checkpoint");
  return run_stationary({options.model, options.command_line, options.quiet, options.no_output}, *built, levels);
}

}  // namespace

void add_run_command(CLI::App& app, std::vector<std::string> command_line, std::function<int()>& job) {
  auto options = std::make_shared<RunOptions>();
  options->command_line = std::move(command_line);
  CLI::App* command =
      app.add_subcommand("run", "do the analysis that a model asks for: integrate it in time, find its state of rest, its modes");
  command->add_option("model", options->model, "model file")->required();
  command->add_option("-o,--output", options->directory, "output directory (default: as the model says, else MODEL.out)");
  command->add_option("--set", options->overrides, "change a value of the model: --set analysis.step=1e-4")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_refine_option(*command, options->refinements);
  command->add_option("--restart", options->restart,
                      "go on from a checkpoint of the same model (its files too, in their directory)");
  command->add_flag("--quiet", options->quiet, "print errors and warnings only");
  command->add_flag("--no-output", options->no_output, "write no files (timing studies)");
  command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sinew
