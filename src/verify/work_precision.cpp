#include "verify/work_precision.hpp"

#include "integrate/bdf_integrator.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/simulation.hpp"
#include "verify/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew::verify {

namespace {

constexpr int num_samples = 10;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// An integrator that takes so many times the iterations of the first one is given up.
constexpr long most_work = 30;

/// What is compared at one time.
struct Sample {
  Configuration q;
  VecHandle lambda;
};

/// Keeps the states at equally spaced times, and ends runs that take too long.
class Sampler final : public Observer {
 public:
  Sampler(const DynamicSystem& system, double end_time, long most_newton)
      : system_(system), end_time_(end_time), most_newton_(most_newton) {}

  void observe(const Snapshot& now) override {
    const double next = end_time_ * static_cast<double>(samples_.size() + 1) / num_samples;
    if (std::abs(now.state.t - next) > 1e-7 * end_time_) return;
    Sample sample{system_.make_configuration(), duplicate(now.state.lambda)};
    Kokkos::deep_copy(sample.q.values, now.state.q.values);
    petsc(VecCopy(now.state.lambda, sample.lambda));
    samples_.push_back(std::move(sample));
  }

  void record(const StepRecord& attempt) override {
    newton_ += attempt.outcome.newton;
    if (newton_ > most_newton_)
      throw SolveError(fmt::format("given up at t = {:.3g} after {} iterations", attempt.time, newton_));
  }

  std::vector<Sample> take() { return std::move(samples_); }

