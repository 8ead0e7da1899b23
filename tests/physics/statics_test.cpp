#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;

std::string cantilever(double load) {
  return fmt::format(R"(sinew: 1
constants: {{L: 2, E: 1e9, P: {}}}
materials: {{m: {{density: 1000, youngs_modulus: E}}}}
sections: {{s: {{area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}}}
bodies:
  boom: {{type: cable, line: {{from: [0, 0, 0], to: [L, 0, 0], elements: 16}}, section: s, material: m}}
joints:
  wall: {{type: clamp, connect: [ground, boom.start]}}
forces:
  tip: {{type: force, on: boom.end, vector: [0, 0, -P]}}
sensors:
  tip: {{type: point, of: boom.end, record: [displacement]}}
  wall: {{type: joint, of: wall, record: [force, moment]}}
analysis: {{type: static, newton: {{tolerance: 1e-10}}}}
)",
                     load);
}

/// A cable of 0.1 kg/m, laid along a parabola, between two pins that are 1 apart.
std::string slack_cable(int elements) {
  std::string points;
  for (int i = 0; i <= elements; ++i) {
    const double x = static_cast<double>(i) / elements;
    points += fmt::format("{}[{:.17g}, 0, {:.17g}]", i > 0 ? ", " : "", x, -1.6 * x * (1 - x));
  }
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {{m: {{density: 1000, youngs_modulus: 1e9}}}}
sections: {{s: {{area: 1e-4, iy: 1e-13, iz: 1e-13}}}}
bodies:
  c: {{type: cable, points: [{}], section: s, material: m}}
joints:
  a: {{type: spherical, connect: [ground, c.start]}}
  b: {{type: spherical, connect: [ground, c.end]}}
sensors:
  middle: {{type: point, of: "c.node[{}]", record: [position]}}
  a: {{type: joint, of: a, record: [force]}}
  w: {{type: system, record: [mass]}}
analysis: {{type: static}}
)",
                     points, elements / 2);
}

/// The a of the catenary z = a cosh(x/a) over a span of 1 with that length, by bisection of 2 a sinh(1/(2a)) = length.
double catenary(double length) {
  double low = 0.05, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double a = (low + high) / 2;
    (2 * a * std::sinh(1 / (2 * a)) > length ? low : high) = a;
  }
  return low;
}

const std::string pendulum = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {top: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
  bob: {type: point-mass, mass: 1, position: [1, 2, 3]}
joints:
  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}
  stay: {type: spherical, connect: [ground, bob]}
sensors:
  tip: {type: point, of: rod.tip, record: [position]}
  hinge: {type: joint, of: hinge, record: [force]}
analysis: {type: static, newton: {tolerance: 1e-10}}
)";

}  // namespace

TEST_CASE("A cantilever bends as linear theory says under small loads, and as the elastica under large ones", "[serial]") {
  Stationary small(MPI_COMM_SELF, cantilever(0.01));
  small.find_rest();
  const double EI = 1e9 * 1.3333333333333333e-8, L = 2;
  CHECK(small.values().at("tip.displacement.z") == Approx(-0.01 * L * L * L / (3 * EI)).epsilon(1e-4));
  // P L^2 / EI = 2: the tables of the elastica give 0.4935 L down and 0.1606 L back
  Stationary large(MPI_COMM_SELF, cantilever(2 * EI / (L * L)));
  const EquilibriumReport report = large.find_rest();
  const auto values = large.values();
  CHECK(report.residual < 1e-7 * report.force);
  CHECK(values.at("tip.displacement.z") == Approx(-0.4935 * L).epsilon(1e-3));
  CHECK(values.at("tip.displacement.x") == Approx(-0.1606 * L).epsilon(2e-3));
  CHECK(values.at("wall.force.z") == Approx(-2 * EI / (L * L)));
  CHECK(std::abs(values.at("wall.moment.y")) == Approx(2 * EI / (L * L) * (L + values.at("tip.displacement.x"))));
}

