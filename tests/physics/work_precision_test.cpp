#include "verify/work_precision.hpp"

#include "tests/catch.hpp"
#include "verify/problems/jay_negrut.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string_view>

using namespace sinew;
using namespace sinew::verify;

namespace {

/// y'' = -y, no constraint.
struct FreeOscillator {
  static constexpr int num_dofs = 1, num_position_rows = 0, num_velocity_rows = 0;

  template <class S>
  void mass(const S&, const S*, S* M) const {
    M[0] = 1.0;
  }
  template <class S>
  void force(const S&, const S* y, const S*, const S*, const S*, S* f) const {
    f[0] = -y[0];
  }
  Solution start() const { return {0, {1}, {0}, {}, {}}; }
  Solution exact(double t) const { return {t, {std::cos(t)}, {-std::sin(t)}, {-std::cos(t)}, {}}; }
};

const WorkCurve& curve(const WorkDiagram& diagram, std::string_view integrator) {
  const auto found =
      std::find_if(diagram.curves.begin(), diagram.curves.end(), [&](const WorkCurve& c) { return c.integrator == integrator; });
  REQUIRE(found != diagram.curves.end());
  return *found;
}

}  // namespace

TEST_CASE("A work-precision diagram has all integrators, and tighter tolerances cost more and give more", "[serial]") {
  const TestProblem problem = make_test_problem(JayNegrut{});
  const WorkDiagram diagram = measure_work(work_problem("jay-negrut", problem, 1), {{1e-3, 1e-5}, {}});
  CHECK(diagram.reference == "closed solution");
  CHECK(diagram.uncertainty.position_error == 0);
  CHECK(diagram.multiplier_size == Approx(std::hypot(std::exp(1.0), std::exp(-1.0))).epsilon(1e-12));
  CHECK(diagram.curves.size() == 8);
  for (const char* name : {"soi2", "gen-alpha-ggl", "bdf-si1", "bdf-si2", "trapezoid, index 2"}) {
    INFO(name);
    const WorkCurve& c = curve(diagram, name);
    REQUIRE(c.points.size() == 2);
    CHECK(c.is_controlled);
    CHECK(c.failures.empty());
    CHECK(c.points[1].steps > c.points[0].steps);
    CHECK(c.points[1].position_error < 0.5 * c.points[0].position_error);
    CHECK(c.points[1].multiplier_error < 0.5 * c.points[0].multiplier_error);
  }
}

TEST_CASE("Where no closed solution is known a fine run tells the same errors", "[serial]") {
  const TestProblem test = make_test_problem(JayNegrut{});
  WorkProblem problem = work_problem("jay-negrut", test, 1);
  const WorkDiagram closed = measure_work(problem, {{1e-4}, {}});
  problem.solution = {};
  const WorkDiagram fine = measure_work(problem, {{1e-4}, {}});
  CHECK(fine.reference.find("equal steps") != std::string::npos);
  CHECK(fine.uncertainty.position_error > 0);
  CHECK(fine.uncertainty.position_error < 1e-7);
  CHECK(fine.uncertainty.multiplier_error < 1e-5);
  for (const WorkCurve& known : closed.curves) {
    const WorkCurve& seen = curve(fine, known.integrator);
    REQUIRE(seen.points.size() == known.points.size());
    for (std::size_t i = 0; i < known.points.size(); ++i) {
      CHECK(seen.points[i].position_error == Approx(known.points[i].position_error).epsilon(1e-2));
      CHECK(seen.points[i].multiplier_error == Approx(known.points[i].multiplier_error).epsilon(1e-2));
    }
  }
}

TEST_CASE("Levels of a work-precision diagram are errors over tolerances, in proportion", "[serial]") {
  const TestProblem test = make_test_problem(JayNegrut{});
  const WorkDiagram diagram = measure_work(work_problem("jay-negrut", test, 1), {{1e-2, 1e-3, 1e-4}, {}});
  const WorkCurve& c = curve(diagram, "soi2");
  REQUIRE(c.points.size() == 3);
  CHECK(c.spread() >= 1);
  CHECK(c.spread() < 4);
  for (const WorkPoint& point : c.points) {
    CHECK(point.level > 0);
    // two positions; an allowance is the tolerance and the tolerance of the size, which is 1 and more
    CHECK(point.level * point.tolerance < point.position_error);
    CHECK(point.velocity_error > 0);
    CHECK(point.constant_steps > 0.3 * static_cast<double>(point.steps));
    CHECK(point.constant_steps < 3 * static_cast<double>(point.steps));
  }
  // of a method of order 2
  const WorkPoint& finer = c.points[2];
  CHECK(c.points[1].position_error / finer.position_error ==
        Approx(std::pow(finer.constant_steps / c.points[1].constant_steps, 2)).epsilon(0.1));
}

