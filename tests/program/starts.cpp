// Starts that joints, loads and drives allow, and those that are refused.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

using namespace sinew;
using test::Refusal;

namespace {

/// Four rods in a square, hinged at the corners.
constexpr const char* four_bar = R"(sinew: 1
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0, 0.5, 0], points: {a: [0, -0.5, 0], b: [0, 0.5, 0]}}
  coupler: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 1, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  rocker: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1, 0.5, 0], points: {a: [0, 0.5, 0], b: [0, -0.5, 0]}}
joints:
  first: {type: revolute, connect: [ground, crank.a], axis: [0, 0, 1]}
  second: {type: revolute, connect: [crank.b, coupler.a], axis: [0, 0, 1]}
  third: {type: revolute, connect: [coupler.b, rocker.a], axis: [0, 0, 1]}
  last: {type: revolute, connect: [rocker.b, [1, 0, 0]], axis: [0, 0, 1]}
analysis: {end_time: 0.02, step: 0.01}
)";

/// A door on two hinges of one axis.
constexpr const char* door = R"(sinew: 1
bodies:
  door: {type: rigid, mass: 20, inertia: [7, 8, 1], position: [0.5, 0, 1], angular_velocity: [0, 0, 1], velocity: [0, 0.5, 0],
         points: {low: [-0.5, 0, -0.8], high: [-0.5, 0, 0.8]}}
joints:
  low: {type: revolute, connect: [ground, door.low], axis: [0, 0, 1]}
  high: {type: revolute, connect: [ground, door.high], axis: [0, 0, 1]}
analysis: {end_time: 0.02, step: 0.01}
)";

/// Two rods whose pins are further apart than the rods reach.
constexpr const char* open_loop = R"(sinew: 1
bodies:
  left: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  right: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  far: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [9, 0, 0]}
joints:
  one: {type: spherical, connect: [ground, left.a]}
  two: {type: spherical, connect: [left.b, right.a]}
  three: {type: spherical, connect: [right.b, [3, 0, 0]]}
  other: {type: spherical, connect: [ground, far]}
analysis: {end_time: 0.02, step: 0.01}
)";

/// Two rods of 1 m, and a third between their ends that is to be 5 m long.
constexpr const char* too_long = R"(sinew: 1
bodies:
  left: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  right: {type: rigid, mass: 30, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  one: {type: revolute, connect: [ground, left.a], axis: [0, 1, 0]}
  length: {type: distance, connect: [ground, right.b], distance: 5}
  two: {type: revolute, connect: [left.b, right.a], axis: [0, 1, 0]}
analysis: {end_time: 0.02, step: 0.01}
)";

/// A mass on two rods of different lengths to the same point.
constexpr const char* two_lengths = R"(sinew: 1
bodies:
  bob: {type: point-mass, mass: 1, position: [1, 0, 0]}
joints:
  short: {type: distance, connect: [ground, bob], distance: 1}
  long: {type: distance, connect: [[0, 0, 0], bob], distance: 2}
analysis: {end_time: 0.02, step: 0.01}
)";

void check_warned(const std::string& name, const std::string& text, const std::vector<std::string>& fragments) {
  const auto folder = test::fresh_folder(name);
  test::write_file(folder / "model.yaml", text);
  for (const char* command : {"run model.yaml --no-output", "check model.yaml"}) {
    const test::Outcome outcome = test::run_sinew(folder, command);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    for (const std::string& fragment : fragments) test::check_contains(outcome.said, fragment);
  }
}

}  // namespace

TEST_CASE("a start that does not fit is refused with the joints that it breaks", "[serial]") {
  const auto folder = test::fresh_folder("starts");
  const std::string given = "{end_time: 0.02, step: 0.01, initial: given}";
  test::write_file(folder / "open-loop.yaml", open_loop);
  test::write_file(folder / "two-lengths.yaml", two_lengths);
  test::write_file(folder / "too-long.yaml", too_long);
  test::write_file(folder / "velocity.yaml", test::pendulum("", given));
  const std::vector<Refusal> rows{
      {"run open-loop.yaml -o out", {"contradict each other", "'one', 'two', 'three'"}},
      {"check open-loop.yaml", {"contradict each other", "'three'"}},
      {"run too-long.yaml -o out", {"contradict each other", "'one', 'length', 'two'"}},
      {"run two-lengths.yaml -o out", {"contradict each other", "'short', 'long'"}},
      {"run velocity.yaml -o out --set bodies.rod.velocity=[0,1,0]",
       {"does not fulfil the constraints", "'hinge'", "initial: consistent"}},
      {"check velocity.yaml --set bodies.rod.velocity=[0,1,0]", {"does not fulfil the constraints", "'hinge'"}}};
  for (const Refusal& row : rows) test::check_refused(folder, row);
}

