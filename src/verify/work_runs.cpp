#include "verify/work_runs.hpp"

#include "integrate/error_weights.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>

namespace sinew::verify {

namespace {

/// Keeps the states at equally spaced times, and ends runs that take too long.
class Sampler final : public Observer {
 public:
  Sampler(const WorkProblem& problem, double end_time, long most_newton)
      : system_(*problem.system), measure_(problem.measure), end_time_(end_time), most_newton_(most_newton) {}

  void observe(const Snapshot& now) override {
    const double next = end_time_ * static_cast<double>(samples_.size() + 1) / num_samples;
    if (std::abs(now.state.t - next) > 1e-7 * end_time_) return;
    WorkSample sample{now.state.t,
                      system_.make_configuration(),
                      duplicate(now.state.z),
                      duplicate(now.acceleration),
                      duplicate(now.state.lambda),
                      {}};
    Kokkos::deep_copy(sample.q.values, now.state.q.values);
    petsc(VecCopy(now.state.z, sample.z));
    petsc(VecCopy(now.acceleration, sample.a));
    petsc(VecCopy(now.state.lambda, sample.lambda));
    if (measure_) sample.row = measure_({sample.t, &sample.q, sample.z, sample.lambda}, sample.a);
    samples_.push_back(std::move(sample));
  }

  void record(const StepRecord& attempt) override {
    newton_ += attempt.outcome.newton;
    if (newton_ > most_newton_)
      throw SolveError(fmt::format("given up at t = {:.3g} after {} iterations", attempt.time, newton_));
  }

  std::vector<WorkSample> take() { return std::move(samples_); }

 private:
  const DynamicSystem& system_;
  SensorSeries::Measure measure_;
  double end_time_;
  long most_newton_, newton_ = 0;
  std::vector<WorkSample> samples_;
};

/// Keeps the larger one; what is not a number stays so.
void keep(double& largest, double error) {
  if (error > largest || std::isnan(error)) largest = error;
}

double distance(PetscVec a, PetscVec b, PetscVec work) {
  double size = 0;
  petsc(VecWAXPY(work, -1.0, a, b));
  petsc(VecNorm(work, NORM_2, &size));
  return size;
}

ErrorTolerance tolerance_of(const WorkProblem& problem, double tolerance) {
  ErrorTolerance result;
  result.relative = tolerance;
  result.length = problem.length;
  if (!problem.weighs_by_size) result.absolute = tolerance;
  return result;
}

}  // namespace

double processor_seconds(MPI_Comm comm) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  double mine = seconds(used.ru_utime) + seconds(used.ru_stime);
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, comm);
  return mine;
}

void compare(const WorkProblem& problem, const std::vector<WorkSample>& samples, const std::vector<WorkSample>& right,
             WorkPoint& point, double tolerance) {
  const DynamicSystem& system = *problem.system;
  const VecHandle w = system.make_dof_vector(), rows = system.make_row_vector();
  const FirstOrderStates states(system);
  ErrorWeights weights(system, tolerance_of(problem, tolerance > 0 ? tolerance : 1), states);
  State state = make_state(system);
  PetscInt num_rows = 0;
  petsc(VecGetSize(rows, &num_rows));
  point.position_error = point.velocity_error = point.acceleration_error = point.multiplier_error = 0;
  if (tolerance > 0) point.level = 0;
  if (samples.size() != right.size()) throw SolveError("the run missed a time at which it is compared");
  for (std::size_t k = 0; k < right.size(); ++k) {
    double error = 0;
    system.difference(right[k].q, samples[k].q, w);
    petsc(VecNorm(w, NORM_2, &error));
    keep(point.position_error, error);
    if (tolerance > 0) {
      Kokkos::deep_copy(state.q.values, right[k].q.values);
      petsc(VecCopy(right[k].z, state.z));
      weights.set(state, 0);
      keep(point.level, weights.of_configuration(w));
    }
    keep(point.velocity_error, distance(right[k].z, samples[k].z, w));
    keep(point.acceleration_error, distance(right[k].a, samples[k].a, w));
    keep(point.multiplier_error, distance(right[k].lambda, samples[k].lambda, rows));
  }
  if (num_rows == 0) point.multiplier_error = not_known;
}

WorkRun run_work(const WorkProblem& problem, Integrator& integrator, const SimulationOptions& options, long most_newton) {
  WorkRun result;
  State state = make_state(*problem.system);
  problem.set_start(state);
  Simulation simulation(*problem.system, integrator, options);
  Sampler sampler(problem, options.end_time, most_newton);
  const MPI_Comm comm = problem.system->layout().comm;
  const double begin = processor_seconds(comm);
  simulation.start(state);
  const SimulationSummary sums = simulation.run(state, {&sampler});
  result.point.seconds = processor_seconds(comm) - begin;
  result.point.steps = sums.steps;
  result.point.rejected = sums.rejected;
  result.point.newton = sums.newton;
  result.point.factorizations = sums.factorizations;
  result.samples = sampler.take();
  return result;
}

SimulationOptions controlled_options(const WorkProblem& problem, double tolerance) {
  SimulationOptions options;
  options.end_time = problem.analysis.end_time;
  options.initial = problem.analysis.initial;
  options.length = problem.length;
  options.control.emplace();
  options.control->tolerance = options.control->relative = tolerance;
  options.control->per_unit_step = true;
  if (!problem.weighs_by_size) options.control->absolute = tolerance;
  options.stop_intervals = {options.end_time / num_samples};
  return options;
}

SimulationOptions equal_options(const WorkProblem& problem, long count) {
  SimulationOptions options;
  options.end_time = problem.analysis.end_time;
  options.initial = problem.analysis.initial;
  const long rounded = std::max(1L, (count + num_samples - 1) / num_samples) * num_samples;
  options.steps.steps = {options.end_time / static_cast<double>(rounded)};
  return options;
}

}  // namespace sinew::verify