TEST_CASE("Error bars stand beside the true errors of a known solution, and above them", "[serial]") {
  const TestProblem test = make_test_problem(JayNegrut{});
  const WorkDiagram diagram = measure_work(work_problem("jay-negrut", test, 1), {{1e-3}, {1e-2, 1e-3}});
  REQUIRE(diagram.global.size() == 2);
  for (const GlobalPoint& point : diagram.global) {
    INFO(point.failure);
    REQUIRE(point.failure.empty());
    CHECK(point.error > 0);
    CHECK(point.error <= point.tolerance);
    CHECK(point.bar <= point.tolerance);
    CHECK(point.below >= 0.95);
    CHECK(point.runs >= 3);
  }
}

TEST_CASE("Equal steps are as many as error control took, up to the next multiple of ten", "[serial]") {
  const TestProblem test = make_test_problem(JayNegrut{});
  const WorkProblem problem = work_problem("jay-negrut", test, 1);
  const WorkDiagram controlled = measure_work(problem, {{1e-5}, {}}),
                    equal = measure_work(problem, {{1e-5}, {}, WorkSteps::equal});
  const long taken = curve(controlled, "soi2").points.at(0).steps;
  for (const char* name : {"soi2", "gen-alpha-ggl", "bdf-si1"}) {
    const WorkCurve& c = curve(equal, name);
    CHECK_FALSE(c.is_controlled);
    REQUIRE(c.points.size() == 1);
    CHECK(c.points[0].steps % 10 == 0);
    CHECK(c.points[0].steps >= taken);
    CHECK(c.points[0].steps < taken + 10);
  }
}

TEST_CASE("Without constraints there is an error of positions and none of multipliers", "[serial]") {
  const TestProblem test = make_test_problem(FreeOscillator{});
  const WorkDiagram diagram = measure_work(work_problem("oscillator", test, 1), {{1e-4}, {}});
  const WorkPoint& point = curve(diagram, "soi2").points.at(0);
  CHECK(point.position_error > 0);
  CHECK(point.position_error < 1e-2);
  CHECK(std::isnan(point.multiplier_error));
}

TEST_CASE("A tolerance without an absolute part is held from rest, where velocities are zero", "[serial]") {
  const TestProblem test = make_test_problem(FreeOscillator{});
  WorkProblem problem = work_problem("oscillator", test, 1);
  problem.weighs_by_size = true;
  const WorkDiagram diagram = measure_work(problem, {{1e-3, 1e-5}, {}});
  for (const char* name : {"soi2", "bdf-si1", "bdf-si2"}) {
    INFO(name);
    const WorkCurve& c = curve(diagram, name);
    CHECK(c.failures.empty());
    REQUIRE(c.points.size() == 2);
    CHECK(c.points[0].position_error < 2e-2);
    CHECK(c.points[1].position_error < 1e-3);
    CHECK(c.points[1].rejected < c.points[1].steps / 5);
  }
}

TEST_CASE("Tolerances that are none are refused", "[serial]") {
  const TestProblem test = make_test_problem(FreeOscillator{});
  const WorkProblem problem = work_problem("oscillator", test, 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& wrong : {std::vector<double>{}, {0.0}, {-1e-3}, {1.0}, {1e-3, nan}})
    CHECK_THROWS_AS(measure_work(problem, {wrong, {}}), InputError);
}

TEST_CASE("Diagrams are written as CSV with equal columns and as JSON without NaN, failures included", "[serial]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const WorkPoint point{1e-3, 10, 1, 30, 4, 0.5, 1e-4, nan};
  const WorkDiagram diagram{
      "some", "closed solution", {}, 0, {{"soi2", true, {point, point}, {}}, {"bdf-si1", false, {}, {"it \"failed\""}}}, {}};
  std::ostringstream csv, json, table;
  write_csv(csv, diagram);
  write_json(json, diagram);
  print_diagram(table, diagram);
  std::istringstream lines(csv.str());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) CHECK(std::count(line.begin(), line.end(), ',') == 14);
  CHECK(count == 3);
  CHECK(json.str().find("nan") == std::string::npos);
  CHECK(json.str().find("it \\\"failed\\\"") != std::string::npos);
  CHECK(table.str().find("no result, it \"failed\"") != std::string::npos);
}
