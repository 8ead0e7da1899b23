// Models of many kinds of parts take the same steps in metres, in millimetres and a thousand sizes from the origin.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace sinew;

namespace {

/// A crank, a cable, a beam and a block on springs. Lengths are s times as many as in metres, X is where all of it lies.
constexpr const char* flexible = R"yaml(sinew: 1
constants: {s: 1, X: 0}
gravity: [0, -9.81*s, 0]
materials: {rubber: {density: 1200/s^3, youngs_modulus: 5e6/s, poissons_ratio: 0.3}}
sections: {round: {shape: circle, diameter: 0.02*s}}
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01*s^2, 0.01*s^2, 0.02*s^2], position: [X + 0.1*s, 0, 0],
          points: {a: [-0.1*s, 0, 0], b: [0.1*s, 0, 0]}}
  rope: {type: cable, line: {from: [X + 0.2*s, 0, 0], to: [X + 0.8*s, 0, 0], elements: 6}, section: round, material: rubber}
  block: {type: solid, box: {size: [0.3*s, 0.05*s, 0.05*s], elements: [4, 1, 1]}, material: rubber,
          position: [X + 0.8*s, -0.025*s, -0.025*s]}
  bob: {type: point-mass, mass: 0.5, position: [X + 1.4*s, 0, 0]}
  arm: {type: beam, line: {from: [X, 0.5*s, 0], to: [X, 0.5*s, 0.4*s], elements: 3}, section: round, material: rubber,
        up: [0, 1, 0]}
joints:
  main: {type: revolute, connect: [ground, crank.a], axis: [0, 0, 1]}
  first: {type: spherical, connect: [crank.b, rope.start]}
  second: {type: spherical, connect: [rope.end, "block.x-"]}
  root: {type: fixed, connect: [ground, arm.start]}
forces:
  back: {type: torsional-spring, connect: [ground, crank.a], axis: [0, 0, 1], stiffness: 2*s^2, damping: 0.05*s^2}
  pull: {type: spring-damper, connect: ["block.x+", bob], stiffness: 100, damping: 1, length: 0.3*s}
  hold: {type: spring-damper, connect: [arm.end, [X, 0, 0]], stiffness: 0.2, length: 0.5*s}
  servo: {type: actuator, on: bob, direction: [1, 0, 0],
          force: "-20*(sensor.bob.position.x - X - 1.4*s) - 2*sensor.bob.velocity.x"}
sensors: {bob: {type: point, of: bob, record: [position, velocity]}}
analysis: {end_time: 0.5, step: {tolerance: 1e-3}}
)yaml";

/// An arm with friction, a stop and a controller, and a cart under dry friction that sticks and slips.
constexpr const char* switching = R"yaml(sinew: 1
constants: {s: 1, X: 0}
gravity: [0, -9.81*s, 0]
bodies:
  arm: {type: rigid, mass: 1, inertia: [0.01*s^2, 0.01*s^2, 0.02*s^2], position: [X + 0.2*s, 0, 0],
        points: {a: [-0.2*s, 0, 0], b: [0.2*s, 0, 0]}}
  fore: {type: rigid, mass: 0.7, inertia: [0.01*s^2, 0.01*s^2, 0.01*s^2], position: [X + 0.6*s, 0, 0],
         points: {a: [-0.2*s, 0, 0]}}
  cart: {type: rigid, mass: 2, inertia: [0.1*s^2, 0.1*s^2, 0.1*s^2], position: [X, -1*s, 0], velocity: [1.2*s, 0, 0]}
joints:
  shoulder: {type: revolute, connect: [ground, arm.a], axis: [0, 0, 1]}
  elbow: {type: revolute, connect: [arm.b, fore.a], axis: [0, 0, 1]}
  rail: {type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}