TEST_CASE("a joint between places that lie apart is drawn together, or refused where the start is given", "[serial]") {
  const auto folder = test::fresh_folder("disconnected");
  std::string apart = test::pendulum();
  apart.replace(apart.find("[ground, rod.top]"), 17, "[[-0.2, 0, 0], rod.top]");
  test::write_file(folder / "model.yaml", apart);
  const test::Outcome drawn = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(drawn.said);
  CHECK(drawn.code == 0);
  test::check_contains(drawn.said,
                       "model.yaml:6:3: warning: the positions do not fit the joints: the largest residual is 0.2, at 'hinge'");
  test::check_refused(
      folder, {"run model.yaml -o out --set analysis.initial=given", {"does not fulfil the constraints", "0.2", "'hinge'"}});
}

TEST_CASE("positions that miss a joint by an angle are told by the angle, whatever the model's lengths", "[serial]") {
  const auto folder = test::fresh_folder("missed-angle");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {size: 1, turn: 0.01}
bodies:
  a: {type: rigid, mass: 1, inertia: [size^2, size^2, size^2], position: [size, 0, 0], points: {end: [-size, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, a.end], axis: [0, 0, 1]}
  drive: {type: motion, of: hinge, angle: "turn + t"}
analysis: {end_time: 0.02, step: 0.01}
)");
  for (const char* size : {"1e-3", "1", "1e3"}) {
    const auto said = [&](const std::string& turn) {
      const test::Outcome outcome = test::run_sinew(
          folder, std::string("run model.yaml --no-output --set constants.size=") + size + " --set constants.turn=" + turn);
      INFO(size << ", " << turn << '\n' << outcome.said);
      CHECK(outcome.code == 0);
      return outcome.said;
    };
    test::check_contains(said("0.01"), "the largest residual is 0.01, at 'drive'");
    CHECK(said("2e-4").find("do not fit") == std::string::npos);
  }
}

TEST_CASE("redundant joints are named, and the model runs", "[serial]") {
  check_warned("four-bar", four_bar, {"model.yaml:7:3: warning: 3 redundant constraints", "'first', 'second', 'third', 'last'"});
  check_warned("door", door, {"model.yaml:6:3: warning: 5 redundant constraints", "'low', 'high'"});
}

TEST_CASE("a model without redundant joints gives no warning", "[serial]") {
  const auto folder = test::fresh_folder("not-redundant");
  test::write_file(folder / "model.yaml", test::pendulum());
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  CHECK(outcome.said.find("warning") == std::string::npos);
}

TEST_CASE("a load that jumps as the run begins acts from the first step on", "[serial]") {
  const auto folder = test::fresh_folder("jump-at-start");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies: {p: {type: point-mass, mass: 1, position: [0, 0, 0]}}
forces: {f: {type: force, on: p, vector: ["t > 0 ? 1 : 0", "0", "0"]}}
sensors: {p: {type: point, of: p, record: [displacement, velocity, acceleration]}}
analysis: {end_time: 0.5, step: 1e-2}
)");
  for (const char* integrator : {"soi2", "gen-alpha", "trapezoid", "bdf-si2"}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml --set analysis.integrator=") + integrator);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "model.out" / "sensors.csv");
    CHECK(table.at("p.acceleration.x", 1) == Approx(1));
    CHECK(table.at("p.velocity.x", table.rows() - 1) == Approx(0.5));
    CHECK(table.at("p.displacement.x", table.rows() - 1) == Approx(0.125));
  }
}

TEST_CASE("a turning solid starts, with a place on its surface as well", "[serial]") {
  const auto folder = test::fresh_folder("turning-solid");
  test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  b: {type: solid, box: {size: [1, 0.2, 0.2], elements: [2, 2, 2]}, material: m, angular_velocity: [0.3, 0.1, 2]}
sensors: {p: {type: point, of: b.x+}}
analysis: {end_time: 0.01, step: 2e-3}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
}

