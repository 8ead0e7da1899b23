#include "observe/bar_sum.hpp"
#include "observe/error_bar_run.hpp"
#include "partition/exchange.hpp"
#include "verify/work_runs.hpp"

#include <cmath>

namespace sinew::verify {

namespace {

/// Values that err by less than this part of their size, and are said to, are no test of bars.
constexpr double exact_part = 1e-9;

/// True errors of the kept run at the times of the samples beside the bars. On rank 0.
void judge(const WorkProblem& problem, const ErrorBars& bars, const SensorSeries& kept, const std::vector<WorkSample>& right,
           GlobalPoint& point) {
  long values = 0, below = 0;
  for (std::size_t s = 0, k = 0; s < right.size(); ++s) {
    while (k + 1 < kept.times().size() && kept.times()[k] < right[s].t - 1e-7 * problem.analysis.end_time) ++k;
    const std::vector<double> bar = bars.at(right[s].t);
    for (std::size_t c = 0; c < bar.size(); ++c) {
      const double size = bars.columns()[c].size, error = std::abs(kept.row(k)[c] - right[s].row[c]);
      if (!(size > 0) || !std::isfinite(error) || (error < exact_part * size && bar[c] < exact_part * size)) continue;
      ++values;
      if (error <= bar[c]) ++below;
      point.error = std::max(point.error, error / size);
      point.bar = std::max(point.bar, bar[c] / size);
    }
  }
  point.below = values > 0 ? static_cast<double>(below) / static_cast<double>(values) : 1;
}

}  // namespace

GlobalPoint measure_global(const WorkProblem& problem, double tolerance, const std::vector<WorkSample>& right) {
  GlobalPoint point;
  point.tolerance = tolerance;
  const MPI_Comm comm = problem.system->layout().comm;
  const double begin = processor_seconds(comm);
  RecordedMotion motion;
  motion.system = problem.system;
  motion.analysis = problem.analysis;
  motion.begin = problem.set_start;
  motion.columns = problem.columns;
  motion.measure = problem.measure;
  motion.terms = problem.terms;
  StepControl control;
  control.global = control.tolerance = tolerance;
  control.per_unit_step = true;
  motion.analysis.step = control;
  motion.analysis.integrator = IntegratorName::soi2;
  motion.analysis.constraints = ConstraintLevel::position;
  SimulationOptions options = controlled_options(problem, tolerance);
  options.control->relative = 0;  // from the tolerance, which changes from attempt to attempt
  RunReport report;
  try {
    ErrorBarRun run(motion, options, report);
    const ComparedRun kept = run.meet_tolerance([] { return std::vector<Observer*>(); });
    point.seconds = processor_seconds(comm) - begin;
    point.runs = run.runs();
    point.steps = run.steps();
    if (comm_rank(comm) == 0) judge(problem, *run.bars(), kept.series, right, point);
  } catch (const SolveError& e) {
    point.failure = e.what();
  }
  return point;
}

}  // namespace sinew::verify
