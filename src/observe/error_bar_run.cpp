#include "observe/error_bar_run.hpp"

#include "integrate/error_estimate.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/size_runs.hpp"
#include "observe/creep_recorder.hpp"
#include "observe/largest_reaction.hpp"
#include "observe/tolerance_attempts.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// After so many attempts, and a look, the tolerance is not to be had: errors do not fall with it.
constexpr int most_attempts = 6;
double order_of(const Analysis& analysis) {
  const bool is_bdf = analysis.integrator == IntegratorName::bdf_si1 || analysis.integrator == IntegratorName::bdf_si2;
  return is_bdf ? analysis.order : 2;
}

/// A switch that slides is held within eps of its argument, sqrt(2e-16) of the argument's scale at least, and what is left in
/// the argument changes its value by this over eps: dry friction of what rests would be wrong by what Newton's method leaves
/// in a velocity, multiplied by 7e7, and such differences do not fall with the steps.
double newton_tolerance(const DynamicSystem& system, const Analysis& analysis) {
  const double own = analysis.newton.tolerance, tolerance = global_tolerance(analysis);
  if (!system.switches() || tolerance == 0) return own;
  const double eps = std::sqrt(std::numeric_limits<double>::epsilon());
  return std::min(own, std::max(least_newton_tolerance, newton_share * tolerance * eps));
}

/// No longer than the model allows, nor than that.
void limit_steps(StepControl& control, double longest) {
  if (!std::isfinite(longest)) return;
  longest = std::max(longest, control.min);
  control.max = control.max > 0 ? std::min(control.max, longest) : longest;
  control.initial = std::min(control.initial, control.max);
}

/// That of rank 0 for all.
template <class T>
T from_first(MPI_Comm comm, T value) {
  MPI_Bcast(&value, sizeof value, MPI_BYTE, 0, comm);
  return value;
}

}  // namespace

double global_tolerance(const Analysis& analysis) {
  const auto* control = std::get_if<StepControl>(&analysis.step);
  return control ? control->global : 0.0;
}

bool wants_error_bars(const Analysis& analysis) { return analysis.error_bars || global_tolerance(analysis) > 0; }

void require_error_bars(const Analysis& analysis, const Sensors& sensors) {
  const std::string key = global_tolerance(analysis) > 0 ? "analysis.step.global" : "analysis.error_bars";
  if (sensors.is_empty()) throw InputError(key + " compares what sensors record, and there are none: add sensors to the model");
  if (order_of(analysis) == 0)
    throw InputError(key + " compares runs whose errors fall with a known power of the steps: give analysis.order, or take soi2");
}

ErrorBarRun::ErrorBarRun(RecordedMotion motion, SimulationOptions options, RunReport& report)
    : motion_(std::move(motion)),
      options_(std::move(options)),
      report_(report),
      comm_(motion_.system->layout().comm),
      tolerance_(global_tolerance(motion_.analysis)) {
  motion_.analysis.newton.tolerance = newton_tolerance(*motion_.system, motion_.analysis);
}

void ErrorBarRun::tell(const std::string& line) const {
  if (motion_.tell) motion_.tell(line);
}

ComparedRun ErrorBarRun::run(SimulationOptions options, const std::vector<Observer*>& others, const std::string& what) {
  const DynamicSystem& system = *motion_.system;
  ComparedRun result{SensorSeries(comm_, motion_.measure, motion_.terms, motion_.recorded),
                     {},
                     make_integrator(system, motion_.analysis),
                     make_state(system),
                     options.sliding_width,
                     false};
  const double duration = options.end_time - options.start_time;
  Simulation simulation(system, *result.integrator, std::move(options));
  simulation.watch_creep();
  motion_.begin(result.state);
  simulation.start(result.state);
  result.series.watch_reactions(largest_reaction_of(system));
  CreepRecorder creep(system, motion_.measure, duration, [&simulation] { return simulation.creep(); });
  std::vector<Observer*> observers{&result.series, &result.grid, &creep};
  observers.insert(observers.end(), others.begin(), others.end());
  report_.summary = {};
  ++runs_;
  simulation.run(result.state, observers, &report_.summary);
  result.is_over = report_.summary.is_over;
  result.series.set_creep(creep.creep(result.sliding_width));
  steps_ += report_.summary.steps;
  tell(fmt::format("run {} ({}): {} steps\n", runs_, what, report_.summary.steps));
  return result;
}

ComparedRun ErrorBarRun::run_parts(const ComparedRun& first, int parts, const std::vector<Observer*>& others) {
  SimulationOptions options = options_;
  options.grid = first.grid.divided(parts);
  options.sliding_width = first.sliding_width / std::pow(parts, order_of(motion_.analysis));
  ComparedRun result = run(std::move(options), others, parts == 2 ? "every step halved" : "every step quartered");
  result.is_over = report_.summary.is_over = first.is_over;
  return result;
}

/// `length`: of the other run's steps, over those of the one that is judged.
ErrorVerdict ErrorBarRun::compare(const ComparedRun& judged, const ComparedRun& other, double length,
                                  const ComparedRun* coarsest) {
  ErrorRule rule;
  rule.assumed = rule.highest = order_of(motion_.analysis);
  rule.tolerance = tolerance_;
  rule.noise = std::max(rule.noise, motion_.analysis.newton.tolerance);
  rule.numbers = motion_.numbers;
  rule.left_over = newton_share * tolerance_;
  rule.extent = motion_.system->extent();
  rule.duration = judged.series.times().empty() ? 0.0 : judged.series.times().back() - judged.series.times().front();
  bars_.emplace(motion_.columns, rule);
  ErrorVerdict verdict = bars_->compare(judged.series, other.series, coarsest ? &coarsest->series : nullptr, {1, length, 4});
  verdict.worst = from_first(comm_, verdict.worst);
  return verdict;
}