TEST_CASE("a body without mass that nothing holds is named with the remedy, not those that it carries", "[serial]") {
  const auto folder = test::fresh_folder("massless");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  strut: {type: rigid, mass: 0, inertia: [0, 0, 0], position: [0.3, 0, 0], points: {a: [-0.3, 0, 0], b: [0.7, 0, 0]}}
  bob: {type: point-mass, mass: 2, position: [1, 0, 0]}
joints:
  h: {type: spherical, connect: [ground, strut.a]}
  s: {type: spherical, connect: [strut.b, bob]}
analysis: {end_time: 0.1, step: 1e-2}
)");
  for (const char* other : {"bodies.bob.mass=2", "bodies.bob.mass=2e-5", "bodies.bob.mass=2e6", "analysis.integrator=bdf-si2"}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml --no-output --set ") + other);
    INFO(outcome.said);
    CHECK(outcome.code == 3);
    test::check_contains(outcome.said, "'strut' can move in a way that meets no mass: give it a mass");
    CHECK(outcome.said.find("'bob'") == std::string::npos);
    CHECK(outcome.said.find("warning") == std::string::npos);
  }
}

TEST_CASE("a body without inertia is what a search for redundant constraints fails by, and no matter of the solver", "[serial]") {
  const auto folder = test::fresh_folder("no-inertia");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies: {a: {type: rigid, mass: 1, inertia: [0, 1, 1], position: [0.5, 0, 0], points: {h: [-0.5, 0, 0]}}}
joints: {j: {type: spherical, connect: [ground, a.h]}}
analysis: {end_time: 1, step: 0.01}
)");
  const test::Outcome moving = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(moving.said);
  CHECK(moving.code == 3);
  test::check_contains(moving.said, "'a' can move in a way that meets no mass");
  CHECK(moving.said.find("redundant") == std::string::npos);
  const test::Outcome shaken = test::run_sinew(folder, "run model.yaml --no-output --set analysis.type=modes");
  INFO(shaken.said);
  test::check_contains(shaken.said, "could not be found out: 'a' can move in a way that meets no mass");
  CHECK(shaken.said.find("superlu_dist") == std::string::npos);
}

TEST_CASE("sinew check finds that a start has no accelerations, as a run would", "[serial]") {
  const auto folder = test::fresh_folder("check-accelerations");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies: {a: {type: rigid, mass: 1, inertia: [0, 0, 0], position: [0, 0, 0]}}
analysis: {end_time: 1, step: 0.01}
)yaml");
  const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
  INFO(outcome.said);
  CHECK(outcome.code == 2);
  test::check_contains(outcome.said, "model.yaml: error: no consistent accelerations at t = 0: 'a' can move");
}

TEST_CASE("a force that divides by a speed has no value at rest, which a static start says", "[serial]") {
  const auto folder = test::fresh_folder("slip-at-rest");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies: {car: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [2, 0, 0]}}
joints: {g: {type: prismatic, connect: [ground, car], axis: [1, 0, 0]}}
sensors: {c: {type: point, of: car, record: [velocity]}}
forces: {d: {type: actuator, on: car, direction: [1, 0, 0], force: "-(2/sensor.c.velocity.x - 1)"}}
analysis: {end_time: 0.01, step: 1e-3}
)yaml");
  CHECK(test::run_sinew(folder, "run model.yaml").code == 0);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --set analysis.initial=static");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  test::check_contains(outcome.said, "model.yaml:5:");
  test::check_contains(outcome.said, "is not a finite number at t = 0");
}

TEST_CASE("the first steps of BDF keep the constraints, of whatever order, and so do those behind a jump", "[serial]") {
  const auto folder = test::fresh_folder("bdf-start-drift");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 0.4, inertia: [1e-5, 0.0083, 0.0083], position: [0.25, 0, 0], angular_velocity: [0, -6, 0],
        points: {top: [-0.25, 0, 0], end: [0.25, 0, 0]}}
  bob: {type: rigid, mass: 0.2, inertia: [1e-4, 1e-4, 1e-4], position: [0.7, 0, 0], velocity: [0, 0, 3],
        points: {top: [-0.2, 0, 0]}}
  slide: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 1, 0]}
