#include "dynamic_run.hpp"

#include "base/machine_memory.hpp"
#include "base/stop_signal.hpp"
#include "checkpointed_run.hpp"
#include "compared_runs.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/size_runs.hpp"
#include "linear/solver_notes.hpp"
#include "recorded_motion.hpp"
#include "run/motion.hpp"
#include "run/rest.hpp"
#include "run/run_verdicts.hpp"
#include "run_observers.hpp"
#include "solve/redundancy.hpp"
#include "standard_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace sinew {

namespace {

std::string describe(const ConsistencyReport& r) {
  const double given = std::max(r.position_residual, r.velocity_residual);
  if (given < 1e-12) return "initial state: consistent as given\n";
  return fmt::format(
      "initial state: residuals {:.2e} (position), {:.2e} (velocity) as given; changed by at most {:.2e} and {:.2e}; now {:.1e}, "
      "{:.1e}\n",
      r.position_residual, r.velocity_residual, r.position_change, r.velocity_change, r.position_left, r.velocity_left);
}

std::string closing_words(const SimulationSummary& s) {
  return fmt::format(
      "{}: {} steps ({:.3g} to {:.3g}) to t = {:.6g}{}{}, {} attempts rejected{}, {:.2f} Newton iterations a step (at most {}), "
      "{} factorisations\n",
      s.stopped   ? "stopped by a signal"
      : s.is_over ? "stopped by its condition"
                  : "done",
      s.steps, s.shortest, s.longest, s.end_time, s.cut > 0 ? fmt::format(", {} cut by functions of time", s.cut) : "",
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
  return to_text(start.rest, built.model);
}

/// What there is to say against a run is said once and stands in run.json. Collective.
void judge_run(const Integrator& integrator, const System& system, const State& end, RunReport& report) {
  for (const std::string& sentence : verdicts_of_run(integrator, system, end, report.summary, !report.error_bars.empty())) {
    report.warnings.push_back("warning: " + sentence);
    warn_once(system.layout().comm, report.warnings.back());
  }
}

/// The stations of a run, in the order in which they are passed. All members are collective.
class DynamicRun {
 public:
  /// Looks at sensors, options, checkpoint and directory. Throws InputError.
  DynamicRun(const RunRequest&, BuiltModel&, const MeshLevels&);

  /// A consistent state, or that of the checkpoint. False: a signal has come, and nothing is written. Throws InputError,
  /// SolveError.
  bool find_start();
  /// Makes the directory and run.json. Throws InputError, EnvironmentError.
  void open_files();
  /// Throws SolveError.
  void integrate();
  /// Says how it has ended; returns the exit code.
  int finish();
  /// The same of a run that a signal has ended before its first step.
  int finish_before_start();

 private:
  std::string settle_start();
  void describe_start(const std::string& rest);
  void begin_files();
  void take_steps();
  void say_ending();
  /// Prints a warning and keeps it for the report; nothing where it is empty.
  void warn_of(const std::string& warning);
  /// Of the run that is kept.
  std::vector<Observer*> make_observers() { return observers_.make(directory_.get(), record_, request_.quiet, report_); }

  const RunRequest& request_;
  BuiltModel& built_;
  const MeshLevels& levels_;
  System& system_;
  MPI_Comm comm_;
  RunReport report_;
  RunRecord record_;
  RunObservers observers_;
  CheckpointedRun single_;
  std::unique_ptr<OutputDirectory> directory_;
  SimulationOptions choices_;
  std::optional<StopSignals> signals_;
  std::unique_ptr<Integrator> integrator_;
  State state_;
  std::optional<Simulation> simulation_;  ///< of a single run; of others it finds the start
  std::optional<ComparedRuns> compared_;  ///< in place of a single run
  std::vector<Observer*> watching_;       ///< a single run; none before its files begin
};

DynamicRun::DynamicRun(const RunRequest& request, BuiltModel& built, const MeshLevels& levels)
    : request_(request),
      built_(built),
      levels_(levels),
      system_(*built.system),
      comm_(system_.layout().comm),
      record_(comm_, report_),
      observers_(built),
      single_(request.restart, built),
      choices_(simulation_options(built.model.analysis, built.model.output)) {
  require_comparison(built.model, levels, observers_.sensors());
  if (!request.no_output) directory_ = open_output(comm_, built.model, single_.existing(built.model.output.directory));
  choices_.wants_stop = [this] { return signals_ && signals_->received(comm_) != 0; };
  integrator_ = make_integrator(system_, built.model.analysis);
  state_ = make_state(system_);
}

/// Finds what there is to say of the model and of the start; where the run goes on, of the start of the process that began it.
/// Returns what is to be said of a state of rest.
std::string DynamicRun::settle_start() {
  std::vector<std::string>& warnings = report_.warnings;
  warnings = built_.model.warnings;
  auto [all, of_start] = settle_constraints(built_, !single_.is_restarted());
  warnings.insert(warnings.end(), all.begin(), all.end());
  if (single_.is_restarted()) {
    of_start = single_.warnings_of_start();
    warnings.insert(warnings.end(), of_start.begin(), of_start.end());
    return {};
  }
  const auto known = static_cast<std::ptrdiff_t>(warnings.size());
  std::string rest = settle(built_, state_, report_);
  of_start.insert(of_start.end(), warnings.begin() + known, warnings.end());
  single_.keep_warnings_of_start(std::move(of_start));
  return rest;
}

void DynamicRun::warn_of(const std::string& warning) {
  if (warning.empty()) return;
  report_.warnings.push_back(warning);
  warn_once(comm_, warning);
}

bool DynamicRun::find_start() {
  const Analysis& analysis = built_.model.analysis;
  const bool is_compared = wants_error_bars(analysis) || !levels_.is_empty();
  system_.initial_state(state_.q, state_.z);
  signals_.emplace();  // a search for rest and a run beforehand may be long, and leave nothing when they are left
  const std::string rest = settle_start();
  choices_.length =
      single_.is_restarted() ? single_.length() : find_extent(system_, analysis, choices_, beginning(built_, state_));
  if (signals_->received(comm_) != 0) return false;
  signals_.reset();
  if (!is_compared) choices_.checkpoints = single_.prepare(directory_.get(), choices_.length);
  simulation_.emplace(system_, *integrator_, choices_);
  if (is_compared) compared_.emplace(built_, levels_, observers_, state_, choices_, report_, request_.quiet);
  if (single_.is_restarted())
    single_.go_on(*simulation_, state_, report_);
  else
    report_.consistency = simulation_->start(state_);
  warn_of(report_.consistency.lost_turns.as("warning"));
  return_freed_memory();  // what only the start needs: matrices, factors
  describe_start(rest);
  return true;
}

int DynamicRun::finish_before_start() {
  if (!request_.quiet) print_once(comm_, "stopped by a signal before the first step: nothing is written\n");
  return 128 + signals_->received(comm_);
}

/// What the report and the first lines say of a run before its first step; `rest`: what is to be said of a state of rest.
void DynamicRun::describe_start(const std::string& rest) {
  report_.command_line = request_.command_line;
  report_.model_file = request_.model;
  report_.title = built_.model.title;
  report_.options = options_of(built_.model);
  report_.sizes = sizes_of(built_.model, system_);
  report_.before_steps = phase_seconds();
  if (request_.quiet) return;
  print_once(comm_, to_text(built_.model));
  if (!rest.empty()) print_once(comm_, rest);
  print_once(comm_, report_.restarted
                        ? fmt::format("goes on from {}, t = {:.9g}, behind step {}\n", report_.restarted->checkpoint,
                                      report_.restarted->time, report_.restarted->steps)
                        : describe(report_.consistency));
}

void DynamicRun::begin_files() {
  watching_ = make_observers();
  single_.watch(watching_, directory_.get());
}

void DynamicRun::open_files() {
  signals_.emplace();  // until here there is nothing that a signal could leave unfinished
  if (directory_) directory_->create();
  if (directory_ && !directory_->notice().empty() && !request_.quiet) print_once(comm_, directory_->notice() + "\n");
  if (single_.is_restarted()) begin_files();  // files that do not fit are the input's fault, and nothing has happened yet
  record_.open(directory_ ? std::optional(directory_->path()) : std::nullopt);
}

/// The integrator and the state are those of the run that is kept.
void DynamicRun::take_steps() {
  if (compared_) {
    simulation_.reset();  // it has found the start
    ComparedRun kept = compared_->run([this] { return make_observers(); }, directory_.get());
    integrator_ = std::move(kept.integrator);
    state_ = std::move(kept.state);
  } else {
    if (watching_.empty()) begin_files();
    simulation_->run(state_, watching_, &report_.summary);
  }
}

void DynamicRun::integrate() {
  record_.guard([this] {
    try {
      take_steps();
    } catch (const SolveError& failure) {
      judge_run(*integrator_, system_, state_, report_);
      const std::string place = singular_position(system_, built_.model, {state_.t, &state_.q, state_.z, state_.lambda});
      throw single_.with_way_on(place.empty() ? failure : SolveError(fmt::format("{}. {}", failure.what(), place)));
    }
  });
  observers_.finish();
  judge_run(*integrator_, system_, state_, report_);
}

int DynamicRun::finish() {
  const int signal = report_.summary.stopped ? signals_->received(comm_) : 0;
  if (signal != 0 && compared_)
    warn_of(
        "warning: the run was stopped before its error bars were known: errors.csv is not whole, or not there, and runs that "
        "are compared do not go on from a checkpoint");
  std::string reason;
  if (report_.summary.is_over) reason = fmt::format("analysis.stop: {}", system_.stop_condition());
  if (signal != 0) reason = fmt::format("signal {}", signal);
  record_.close(signal != 0 ? "stopped" : "done", reason);
  if (!request_.quiet) say_ending();
  if (!request_.quiet && signal != 0) single_.say_way_on(comm_);
  return signal == 0 ? 0 : 128 + signal;
}

void DynamicRun::say_ending() {
  const PhaseTimes times = gather_phase_times(comm_);
  print_once(comm_, closing_words(report_.summary));
  print_once(comm_, detours_of_solvers());
  print_once(comm_, to_text(times));
  if (directory_) print_once(comm_, fmt::format("results: {}\n", directory_->path().string()));
}

}  // namespace

int run_dynamic(const RunRequest& request, BuiltModel& built, const MeshLevels& levels) {
  return_freed_memory();  // what brought the model to its ranks
  DynamicRun run(request, built, levels);
  bool is_started = false;
  try {
    is_started = run.find_start();
  } catch (const Stopped&) {  // in the search for a state of rest
  }
  if (!is_started) return run.finish_before_start();
  run.open_files();
  run.integrate();
  return run.finish();
}

}  // namespace sinew
