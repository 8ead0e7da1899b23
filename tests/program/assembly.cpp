// How prescribed angles and models drawn in pieces come together at the start.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;
using test::Refusal;

TEST_CASE("a prescribed angle beyond half a turn at the start counts with all its turns, however the start is found",
          "[serial]") {
  const auto folder = test::fresh_folder("turned-start");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies: {b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0]}}
joints:
  j: {type: revolute, connect: [ground, b], axis: [0, 0, 1]}
  m: {type: motion, of: j, angle: 5}
forces: {k: {type: torsional-spring, connect: [ground, b], axis: [0, 0, 1], stiffness: 3}}
sensors: {a: {type: relative, of: j}, m: {type: joint, of: m}, e: {type: energy, record: [strain]}}
analysis: {end_time: 0.1, step: 0.01}
)");
  const struct {
    std::string overrides;
    double angle;
  } cases[] = {{"", 5},
               {" --set analysis.initial=static", 5},
               {" --set analysis.initial=static --set joints.m.angle=5+t", 5.1},
               {" --set analysis.initial=as-is", 5},
               {" --set 'analysis={type: static}'", 5},
               {" --set analysis.step='{tolerance: 1e-4}' --set 'joints.m.angle=if(t < 0.05, 1, -5)'", -5},
               {" --set joints.m.angle=-300", -300},
               {" --set analysis.initial=given --set joints.m.angle=-4*pi", -4 * std::acos(-1.0)}};
  for (const auto& start : cases) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --quiet" + start.overrides);
    INFO(start.overrides << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "model.out" / "sensors.csv");
    const std::size_t last = table.rows() - 1;
    CHECK(table.at("a.angle", last) == Approx(start.angle));
    CHECK(table.at("m.moment.z", last) == Approx(-3 * start.angle));
    CHECK(table.at("e.strain", last) == Approx(1.5 * start.angle * start.angle));
  }
}

TEST_CASE("the turns of a chain of prescribed angles add up at the start", "[serial]") {
  const auto folder = test::fresh_folder("turned-chain");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0], points: {e: [1, 0, 0]}}
  c: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [1, 0, 0]}
joints:
  j: {type: revolute, connect: [ground, b], axis: [0, 0, 1]}
  m: {type: motion, of: j, angle: 3}
  k: {type: revolute, connect: [b.e, c], axis: [0, 0, 1]}
  n: {type: motion, of: k, angle: N}
forces: {s: {type: torsional-spring, connect: [ground, c], axis: [0, 0, 1], stiffness: 3}}
sensors: {a: {type: relative, of: k}, s: {type: force, of: s}}
constants: {N: 2.5}
analysis: {end_time: 0.1, step: 0.01}
)");
  for (const char* initial : {"analysis.initial=consistent", "analysis.initial=static", "analysis={type: static}"})
    for (const char* angle : {"2.5", "9.5", "-9.5"}) {
      const test::Outcome outcome =
          test::run_sinew(folder, std::string("run model.yaml --quiet --set constants.N=") + angle + " --set '" + initial + "'");
      INFO(initial << ", " << angle << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      const test::Table table(folder / "model.out" / "sensors.csv");
      CHECK(table.at("a.angle", table.rows() - 1) == Approx(std::stod(angle)));
      CHECK(table.at("s.angle", table.rows() - 1) == Approx(3 + std::stod(angle)));
    }
}

TEST_CASE("a prescribed angle that a linkage reaches one way round only is reached that way", "[serial]") {
  const auto folder = test::fresh_folder("rocker");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  slider: {type: point-mass, mass: 1, position: [1.8, 0, 0]}
joints:
  pivot: {type: revolute, connect: [ground, crank.a], axis: [0, 0, 1]}
  drive: {type: motion, of: pivot, angle: 5.5}
  guide: {type: point-on-line, connect: [ground, slider], axis: [1, 0, 0]}
  rod: {type: distance, connect: [crank.b, slider]}  # shorter than the crank
sensors: {a: {type: relative, of: pivot}}
analysis: {end_time: 0.1, step: 0.01}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --quiet");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(test::Table(folder / "model.out" / "sensors.csv").at("a.angle", 10) == Approx(5.5 - 2 * std::acos(-1.0)));
}

// Least change alone would turn links whose gaps are longer than they are, each correction by many radians: it never closes them.
TEST_CASE("chains, trees and rings drawn in pieces come together unturned, however long their gaps are", "[mpi]") {
  const std::string link = "type: rigid, mass: 1, inertia: [1e-2, 1e-2, 1e-2], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}, ";
  const std::string end = "analysis: {end_time: 0.02, step: 0.01}\n";
  struct Pieces {
    std::string name, model;
    double x, y;  // of the sensor's place, once the pieces are together
  };
  const std::vector<Pieces> cases{{"chain", "bodies: {\"r{i}\": {repeat: {i: 0..20}, " + link + R"yaml(position: [2*i, 0.5*i, 0]}}
joints:
  h: {type: spherical, connect: [[0, 0, 0], r0.a]}
  "j{i}": {repeat: {i: 1..20}, type: spherical, connect: ["r{i-1}.b", "r{i}.a"]}
sensors: {p: {type: point, of: r20.b, record: position}}
)yaml",
                                   21, 0},
                                  {"tree", "bodies: {\"r{i}\": {repeat: {i: 1..127}, " + link + R"yaml(position: [3*i, -40*i, 0]}}
joints:
  h: {type: revolute, connect: [[0, 0, 0], r1.a], axis: [0, 0, 1]}
  "j{i}": {repeat: {i: 1..63}, type: revolute, connect: ["r{i}.b", "r{2*i}.a"], axis: [0, 0, 1]}
  "k{i}": {repeat: {i: 1..63}, type: spherical, connect: ["r{i}.b", "r{2*i+1}.a"]}
sensors: {p: {type: point, of: r100.b, record: position}}
)yaml",
                                   7, 0},
                                  {"ring",
                                   R"yaml(constants: {n: 100, turn: 2*pi/n, wide: 0.5/tan(pi/n)}
bodies:
)yaml" + ("  \"r{i}\": {repeat: {i: 0..99}, " + link) +
                                       R"yaml(position: [3*wide*sin(i*turn), -3*wide*cos(i*turn), 0],
          orientation: {axis: [0, 0, 1], angle: i*turn}}
joints:
  h: {type: spherical, connect: [[0, 0, 0], r0.a]}
  "j{i}": {repeat: {i: 1..99}, type: spherical, connect: ["r{i-1}.b", "r{i}.a"]}
  last: {type: spherical, connect: [r99.b, r0.a]}
sensors: {p: {type: point, of: r50, record: position}}
)yaml",
                                   0.5, 1 / std::tan(std::acos(-1.0) / 100)}};
  for (const Pieces& pieces : cases)
    for (const int ranks : {1, 3}) {
      const auto folder = test::fresh_folder("pieces-" + pieces.name);
      test::write_file(folder / "model.yaml", "sinew: 1\n" + pieces.model + end);
      const test::Outcome outcome = test::run_sinew(folder, "run model.yaml", ranks);
      INFO(pieces.name << ", " << ranks << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      const test::Table table(folder / "model.out" / "sensors.csv");
      CHECK(table.at("p.position.x", 0) == Approx(pieces.x).margin(1e-8));
      CHECK(table.at("p.position.y", 0) == Approx(pieces.y).margin(1e-8));
    }
}
