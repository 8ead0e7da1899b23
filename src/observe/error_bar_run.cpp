#include "observe/error_bar_run.hpp"

#include "integrate/error_estimate.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/size_runs.hpp"
#include "observe/creep_recorder.hpp"
#include "observe/largest_reaction.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// The last of three runs has a sixteenth of the error of the first, which is allowed as much more, but no more than this.
constexpr double gain_of_quarters = 16, loosest = 0.1;
/// What is asked of the next attempt, over what the last one shows to be needed: bars are good to about a quarter.
constexpr double reserve = 0.7;
/// Of the tolerance after an attempt that failed: no error is known, and a digit more is what a user would try.
constexpr double after_failure = 0.07;
/// Runs that differ by this part of a quantity's size have little in common, and by how much they differ says nothing of how much
/// shorter steps have to be: a latch that is released too soon or too late is wrong by all of what it moves.
constexpr double unrelated = 0.1;
/// After so many attempts the tolerance is not to be had: errors do not fall with it.
constexpr int most_attempts = 6;
/// What the last two attempts show of how errors fall with the tolerance is believed down to this power, that of local control by
/// step (docs/theory/error-control.md). Where it looks like less the errors are rounding, or one attempt was good by chance: with
/// 1/2 moments that are nothing but rounding asked for 4,500 steps where 116 do.
constexpr double least_power = 2.0 / 3;
/// Order of the sums over steps that `work` and `dissipated` are, whatever the method's.
constexpr double order_of_sums = 2;

/// Tolerances of the steps that are tried one after the other. Errors are expected to fall with the tolerance; where those of the
/// last two attempts fell less (steps that do not carry a vibration yet, thrown ropes), by the power that the two show. From the
/// third miss on more is asked for each time, since bars that are missed by a little do not fall as they are expected to.
class Attempts {
 public:
  /// Steps go with the tolerance to the power 1/order, the errors of sums with their square.
  Attempts(double tolerance, double order) : tolerance_(tolerance), least_power_(std::min(least_power, order_of_sums / order)) {}
  double tolerance() const { return tolerance_; }

  /// The last one left errors of this part of a quantity's size, `excess` times as large as allowed.
  void missed_by(double error, double excess) {
    const bool is_known = error < unrelated;
    double power = 1;
    if (last_excess_ > 0 && is_known) power = std::log(last_excess_ / excess) / std::log(last_tolerance_ / tolerance_);
    if (!(power >= least_power_)) power = least_power_;
    last_tolerance_ = tolerance_;
    last_excess_ = is_known ? excess : 0;
    const double factor = std::pow(std::pow(reserve, std::max(1, ++misses_ - 1)) / excess, 1 / std::min(power, 1.0));
    tolerance_ *= is_known ? factor : std::max(factor, after_failure);
  }

  /// The last one did not come to its end: nothing is known of its errors.
  void failed() {
    last_excess_ = 0;
    tolerance_ *= after_failure;
  }

 private:
  double tolerance_, least_power_, last_tolerance_ = 0, last_excess_ = 0;
  int misses_ = 0;
};

double order_of(const Analysis& analysis) {
  const bool is_bdf = analysis.integrator == IntegratorName::bdf_si1 || analysis.integrator == IntegratorName::bdf_si2;
  return is_bdf ? analysis.order : 2;
}

double global_tolerance(const Analysis& analysis) {
  const auto* control = std::get_if<StepControl>(&analysis.step);
  return control ? control->global : 0.0;
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

/// That of rank 0 for all.
template <class T>
T from_first(MPI_Comm comm, T value) {
  MPI_Bcast(&value, sizeof value, MPI_BYTE, 0, comm);
  return value;
}

}  // namespace

bool wants_error_bars(const Analysis& analysis) { return analysis.error_bars || global_tolerance(analysis) > 0; }

void require_error_bars(const Analysis& analysis, const Sensors& sensors) {
  const std::string key = analysis.error_bars ? "analysis.error_bars" : "analysis.step.global";
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

ComparedRun ErrorBarRun::meet_tolerance(const MakeObservers& make_observers) {
  Attempts attempts(std::min(gain_of_quarters * tolerance_, loosest), order_of(motion_.analysis));
  options_.state_sizes = find_state_sizes(*motion_.system, motion_.analysis, options_, motion_.begin);
  ErrorVerdict verdict;
  bool has_verdict = false;
  std::string failure;  // of the last attempt, where it came to no end
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    SimulationOptions loose = options_;
    loose.sliding_width = std::pow(4, order_of(motion_.analysis));
    loose.control->tolerance = attempts.tolerance();
    try {
      ComparedRun first = run(loose, {}, fmt::format("tolerance {:.2g}", attempts.tolerance()));
      if (report_.summary.stopped) return first;
      ComparedRun second = run_parts(first, 2, {});
      if (report_.summary.stopped) return second;
      // Of three runs the last errs by what the first two show, less by the factor of the order.
      verdict = compare(second, first, 2);
      double least = verdict.worst * (1.25 / 3) / 4;
      if (least <= tolerance_) {
        ComparedRun third = run_parts(first, 4, make_observers());
        if (report_.summary.stopped) return third;
        verdict = compare(third, second, 2, &first);
        if (verdict.worst <= tolerance_) {
          report(verdict);
          return third;
        }
        least = verdict.worst;
      }
      attempts.missed_by(least, least / tolerance_);
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
  const auto is_sum = [&](const char* name) { return verdict.quantity.find(name) != std::string::npos; };
  const bool falls_slowly = order_of(motion_.analysis) > order_of_sums && (is_sum(".work") || is_sum(".dissipated"));
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
