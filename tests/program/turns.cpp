// Angles about axes: their turns under long steps, and what they are where the axes do not stay parallel.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

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
