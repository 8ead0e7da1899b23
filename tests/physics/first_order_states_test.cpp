#include "tests/catch.hpp"
#include "verify/convergence.hpp"
#include "verify/problems/driven_pendulum.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

using namespace sinew;
using verify::DrivenPendulum;

namespace {

void check(const verify::TestProblem& problem, const verify::StudyPlan& plan) {
  const verify::Study study = verify::run_study(problem, plan);
  for (const verify::Series& series : study.series) {
    INFO(plan.name << ": " << series.quantity << " of order " << series.order);
    if (std::getenv("SINEW_SHOW_STUDIES"))
      fmt::print("  {}: {} {:.3e} {:.3e} order {:.2f}, Newton {:.2f}\n", plan.name, series.quantity, series.errors.front(),
                 series.errors.back(), series.order, study.newton.back());
    CHECK(series.passed);
  }
}

verify::StudyPlan plan_of(const std::string& name, Method method, double rho_inf) {
  verify::StudyPlan plan;
  plan.name = name;
  plan.counts = {100, 200, 400};
  plan.pattern = verify::alternating;
  plan.options = verify::study_options(rho_inf, StartMethod::derivative);
  plan.options.method = method;
  plan.demands = verify::demand_order({"y", "z", "s", "lambda"}, 1.85, 2.15);
  return plan;
}

/// A controller alone: s' = -rate (s - cos t), beside a mass that nothing moves.
struct Controller {
  static constexpr int num_dofs = 1, num_position_rows = 0, num_velocity_rows = 0, num_states = 1;
  double rate = 1;
  template <class S>
  void mass(const S&, const S*, S* M) const {
    M[0] = 1.0;
  }
  template <class S>
  void force(const S&, const S*, const S*, const S*, const S*, const S*, S*) const {}
  template <class S>
  void rates(const S& t, const S*, const S*, const S* s, const S*, const S*, S* r) const {
    using math::cos;
    r[0] = -rate * (s[0] - cos(t));
  }
};

State start_of(const GeneralDae& system, double s0) {
  State s = make_state(system);
  VecWrite z(s.z);
  z[1] = s0;
  return s;
}

double state_of(const State& s) { return VecRead(s.z)[1]; }

}  // namespace

TEST_CASE("A first-order state coupled with positions and multipliers is of order 2 in SOI2 with alternating steps", "[serial]") {
  const verify::TestProblem problem = verify::make_test_problem(DrivenPendulum{});
  check(problem, plan_of("SOI2, rho_inf 0.8", Method::soi2, 0.8));
  verify::StudyPlan plan = plan_of("SOI2, rho_inf 0.2", Method::soi2, 0.2);
  plan.end_time = 0.5;  // at 1 the error of lambda passes through zero
  check(problem, plan);
  for (const StartMethod start : {StartMethod::kkt2, StartMethod::implicit}) {
    plan = plan_of(start == StartMethod::kkt2 ? "start kkt2" : "start implicit", Method::soi2, 0.8);
    plan.options.start = start;
    check(problem, plan);
  }
}

TEST_CASE("The trapezoidal rule of first-order states is of order 2 as well", "[serial]") {
  verify::StudyPlan plan = plan_of("trapezoid", Method::soi2, 0.8);
  plan.options.states = StateRule::trapezoid;
  check(verify::make_test_problem(DrivenPendulum{}), plan);
}

TEST_CASE(
    "The rule of two steps is the backward differentiation formula on grids that it is stable on, else the trapezoidal rule",
    "[serial]") {
  const auto system = make_general_dae(Controller{3});
  const auto integrator = make_alpha_integrator(*system, verify::study_options(0.8, StartMethod::derivative));
  State s = start_of(*system, 1.5);
  const std::vector<double> steps{0.02, 0.03, 0.01, 0.024, 0.02, 0.049, 0.03};
  std::vector<double> t{0}, value{1.5};
  integrator->start(s, steps.front());
  for (const double h : steps) {
    REQUIRE(integrator->step(s, h).accepted);
    t.push_back(s.t);
    value.push_back(state_of(s));
    const std::size_t n = t.size() - 1;
    if (n < 2) continue;
    const double newest = (value[n] - value[n - 1]) / (t[n] - t[n - 1]),
                 older = (value[n - 1] - value[n - 2]) / (t[n - 1] - t[n - 2]);
    const double slope = newest + (t[n] - t[n - 1]) * (newest - older) / (t[n] - t[n - 2]);
    const auto rate = [&](std::size_t k) { return -3 * (value[k] - std::cos(t[k])); };
    if (h > (1 + std::sqrt(2.0)) * (t[n - 1] - t[n - 2]))
      CHECK(newest == Approx((rate(n - 1) + rate(n)) / 2).epsilon(1e-9));
    else
      CHECK(slope == Approx(rate(n)).epsilon(1e-9));
  }
}