joints:
  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}
  knee: {type: revolute, connect: [rod.end, bob.top], axis: [0, 1, 0]}
  rail: {type: prismatic, connect: [ground, slide], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, velocity: "t < 0.2 ? 0 : 2"}
sensors:
  drift: {type: constraint}
analysis: {end_time: 0.4, step: 4e-2}
)yaml");
  for (const char* integrator : {"bdf-si1", "bdf-si2"})
    for (const char* order : {"1", "2", "3", "4"}) {
      const test::Outcome outcome = test::run_sinew(
          folder, std::string("run model.yaml --set analysis.integrator=") + integrator + " --set analysis.order=" + order);
      INFO(integrator << ", order " << order << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      const test::Table table(folder / "model.out" / "sensors.csv");
      for (std::size_t row = 0; row < table.rows(); ++row) {
        CHECK(table.at("drift.position", row) < 1e-9);
        CHECK(table.at("drift.velocity", row) < 1e-7);
      }
    }
}

TEST_CASE("velocities that only the nodes at a joint can follow are warned of, those that bodies follow as wholes are not",
          "[serial]") {
  const auto folder = test::fresh_folder("start-velocities");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {turn: 0, w: 100}
materials: {st: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
sections: {s: {shape: circle, diameter: 0.02}}
bodies:
  crank: {type: rigid, mass: 2, inertia: [1e-3, 1e-3, 2e-3], position: [0, 0, 0], angular_velocity: [0, 0, w],
          points: {pin: [0.08, 0, 0]}}
  rod: {type: beam, line: {from: [0.08, 0, 0], to: [0.32, 0, 0], elements: 4}, section: s, material: st,
        velocity: [0, 8, 0], angular_velocity: [0, 0, -turn*100*0.08/0.24]}
  slider: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0.32, 0, 0]}
joints:
  main: {type: revolute, connect: [ground, crank], axis: [0, 0, 1]}
  big: {type: revolute, connect: [crank.pin, rod.start], axis: [0, 0, 1]}
  small: {type: spherical, connect: [slider, rod.end]}
  guide: {type: prismatic, connect: [ground, slider], axis: [1, 0, 0]}
analysis: {end_time: 1e-5, step: 1e-5}
)yaml");
  const auto warns = [&](const std::string& settings, int ranks) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output" + settings, ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    return outcome.said.find("the given velocities miss the joints") != std::string::npos;
  };
  for (const int ranks : {0, 2}) {
    CHECK(warns("", ranks));                               // the rod's turn is forgotten
    CHECK_FALSE(warns(" --set constants.turn=1", ranks));  // velocities that fit
    CHECK_FALSE(
        warns(" --set constants.w=0 --set constants.turn=1 --set bodies.rod.velocity=[0,0,0] "
              "--set bodies.rod.angular_velocity=[0,0,0] --set bodies.slider.velocity=[0,1,0]",
              ranks));  // a rigid body's alone
  }
}

TEST_CASE("A model whose joints say where they start goes on from its checkpoints", "[serial]") {
  const auto folder = test::fresh_folder("joint-starts");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies: {rod: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.2], position: [0.5, 0, 0], points: {top: [-0.5, 0, 0]}}}
joints: {hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0], start: {angle: 100 deg, rate: 1.5}}}
sensors: {hinge: {type: relative, of: hinge}, rod: {type: point, of: rod, record: velocity}}
analysis: {end_time: 0.2, step: 0.01}
output: {checkpoint: {every: 10, keep: 5}}
)");
  REQUIRE(test::run_sinew(folder, "run model.yaml -o whole").code == 0);
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o part --restart whole/checkpoint-00000010.h5", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table whole(folder / "whole" / "sensors.csv"), part(folder / "part" / "sensors.csv");
    CHECK(whole.at("hinge.angle", 0) == Approx(100 * 3.141592653589793 / 180).epsilon(1e-12));
    for (const char* column : {"hinge.angle", "hinge.rate", "rod.velocity.x"})
      CHECK(part.at(column, part.rows() - 1) == Approx(whole.at(column, whole.rows() - 1)).epsilon(1e-12));
  }
}
