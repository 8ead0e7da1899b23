#include "verify/cases.hpp"

#include "solve/consistent.hpp"
#include "verify/convergence.hpp"
#include "verify/golden_steps.hpp"
#include "verify/problems/andrews.hpp"
#include "verify/problems/chaplygin_sleigh.hpp"
#include "verify/problems/double_pendulum.hpp"
#include "verify/problems/jay_negrut.hpp"
#include "verify/problems/pendulum.hpp"
#include "verify/problems/skate_incline.hpp"
#include "verify/problems/slider_crank_driven.hpp"
#include "verify/problems/stiff_pendulum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew::verify {

namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// What the studies of a case have in common.
struct Range {
  double end_time = 1;
  std::vector<int> counts;  ///< numbers of steps h
  double rho_inf = 0.8;
  ErrorsAt errors_at = ErrorsAt::end;
};

Study study(const TestProblem& problem, const Range& range, const std::string& name, const std::vector<double>& pattern,
            StepUpdates updates, const std::vector<Demand>& demands) {
  return run_study(problem, {name, range.end_time, range.counts, pattern,
                             study_options(range.rho_inf, StartMethod::derivative, updates), demands, range.errors_at});
}

const std::vector<std::string> everything{"y", "z", "a", "lambda", "psi"};

/// Alternating steps with both updates, and equal steps: order 2 unless other demands are given.
void add_order_two_studies(const TestProblem& problem, const Range& range, Report& report,
                           const std::vector<Demand>& demands = demand_order(everything)) {
  report.studies.push_back(study(problem, range, "steps h/3 2h/3, both updates", alternating, StepUpdates::both, demands));
  report.studies.push_back(study(problem, range, "equal steps", {1}, StepUpdates::both, demands));
}

/// The negative control: without the updates the same study must see order 1.
void add_control_without_updates(const TestProblem& problem, const Range& range, Report& report,
                                 const std::vector<std::string>& first_order, const std::vector<std::string>& second_order = {}) {
  std::vector<Demand> demands = demand_order(second_order);
  append(demands, demand_order(first_order, 0.9, 1.15));
  report.studies.push_back(
      study(problem, range, "steps h/3 2h/3, no updates: order 1 is expected", alternating, StepUpdates::none, demands));
}

void jay_negrut(Report& report) {
  const TestProblem problem = make_test_problem(JayNegrut{});
  const Range range{1, {10, 20, 40, 80, 160}, 0.2, ErrorsAt::end};
  add_order_two_studies(problem, range, report);
  report.studies.push_back(study(problem, range, "steps h/3 2h/3, a updated, M a formed anew", alternating, StepUpdates::recompute,
                                 demand_order(everything)));
  add_control_without_updates(problem, range, report, {"a", "lambda", "psi"}, {"y", "z"});
  append(report.checks, golden_checks(problem, report.name));
}

void pendulum(Report& report) {
  const TestProblem problem = make_test_problem(Pendulum{});
  const Range range{1, {100, 200, 400, 800}, 0.2, ErrorsAt::end};
  add_order_two_studies(problem, range, report);
  add_control_without_updates(problem, range, report, {"y", "z", "a", "lambda"});
  append(report.checks, golden_checks(problem, report.name));
}

void double_pendulum(Report& report) {
  const TestProblem problem = make_test_problem(DoublePendulum{});
  add_order_two_studies(problem, {1, {100, 200, 400, 800}, 0.8, ErrorsAt::end}, report);
  append(report.checks, golden_checks(problem, report.name));
}

void stiff_pendulum(Report& report) {
  add_order_two_studies(make_test_problem(StiffPendulum{}), {2, {250, 500, 1000, 2000}, 0.8, ErrorsAt::end}, report);
}

/// With equal steps psi converges faster than it has to: its leading error cancels for this motion.
void skate_incline(Report& report) {
  std::vector<Demand> demands = demand_order({"y", "z", "a"});
  append(demands, demand_order({"psi"}, 1.9, 3.1));
  const Range range{2, {40, 80, 160, 320}, 0.8, ErrorsAt::all_steps};
  add_order_two_studies(make_test_problem(SkateIncline{}), range, report, demands);
}

