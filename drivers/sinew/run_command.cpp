#include "run_command.hpp"

#include "base/machine_memory.hpp"
#include "base/stop_signal.hpp"
#include "built_model.hpp"
#include "integrate/extent_run.hpp"
#include "integrate/make_integrator.hpp"
#include "level_runs.hpp"
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
  if (!observers.sensors->is_empty())
    observers.rows = observers.add<SensorFile>(comm, directory / "sensors.csv", *observers.sensors, model.output.sensors, 0.0);
  observers.add<StepFile>(comm, directory / "steps.csv");
  observers.add<FieldSeries>(directory.path(), model, built.meshes, *built.numbering, *built.system);
}

/// Files, run.json, progress, of a run that is to be kept; those of an earlier one are gone. Collective.
std::vector<Observer*> make_observers(const BuiltModel& built, const OutputDirectory* directory, RunRecord& record, bool quiet,
                                      RunReport& report, Observers& observers) {
  observers.list.clear();
  observers.owned.clear();
  if (directory) add_files(built, *directory, observers);
  observers.list.push_back(&record);
  observers.add<OptionWatch>(report.warnings);
  observers.progress = observers.add<ProgressLine>(built.system->layout().comm, 0.0, built.model.analysis.end_time, quiet);
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
  print_once(comm, describe(report.consistency));
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

/// The run itself, from a built model: what is needed first is tested first, and nothing is written before the start is right.
int integrate(const RunOptions& options, BuiltModel& built, const MeshLevels& levels) {
  return_freed_memory();  // what brought the model to its ranks
  const MPI_Comm comm = built.system->layout().comm;
  SimulationOptions choices = simulation_options(built.model.analysis, built.model.output);
  std::optional<StopSignals> signals;
  choices.wants_stop = [&] { return signals->received(comm) != 0; };
  Observers observers;
  observers.sensors = std::make_unique<Sensors>(built.model, built.meshes, *built.numbering, *built.system);
  observers.sensors->choose_reactions(smallest_reactions(*built.system));
  require_comparison(built.model.analysis, levels, *observers.sensors);
  std::unique_ptr<OutputDirectory> directory;
  if (!options.no_output) directory = open_output(comm, built.model);

  const auto integrator = make_integrator(*built.system, built.model.analysis);
  std::unique_ptr<Integrator> of_kept_run;  // of those that are compared for error bars
  State state = make_state(*built.system);
  built.system->initial_state(state.q, state.z);
  RunReport report;
  report.warnings = built.model.warnings;
  for (const std::string& warning : settle_constraints(built)) report.warnings.push_back(warning);
  const std::string rest = settle(built, state, report);
  choices.length = find_extent(*built.system, built.model.analysis, choices, beginning(built, state));
  Simulation simulation(*built.system, *integrator, choices);
  std::optional<BarRuns> bars;
  if (wants_error_bars(built.model.analysis) || !levels.is_empty())
    bars.emplace(built, levels, observers, state, choices, report, options.quiet);
  report.consistency = simulation.start(state);
  return_freed_memory();  // what only the start needs: matrices, factors
  describe_start(options, built, rest, report);
  signals.emplace();  // until here there is nothing that a signal could leave unfinished
  RunRecord record(comm, report);
  if (directory) directory->create();
  if (directory && !directory->notice().empty() && !options.quiet) print_once(comm, directory->notice() + "\n");
  record.open(directory ? std::optional(directory->path()) : std::nullopt);
  const auto observe = [&] { return make_observers(built, directory.get(), record, options.quiet, report, observers); };
  record.guard([&] {
    try {
      if (bars) {
        ComparedRun kept = bars->run(observe, directory.get());
        of_kept_run = std::move(kept.integrator);
        state = std::move(kept.state);
      } else {
        simulation.run(state, observe(), &report.summary);
      }
    } catch (const SolveError&) {
      judge_run(*integrator, *built.system, state, report);
      throw;
    }
  });
  if (observers.progress) observers.progress->finish();
  judge_run(of_kept_run ? *of_kept_run : *integrator, *built.system, state, report);
  const int signal = report.summary.stopped ? signals->received(comm) : 0;
  record.close(signal != 0 ? "stopped" : "done", signal != 0 ? fmt::format("signal {}", signal) : std::string());
  if (!options.quiet) say_ending(comm, report, directory.get());
  return signal == 0 ? 0 : 128 + signal;
}

int run(const RunOptions& options) {
  if (!options.restart.empty()) throw InputError("--restart: restarting from a checkpoint is not built yet");
  const auto built = build_finest(PETSC_COMM_WORLD, options.model, options.overrides, options.refinements);
  MeshLevels levels = build_levels(PETSC_COMM_WORLD, options.model, options.overrides, options.refinements, *built);
  if (!options.directory.empty()) set_output(built->model, options.directory);
  if (built->model.analysis.type != AnalysisType::dynamic)
    return run_stationary({options.model, options.command_line, options.quiet, options.no_output}, *built, levels);
  return integrate(options, *built, levels);
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
  // Refused, with a reason: no word of it in the help.
  command->add_option("--restart", options->restart, "go on from a checkpoint")->group("");
  command->add_flag("--quiet", options->quiet, "print errors and warnings only");
  command->add_flag("--no-output", options->no_output, "write no files (timing studies)");
  command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sinew
