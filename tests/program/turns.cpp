// Angles about axes: their turns under long steps, and what they are where the axes do not stay parallel.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>
#include <tuple>

using namespace sinew;

namespace {

test::Table run(const std::filesystem::path& folder, const std::string& arguments) {
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out " + arguments);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return test::Table(folder / "out" / "sensors.csv");
}

const std::string drum = R"yaml(sinew: 1
bodies: {w: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0], angular_velocity: [0, 0, spin]}}
joints: {r: {type: revolute, connect: [ground, w], axis: [0, 0, 1]}}
sensors: {r: {type: relative, of: r}, f: {type: force, of: f}}
)yaml";

}  // namespace

TEST_CASE("a drum does not pass its stop, however long its steps might be", "[serial]") {
  const auto folder = test::fresh_folder("turns-stop");
  test::write_file(folder / "model.yaml", drum + R"yaml(constants: {spin: 0}
forces:
  m: {type: actuator, of: r, torque: 1}
  f: {type: stop, of: r, upper: 12, stiffness: 1e3}
analysis: {end_time: 3, step: {tolerance: 1e-4}}
)yaml");
  const test::Table table = run(folder, "");
  double farthest = 0;
  for (std::size_t k = 0; k < table.rows(); ++k) farthest = std::max(farthest, table.at("r.angle", k));
  // 12 J m^2 s^-2 of work against a stiffness of 1e3: k d^2 / 2 = 12 + d
  CHECK(farthest < 12 + 0.157);
  CHECK(farthest > 12.1);
  // touched at sqrt(2 12 / 5) s, as fast as it then comes back
  const std::size_t last = table.rows() - 1;
  CHECK(table.at("r.rate", last) < 0);
  CHECK(table.at("f.angle", last) == Approx(table.at("r.angle", last)).epsilon(1e-9));
}

TEST_CASE("a clock spring counts the turns of long steps", "[serial]") {
  const auto folder = test::fresh_folder("turns-spring");
  for (const std::string law : {"stiffness: 1e-3", "moment: 1e-3*angle", "table: [[-1000, -1], [1000, 1]]"}) {
    test::write_file(folder / "model.yaml",
                     drum +
                         "constants: {spin: 30}\nforces: {f: {type: torsional-spring, connect: [ground, w], "
                         "axis: [0, 0, 1], " +
                         law + "}}\nanalysis: {end_time: 3, step: {tolerance: 1e-4}}\n");
    INFO(law);
    const test::Table table = run(folder, "");
    const std::size_t last = table.rows() - 1;
    const double w = std::sqrt(1e-3 / 0.2);
    CHECK(table.at("r.angle", last) == Approx(30 / w * std::sin(3 * w)).epsilon(1e-3));
    // what an expression makes of an angle keeps no steps short: many fans' drag follows their rates alone
    if (law[0] != 'm') CHECK(table.at("f.angle", last) == Approx(table.at("r.angle", last)).epsilon(1e-9));
  }
}

TEST_CASE("a torsional spring whose bodies tilt is the same however the model stands", "[serial]") {
  const auto folder = test::fresh_folder("turns-tilted");
  // a cantilever bent by a load, its end held by a spring about its first axis; all turned by an angle about some axis
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants:
  a: 0
  # columns of the rotation by a about (1, 2, 2)/3
  c: cos(a)
  s: sin(a)
  x1: c + (1 - c)/9
  x2: 2*s/3 + 2*(1 - c)/9
  x3: -2*s/3 + 2*(1 - c)/9
  y1: -2*s/3 + 2*(1 - c)/9
  y2: c + 4*(1 - c)/9
  y3: s/3 + 4*(1 - c)/9
  z1: 2*s/3 + 2*(1 - c)/9
  z2: -s/3 + 4*(1 - c)/9
  z3: c + 4*(1 - c)/9
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {q: {shape: circle, diameter: 0.05}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [x1, x2, x3], elements: 5}, section: q, material: m, up: [y1, y2, y3]}
joints: {root: {type: clamp, connect: [ground, b.start]}}
forces:
  k: {type: torsional-spring, connect: [ground, b.end], axis: [x1, x2, x3], stiffness: 3}
  f: {type: force, on: b.end, vector: [5*(y1 + z1), 5*(y2 + z2), 5*(y3 + z3)]}
  m: {type: torque, on: b.end, vector: [2*x1, 2*x2, 2*x3]}
sensors:
  k: {type: force, of: k}
  r: {type: relative, between: [ground, b.end], axis: [x1, x2, x3], record: [angle]}