TEST_CASE("First-order states are of order 2 in every integrator", "[serial]") {
  const verify::TestProblem problem = verify::make_test_problem(DrivenPendulum{});
  check(problem, plan_of("stabilised", Method::stabilised, 0.8));
  verify::StudyPlan plan = plan_of("index 3", Method::index3, 0.8);
  plan.pattern = {1};
  plan.options.start = StartMethod::perturbed;
  check(problem, plan);
  plan = plan_of("trapezoid, position", Method::index3, 1);
  plan.pattern = {1};
  plan.options.coefficients = newmark_coefficients(0.25, 0.5);
  plan.demands = verify::demand_order({"y", "z", "s"}, 1.85, 2.15);
  check(problem, plan);
  plan.name = "trapezoid, velocity";
  plan.options.method = Method::index2;
  check(problem, plan);
  plan.name = "BDF 2";
  plan.counts = {200, 400, 800};
  plan.bdf = verify::bdf_study_options(2);
  check(problem, plan);
  plan.name = "BDF 4";
  plan.bdf = verify::bdf_study_options(4);
  plan.demands = verify::demand_order({"y", "z", "s"}, 3.7, 4.3);
  check(problem, plan);
}

TEST_CASE("Newton's method converges quadratically in every integrator, first-order states included", "[serial]") {
  struct Member {
    const char* name;
    Method method;
    std::optional<AlphaCoefficients> coefficients;
    KktForm kkt;
  };
  const AlphaCoefficients trapezoid = newmark_coefficients(0.25, 0.5);
  const std::vector<Member> members{{"SOI2", Method::soi2, {}, KktForm::monolithic},
                                    {"stabilised", Method::stabilised, {}, KktForm::monolithic},
                                    {"index 3", Method::index3, {}, KktForm::block},
                                    {"trapezoid, position", Method::index3, trapezoid, KktForm::block},
                                    {"trapezoid, velocity", Method::index2, trapezoid, KktForm::block}};
  const verify::TestProblem problem = verify::make_test_problem(DrivenPendulum{});
  for (const Member& member : members) {
    std::vector<double> corrections;  // in the units of the stopping test
    for (int most = 1; most <= 6; ++most) {
      AlphaOptions options = verify::study_options(0.8, StartMethod::a0);
      options.method = member.method;
      options.coefficients = member.coefficients;
      options.kkt = member.kkt;
      options.newton.tolerance = std::pow(10.0, 1 - 2.5 * most);
      const auto integrator = make_alpha_integrator(*problem.system, options);
      State s = verify::start_state(problem);
      integrator->start(s, 0.2);
      const StepOutcome outcome = integrator->step(s, 0.2);
      REQUIRE(outcome.accepted);
      corrections.resize(std::max<std::size_t>(corrections.size(), outcome.newton));
      corrections[outcome.newton - 1] = outcome.residual;
    }
    std::string line;
    for (const double c : corrections) line += fmt::format(" {:.1e}", c);
    INFO(member.name << ":" << line);
    if (std::getenv("SINEW_SHOW_STUDIES")) fmt::print("  {}:{}\n", member.name, line);
    CHECK(corrections.size() <= 5);
    CHECK(corrections.back() < 1e-8);  // the next one, which nobody computes, is below 1e-13
    for (std::size_t i = 1; i < corrections.size(); ++i)
      if (corrections[i - 1] > 0 && corrections[i - 1] < 1e-2)
        CHECK(corrections[i] < 30 * std::pow(corrections[i - 1], 2) + 1e-14);
  }
}

TEST_CASE("First-order states by implicit Euler and by gamma are of order 1", "[serial]") {
  const verify::TestProblem problem = verify::make_test_problem(DrivenPendulum{});
  for (const StateRule rule : {StateRule::euler, StateRule::gamma}) {
    verify::StudyPlan plan = plan_of(rule == StateRule::euler ? "implicit Euler" : "gamma", Method::soi2, 0.5);
    plan.options.states = rule;
    plan.demands = verify::demand_order({"s"}, 0.9, 1.1);
    check(problem, plan);
  }
}