forces:
  rub: {type: friction, of: elbow, coefficient: 0.2, radius: 0.03*s, transition_speed: 0.01*s}
  jamb: {type: stop, of: shoulder, lower: -0.9, upper: 0.9, stiffness: 50*s^2, damping: 1}
  dry: {type: actuator, on: cart, direction: [1, 0, 0], force: "-2*s*sign(sensor.cart.velocity.x) + 4*s*sin(3*t)"}
  drive: {type: actuator, of: shoulder, torque: "s^2*control.lag.u"}
controls:
  lag: {state: {x: 0}, derivative: {x: "sin(4*t) - x"}, output: {u: "min(max(8*x, -3), 3)"}}
sensors: {cart: {type: point, of: cart, record: [position, velocity]}}
analysis: {end_time: 2.5, step: {tolerance: 1e-2, per: unit-step}}
)yaml";

/// A hydraulic cylinder of one chamber on a spring; its pressure is a first-order state. Lengths are m, masses kg and times s
/// times as many as in SI units.
constexpr const char* hydraulic = R"yaml(sinew: 1
constants: {m: 1, kg: 1, s: 1, N: kg*m/s^2, Pa: N/m^2, A: 1e-3*m^2}
bodies: {ram: {type: point-mass, mass: 50*kg, position: [0, 0, 0]}}
joints: {guide: {type: point-on-line, connect: [[0, 0, 0], ram], axis: [1, 0, 0]}}
sensors:
  ram: {type: point, of: ram, record: velocity.x}
  d: {type: point, of: ram, record: displacement.x}
controls:
  p:
    state: {p: 0}
    size: {p: 1e6*Pa}
    derivative: {p: "4e12*Pa/m^3*(5e-5*m^3/s*sin(6*t/s) - A*sensor.ram.velocity.x) - 20/s*p"}
forces:
  push: {type: actuator, on: ram, direction: [1, 0, 0],
         force: "control.p.p*A - 400*N*s/m*sensor.ram.velocity.x - 20000*N/m*sensor.d.displacement.x"}
analysis: {end_time: 1.5*s, step: {tolerance: 1e-3, per: unit-step}}
)yaml";

int steps(const std::filesystem::path& folder, const std::string& constant) {
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --set output.sensors.every=1 " + constant, 0);
  INFO(constant << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return static_cast<int>(test::Table(folder / "model.out" / "sensors.csv").rows());
}

void check_same_steps(const std::filesystem::path& folder, const std::string& model) {
  test::write_file(folder / "model.yaml", model);
  const int here = steps(folder, "");
  CHECK(steps(folder, "--set constants.s=1000") == Approx(here).epsilon(0.02));
  CHECK(steps(folder, "--set constants.X=1000") == Approx(here).epsilon(0.02));
}

}  // namespace

TEST_CASE("flexible bodies take the same steps in millimetres and a thousand sizes away", "[serial]") {
  check_same_steps(test::fresh_folder("units-flexible"), flexible);
}

TEST_CASE("what switches takes the same steps in millimetres and a thousand sizes away", "[serial]") {
  check_same_steps(test::fresh_folder("units-switching"), switching);
}

TEST_CASE("what a first-order state drives takes the same steps in whatever units the state is", "[serial]") {
  const auto folder = test::fresh_folder("units-hydraulic");
  test::write_file(folder / "model.yaml", hydraulic);
  const int here = steps(folder, "");
  CHECK(here < 3000);  // 16774 while pressures were weighed beside speeds
  CHECK(steps(folder, "--set constants.m=1000 --set constants.kg=1e-3") == Approx(here).epsilon(0.02));
  CHECK(steps(folder, "--set constants.s=1000") == Approx(here).epsilon(0.02));
}

