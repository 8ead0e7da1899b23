#include "verify/cases.hpp"

#include "solve/acceleration_solver.hpp"
#include "verify/convergence.hpp"
#include "verify/golden_steps.hpp"
#include "verify/problems/andrews.hpp"
#include "verify/problems/chaplygin_sleigh.hpp"
#include "verify/problems/double_pendulum.hpp"
#include "verify/problems/driven_pendulum.hpp"
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
  report.studies.push_back(study(problem, range, "steps h/3 2h/3, a updated, M a formed anew", alternating,
                                 StepUpdates::recompute, demand_order(everything)));
  add_control_without_updates(problem, range, report, {"a", "lambda", "psi"}, {"y", "z"});
  append(report.checks, golden_checks(problem, report.name));
}

/// y and z of second order, the others of first: what a variant that lacks something must show.
std::vector<Demand> demand_lost_order(const std::vector<std::string>& first_order, double low = 0.9, double high = 1.15) {
  std::vector<Demand> demands;
  for (const std::string& quantity : everything) {
    const bool is_lost = std::find(first_order.begin(), first_order.end(), quantity) != first_order.end();
    append(demands, is_lost ? demand_order({quantity}, low, high) : demand_order({quantity}));
  }
  return demands;
}

/// Every start, alternating steps. The largest errors of all steps are judged: a start that is wrong by O(h) is forgotten at the
/// end.
void add_starts(const TestProblem& problem, Report& report) {
  const auto add = [&](const std::string& name, StartMethod start, const std::vector<Demand>& demands) {
    report.studies.push_back(
        run_study(problem, {name, 1, {20, 40, 80, 160}, alternating, study_options(0.2, start), demands, ErrorsAt::all_steps}));
  };
  add("start derivative", StartMethod::derivative, demand_order(everything));
  add("start kkt2", StartMethod::kkt2, demand_order(everything));
  add("start implicit", StartMethod::implicit, demand_order(everything));
  add("start a0, negative control: order 1 is expected in a, lambda, psi", StartMethod::a0,
      demand_lost_order({"a", "lambda", "psi"}));
}

/// Every variable-step update, alternating steps.
void add_updates(const TestProblem& problem, Report& report) {
  const auto add = [&](const std::string& name, StepUpdates updates, const std::vector<Demand>& demands) {
    const AlphaOptions options = study_options(0.2, StartMethod::implicit, updates);
    report.studies.push_back(run_study(problem, {name, 1, {10, 20, 40, 80, 160}, alternating, options, demands, ErrorsAt::end}));
  };
  add("updates both", StepUpdates::both, demand_order(everything));
  add("updates recompute", StepUpdates::recompute, demand_order(everything));
  add("updates a, negative control: order 1 is expected in lambda, psi", StepUpdates::a, demand_lost_order({"lambda", "psi"}));
  add("updates Ma, negative control: order 1 is expected in a, lambda, psi", StepUpdates::Ma,
      demand_lost_order({"a", "lambda", "psi"}, 0.75));
  add("updates none, negative control: order 1 is expected in a, lambda, psi", StepUpdates::none,
      demand_lost_order({"a", "lambda", "psi"}));
}

/// Damping from all to none. Without any, nothing takes away what a change of the step leaves in the accelerations.
void add_dampings(const TestProblem& problem, Report& report) {
  const auto add = [&](const std::string& name, double rho_inf, const std::vector<double>& pattern,
                       const std::vector<Demand>& demands) {
    const AlphaOptions options = study_options(rho_inf, StartMethod::kkt2);
    report.studies.push_back(run_study(problem, {name, 1, {40, 80, 160, 320}, pattern, options, demands, ErrorsAt::end}));
  };
  for (const double rho_inf : {0.0, 0.2, 0.5, 0.8, 0.9})
    add(fmt::format("rho_inf {}", rho_inf), rho_inf, alternating, demand_order(everything));
  add("rho_inf 1, negative control: order 1 is expected in a, lambda, psi", 1, alternating,
      demand_lost_order({"a", "lambda", "psi"}, 0.9, 1.25));
  add("rho_inf 1, equal steps", 1, {1}, demand_order(everything));
}

void start_modes(Report& report) {
  const TestProblem problem = make_test_problem(JayNegrut{});
  add_starts(problem, report);
  add_updates(problem, report);
  add_dampings(problem, report);
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
  const auto note = [&worst](double error) { worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error); };
  for (int i = 0; i < Andrews::num_dofs; ++i) note(std::abs(a[i] - published.a[i]) / published.a[0]);
  for (int i = 0; i < Andrews::num_position_rows; ++i) note(std::abs(lambda[i] - published.lambda[i]) / published.lambda[0]);
  return {"consistent accelerations and multipliers of the start", worst, 1e-10};
}

void andrews(Report& report) {
  add_order_two_studies(make_test_problem(Andrews{}), {0.03, {1500, 3000, 6000}, 0.8, ErrorsAt::end}, report);
  report.checks.push_back(published_start());
}

/// A first-order state that positions and multipliers drive: by the trapezoidal rule, and at the price of an order by implicit
/// Euler.
void driven_pendulum(Report& report) {
  const TestProblem problem = make_test_problem(DrivenPendulum{});
  const Range range{1, {100, 200, 400, 800}, 0.8, ErrorsAt::end};
  add_order_two_studies(problem, range, report, demand_order({"y", "z", "a", "lambda", "s"}));
  StudyPlan plan{"implicit Euler, negative control: order 1 is expected in s",
                 range.end_time,
                 range.counts,
                 alternating,
                 study_options(range.rho_inf, StartMethod::derivative),
                 demand_order({"s"}, 0.9, 1.1)};
  plan.options.states = StateRule::euler;
  report.studies.push_back(run_study(problem, plan));
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

template <DaeProblem P>
TestProblem problem_of() {
  return make_test_problem(P{});
}

}  // namespace

const std::vector<Case>& dae_cases() {
  static const std::vector<Case> list{
      {"jay-negrut", "mass matrix of t and y, multipliers enter nonlinearly, Jay and Negrut 2009", jay_negrut,
       problem_of<JayNegrut>, 1},
      {"start-modes", "every start, update and damping of generalized-alpha on the problem of jay-negrut", start_modes},
      {"pendulum", "planar pendulum, Jacobi elliptic functions", pendulum, problem_of<Pendulum>, 1},
      {"double-pendulum", "planar double pendulum", double_pendulum, problem_of<DoublePendulum>, 1},
      {"stiff-pendulum", "pendulum with a mass on a stiff damped spring", stiff_pendulum, problem_of<StiffPendulum>, 2},
      {"skate-incline", "skate on an inclined plane, nonholonomic, closed form", skate_incline, problem_of<SkateIncline>, 2},
      {"chaplygin-sleigh", "Chaplygin sleigh, nonholonomic, closed form", chaplygin_sleigh, problem_of<ChaplyginSleigh>, 2},
      {"slider-crank-driven", "slider-crank with prescribed crank angle, rheonomic, closed form", slider_crank_driven,
       problem_of<SliderCrankDriven>, 0.05},
      {"driven-pendulum", "pendulum with a motor whose torque lags behind: a first-order state, Runge-Kutta reference",
       driven_pendulum, problem_of<DrivenPendulum>, 1},
      {"bdf", "BDF of orders 1 to 6 on the problem of jay-negrut", bdf},
      {"andrews", "Andrews' squeezing mechanism, seven bodies, Test Set for IVP Solvers", andrews, problem_of<Andrews>, 0.03},
  };
  return list;
}

}  // namespace sinew::verify
