// Springs that are not linear: by a table, by an expression, about an axis; the energy that they hold, and where they have kinks.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A mass on the x axis on a spring to the origin, whose force is the rest of the line; and a wheel on one about its axis.
Trajectory run_mass(const std::string& spring, const std::string& analysis, const std::string& velocity = "0") {
  return run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  bob: {type: point-mass, mass: 2, position: [1.3, 0, 0], velocity: [)yaml" +
                                      velocity + R"yaml(, 0, 0]}
forces:
  spring: {type: spring-damper, connect: [ground, bob], )yaml" +
                                      spring + R"yaml(}
sensors:
  bob: {type: point, of: bob, record: [position, velocity]}
  spring: {type: force, of: spring}
  e: {type: energy}
)yaml" + analysis);
}

Trajectory run_wheel(const std::string& spring) {
  return run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  wheel: {type: rigid, mass: 1, inertia: [0.3, 0.3, 0.5], position: [0, 0, 0], angular_velocity: [0, 0, 9]}
joints:
  hub: {type: revolute, connect: [ground, wheel], axis: [0, 0, 1]}
forces:
  spring: {type: torsional-spring, connect: [ground, wheel], axis: [0, 0, 1], )yaml" +
                                      spring + R"yaml(}
sensors:
  hub: {type: relative, of: hub}
  spring: {type: force, of: spring}
  e: {type: energy}
analysis: {end_time: 4, step: 2e-3}
)yaml");
}

double apart(const Trajectory& a, const Trajectory& b, const std::string& column) {
  double largest = 0;
  for (std::size_t n = 0; n < a.time.size(); ++n)
    largest = std::max(largest, std::abs(a.values[n].at(column) - b.values.at(n).at(column)));
  return largest;
}

const std::string analysis = "analysis: {end_time: 2, step: 5e-3, newton: {tolerance: 1e-12}}\n";

}  // namespace

TEST_CASE("a spring by a straight table or a linear expression is a linear spring", "[serial]") {
  const Trajectory linear = run_mass("stiffness: 100, damping: 3, length: 1", analysis),
                   table = run_mass("table: [[0.5, -50], [1, 0], [2, 100]], damping: 3", analysis),
                   law = run_mass("force: 100*(length - 1) + 3*rate", analysis);
  for (const char* column : {"bob.position.x", "bob.velocity.x", "spring.force", "spring.length", "spring.rate"}) {
    CHECK(apart(linear, table, column) < 1e-10);
    CHECK(apart(linear, law, column) < 1e-10);
  }
  CHECK(apart(linear, table, "e.strain") < 1e-10);
}

TEST_CASE("a torsional spring by a table or an expression counts turns like a linear one", "[serial]") {
  const Trajectory linear = run_wheel("stiffness: 0.3, damping: 0.02"),
                   table = run_wheel("table: [[-1, -0.3], [0, 0], [2, 0.6]], damping: 0.02"),
                   law = run_wheel("moment: 0.3*angle + 0.02*rate");
  for (const char* column : {"hub.angle", "hub.rate", "spring.moment", "spring.angle"}) {
    CHECK(apart(linear, table, column) < 1e-8);
    CHECK(apart(linear, law, column) < 1e-8);
  }
  CHECK(linear.values[1000].at("hub.angle") > 7);
}

TEST_CASE("a stiffening spring by a table keeps energy to second order of the step", "[serial]") {
  double drift[2] = {};
  for (int k = 0; k < 2; ++k) {
    const Trajectory run = run_mass(
        "table: [[0.2, -90], [0.6, -20], [1, 0], [1.4, 30], [1.6, 120]]",
        k == 0 ? "analysis: {end_time: 2, step: 4e-3, rho_inf: 1}\n" : "analysis: {end_time: 2, step: 2e-3, rho_inf: 1}\n", "3");
    for (const Values& v : run.values)
      drift[k] = std::max(drift[k], std::abs(v.at("e.total") - run.values.front().at("e.total")));
    CHECK(run.values.front().at("e.strain") > 0);
  }
  CHECK(drift[1] < 0.01);
  CHECK(std::log2(drift[0] / drift[1]) == Approx(2).margin(0.4));
}

TEST_CASE("a rope that only pulls is met where it becomes tight", "[serial]") {
  // slack for 0.7 m at 2 m/s, then half a period of a spring, then back
  const double omega = std::sqrt(400 / 2.0), pi = std::acos(-1.0);
  const Trajectory run = run_mass("force: \"400*max(length - 2, 0)\"", "analysis: {end_time: 0.9, step: 0.02}\n", "2");
  double tightest = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n] - 0.35, x = run.values[n].at("bob.position.x");
    const double exact = t < 0 ? 2 + 2 * t : t < pi / omega ? 2 + 2 / omega * std::sin(omega * t) : 2 - 2 * (t - pi / omega);
    CHECK(x == Approx(exact).margin(3e-3));
    tightest = std::max(tightest, run.values[n].at("spring.force"));
  }
  CHECK(tightest > 50);
  CHECK(run.summary.switches >= 2);
}

TEST_CASE("what is between two places is measured by directions that they carry", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.3, 0.3, 0.5], position: [0, 0, 0], angular_velocity: [0, 0, 3]}
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 2], velocity: [0, 0, 0.5], angular_velocity: [0, 0, 10]}
  c: {type: point-mass, mass: 1, position: [0, 0, 5], velocity: [0, 0, -1]}
sensors:
  ab: {type: relative, between: [a, b], axis: [0, 0, 1]}
  ac: {type: relative, between: [a, c], axis: [0, 0, 1]}
  tilt: {type: relative, between: [a, b], directions: [[1, 0, 0], [0, 1, 0]]}
  up: {type: relative, between: [ground, b], directions: [[0, 0, 1], [0, 0, 2]]}
analysis: {end_time: 2, step: 0.01}
)yaml");
  const double pi = std::acos(-1.0);
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n];
    const Values& v = run.values[n];
    CHECK(v.at("ab.angle") == Approx(7 * t).margin(1e-9));
    CHECK(v.at("ab.rate.angle") == Approx(7).epsilon(1e-9));
    CHECK(v.at("ab.distance") == Approx(2 + 0.5 * t));
    CHECK(v.at("ab.rate.distance") == Approx(0.5));
    CHECK(v.at("ac.distance") == Approx(5 - t));
    CHECK(v.at("tilt.angle") == Approx(std::acos(std::cos(7 * t + pi / 2))).margin(1e-7));
    CHECK(v.at("up.angle") == Approx(0).margin(1e-9));
  }
}

TEST_CASE("BDF of variable order passes over a stiff spring that no place shows, at every tolerance", "[serial]") {
  // 1 kg goes round in steady motion: 1 N for ever. What formulas of order 3 and more amplify once made hundreds of it.
  for (const double k : {1e6, 1e8})
    for (const char* tolerance : {"1e-4", "1e-5", "1e-6"}) {
      CAPTURE(k, tolerance);
      const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
bodies: {{m: {{type: point-mass, mass: 1, position: [1, 0, 0], velocity: [0, 1, 0]}}}}
forces: {{s: {{type: spring-damper, connect: [ground, m], stiffness: {0}, length: 1 - 1/{0}}}}}
sensors: {{s: {{type: force, of: s, record: [force]}}}}
analysis: {{end_time: 10, step: {{tolerance: {1}}}, integrator: bdf-si1}}
)yaml",
                                                                  k, tolerance));
      CHECK(run.time.size() < 1500);
      for (std::size_t n = run.time.size() / 2; n < run.time.size(); ++n)
        CHECK(run.values[n].at("s.force") == Approx(1).margin(0.05));
    }
}