void ErrorBarRun::report(const ErrorVerdict& verdict) {
  report_.error_bars = {{"worst", verdict.worst},
                        {"quantity", verdict.quantity},
                        {"time_of_worst", verdict.time},
                        {"runs", static_cast<double>(runs_)},
                        {"steps_of_all_runs", static_cast<double>(steps_)}};
  if (verdict.order > 0) report_.error_bars["observed_order"] = verdict.order;  // of two runs none is seen
  if (tolerance_ > 0) report_.error_bars["tolerance"] = tolerance_;
  const std::string order = verdict.order > 0 ? fmt::format(" (observed order {:.2f})", verdict.order) : "";
  const std::string worst = verdict.quantity.empty()
                                ? "runs with shorter steps differ by no more than rounding"
                                : fmt::format("at most {:.2g} of a quantity's size, that of {} (size {:.2g}) at t = {:.4g}{}",
                                              verdict.worst, verdict.quantity, verdict.size, verdict.time, order);
  tell(fmt::format("error bars: {}; {} runs, {} steps\n", worst, runs_, steps_));
  if (verdict.doubts.empty()) return;
  report_.warnings.push_back(fmt::format(
      "warning: shorter steps bring the runs no closer to each other in {}: their bars are not to be trusted (chaotic "
      "motion, forces that jump at states, or steps too long for what vibrates)",
      fmt::join(verdict.doubts, ", ")));
  if (motion_.warn) motion_.warn(report_.warnings.back());
}

/// The first run of an attempt; none where it takes so many steps that a look goes before it.
std::optional<ComparedRun> ErrorBarRun::first_run(ToleranceAttempts& attempts) {
  SimulationOptions loose = options_;
  loose.sliding_width = std::pow(4, order_of(motion_.analysis));
  loose.control->tolerance = attempts.tolerance();
  loose.largest_error = attempts.of_one_step();
  limit_steps(*loose.control, attempts.longest_step());
  bool is_long = false;
  loose.wants_stop = [this, &is_long, most = attempts.most_steps(), taken = 0L]() mutable {
    is_long = static_cast<double>(++taken) > most;
    return is_long || (options_.wants_stop && options_.wants_stop());
  };
  ComparedRun first = run(std::move(loose), {}, fmt::format("tolerance {:.2g}", attempts.tolerance()));
  if (!is_long) return first;
  tell("  broken off: are looser steps enough?\n");
  attempts.look();
  return std::nullopt;
}

ComparedRun ErrorBarRun::meet_tolerance(const MakeObservers& make_observers) {
  ToleranceAttempts attempts(tolerance_, order_of(motion_.analysis), options_.duration());
  options_.state_sizes = find_state_sizes(*motion_.system, motion_.analysis, options_, motion_.begin);
  ErrorVerdict verdict;
  bool has_verdict = false;
  std::string failure;  // of the last attempt, where it came to no end
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    try {
      std::optional<ComparedRun> begun = first_run(attempts);
      if (!begun) begun = first_run(attempts);
      const long steps = report_.summary.steps;
      ComparedRun& first = *begun;
      if (report_.summary.stopped) return std::move(first);
      ComparedRun second = run_parts(first, 2, {});
      if (report_.summary.stopped) return second;
      // Of three runs the last errs by what the first two show, less by the factor of the order.
      verdict = compare(second, first, 2);
      double least = verdict.worst * (1.25 / 3) / 4;
      if (least <= tolerance_) {
        if (attempts.loosen(least / tolerance_, steps)) continue;
        ComparedRun third = run_parts(first, 4, make_observers());
        if (report_.summary.stopped) return third;
        verdict = compare(third, second, 2, &first);
        if (verdict.worst <= tolerance_) {
          if (attempts.is_chance(verdict.order)) continue;
          report(verdict);
          return third;
        }
        least = verdict.worst;
      }
      attempts.missed_by(least, least / tolerance_, steps);
      tell(fmt::format("  missed: {} may still be wrong by {:.2g} of its size, {:.2g}, at t = {:.4g}\n", verdict.quantity, least,
                       verdict.size, verdict.time));
      has_verdict = true;
      failure.clear();
    } catch (const SolveError& fault) {
      attempts.failed();
      failure = fault.what();
      if (attempt + 1 == most_attempts && !has_verdict) throw;
    }
  }
  report(verdict);
  const bool falls_slowly = order_of(motion_.analysis) > order_of_integrals && is_integral(verdict.quantity);
  if (!failure.empty()) failure = "; runs with shorter steps fail: " + failure;
  throw SolveError(fmt::format(
      "the errors of what is recorded do not come within analysis.step.global = {:g}: {} may still be wrong by "
      "{:.2g} of its size, {:.2g}{}{}",
      tolerance_, verdict.quantity, verdict.worst, verdict.size,
      falls_slowly ? " (a sum over steps of second order, whatever `order` is: leave it out of `record`, or take order: 2)" : "",
      failure));
}

ComparedRun ErrorBarRun::run_twice(const MakeObservers& make_observers) {
  ComparedRun first = run(options_, make_observers(), "as given");
  const SimulationSummary summary = report_.summary;
  if (summary.stopped) return first;
  const ComparedRun second = run_parts(first, 2, {});
  const bool is_stopped = report_.summary.stopped;
  report_.summary = summary;
  report_.summary.stopped = is_stopped;
  if (!is_stopped) report(compare(first, second, 0.5));
  return first;
}

}  // namespace sinew