/// Starts with a = 0 and a' != 0: the first steps show whether the start acceleration is of second order.
void chaplygin_sleigh(Report& report) {
  const Range range{2, {40, 80, 160, 320}, 0.8, ErrorsAt::all_steps};
  add_order_two_studies(make_test_problem(ChaplyginSleigh{}), range, report);
}

/// The constraints alone determine y and z: these are exact, a and the multipliers of order 2.
void slider_crank_driven(Report& report) {
  std::vector<Demand> demands = demand_order({"a", "lambda"});
  demands.push_back({"y", Demand::Kind::bound, 0, 1e-12});
  demands.push_back({"z", Demand::Kind::bound, 0, 1e-10});
  const Range range{0.05, {200, 400, 800, 1600}, 0.8, ErrorsAt::all_steps};
  add_order_two_studies(make_test_problem(SliderCrankDriven{}), range, report, demands);
}

/// Largest difference between the accelerations and multipliers found at the start and the published ones, relative to theirs.
Check published_start() {
  const TestProblem problem = make_test_problem(Andrews{});
  const Solution published = Andrews{}.consistent_start();
  State state = start_state(problem);
  AccelerationSolver(*problem.system).solve(state.t, state.q, state.z, state.a, state.lambda);
  const VecRead a(state.a), lambda(state.lambda);
  double worst = 0;
  for (int i = 0; i < Andrews::num_dofs; ++i) worst = std::max(worst, std::abs(a[i] - published.a[i]) / published.a[0]);
  for (int i = 0; i < Andrews::num_position_rows; ++i)
    worst = std::max(worst, std::abs(lambda[i] - published.lambda[i]) / published.lambda[0]);
  return {"consistent accelerations and multipliers of the start", worst, 1e-10};
}

void andrews(Report& report) {
  add_order_two_studies(make_test_problem(Andrews{}), {0.03, {1500, 3000, 6000}, 0.8, ErrorsAt::end}, report);
  report.checks.push_back(published_start());
}

/// Orders 1 to 6 with a start of its own, on equations that need M(t,y), nonlinear multipliers and rows of both kinds.
void bdf(Report& report) {
  const TestProblem problem = make_test_problem(JayNegrut{});
  for (int order = 1; order <= 6; ++order) {
    StudyPlan plan;
    plan.name = fmt::format("order {}, equal steps", order);
    plan.counts = order < 5 ? std::vector<int>{40, 80, 160} : std::vector<int>{20, 40, 80};
    plan.bdf = bdf_study_options(order);
    plan.demands = demand_order(everything, order - 0.15, order + 0.15);
    report.studies.push_back(run_study(problem, plan));
    if (order != 2 && order != 3) continue;
    plan.name = fmt::format("order {}, steps h/3 2h/3", order);
    plan.pattern = alternating;
    report.studies.push_back(run_study(problem, plan));
  }
}

}  // namespace

const std::vector<Case>& dae_cases() {
  static const std::vector<Case> list{
      {"jay-negrut", "mass matrix of t and y, multipliers enter nonlinearly, Jay and Negrut 2009", jay_negrut},
      {"pendulum", "planar pendulum, Jacobi elliptic functions", pendulum},
      {"double-pendulum", "planar double pendulum", double_pendulum},
      {"stiff-pendulum", "pendulum with a mass on a stiff damped spring", stiff_pendulum},
      {"skate-incline", "skate on an inclined plane, nonholonomic, closed form", skate_incline},
      {"chaplygin-sleigh", "Chaplygin sleigh, nonholonomic, closed form", chaplygin_sleigh},
      {"slider-crank-driven", "slider-crank with prescribed crank angle, rheonomic, closed form", slider_crank_driven},
      {"bdf", "BDF of orders 1 to 6 on the problem of jay-negrut", bdf},
      {"andrews", "Andrews' squeezing mechanism, seven bodies, Test Set for IVP Solvers", andrews},
  };
  return list;
}

}  // namespace sinew::verify