TEST_CASE("Fixed increments of the load are those that were asked for, and end in the same state", "[serial]") {
  Stationary whole(MPI_COMM_SELF, cantilever(5)), parts(MPI_COMM_SELF, cantilever(5), {"analysis.steps=4"});
  whole.find_rest();
  parts.find_rest();
  CHECK(parts.load_factors() == std::vector<double>{0.25, 0.5, 0.75, 1});
  CHECK(parts.values().at("tip.displacement.z") == Approx(whole.values().at("tip.displacement.z")).epsilon(1e-9));
}

TEST_CASE("A slack cable hangs in a catenary", "[serial]") {
  Stationary cable(MPI_COMM_SELF, slack_cable(40));
  cable.find_rest();
  const auto values = cable.values();
  const double mass = values.at("w.mass"), a = catenary(mass / 0.1);
  CHECK(values.at("middle.position.z") == Approx(-a * (std::cosh(1 / (2 * a)) - 1)).epsilon(1e-3));
  CHECK(std::abs(values.at("a.force.x")) == Approx(a * 0.1 * 9.81).epsilon(5e-3));
  CHECK(values.at("a.force.z") == Approx(-mass * 9.81 / 2).epsilon(1e-6));
}

TEST_CASE("A pendulum that is let go comes to rest below its hinge", "[serial]") {
  Stationary model(MPI_COMM_SELF, pendulum);
  const EquilibriumReport report = model.find_rest();
  CHECK(report.relaxation_steps > 0);
  CHECK(report.is_unique);
  const auto values = model.values();
  CHECK(values.at("tip.position.x") == Approx(0).margin(1e-9));
  CHECK(values.at("tip.position.z") == Approx(-1));
  CHECK(values.at("hinge.force.z") == Approx(-9.81));
}

TEST_CASE("A body that nothing holds is named", "[serial]") {
  std::string free = pendulum;
  free.erase(free.find("  stay:"), free.find("sensors:") - free.find("  stay:"));
  Stationary model(MPI_COMM_SELF, free);
  std::string said;
  try {
    model.find_rest();
  } catch (const SolveError& fault) {
    said = fault.what();
  }
  CHECK(said.find("'bob'") != std::string::npos);
  CHECK(said.find("'rod'") == std::string::npos);
}

TEST_CASE("A chain of rods rests although its rods may spin", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
constants: {N: 10, l: 0.1}
gravity: [0, 0, -9.81]
bodies:
  "link{i}":
    repeat: {i: 1..N}
    type: rigid
    mass: 1
    inertia: [1e-4, 1e-3, 1e-3]
    position: [(i-0.5)*l, 0, 0]
    points: {start: [-l/2, 0, 0], end: [l/2, 0, 0]}
joints:
  hook: {type: spherical, connect: [ground, link1.start]}
  "pin{i}": {repeat: {i: 2..N}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
sensors:
  tip: {type: point, of: "link{N}.end", record: [position]}
analysis: {type: static}
)");
  const EquilibriumReport report = model.find_rest();
  CHECK_FALSE(report.is_unique);
  CHECK(report.rejected == 0);  // no increments from where nothing resists: their matrices are singular
  CHECK(model.values().at("tip.position.z") == Approx(-1).epsilon(1e-6));
}