analysis: {type: static}
)yaml");
  const test::Table upright = run(folder, "");
  const std::size_t last = upright.rows() - 1;  // under the whole load
  CHECK(upright.at("k.angle", last) > 0.1);
  CHECK(upright.at("r.angle", last) == Approx(upright.at("k.angle", last)).epsilon(1e-9));
  for (const char* a : {"0.7", "2", "3.1"}) {
    const test::Table turned = run(folder, std::string("--set constants.a=") + a);
    for (const char* quantity : {"k.angle", "k.moment", "r.angle"})
      CHECK(turned.at(quantity, turned.rows() - 1) == Approx(upright.at(quantity, last)).epsilon(1e-6));
  }
}

TEST_CASE("gears and expressions of angles lose no turns where two bodies turn against each other", "[serial]") {
  // 25 rad/s each way: under half a turn a step of .1 s each, .8 turns against each other
  const std::string wheels = R"yaml(sinew: 1
bodies:
  car: {type: rigid, mass: 1, inertia: [0.03, 0.03, 0.04], position: [0, 0, 0], angular_velocity: [0, 0, -25]}
  sun: {type: rigid, mass: 1, inertia: [0.03, 0.03, 0.04], position: [0, 0, 0], angular_velocity: [0, 0, 25]}
  other:
    {type: rigid, mass: 1, inertia: [0.03, 0.03, 0.04], position: [0, 0, 0], velocity: [0, 0, lift],
     angular_velocity: [0, 0, spin]}
joints:
  a: {type: revolute, connect: [ground, car], axis: [0, 0, 1]}
  b: {type: revolute, connect: [car, sun], axis: [0, 0, 1]}
  d1: {type: motion, of: a, angle: "-25*t"}
  d2: {type: motion, connect: [ground, sun], axis: [0, 0, 1], angle: "25*t"}
sensors: {b: {type: relative, of: b}, c: {type: relative, of: c}}
)yaml";
  const std::string geared = R"yaml(  c: {type: revolute, connect: [car, other], axis: [0, 0, 1]}
  g: {type: gear, connect: [car, sun, other], axis: [0, 0, 1], ratio: 0.8}
constants: {lift: 0, spin: 37.5}
)yaml",
                    lifted = R"yaml(  c: {type: prismatic, connect: [ground, other], axis: [0, 0, 1]}
  g: {type: coordinate, zero: "sensor.c.distance - 0.01*sensor.b.angle"}
constants: {lift: 0.5, spin: 0}
)yaml";
  const std::size_t place = wheels.find("sensors:");
  for (const auto& [joint, quantity, end] : {std::tuple{geared, "c.angle", 50 / 0.8}, {lifted, "c.distance", 0.5}}) {
    const auto folder = test::fresh_folder("turns-lost");
    const std::size_t constants = joint.find("constants:");
    test::write_file(folder / "model.yaml", wheels.substr(0, place) + joint.substr(0, constants) + wheels.substr(place) +
                                                joint.substr(constants) + "analysis: {end_time: 1, step: 0.1}\n");
    const test::Table table = run(folder, "");  // steps that are refused are made in parts
    CHECK(table.at(quantity, table.rows() - 1) == Approx(end).epsilon(1e-6));
  }
}

TEST_CASE("shafts turn on and on", "[serial]") {
  // what their angles come to has few digits left of a radian
  const auto folder = test::fresh_folder("turns-shafts");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies:
  a: {type: shaft, inertia: 0.1, speed: 28}
  b: {type: shaft, inertia: 0.1, speed: -84}
joints: {g: {type: shaft-gear, connect: [b, a], ratio: -3}}
forces: {z: {type: shaft-torque, on: a, value: 0}}
sensors: {z: {type: force, of: z, record: [angle, rate]}}
analysis: {end_time: 100, step: 1e-2}
)yaml");
  const test::Table free = run(folder, "");
  CHECK(free.at("z.angle", free.rows() - 1) == Approx(2800).epsilon(1e-6));
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies:
  sun: {type: rigid, mass: 1, inertia: [0.03, 0.03, 0.04], position: [0, 0, 0], angular_velocity: [0, 0, 28]}
  shaft: {type: shaft, inertia: 0.1, speed: 84}
joints:
  b: {type: revolute, connect: [ground, sun], axis: [0, 0, 1]}
  g: {type: shaft-turn, connect: [ground, sun, shaft], axis: [0, 0, 1], ratio: 3}