TEST_CASE("A stiff controller: each rule shrinks what a step starts with as its formula says, and two forget it", "[serial]") {
  const double h = 0.01, rate = 1e6, start = 1.5;
  const auto system = make_general_dae(Controller{rate});
  for (const auto& [rule, gs] :
       {std::pair{StateRule::bdf2, 1.0}, {StateRule::trapezoid, 0.5}, {StateRule::gamma, 5.0 / 6}, {StateRule::euler, 1.0}})
    for (const Method method : {Method::soi2, Method::index3, Method::stabilised}) {
      AlphaOptions options = verify::study_options(0.5, StartMethod::derivative);
      options.method = method;
      options.states = rule;
      const auto integrator = make_alpha_integrator(*system, options);
      State s = start_of(*system, start);
      integrator->start(s, h);
      REQUIRE(integrator->step(s, h).accepted);
      // s1 (1 + gs h k) = s0 + h (1 - gs) k (cos 0 - s0) + h gs k cos h
      const double exact = (start + h * rate * ((1 - gs) * (1 - start) + gs * std::cos(h))) / (1 + gs * h * rate);
      CHECK(state_of(s) == Approx(exact).epsilon(1e-11));
      for (int i = 0; i < 10; ++i) REQUIRE(integrator->step(s, h).accepted);
      const double miss = std::abs(state_of(s) - std::cos(s.t));
      if (rule == StateRule::euler || rule == StateRule::bdf2) CHECK(miss < 1e-6);
      if (rule == StateRule::trapezoid) CHECK(miss == Approx(start - 1).epsilon(0.01));  // it swings on
    }
}

TEST_CASE("BDF forgets what a stiff controller starts with, and holds its tolerance", "[serial]") {
  const auto system = make_general_dae(Controller{1e6});
  for (const int order : {2, 0}) {
    const auto integrator = make_bdf_integrator(*system, verify::bdf_study_options(order));
    State s = start_of(*system, 1.5);
    integrator->judge_errors({1e-4, 1e-4, false, 1});
    double h = 1e-8, settled = 0;
    integrator->start(s, h);
    int steps = 0;
    while (s.t < 1 && steps < 2000) {
      const StepOutcome outcome = integrator->step(s, h);
      h = std::min(0.1,
                   h * std::clamp(0.9 * std::pow(std::max(outcome.error, 1e-12), -1.0 / integrator->error_order()), 0.3, 2.0));
      if (!outcome.accepted) continue;
      ++steps;
      if (s.t > 1e-3) settled = std::max(settled, std::abs(state_of(s) - std::cos(s.t)));
    }
    INFO(steps << " steps, largest error " << settled);
    CHECK(s.t >= 1);
    CHECK(settled < 1e-3);
  }
}

TEST_CASE("Error control holds the tolerance of a first-order state", "[serial]") {
  const auto system = make_general_dae(Controller{20});
  const auto exact = [](double t) {
    const double k = 20, c = k * k / (1 + k * k), d = k / (1 + k * k);
    return c * std::cos(t) + d * std::sin(t) + (2 - c) * std::exp(-k * t);
  };
  for (const StateRule rule : {StateRule::bdf2, StateRule::trapezoid, StateRule::euler})
    for (const double tolerance : {1e-3, 1e-4}) {
      AlphaOptions options = verify::study_options(0.8, StartMethod::derivative);
      options.states = rule;
      const auto integrator = make_alpha_integrator(*system, options);
      integrator->judge_errors({tolerance, tolerance, false, 1});
      State s = start_of(*system, 2);
      double h = 1e-4, largest = 0;
      integrator->start(s, h);
      int steps = 0;
      while (s.t < 2 && steps < 20000) {
        const StepOutcome outcome = integrator->step(s, h);
        const double order = integrator->error_order();
        CHECK(order == (rule == StateRule::euler ? 2 : 3));
        h = std::min(0.1, h * std::clamp(0.9 * std::pow(std::max(outcome.error, 1e-12), -1 / order), 0.3, 2.0));
        if (!outcome.accepted) continue;
        ++steps;
        largest = std::max(largest, std::abs(state_of(s) - exact(s.t)));
      }
      INFO(steps << " steps, largest error " << largest);
      CHECK(s.t >= 2);
      // errors per step: those of a method of order 1 (2) add up to about the tolerance to the power 1/2 (2/3)
      CHECK(largest < (rule == StateRule::euler       ? std::sqrt(tolerance)
                       : rule == StateRule::trapezoid ? 10 * tolerance
                                                      : std::pow(tolerance, 2.0 / 3)));
      CHECK(largest > 0.05 * tolerance);  // no more steps than needed
      CHECK(steps < (rule == StateRule::euler ? 1500 : 200));
    }
}