 private:
  const DynamicSystem& system_;
  double end_time_;
  long most_newton_, newton_ = 0;
  std::vector<Sample> samples_;
};

/// Largest errors of positions and multipliers over the samples; what is not a number stays so.
void compare(const DynamicSystem& system, const std::vector<Sample>& samples, const std::vector<Sample>& right,
             WorkPoint& point) {
  const VecHandle w = system.make_dof_vector(), difference = system.make_row_vector();
  const auto keep = [](double& largest, double error) {
    if (error > largest || std::isnan(error)) largest = error;
  };
  PetscInt rows = 0;
  petsc(VecGetSize(difference, &rows));
  point.position_error = point.multiplier_error = 0;
  if (samples.size() != right.size()) throw SolveError("the run missed a time at which it is compared");
  for (std::size_t k = 0; k < right.size(); ++k) {
    double error = 0;
    system.difference(right[k].q, samples[k].q, w);
    petsc(VecNorm(w, NORM_2, &error));
    keep(point.position_error, error);
    petsc(VecWAXPY(difference, -1.0, right[k].lambda, samples[k].lambda));
    petsc(VecNorm(difference, NORM_2, &error));
    keep(point.multiplier_error, error);
  }
  if (rows == 0) point.multiplier_error = nan;
}

/// What one run gave.
struct Run {
  WorkPoint point;
  std::vector<Sample> samples;
};

Run run(const WorkProblem& problem, Integrator& integrator, const SimulationOptions& options, long most_newton) {
  Run result;
  State state = make_state(*problem.system);
  problem.set_start(state);
  Simulation simulation(*problem.system, integrator, options);
  Sampler sampler(*problem.system, options.end_time, most_newton);
  const double begin = MPI_Wtime();
  simulation.start(state);
  const SimulationSummary sums = simulation.run(state, {&sampler});
  result.point.seconds = MPI_Wtime() - begin;
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
  options.control.emplace();
  options.control->tolerance = options.control->relative = tolerance;
  if (!problem.weighs_by_size) options.control->absolute = tolerance;
  options.stop_intervals = {options.end_time / num_samples};
  return options;
}

/// At least `count` equal steps, so many that they end on the times of the samples.
SimulationOptions equal_options(const WorkProblem& problem, long count) {
  SimulationOptions options;
  options.end_time = problem.analysis.end_time;
  options.initial = problem.analysis.initial;
  const long rounded = std::max(1L, (count + num_samples - 1) / num_samples) * num_samples;
  options.steps.steps = {options.end_time / static_cast<double>(rounded)};
  return options;
}

/// An integrator of the program by its name in tables.
struct Candidate {
  std::string name;
  Analysis analysis;
};

/// All of them with the settings of the problem's analysis. Newmark's method is not repeated with the trapezoid's coefficients.
std::vector<Candidate> candidates(const Analysis& given) {
  std::vector<Candidate> list;
  const auto add = [&](const std::string& name, IntegratorName integrator, ConstraintLevel level) {
    Analysis analysis = given;
    analysis.integrator = integrator;
    analysis.constraints = level;
    if (analysis.start == StartMethod::perturbed && integrator != IntegratorName::gen_alpha)
      analysis.start = StartMethod::derivative;
    list.push_back({name, analysis});
  };
  for (const IntegratorName name : {IntegratorName::soi2, IntegratorName::gen_alpha, IntegratorName::gen_alpha_ggl,
                                    IntegratorName::bdf_si1, IntegratorName::bdf_si2})
    add(name_of(name), name, ConstraintLevel::position);
  add("trapezoid", IntegratorName::trapezoid, ConstraintLevel::position);
  add("trapezoid, index 2", IntegratorName::trapezoid, ConstraintLevel::velocity);
  add("newmark", IntegratorName::newmark, given.constraints);
  Analysis& newmark = list.back().analysis;
  if (newmark.beta == 0.25 && newmark.gamma == 0.5) {
    newmark.gamma = 0.6;
    newmark.beta = 0.3025;  // (gamma + 1/2)^2 / 4
  }
  list.back().name = fmt::format("newmark, beta {:g}, gamma {:g}", newmark.beta, newmark.gamma);
  return list;
}

bool has_estimate(const WorkProblem& problem, const Analysis& analysis) {
  ErrorTolerance tolerance;
  tolerance.relative = 1e-3;
  return make_integrator(*problem.system, analysis)->judge_errors(tolerance);
}

/// What soi2 needed with error control: the yardstick for equal steps and for giving up. `newton` 0: it came to no end.
using Yardsticks = std::vector<WorkPoint>;

struct MeasuredCurve {
  WorkCurve curve;
  std::vector<std::vector<Sample>> samples;  ///< of each point
};

MeasuredCurve measure_curve(const WorkProblem& problem, const Candidate& candidate, const std::vector<double>& tolerances,
                            const Yardsticks* yardsticks, WorkSteps steps) {
  MeasuredCurve result;
  WorkCurve& curve = result.curve;
  curve.integrator = candidate.name;
  for (std::size_t i = 0; i < tolerances.size(); ++i) {
    try {
      curve.is_controlled = steps == WorkSteps::controlled && has_estimate(problem, candidate.analysis);
      const long work = yardsticks ? (*yardsticks)[i].newton : 0;
      if (!curve.is_controlled && work == 0) throw SolveError("soi2 with error control says no number of steps");
      const SimulationOptions options =
          curve.is_controlled ? controlled_options(problem, tolerances[i]) : equal_options(problem, (*yardsticks)[i].steps);
      const long most_newton = work > 0 ? most_work * work + 1000 : std::numeric_limits<long>::max();
      Run one = run(problem, *make_integrator(*problem.system, candidate.analysis), options, most_newton);
      one.point.tolerance = tolerances[i];
      curve.points.push_back(one.point);
      result.samples.push_back(std::move(one.samples));
    } catch (const SolveError& e) {
      curve.failures.push_back(fmt::format("tolerance {:.0e}: {}", tolerances[i], e.what()));
    } catch (const InputError& e) {
      curve.failures.push_back(fmt::format("tolerance {:.0e}: {}", tolerances[i], e.what()));
    }
  }
  return result;
}

Yardsticks yardsticks_of(const WorkCurve& curve, const std::vector<double>& tolerances) {
  Yardsticks result(tolerances.size());
  for (std::size_t i = 0; i < tolerances.size(); ++i)
    for (const WorkPoint& point : curve.points)
      if (point.tolerance == tolerances[i]) result[i] = point;
  return result;
}

/// The right values.
struct Reference {
  std::vector<Sample> samples;
  std::string words;
  WorkPoint uncertainty;
};

Reference closed_reference(const WorkProblem& problem) {
  Reference reference;
  reference.words = "closed solution";
  for (int k = 1; k <= num_samples; ++k) {
    Sample sample{problem.system->make_configuration(), problem.system->make_row_vector()};
    problem.solution(problem.analysis.end_time * k / num_samples, sample.q, sample.lambda);
    reference.samples.push_back(std::move(sample));
  }
  return reference;
}

/// Runs with `count` and twice as many equal steps: the second is the reference, its difference to the first the uncertainty.
/// Nothing where a step fails.
std::optional<Reference> fine_reference(const WorkProblem& problem, const std::function<std::unique_ptr<Integrator>()>& make,
                                        const std::string& name, long count) {
  try {
    const long no_end = std::numeric_limits<long>::max();
    const Run coarse = run(problem, *make(), equal_options(problem, count), no_end);
    Run fine = run(problem, *make(), equal_options(problem, 2 * coarse.point.steps), no_end);
    Reference reference;
    compare(*problem.system, coarse.samples, fine.samples, reference.uncertainty);
    reference.words = fmt::format(
        "{} with {} equal steps; it differs from the run with half as many by {:.1e} in positions, {:.1e} in multipliers", name,
        fine.point.steps, reference.uncertainty.position_error, reference.uncertainty.multiplier_error);
    reference.samples = std::move(fine.samples);
    return reference;
  } catch (const SolveError&) {
    return {};
  }
}

/// The reference may be wrong by this part of the smallest error that it measures.
constexpr double good_part = 0.01;

bool is_good(const WorkProblem& problem, const Reference& reference, const std::vector<Sample>& finest) {
  WorkPoint point;
  compare(*problem.system, finest, reference.samples, point);
  return reference.uncertainty.position_error <= good_part * point.position_error;
}

/// BDF of order 5; where that is not good enough for the finest run it or soi2, whichever agrees better with half as many steps:
/// BDF may be unstable where fast modes are undamped.
Reference best_fine_reference(const WorkProblem& problem, long count, const std::vector<Sample>* finest) {
  NewtonOptions newton = problem.analysis.newton;
  newton.tolerance = std::min(newton.tolerance, 1e-11);
  newton.max = std::max(newton.max, 20);
  const auto bdf = [&]() -> std::unique_ptr<Integrator> {
    BdfOptions options;
    options.order = 5;
    options.newton = newton;
    return make_bdf_integrator(*problem.system, options);
  };
  const auto soi2 = [&] {
    AlphaOptions options;
    options.rho_inf = problem.analysis.rho_inf;
    options.newton = newton;
    return make_alpha_integrator(*problem.system, options);
  };
  std::optional<Reference> best = fine_reference(problem, bdf, "bdf-si1 of order 5", count);
  if (best && finest && is_good(problem, *best, *finest)) return std::move(*best);
  std::optional<Reference> other = fine_reference(problem, soi2, "soi2", count);
  if (!best || (other && !(best->uncertainty.position_error <= other->uncertainty.position_error))) best = std::move(other);
  if (!best) throw SolveError("no fine run came to its end, so that there is nothing to compare with");
  return std::move(*best);
}

/// Of the coarser one of the two fine runs.
long reference_steps(const Yardsticks& yardsticks) {
  long most = 50;
  for (const WorkPoint& point : yardsticks) most = std::max(most, point.steps);
  return 2 * most;
}

double largest_multipliers(const std::vector<Sample>& samples) {
  double largest = 0;
  for (const Sample& sample : samples) {
    double size = 0;
    petsc(VecNorm(sample.lambda, NORM_2, &size));
    largest = std::max(largest, size);
  }
  return largest;
}

void require_tolerances(const std::vector<double>& tolerances) {
  if (tolerances.empty()) throw InputError("a work-precision diagram needs a tolerance at least");
  for (const double tolerance : tolerances)
    if (!(tolerance > 0) || !(tolerance < 1))
      throw InputError(fmt::format("a tolerance lies between 0 and 1, not at {:g}", tolerance));
}

}  // namespace

