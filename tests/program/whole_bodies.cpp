// Flexible bodies that miss their joints: moved as wholes, unstrained, where that is enough; a warning where it is not.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

namespace {

const std::string bodies = R"yaml(sinew: 1
sections: {rope: {shape: circle, diameter: 0.02}, bar: {shape: rectangle, width: 0.05, height: 0.03}}
materials: {steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
bodies:
)yaml";
const std::string rope = "{type: cable, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 6}, section: rope, material: steel}\n";
const std::string bar = "{type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 6}, section: bar, material: steel}\n";
const std::string box = "{type: solid, box: {size: [2, 0.1, 0.1], elements: [8, 2, 2]}, material: steel}\n";
const std::string sheet = "{type: shell, plate: {size: [2, 0.3], elements: [8, 2]}, thickness: 0.01, material: steel}\n";

struct Start {
  std::string said;
  double strain = 0;  ///< J
  test::Table table;
};

/// Runs a few steps at rest and without loads.
Start start(const std::string& name, const std::string& model, int ranks = 0) {
  const auto folder = test::fresh_folder("whole-bodies-" + name);
  test::write_file(folder / "model.yaml", model + "analysis: {end_time: 1e-5, step: 1e-6}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(name << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  Start found{outcome.said, 0, test::Table(folder / "out" / "sensors.csv")};
  found.strain = found.table.at("e.strain", 0);
  return found;
}

const std::string energy = "sensors:\n  e: {type: energy}\n";

}  // namespace

TEST_CASE("a flexible body that misses its joint is moved as a whole and stays unstrained", "[serial]") {
  struct Case {
    std::string name, body, place, y, z;  // the last two of the place
  };
  for (const Case& c : {Case{"rope", rope, "a.start", "0", "0"}, Case{"bar", bar, "a.start", "0", "0"},
                        Case{"box", box, "a.x-", "0.05", "0.05"}, Case{"sheet", sheet, "a.x-", "0.15", "0"}})
    for (const std::string gap : {"1e-6", "1e-3", "0.05"}) {
      const std::string joint = "joints:\n  pin: {type: spherical, connect: [[" + gap + ", " + c.y + "+" + gap + ", " + c.z +
                                "-" + gap + "], " + c.place + "]}\n";
      const Start found = start(c.name + "-" + gap, bodies + "  a: " + c.body + joint + energy);
      INFO(c.name << ", " << gap << '\n' << found.said);
      CHECK(found.strain < 1e-18);
      CHECK((found.said.find("warning") != std::string::npos) == (gap == "0.05"));
    }
}

TEST_CASE("bodies in a chain share a gap by their masses, on any number of ranks", "[mpi]") {
  // the rotor weighs as much as the bar: each moves by half of the gap along the common axis
  const std::string model =
      bodies + "  a: " + bar +
      R"yaml(  b: {type: rigid, mass: 23.55, inertia: [1, 1, 1], position: [3, 0, 0], points: {left: [-0.9, 0, 0]}}
joints:
  hinge: {type: spherical, connect: [a.end, b.left]}
sensors:
  e: {type: energy}
  a: {type: point, of: a.start, record: position}
  b: {type: point, of: b, record: position}
)yaml";
  for (const int ranks : {1, 2, 3}) {
    const Start found = start(std::string("chain-") + std::to_string(ranks), model, ranks);
    INFO(found.said);
    CHECK(found.strain < 1e-18);
    CHECK(found.table.at("a.position.x", 0) == Approx(0.05).margin(1e-7));
    CHECK(found.table.at("b.position.x", 0) == Approx(2.95).margin(1e-7));
  }
}

TEST_CASE("a body that is turned to a prescribed angle turns as a whole, with all turns", "[serial]") {
  const std::string model = bodies + "  a: " + bar + R"yaml(joints:
  hinge: {type: revolute, connect: [ground, a.start], axis: [0, 1, 0]}
  drive: {type: motion, of: hinge, angle: 8}
sensors:
  e: {type: energy}
  tip: {type: point, of: a.end, record: position}
)yaml";
  const Start found = start("turned", model);
  INFO(found.said);
  CHECK(found.strain < 1e-16);
  CHECK(found.table.at("tip.position.x", 0) == Approx(2 * std::cos(8.0)).margin(1e-9));
  CHECK(found.table.at("tip.position.z", 0) == Approx(-2 * std::sin(8.0)).margin(1e-9));
}

TEST_CASE("a body between joints that are further apart than it is long is strained, and that is said", "[serial]") {
  const std::string joints = R"yaml(joints:
  left: {type: spherical, connect: [ground, a.start]}
  right: {type: spherical, connect: [a.end, [2.0002, 0, 0]]}
)yaml";
  const Start found = start("stretched", bodies + "  a: " + bar + joints + energy);
  INFO(found.said);
  CHECK(found.strain > 1);
  CHECK(found.said.find("where all bodies have been moved as wholes their positions do not fit the joints yet, by up to 0.0001, "
                        "at 'left', 'right'") != std::string::npos);
  CHECK(found.said.find("model.yaml:7:3: warning") != std::string::npos);
}
