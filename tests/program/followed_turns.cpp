// Turns that steps follow, and those that they would lose.
#include "tests/program/table.hpp"
#include "tests/program/tables.hpp"
#include "tests/program/unresolved_models.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test::unresolved_models;

TEST_CASE("a torsional spring counts its turns", "[serial]") {
  const std::string spring = "spring: {type: torsional-spring, connect: [ground, wheel], axis: [0, 0, 1], stiffness: 0.3}";
  for (const int ranks : {0, 2}) {
    const Run r = run("turns", replaced(wheel, "FORCE", spring), "", ranks);
    INFO(r.outcome.said);
    REQUIRE(r.outcome.code == 0);
    CHECK(r.warnings == 0);
    const double omega = std::sqrt(0.3 / 3), reach = 7 / omega;  // 3.5 turns
    double last = 0, most = 0;
    for (const auto& [time, row] : test::read_table(r.folder / "out" / "sensors.csv")) {
      CHECK(row.at("e.total") == Approx(73.5).epsilon(1e-5));
      CHECK(row.at("w.angular_velocity.z") == Approx(7 * std::cos(omega * 1e-3 * static_cast<double>(time))).margin(1e-3));
      last = reach * std::sin(omega * 1e-3 * static_cast<double>(time));
      most = std::max(most, last);
    }
    CHECK(most > 18);
  }
}

TEST_CASE("by how much the precession of a fast rotor is wrong is said; a rotor whose axis stays is not doubted", "[serial]") {
  // M = 0.1*9.81*0.1 across L = 2e-3*500: 0.0981 rad/s
  const std::string gyroscope = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  outer: {type: rigid, mass: 0.3, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0]}
  inner: {type: rigid, mass: 0.2, inertia: [5e-4, 5e-4, 5e-4], position: [0, 0, 0], points: {arm: [0.1, 0, 0]}}
  rotor: {type: rigid, mass: 1, inertia: [2e-3, 1.1e-3, 1.1e-3], position: [0, 0, 0], angular_velocity: [500, 0, 0]}
  weight: {type: point-mass, mass: M, position: [0.1, 0, 0]}
joints:
  vertical: {type: revolute, connect: [ground, outer], axis: [0, 0, 1]}
  level: {type: revolute, connect: [outer, inner], axis: [0, 1, 0]}
  spin: {type: revolute, connect: [inner, rotor], axis: [1, 0, 0]}
  hook: {type: spherical, connect: [inner.arm, weight]}
sensors: {vertical: {type: relative, of: vertical}}
constants: {M: 0.1}
analysis: {end_time: 1, step: 3e-3}
)yaml";
  const Run r = run("gyroscope", gyroscope, "");
  INFO(r.outcome.said);
  CHECK(r.warnings == 1);
  test::check_contains(r.outcome.said, "the axes of bodies that spin fast have turned by");
  test::check_contains(r.outcome.said, "'rotor' turns by 1.5 rad); steps of 0.0006 would do");
  CHECK(run("gyroscope-resolved", gyroscope, "--set analysis.step=5e-4").warnings == 0);
  CHECK(run("gyroscope-weightless", gyroscope, "--set gravity.2=0").warnings == 0);
  const std::string bdf = "--set analysis.integrator=bdf-si2 --set analysis.order=2 ";
  test::check_contains(run("gyroscope-bdf", gyroscope, bdf + "--set analysis.step=2e-3").outcome.said,
                       "have turned by 0.015 rad");
  CHECK(run("gyroscope-bdf-weightless", gyroscope, bdf + "--set gravity.2=0").warnings == 0);
}

TEST_CASE("BDF shortens a step over which it would lose turns", "[serial]") {
  const std::string spinning = replaced(wheel, "forces:\n  FORCE\n", "");
  for (const char* more : {"--set analysis.order=1", "--set analysis.order=2", "--set analysis.order=4", ""}) {
    const Run r = run("bdf-turns", spinning, std::string("--set analysis.integrator=bdf-si2 --set analysis.step=0.5 ") + more);
    INFO(more << r.outcome.said);
    REQUIRE(r.outcome.code == 0);
    const auto rows = test::read_table(r.folder / "out" / "sensors.csv");
    for (const auto& [time, row] : rows) {
      const double half = 3.5e-3 * static_cast<double>(time);
      CHECK(row.at("w.orientation.w") == Approx(std::cos(half)).margin(1e-9));
      CHECK(row.at("w.orientation.z") == Approx(std::sin(half)).margin(1e-9));
    }
    test::check_contains(test::file_text(r.folder / "out" / "steps.csv"), ",0,0,0,");
  }
}

TEST_CASE("a solid with Rayleigh damping spins on freely", "[serial]") {
  const Run r = run("spinning-solid", R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3, damping: {beta: 1e-2}}}
bodies:
  bar: {type: solid, box: {size: [1, 0.2, 0.1], elements: [4, 1, 1]}, material: m, position: [0, 0, 0],
        angular_velocity: [0, 3, 5]}
sensors: {s: {type: system, record: [angular_momentum, momentum]}, e: {type: energy, record: [kinetic, total]}}
analysis: {end_time: 2, step: 0.02}
)");
  INFO(r.outcome.said);
  REQUIRE(r.outcome.code == 0);
  CHECK(r.warnings == 0);
  const auto rows = test::read_table(r.folder / "out" / "sensors.csv");
  const auto first = rows.begin()->second, last = rows.rbegin()->second;
  const double size =
      std::hypot(first.at("s.angular_momentum.x"), first.at("s.angular_momentum.y"), first.at("s.angular_momentum.z"));
  for (const char* axis : {"x", "y", "z"}) {
    const std::string name = std::string("s.angular_momentum.") + axis;
    CHECK(std::abs(last.at(name) - first.at(name)) < 2e-3 * size);
  }
  CHECK(last.at("e.kinetic") > 0.8 * first.at("e.kinetic"));
}
