#include "verify/work_precision.hpp"

#include "integrate/make_integrator.hpp"
#include "verify/convergence.hpp"
#include "verify/work_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::verify {

namespace {

/// An integrator that takes so many times the iterations of the first one is given up.
constexpr long most_work = 30;
/// Between these an order is believed, of which two runs with equal steps give an idea.
constexpr double least_order = 0.5, most_order = 6;

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
  std::vector<std::vector<WorkSample>> samples;  ///< of each point
  std::vector<WorkRun> constant;                 ///< of each point as many equal steps; without samples where they came to no end
};

/// The same integrator with as many equal steps.
WorkRun run_constant(const WorkProblem& problem, const Analysis& analysis, long steps, long most_newton) {
  try {
    return run_work(problem, *make_integrator(*problem.system, analysis), equal_options(problem, steps), most_newton);
  } catch (const SolveError&) {
    return {};
  } catch (const InputError&) {
    return {};
  }
}

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
      WorkRun one = run_work(problem, *make_integrator(*problem.system, candidate.analysis), options, most_newton);
      one.point.tolerance = tolerances[i];
      if (curve.is_controlled)
        result.constant.push_back(
            run_constant(problem, candidate.analysis, one.point.steps, most_work * one.point.newton + 1000));
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

/// Of the coarser one of the two fine runs.
long reference_steps(const Yardsticks& yardsticks) {
  long most = 50;
  for (const WorkPoint& point : yardsticks) most = std::max(most, point.steps);
  return 2 * most;
}

double largest_multipliers(const std::vector<WorkSample>& samples) {
  double largest = 0;
  for (const WorkSample& sample : samples) {
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

/// Everything has error bars: positions, velocities, accelerations and multipliers, each a quantity of its own.
void record_all(const TestProblem& problem, WorkProblem& result) {
  const GeneralDae& system = *problem.system;
  const DaeSizes& sizes = system.sizes();
  for (const char* kind : {"position", "velocity", "acceleration"})
    for (int i = 0; i < sizes.dofs; ++i) result.columns.push_back(fmt::format("y{}.{}", i + 1, kind));
  for (int i = 0; i < sizes.position_rows + sizes.velocity_rows; ++i)
    result.columns.push_back(fmt::format("row{}.multiplier", i + 1));
  const auto dofs = static_cast<std::size_t>(sizes.dofs), rows = result.columns.size() - 3 * dofs;
  result.measure = [&system, dofs, rows](const Stage& stage, PetscVec a) {
    std::vector<double> row = system.values(*stage.q);
    const auto add = [&row](PetscVec vector, std::size_t count) {  // first-order states stand behind what is counted
      const VecRead values(vector);
      row.insert(row.end(), values.data(), values.data() + count);
    };
    add(stage.z, dofs);
    add(a, dofs);
    add(stage.lambda, rows);
    return row;
  };
}

/// How many equal steps would err as the point does: from the run with as many, by the order that it shows beside its neighbour.
double constant_steps(const std::vector<WorkRun>& constant, std::size_t i, double error) {
  const WorkPoint& same = constant[i].point;
  if (constant[i].samples.empty() || !(same.position_error > 0) || !(error > 0)) return not_known;
  double order = 2;
  const std::size_t k = i > 0 ? i - 1 : i + 1;
  if (k < constant.size() && !constant[k].samples.empty() && constant[k].point.steps != same.steps) {
    const double seen = std::log(constant[k].point.position_error / same.position_error) /
                        std::log(static_cast<double>(same.steps) / static_cast<double>(constant[k].point.steps));
    if (std::isfinite(seen)) order = std::clamp(seen, least_order, most_order);
  }
  return static_cast<double>(same.steps) * std::pow(same.position_error / error, 1 / order);
}

/// Errors of all runs of a curve.
void judge_curve(const WorkProblem& problem, const WorkReference& reference, MeasuredCurve& measured) {
  WorkCurve& curve = measured.curve;
  for (std::size_t i = 0; i < measured.samples.size(); ++i) {
    const double tolerance = curve.is_controlled ? curve.points[i].tolerance : 0;
    compare(problem, measured.samples[i], reference.samples, curve.points[i], tolerance);
  }
  for (WorkRun& run : measured.constant)
    if (!run.samples.empty()) compare(problem, run.samples, reference.samples, run.point);
  for (std::size_t i = 0; i < measured.constant.size(); ++i)
    curve.points[i].constant_steps = constant_steps(measured.constant, i, curve.points[i].position_error);
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
    result.solution = [&problem](WorkSample& sample) {
      const Solution known = problem.exact(sample.t);
      sample.q = problem.system->configuration(known.y);
      const auto fill = [](PetscVec vector, const std::vector<double>& values) {
        VecWrite out(vector);
        std::copy(values.begin(), values.end(), out.data());
      };
      fill(sample.z, known.z);
      fill(sample.lambda, known.lambda);
      petsc(VecSet(sample.a, not_known));
      if (known.a.size() == known.z.size()) fill(sample.a, known.a);
    };
  record_all(problem, result);
  return result;
}

double WorkCurve::spread() const {
  double least = not_known, most = not_known;
  int count = 0;
  for (const WorkPoint& point : points) {
    if (!std::isfinite(point.level)) continue;
    least = count == 0 ? point.level : std::min(least, point.level);
    most = count == 0 ? point.level : std::max(most, point.level);
    ++count;
  }
  return count > 1 && least > 0 ? most / least : not_known;
}

WorkDiagram measure_work(const WorkProblem& problem, const WorkPlan& plan, const WorkTeller& tell) {
  require_tolerances(plan.tolerances);
  for (const double tolerance : plan.global) require_tolerances({tolerance});
  const std::vector<Candidate> list = candidates(problem.analysis);
  if (tell) tell(list.front().name + " with error control");
  MeasuredCurve first = measure_curve(problem, list.front(), plan.tolerances, nullptr, WorkSteps::controlled);
  const Yardsticks yardsticks = yardsticks_of(first.curve, plan.tolerances);
  std::vector<MeasuredCurve> measured;
  for (const Candidate& candidate : list) {
    const bool is_done = &candidate == &list.front() && plan.steps == WorkSteps::controlled;
    if (!is_done && tell) tell(candidate.name);
    measured.push_back(is_done ? std::move(first) : measure_curve(problem, candidate, plan.tolerances, &yardsticks, plan.steps));
  }
  if (tell) tell("reference");
  const std::vector<std::vector<WorkSample>>& of_soi2 = measured.front().samples;
  const WorkReference reference =
      find_reference(problem, reference_steps(yardsticks), of_soi2.empty() ? nullptr : &of_soi2.back());
  WorkDiagram diagram{problem.name, reference.words, reference.uncertainty, largest_multipliers(reference.samples), {}, {}};
  for (MeasuredCurve& m : measured) {
    judge_curve(problem, reference, m);
    diagram.curves.push_back(std::move(m.curve));
  }
  for (const double tolerance : problem.measure ? plan.global : std::vector<double>()) {
    if (tell) tell(fmt::format("soi2 within {:g} by error bars", tolerance));
    diagram.global.push_back(measure_global(problem, tolerance, reference.samples));
  }
  return diagram;
}

}  // namespace sinew::verify
