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

TEST_CASE("a flexible body is moved to a joint that is a thousand times its length away, and stays unstrained", "[serial]") {
  struct Case {
    std::string name, body, place;
  };
  for (const Case& c :
       {Case{"rope", rope, "a.start"}, Case{"bar", bar, "a.start"}, Case{"box", box, "a.x-"}, Case{"sheet", sheet, "a.x-"}})
    for (const std::string way : {"8", "30", "2000"}) {
      const std::string joint = "joints:\n  pin: {type: spherical, connect: [[1, " + way + ", 1], " + c.place + "]}\n";
      const Start found = start("far-" + c.name + "-" + way, bodies + "  a: " + c.body + joint + energy);
      INFO(c.name << ", " << way << '\n' << found.said);
      CHECK(found.strain < 1e-12);  // 2000 m are known to 2e-13 m
      CHECK(found.said.find("as wholes") == std::string::npos);
    }
}

TEST_CASE("a flexible body that lies the wrong way round between its joints is turned as a whole", "[serial]") {
  for (const std::string x : {"0", "7", "900"}) {
    const std::string joints = "joints:\n  left: {type: spherical, connect: [[" + x + "+2, 0, 0], a.start]}\n" +
                               "  right: {type: spherical, connect: [[" + x + ", 0, 0], a.end]}\n";
    for (const std::string& body : {rope, bar}) {
      const Start found = start("round-" + x, bodies + "  a: " + body + joints + energy);
      INFO(body << ", " << x << '\n' << found.said);
      CHECK(found.strain < 1e-13);
      CHECK(found.said.find("as wholes") == std::string::npos);
    }
  }
}

TEST_CASE("flexible and rigid bodies strewn about come together unstrained, on any number of ranks", "[mpi]") {
  const std::string model =
      bodies + "  a: {type: cable, line: {from: [90, -40, 7], to: [92, -40, 7], elements: 6}, section: rope, material: steel}\n" +
      "  b: {type: rigid, mass: 5, inertia: [0.01, 1, 1], position: [-60, 3, 55], points: {l: [-1, 0, 0], r: [1, 0, 0]}}\n" +
      "  c: {type: solid, box: {size: [2, 0.1, 0.1], elements: [8, 2, 2]}, position: [4, 70, -80], material: steel}\n" +
      "  d: " + bar + R"yaml(joints:
  one: {type: spherical, connect: [[0, 0, 0], a.start]}
  two: {type: spherical, connect: [a.end, b.l]}
  three: {type: spherical, connect: [b.r, c.x-]}
  four: {type: spherical, connect: [c.x+, d.start]}
  five: {type: spherical, connect: [d.end, [3, 1, 0]]}
sensors:
  e: {type: energy}
  a: {type: point, of: a.end, record: position}
  d: {type: point, of: d.start, record: position}
)yaml";
  const Start alone = start("strewn-1", model, 1);
  for (const int ranks : {1, 2, 3}) {
    const Start found = start("strewn-" + std::to_string(ranks), model, ranks);
    INFO(found.said);
    CHECK(found.strain < 1e-14);
    CHECK(found.said.find("as wholes") == std::string::npos);
    for (const std::string place : {"a.position.x", "a.position.z", "d.position.x", "d.position.y"})
      CHECK(found.table.at(place, 0) == Approx(alone.table.at(place, 0)).margin(1e-8));
  }
}
