// Error bars of what is the sum of terms that cancel: energies, momenta.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

TEST_CASE("A total of energies that is next to nothing is as large as what it is the sum of", "[serial]") {
  const auto folder = test::fresh_folder("total-of-nothing");
  // falls from the origin on a spring: kinetic, strain and potential energy come to 0 together
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: point-mass, mass: 1, position: [1, 0, 0]}
forces:
  s: {type: spring-damper, connect: [ground, a], stiffness: 20, length: 1}
sensors:
  e: {type: energy, record: [total, kinetic]}
analysis: {end_time: 0.5, step: {global: 1e-3}}
)");
  const auto run = [&](const std::string& choice) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out " + choice);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
  };
  run("");
  const Table both(folder / "out" / "sensors.csv");
  const double most = largest(both, "e.kinetic");
  for (const std::string choice : {"", "--set sensors.e.record=total"}) {
    CAPTURE(choice);
    run(choice);
    const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
    REQUIRE(bars.rows() == found.rows());
    for (std::size_t k = 0; k < found.rows(); ++k) {
      CHECK(std::abs(found.at("e.total", k)) <= bars.at("e.total", k) + 1e-12 * most);  // the first row is rounding
      CHECK(bars.at("e.total", k) <= 1e-3 * most);
    }
  }
}

TEST_CASE("Momenta and a centre of mass that are next to nothing are as large as what bodies have of them", "[mpi]") {
  const auto folder = test::fresh_folder("momenta-of-nothing");
  // free, from rest, about the origin: a spring turns one body against the other
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  a: {type: rigid, mass: 10, inertia: [2, 2, 3], position: [-1, 0, 0], points: {h: [0.5, 0, 0]}}
  b: {type: rigid, mass: 10, inertia: [0.1, 0.1, 0.2], position: [1, 0, 0], points: {h: [-1.5, 0, 0]}}
joints: {h: {type: revolute, connect: [a.h, b.h], axis: [0, 0, 1]}}
sensors:
  h: {type: relative, of: h}
  all: {type: system}
forces: {m: {type: torsional-spring, connect: [a, b], axis: [0, 0, 1], stiffness: 1, angle: 1}}
analysis: {end_time: 5, step: {global: 1e-3}}
output: {sensors: {every: 0.1}}
)");
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    test::check_contains(outcome.said, "3 runs");
    const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
    const double spin = 3 * largest(found, "h.rate");
    for (const char* column : {"all.momentum.x", "all.momentum.y", "all.angular_momentum.z", "all.center_of_mass.x"})
      for (std::size_t k = 0; k < found.rows(); ++k) {
        CHECK(std::abs(found.at(column, k)) <= bars.at(column, k) + 1e-9);
        CHECK(bars.at(column, k) <= 1e-3 * spin);
      }
  }
}
