#include "verify/golden_steps.hpp"

#include "tests/catch.hpp"
#include "verify/convergence.hpp"
#include "verify/problems/double_pendulum.hpp"
#include "verify/problems/jay_negrut.hpp"
#include "verify/problems/pendulum.hpp"

#include <string_view>

using namespace sinew;
using namespace sinew::verify;

namespace {

TestProblem problem_named(const std::string& name) {
  if (name == "jay-negrut") return make_test_problem(JayNegrut{});
  if (name == "pendulum") return make_test_problem(Pendulum{});
  REQUIRE(name == "double-pendulum");
  return make_test_problem(DoublePendulum{});
}

const GoldenRun& run_of(std::string_view problem, StepUpdates updates) {
  for (const GoldenRun& run : golden_runs())
    if (run.problem == problem && run.updates == updates && run.steps.size() > 1) return run;
  FAIL("no such run");
  return golden_runs().front();
}

}  // namespace

TEST_CASE("The first four steps and the last one agree with an independent implementation", "[serial]") {
  for (const GoldenRun& run : golden_runs()) {
    DYNAMIC_SECTION(run.problem << ", " << run.name) {
      const GoldenDifference d = compare(problem_named(run.problem), run);
      CHECK(d.states == 5);
      CHECK(d.motion < 1e-11);
      CHECK(d.rest < 1e-9);
    }
  }
}

TEST_CASE("The comparison of single steps notices a wrong update, start and spectral radius", "[serial]") {
  const TestProblem problem = make_test_problem(JayNegrut{});
  GoldenRun wrong = run_of("jay-negrut", StepUpdates::both);
  SECTION("no updates") { wrong.updates = StepUpdates::none; }
  SECTION("M a updated, a not") { wrong.updates = StepUpdates::Ma; }
  SECTION("another start") { wrong.start = StartMethod::zero; }
  SECTION("another spectral radius") { wrong.rho_inf += 1e-6; }
  CHECK(compare(problem, wrong).rest > 1e-8);
}

TEST_CASE("The comparison of single steps notices a state that it has not met", "[serial]") {
  GoldenRun run = golden_runs().front();
  run.states.front().number = -1;
  CHECK(std::isinf(compare(problem_named(run.problem), run).motion));
}

TEST_CASE("The pendulum's single steps do not depend on how often the tangent is renewed", "[serial]") {
  const TestProblem problem = make_test_problem(Pendulum{});
  const GoldenRun& run = run_of("pendulum", StepUpdates::both);
  for (const NewtonJacobian jacobian : {NewtonJacobian::automatic, NewtonJacobian::step, NewtonJacobian::full}) {
    AlphaOptions options = study_options(run.rho_inf, run.start, run.updates);
    options.newton.tolerance = 1e-14;
    options.newton.jacobian = jacobian;
    const Integration end = integrate(problem, options, run.steps, 10);
    const VecRead z(end.state.z);
    CHECK(z[0] == Approx(run.states.back().z[0]).epsilon(1e-12));
    CHECK(z[1] == Approx(run.states.back().z[1]).epsilon(1e-12));
  }
}