TEST_CASE("a shell vibrates alike whatever its size, with a massless frame where an edge has a name", "[serial]") {
  const auto folder = test::fresh_folder("units-modes");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {L: 3}
materials: {m: {density: 2700, youngs_modulus: 7e10, poissons_ratio: 0.3}}
bodies: {plate: {type: shell, plate: {size: [L, 2*L/3], elements: [6, 4]}, thickness: L/150, material: m}}
joints: {root: {type: clamp, connect: [ground, "plate.x-"]}}
forces: {push: {type: force, on: "plate.x+", vector: [0, 0, 0]}}
analysis: {type: modes, count: 3}
)yaml");
  std::vector<double> in_metres;
  for (const std::string L : {"3", "3e-4", "3e-6", "3e-7"}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --set constants.L=" + L);
    INFO(L << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.said.find("warning") == std::string::npos);
    const test::Table table(folder / "out" / "modes.csv");
    REQUIRE(table.rows() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      const double scaled = table.at("omega", k) * std::stod(L);
      if (in_metres.size() < 3)
        in_metres.push_back(scaled);
      else
        CHECK(scaled == Approx(in_metres[k]).epsilon(1e-6));
    }
  }
}

TEST_CASE("what is free has six motions of frequency 0, and the same others, whatever its size", "[serial]") {
  const auto folder = test::fresh_folder("units-free");
  const std::string material = "{m: {density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.3}}\n";
  const std::string sensor = "sensors: {t: {type: point, of: b.x+}}\n";  // a place with a frame of its own
  const std::string solid = "  b: {type: solid, box: {size: [L, L/10, L/10], elements: [10, 2, 2]}, material: m}\n",
                    shell = "  b: {type: shell, plate: {size: [L, L/10], elements: [10, 2]}, thickness: L/100, material: m}\n";
  for (const std::string& model : {solid + sensor, shell, shell + sensor}) {
    test::write_file(folder / "model.yaml", "sinew: 1\nconstants: {L: 1}\nmaterials: " + material + "bodies:\n" + model +
                                                "analysis: {type: modes, count: 8}\n");
    std::vector<double> in_metres;
    for (const std::string L : {"1", "0.1", "1e-3", "1e-5", "1e-6"}) {
      const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --set constants.L=" + L);
      INFO(model << ", L = " << L << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      const test::Table table(folder / "out" / "modes.csv");
      REQUIRE(table.rows() == 8);
      for (std::size_t k = 0; k < 6; ++k) CHECK(table.at("omega", k) == 0);
      for (std::size_t k = 6; k < 8; ++k) {
        const double scaled = table.at("omega", k) * std::stod(L);
        if (in_metres.size() < 2)
          in_metres.push_back(scaled);
        else
          CHECK(scaled == Approx(in_metres[k - 6]).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("a shell buckles under the same loads in whatever units its size is given", "[serial]") {
  // A strip of 30 x 10 x 0.1 (times s) under a multiple of Euler's load of a cantilever; coarse by LAPACK, fine by SLEPc.
  const std::string model = R"yaml(sinew: 1
constants: {s: 1, n: 9}
materials: {m: {density: 7850/s^3, youngs_modulus: 7e10/s, poissons_ratio: 0.3}}
bodies:
  strip: {type: shell, plate: {size: [30*s, 10*s], elements: [n, n/3]}, thickness: 0.1*s, material: m}
joints:
  root: {type: clamp, connect: [ground, "strip.x-"]}
forces:
  push: {type: force, on: "strip.x+", vector: [-1.6e5*s, 0, 0]}
analysis: {type: buckling, count: 3}
)yaml";
  const auto factors = [&](const std::filesystem::path& folder, const std::string& values) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out " + values);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "out" / "buckling.csv");
    std::vector<double> found;
    for (std::size_t k = 0; k < table.rows(); ++k) found.push_back(table.at("load_factor", k));
    return found;
  };
  const auto folder = test::fresh_folder("units-buckling");
  test::write_file(folder / "model.yaml", model);
  for (const char* n : {"9", "12"}) {
    const std::string set = std::string("--set constants.n=") + n;
    const auto metres = factors(folder, set);
    REQUIRE(metres.size() == 3);
    for (const char* s : {"1e-5", "1e3"}) {
      INFO(n << " elements, s = " << s);
      const auto others = factors(folder, set + " --set constants.s=" + s);
      REQUIRE(others.size() == 3);
      for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(others[k] / metres[k] - 1) < 1e-4);
    }
  }
}