sensors: {b: {type: relative, of: b}}
analysis: {end_time: 20, step: 0.03}
)yaml");
  const test::Table led = run(folder, "");
  CHECK(led.at("b.angle", led.rows() - 1) == Approx(560).epsilon(1e-6));
}

/// A thread's way and a shaft's angle tell of turns that the bodies' places do not: a sensor beside them must not change them.
TEST_CASE("screws and shafts begin with all the turns of their joints, in starts, motions and states of rest", "[serial]") {
  const std::string sensor = "  turns: {type: relative, of: spin, record: angle}\n";
  const auto place_of = [](const std::string& joints, const std::string& analysis, const std::string& sensors) {
    const auto folder = test::fresh_folder("turns-begun");
    test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies:
  nut: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.025], position: [0, 0, 0]}
  arm: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.025], position: [0, 0, 0]}
  wheel: {type: shaft, inertia: 0.1}
joints:
)yaml" + joints + "sensors:\n  nut: {type: point, of: nut, record: position.z}\n  wheel: {type: point, of: wheel}\n" +
                                                sensors + "analysis: {" + analysis + "}\n");
    const test::Table table = run(folder, "");
    return std::pair(table.at("nut.position.z", 0), table.at("wheel.angle", 0));
  };
  const auto check = [&](const std::string& joints, const std::string& analysis, double angle) {
    for (const std::string& sensors : {std::string(), sensor}) {
      INFO(joints << sensors << analysis);
      const auto [way, turned] = place_of(joints, analysis, sensors);
      CHECK(way == Approx(0.5 * angle / (2 * std::numbers::pi)).epsilon(1e-6));
      CHECK(turned == Approx(0.7 * angle).epsilon(1e-6));
    }
  };
  const auto started = [](const std::string& angle) {
    return "  thread: {type: screw, connect: [ground, nut], axis: [0, 0, 1], pitch: 0.5, start: {angle: " + angle +
           "}}\n  spin: {type: revolute, connect: [ground, arm], axis: [0, 0, 1], start: {angle: " + angle +
           "}}\n  led: {type: shaft-turn, connect: [ground, arm, wheel], axis: [0, 0, 1], ratio: 0.7}\n";
  };
  for (const double angle : {3.0, 3.3, -4.0, 7.6, 20.0})
    check(started(std::to_string(angle)), "end_time: 0.01, step: 1e-3", angle);
  const std::string driven = R"yaml(  thread: {type: screw, connect: [ground, nut], axis: [0, 0, 1], pitch: 0.5}
  spin: {type: revolute, connect: [ground, arm], axis: [0, 0, 1]}
  led: {type: shaft-turn, connect: [ground, arm, wheel], axis: [0, 0, 1], ratio: 0.7}
  turn: {type: motion, of: thread, angle: -7.6}
  also: {type: motion, of: spin, angle: -7.6}
)yaml";
  check(driven, "type: static", -7.6);
  check(driven, "end_time: 0.01, step: 1e-3", -7.6);
}

/// What is left of a gap lies in the nut's frame by the guide and in the spindle's, which turns, by the thread.
TEST_CASE("turns of a screw are kept where its bodies are drawn beside their joints, and a slip of the pen is told", "[serial]") {
  const auto folder = test::fresh_folder("turns-beside");
  for (const auto& [gap, is_slip] : {std::pair{"1e-6", false}, {"1e-4", false}, {"0.1", true}}) {
    test::write_file(folder / "model.yaml", std::string(R"yaml(sinew: 1
constants: {gap: )yaml") + gap + R"yaml(}
bodies:
  spindle: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.02], position: [0, 0, 0]}
  nut: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.02], position: [gap, 0, 0.4]}
joints:
  bearing: {type: revolute, connect: [ground, spindle], axis: [0, 0, 1], start: {angle: 13.7}}
  guide: {type: prismatic, connect: [[0, 0, 0.4], nut], axis: [0, 0, 1]}
  thread: {type: screw, connect: [spindle, nut], axis: [0, 0, 1], pitch: 0.05}
sensors: {nut: {type: point, of: nut, record: position.z}}
analysis: {end_time: 0.01, step: 1e-3}
)yaml");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "out" / "sensors.csv");
    CHECK(table.at("nut.position.z", 0) == Approx(0.4 - 0.05 * 13.7 / (2 * std::numbers::pi)).epsilon(1e-9));
    const bool is_told =
        outcome.said.find("the positions do not fit the joints: the largest residual is 0.1") < outcome.said.size();
    CHECK(is_told == is_slip);
  }
}