TEST_CASE("A solid bar twists by M L / (G J)", "[serial]") {
  Stationary bar(MPI_COMM_SELF, R"(sinew: 1
constants: {L: 2, b: 0.05}
materials: {m: {density: 7800, youngs_modulus: 2e9, poissons_ratio: 0.25}}
bodies:
  bar: {type: solid, box: {size: [L, b, b], elements: [40, 8, 8], order: 1}, material: m}
  plate: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [L, b/2, b/2], points: {edge: [0, 1, 0]}}
joints:
  wall: {type: clamp, connect: [ground, bar.x-]}
  glue: {type: fixed, connect: [bar.x+, plate]}
forces:
  twist: {type: torque, on: plate, vector: [1, 0, 0]}
sensors:
  edge: {type: point, of: plate.edge, record: [displacement]}
  wall: {type: joint, of: wall, record: [moment]}
analysis: {type: static, newton: {tolerance: 1e-12}}
)");
  bar.find_rest();
  const double J = 0.140577 * std::pow(0.05, 4), G = 2e9 / 2.5;
  CHECK(std::asin(bar.values().at("edge.displacement.z")) == Approx(2 / (G * J)).epsilon(0.02));
  CHECK(bar.values().at("wall.moment.x") == Approx(1).epsilon(1e-6));
}

TEST_CASE("A shallow arch of two springs is followed through its snap", "[serial]") {
  // springs of stiffness k from (-1, 0) and (1, 0) to the crown at height z under the force P s: P s = 2 k z (l0 / l - 1)
  Stationary arch(MPI_COMM_SELF, R"(sinew: 1
bodies:
  crown: {type: point-mass, mass: 1, position: [0, 0, 0.2]}
joints:
  rail: {type: point-on-line, connect: [ground, crown], axis: [0, 0, 1]}
forces:
  left: {type: spring-damper, connect: [[-1, 0, 0], crown], stiffness: 1000}
  right: {type: spring-damper, connect: [[1, 0, 0], crown], stiffness: 1000}
  load: {type: force, on: crown, vector: [0, 0, -10]}
sensors:
  crown: {type: point, of: crown, record: [position]}
analysis: {type: static, path: arc-length, newton: {tolerance: 1e-11}}
)");
  const EquilibriumReport report = arch.find_rest();
  CHECK(report.relaxation_steps == 0);
  const double l0 = std::hypot(1, 0.2);
  double lowest = 1, highest = 0;
  for (std::size_t i = 0; i < arch.path().size(); ++i) {
    const double z = arch.path()[i].at("crown.position.z"), s = arch.load_factors()[i];
    CHECK(10 * s == Approx(2000 * z * (l0 / std::hypot(1, z) - 1)).margin(1e-8));
    lowest = std::min(lowest, s);
    if (z > 0) highest = std::max(highest, s);
  }
  // the limit points: where (l0/l)^3 l^2 ... = 0, z^2 = l0^(2/3) - 1
  const double z = std::sqrt(std::pow(l0, 2.0 / 3) - 1), limit = 200 * z * (l0 / std::hypot(1, z) - 1);
  CHECK(highest == Approx(limit).epsilon(0.05));
  CHECK(lowest == Approx(-limit).epsilon(0.05));
  CHECK(arch.load_factors().back() == 1);
  CHECK(arch.values().at("crown.position.z") < -0.2);
}

TEST_CASE("A free bar that is pulled at both ends stays where it is, and stretches", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies: {b: {type: solid, box: {size: [1, 0.1, 0.1], elements: [5, 1, 1]}, material: m}}
forces:
  f: {type: force, on: b.x+, vector: [10, 0, 0]}
  g: {type: force, on: b.x-, vector: [-10, 0, 0]}
sensors:
  right: {type: point, of: b.x+, record: displacement}
  left: {type: point, of: b.x-, record: displacement}
analysis: {type: static}
)");
  const EquilibriumReport report = model.find_rest();
  CHECK_FALSE(report.is_unique);
  const auto values = model.values();
  CHECK(values.at("right.displacement.x") == Approx(10 / (1e6 * 0.01) / 2).epsilon(0.01));
  CHECK(values.at("left.displacement.x") == Approx(-values.at("right.displacement.x")));
  for (const char* sideways : {"right.displacement.y", "right.displacement.z", "left.displacement.y", "left.displacement.z"})
    CHECK(values.at(sideways) == Approx(0).margin(1e-10));
}