WorkProblem work_problem(const std::string& name, const TestProblem& problem, double end_time) {
  WorkProblem result;
  result.name = name;
  result.system = problem.system.get();
  result.analysis.end_time = end_time;
  result.weighs_by_size = false;
  result.set_start = [&problem](State& state) {
    const State start = start_state(problem);
    Kokkos::deep_copy(state.q.values, start.q.values);
    petsc(VecCopy(start.z, state.z));
    petsc(VecCopy(start.lambda, state.lambda));
  };
  if (problem.exact)
    result.solution = [&problem](double t, Configuration& q, PetscVec lambda) {
      const Solution known = problem.exact(t);
      q = problem.system->configuration(known.y);
      VecWrite values(lambda);
      std::copy(known.lambda.begin(), known.lambda.end(), values.data());
    };
  return result;
}

WorkDiagram measure_work(const WorkProblem& problem, const std::vector<double>& tolerances, WorkSteps steps,
                         const WorkTeller& tell) {
  require_tolerances(tolerances);
  const std::vector<Candidate> list = candidates(problem.analysis);
  if (tell) tell(list.front().name + " with error control");
  MeasuredCurve first = measure_curve(problem, list.front(), tolerances, nullptr, WorkSteps::controlled);
  const Yardsticks yardsticks = yardsticks_of(first.curve, tolerances);
  std::vector<MeasuredCurve> measured;
  for (const Candidate& candidate : list) {
    const bool is_done = &candidate == &list.front() && steps == WorkSteps::controlled;
    if (!is_done && tell) tell(candidate.name);
    measured.push_back(is_done ? std::move(first) : measure_curve(problem, candidate, tolerances, &yardsticks, steps));
  }
  if (tell) tell("reference");
  const std::vector<std::vector<Sample>>& of_soi2 = measured.front().samples;
  const Reference reference =
      problem.solution ? closed_reference(problem)
                       : best_fine_reference(problem, reference_steps(yardsticks), of_soi2.empty() ? nullptr : &of_soi2.back());
  WorkDiagram diagram{problem.name, reference.words, reference.uncertainty, largest_multipliers(reference.samples), {}};
  for (MeasuredCurve& m : measured) {
    for (std::size_t i = 0; i < m.samples.size(); ++i)
      compare(*problem.system, m.samples[i], reference.samples, m.curve.points[i]);
    diagram.curves.push_back(std::move(m.curve));
  }
  return diagram;
}

}  // namespace sinew::verify
