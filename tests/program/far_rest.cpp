// What springs hold comes to rest however far away that is.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

namespace {

test::Outcome run(const std::string& text) {
  const auto folder = test::fresh_folder("far-rest");
  test::write_file(folder / "model.yaml", text);
  return test::run_sinew(folder, "run model.yaml -o out");
}

/// In the state of rest.
double found(const std::string& text, const std::string& column) {
  const test::Outcome outcome = run(text);
  INFO(text << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  const Table rows(test::scratch_path("program-far-rest") + "/out/sensors.csv");
  return rows.at(column, rows.rows() - 1);
}

std::string shaft(const std::string& torque) {
  return R"yaml(sinew: 1
bodies: {a: {type: shaft, inertia: 2}}
sensors: {a: {type: point, of: a}}
forces: {k: {type: shaft-spring, connect: [ground, a], stiffness: 1}, t: {type: shaft-torque, on: a, value: )yaml" +
         torque + "}}\nanalysis: {type: static}\n";
}

}  // namespace

TEST_CASE("Shafts and wheels on springs rest a hundred radians away, and bodies a hundred extents", "[serial]") {
  CHECK(std::abs(found(shaft("100"), "a.angle") - 100) < 1e-6);
  CHECK(std::abs(found(R"yaml(sinew: 1
bodies: {w: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints: {h: {type: revolute, connect: [ground, w], axis: [0, 0, 1]}}
sensors: {h: {type: relative, of: h}}
forces:
  k: {type: torsional-spring, connect: [ground, w], axis: [0, 0, 1], stiffness: 1}
  t: {type: torque, on: w, vector: [0, 0, 100]}
analysis: {type: static}
)yaml",
                       "h.angle") -
                 100) < 1e-6);
  CHECK(std::abs(found(R"yaml(sinew: 1
bodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0]}, n: {type: point-mass, mass: 1, position: [1, 0, 0]}}
sensors: {m: {type: point, of: m, record: displacement.x}}
forces:
  k: {type: bushing, connect: [[0, 0, 0], m], stiffness: [1, 1, 1, 0, 0, 0]}
  k2: {type: bushing, connect: [[1, 0, 0], n], stiffness: [1, 1, 1, 0, 0, 0]}
  t: {type: force, on: m, vector: [100, 0, 0]}
analysis: {type: static}
)yaml",
                       "m.displacement.x") -
                 100) < 1e-6);
}

TEST_CASE("A winch on a soft spring lets its load down as far as that gives way", "[serial]") {
  // m g r / k = 100 rad, before which the rope is slack, and next to nothing for what the rope stretches on the drum
  const double angle = found(R"yaml(sinew: 1
gravity: [0, 0, -10]
bodies: {drum: {type: shaft, inertia: 0.5}, load: {type: point-mass, mass: 10, position: [0, 0, -10]}}
joints: {g: {type: point-on-line, connect: [[0, 0, -10], load], axis: [0, 0, 1]}}
forces:
  k: {type: shaft-spring, connect: [ground, drum], stiffness: 0.1}
  w: {type: winch, connect: [drum, [0, 0, 0], load], radius: 0.1, stiffness: 1e8}
sensors: {drum: {type: point, of: drum}}
analysis: {type: static}
)yaml",
                             "drum.angle");
  CHECK(std::abs(std::abs(angle) - 100) < 1e-3);
}

TEST_CASE("What rests farther away still is told what leads there", "[serial]") {
  const test::Outcome outcome = run(shaft("1e4"));
  CHECK(outcome.code == 3);
  test::check_contains(outcome.said, "`steps: 1000`");
}
