#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double gravity = 9.81, pi = 3.141592653589793;

/// A cable of 10 m and 1 kg/m, drawn straight between two hinges, whose second end is moved to (x, 0, z).
std::string moved_in(int elements, double x, double z, double bending) {
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {{m: {{density: 1000, youngs_modulus: 1e9}}}}
sections: {{s: {{area: 1e-3, iy: {2}, iz: {2}}}}}
bodies:
  c: {{type: cable, line: {{from: [0, 0, 0], to: [10, 0, 0], elements: {0}}}, section: s, material: m}}
joints:
  left: {{type: spherical, connect: [ground, c.start]}}
  plane: {{type: coordinate-fixed, connect: [ground, c.end], direction: [0, 1, 0]}}
  in: {{type: motion, connect: [ground, c.end], axis: [1, 0, 0], displacement: {1} - 10}}
  up: {{type: motion, connect: [ground, c.end], axis: [0, 0, 1], displacement: {3}}}
sensors:
  middle: {{type: point, of: "c.node[{4}]", record: [position]}}
  left: {{type: joint, of: left, record: [force]}}
analysis: {{type: static}}
)",
                     elements, x, bending / 1e9, z, elements / 2);
}

/// The horizontal force of a catenary of 10 m between supports that lie (x, z) apart: 2 a sinh(x/(2a)) = sqrt(100 - z^2), by
/// bisection.
double catenary_pull(double x, double z) {
  double low = 0.05, high = 100;
  for (int i = 0; i < 100; ++i) {
    const double a = (low + high) / 2;
    (2 * a * std::sinh(x / (2 * a)) > std::sqrt(100 - z * z) ? low : high) = a;
  }
  return gravity * low;
}

/// A column of 2 m with EI = 40/3 N m^2 that carries P, clamped at its foot; its critical load is 8.2247 N.
std::string column(double load, const char* keys) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e9}}}}
sections: {{s: {{area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}}}
bodies:
  c: {{type: cable, line: {{from: [0, 0, 0], to: [0, 0, 2], elements: 16}}, section: s, material: m}}
joints:
  foot: {{type: clamp, connect: [ground, c.start]}}
  wall: {{type: coordinate-fixed, connect: [ground, c.end], direction: [0, 1, 0]}}
forces:
  load: {{type: force, on: c.end, vector: [0, 0, -{}]}}
sensors:
  top: {{type: point, of: c.end, record: [displacement]}}
analysis: {{type: static{}}}
)",
                     load, keys);
}

/// A pendulum whose centre of mass lies at height z from its hinge.
std::string pendulum(const char* name, double z, double y, double inertia) {
  return fmt::format(
      "  {0}: {{type: rigid, mass: 1, inertia: [{3}, {3}, {3}], position: [0, {2}, {1}], points: {{top: [0, 0, {4}]}}}}\n", name,
      z, y, inertia, -z);
}

}  // namespace

TEST_CASE("A slack cable whose end is moved in hangs in a catenary", "[serial]") {
  struct Case {
    int elements;
    double x, z, bending;
  };
  for (const Case& c :
       {Case{40, 8, 0, 1e-3}, Case{20, 8, 0, 1e-3}, Case{80, 8, 0, 1e-3}, Case{40, 9.5, 0, 1e-3}, Case{40, 6, 0, 1e-3},
        Case{40, 5, 0, 1e-3}, Case{40, 8, -1, 1e-3}, Case{40, 6, 2, 1e-3}, Case{40, 8, 0, 1e-1}, Case{40, 8, 0, 1e-6}}) {
    INFO(c.elements << " elements, to " << c.x << ", " << c.z << ", EI " << c.bending);
    Stationary model(MPI_COMM_SELF, moved_in(c.elements, c.x, c.z, c.bending));
    const EquilibriumReport report = model.find_rest();
    const auto values = model.values();
    CHECK(values.at("left.force.x") == Approx(catenary_pull(c.x, c.z)).epsilon(2e-3));
    if (c.z == 0) CHECK(values.at("left.force.z") == Approx(-5 * gravity).epsilon(1e-6));
    CHECK(model.is_stable());
    CHECK(report.newton < 200);
  }
}

TEST_CASE("The slack cable of 10 m over 8 m sags by 2.654 m and pulls with 33.18 N", "[serial]") {
  Stationary model(MPI_COMM_SELF, moved_in(40, 8, 0, 1e-3));
  const EquilibriumReport report = model.find_rest();
  const auto values = model.values();
  CHECK(values.at("middle.position.z") == Approx(-2.654).epsilon(3e-4));
  CHECK(values.at("left.force.x") == Approx(33.18).epsilon(3e-4));
  CHECK(values.at("left.force.z") == Approx(-49.05).epsilon(1e-6));
  CHECK(report.newton < 120);  // 385 when the end was moved in first
}

TEST_CASE("A column beyond its critical load is found buckled, and straight where that is asked for", "[serial]") {
  // the elastica under 9 N: 0.9999 m aside and 0.3458 m lower, as the path through the bifurcation finds it with a small side
  // load
  Stationary buckled(MPI_COMM_SELF, column(9, "")), kept(MPI_COMM_SELF, column(9, ", unstable: keep"));
  const EquilibriumReport report = buckled.find_rest();
  CHECK(report.escapes == 1);
  CHECK(report.is_stable);
  CHECK(buckled.is_stable());
  CHECK(std::abs(buckled.values().at("top.displacement.x")) == Approx(0.99363).epsilon(2e-3));
  CHECK(buckled.values().at("top.displacement.z") == Approx(-0.34080).epsilon(5e-3));
  const EquilibriumReport straight = kept.find_rest();
  CHECK(straight.escapes == 0);
  CHECK_FALSE(straight.is_stable);
  CHECK(std::abs(kept.values().at("top.displacement.x")) < 1e-9);
}

TEST_CASE("A column far beyond its critical load, with many ways out, ends in a stable state", "[serial]") {
  for (const double load : {20.0, 200.0, 1000.0}) {
    INFO(load << " N");
    Stationary model(MPI_COMM_SELF, column(load, ""));
    const EquilibriumReport report = model.find_rest();
    CHECK(report.escapes >= 1);
    CHECK(model.is_stable());
    CHECK(report.residual < 1e-6 * report.force);
    CHECK(model.values().at("top.displacement.z") < -2);  // it hangs below its foot
  }
}

TEST_CASE("What nothing holds is no way out of a state of rest, wherever the model lies", "[mpi]") {
  // rounding of places leaves forces in springs, and these a stiffness of either sign in motions that have none
  for (const double x : {0.0, 30.0, 1000.0, 3000.0}) {
    INFO("two points and a spring at " << x << " m");
    Stationary model(PETSC_COMM_WORLD, fmt::format(R"(sinew: 1
bodies:
  a: {{type: point-mass, mass: 1, position: [{0}, 0, 0]}}
  b: {{type: point-mass, mass: 1, position: [{0} + 1, 0.3, 0]}}
forces: {{s: {{type: spring-damper, connect: [a, b], stiffness: 100, length: 0.6}}}}
sensors: {{s: {{type: force, of: s, record: [length]}}}}
analysis: {{type: static}}
)",
                                                   x));
    const EquilibriumReport report = model.find_rest();
    CHECK(report.is_stable);
    if (const auto values = model.values(); !values.empty()) CHECK(values.at("s.length") == Approx(0.6).epsilon(1e-9));
  }
  // a tensegrity prism of three struts: its ends are turned by 150 degrees against each other, whatever it is made of
  for (const double x : {50.0, 100.0, 1000.0}) {
    INFO("a tensegrity prism at " << x << " m");
    Stationary model(PETSC_COMM_WORLD, fmt::format(R"(sinew: 1
constants: {{X: {}, turn: 130 deg}}
bodies:
  "b{{i}}": {{repeat: {{i: 0..2}}, type: point-mass, mass: 1, position: [X + 0.5*cos(2*pi*i/3), 0.5*sin(2*pi*i/3), 0]}}
  "u{{i}}": {{repeat: {{i: 0..2}}, type: point-mass, mass: 1,
            position: [X + 0.5*cos(2*pi*i/3 + turn), 0.5*sin(2*pi*i/3 + turn), 1]}}
joints:
  "strut{{i}}": {{repeat: {{i: 0..2}}, type: distance, connect: ["b{{i}}", "u{{i}}"], distance: 1.4}}
forces:
  "low{{i}}": {{repeat: {{i: 0..2}}, type: spring-damper, connect: ["b{{i}}", "b{{mod(i+1, 3)}}"], stiffness: 100, length: 0.6}}
  "high{{i}}": {{repeat: {{i: 0..2}}, type: spring-damper, connect: ["u{{i}}", "u{{mod(i+1, 3)}}"], stiffness: 100, length: 0.6}}
  "side{{i}}": {{repeat: {{i: 0..2}}, type: spring-damper, connect: ["b{{mod(i+1, 3)}}", "u{{i}}"], stiffness: 100, length: 0.5}}
sensors:
  b: {{type: point, of: b0, record: [position]}}
  c: {{type: point, of: b1, record: [position]}}
  d: {{type: point, of: b2, record: [position]}}
  u: {{type: point, of: u0, record: [position]}}
analysis: {{type: static}}
)",
                                                   x));
    CHECK(model.find_rest().is_stable);
    const auto v = model.values();
    if (v.empty()) continue;
    // seen along the axis: from the centre of the lower triangle to its corner, and to that of the upper one
    const auto at = [&](const char* point, char axis) { return v.at(std::string(point) + ".position." + axis); };
    double centre[3], a[3], b[3], low[3], along[3], dot = 0, size_a = 0, size_b = 0, height = 0;
    for (int i = 0; i < 3; ++i) {
      const char axis = "xyz"[i];
      centre[i] = (at("b", axis) + at("c", axis) + at("d", axis)) / 3;
      a[i] = at("b", axis) - centre[i];
      low[i] = at("c", axis) - centre[i];
      b[i] = at("u", axis) - centre[i];
    }
    for (int i = 0; i < 3; ++i) along[i] = a[(i + 1) % 3] * low[(i + 2) % 3] - a[(i + 2) % 3] * low[(i + 1) % 3];
    const double length = std::sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    for (int i = 0; i < 3; ++i) height += b[i] * along[i] / length;
    for (int i = 0; i < 3; ++i) {
      b[i] -= height * along[i] / length;
      dot += a[i] * b[i];
      size_a += a[i] * a[i];
      size_b += b[i] * b[i];
    }
    CHECK(dot / std::sqrt(size_a * size_b) == Approx(std::cos(5 * pi / 6)).epsilon(1e-6));
  }
}

TEST_CASE("An axle of beams on two wheels that roll rests, whatever its mesh", "[serial]") {
  for (const int elements : {2, 4, 8, 12}) {
    INFO(elements << " elements");
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {{steel: {{density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}}}
sections: {{round: {{shape: circle, diameter: 0.02}}}}
bodies:
  axle: {{type: beam, line: {{from: [0, -0.5, 0.3], to: [0, 0.5, 0.3], elements: {}}}, section: round, material: steel}}
  left: {{type: rigid, mass: 3, inertia: [0.05, 0.1, 0.05], position: [0, 0.5, 0.3]}}
  right: {{type: rigid, mass: 3, inertia: [0.05, 0.1, 0.05], position: [0, -0.5, 0.3]}}
joints:
  left: {{type: revolute, connect: [axle.end, left], axis: [0, 1, 0]}}
  right: {{type: revolute, connect: [axle.start, right], axis: [0, 1, 0]}}
  left_road: {{type: rolling-disc, connect: [[0, 0, 0], left], radius: 0.3, normal: [0, 0, 1], axis_local: [0, 1, 0]}}
  right_road: {{type: rolling-disc, connect: [[0, 0, 0], right], radius: 0.3, normal: [0, 0, 1], axis_local: [0, 1, 0]}}
sensors: {{left: {{type: joint, of: left_road, record: [force]}}}}
analysis: {{type: static}}
)",
                                                elements));
    CHECK(model.find_rest().is_stable);
    const double weight = gravity * (6 + 7850 * pi * 1e-4);
    CHECK(std::abs(model.values().at("left.force.z")) == Approx(weight / 2).epsilon(1e-6));
  }
}

TEST_CASE("Of two pendulums the one that stands falls and the one that hangs stays", "[serial]") {
  Stationary model(MPI_COMM_SELF, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n" + pendulum("low", -0.5, 0, 0.1) +
                                      pendulum("high", 0.5, 1, 0.1) + R"(joints:
  a: {type: revolute, connect: [ground, low.top], axis: [0, 1, 0]}
  b: {type: revolute, connect: [ground, high.top], axis: [0, 1, 0]}
sensors:
  low: {type: point, of: low, record: [position]}
  high: {type: point, of: high, record: [position]}
analysis: {type: static}
)");
  model.find_rest();
  CHECK(model.values().at("low.position.z") == Approx(-0.5));
  CHECK(model.values().at("high.position.z") == Approx(-0.5));
}

TEST_CASE("A state is not stable although its slowest motion is", "[serial]") {
  // omega^2 is about 0.01 of the one that hangs, -14 of the one that stands: the one nearest to zero says nothing
  Stationary model(MPI_COMM_SELF, "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n" + pendulum("low", -0.5, 0, 500) +
                                      pendulum("high", 0.5, 1, 0.1) + R"(joints:
  a: {type: revolute, connect: [ground, low.top], axis: [0, 1, 0]}
  b: {type: revolute, connect: [ground, high.top], axis: [0, 1, 0]}
analysis: {type: static, unstable: keep}
)");
  CHECK_FALSE(model.find_rest().is_stable);
  CHECK_FALSE(model.is_stable());
}

TEST_CASE("A small load that turns with the body hides no instability, and a large one is not taken for one", "[serial]") {
  // P is of E I / L^2: a dead one buckles the column at pi^2 / 4, Beck's at no load; it flutters at 20.05
  const auto column = [](const std::string& dead, const std::string& follower) {
    return R"yaml(sinew: 1
constants: {P: 1e9*pi*0.02^4/64}
materials: {m: {density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3}}
sections: {s: {shape: circle, diameter: 0.02}}
bodies: {b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 12}, section: s, material: m}}
joints: {c: {type: clamp, connect: [ground, b.start]}}
forces:
  d: {type: force, on: b.end, vector: [-P*)yaml" +
           dead + ", 0, 0]}\n  f: {type: follower-force, on: b.end, vector_local: [-P*" + follower +
           ", 0, 0]}\nsensors: {e: {type: point, of: b.end, record: [position]}}\nanalysis: {type: static}\n";
  };
  const auto end = [&](const std::string& dead, const std::string& follower) {
    Stationary model(MPI_COMM_SELF, column(dead, follower));
    const EquilibriumReport report = model.find_rest();
    CHECK((report.escapes > 0) == (model.values().at("e.position.x") < 0.95));
    return model.values().at("e.position.x");
  };
  const double buckled = end("2.6", "0");
  CHECK(buckled < 0.9);
  CHECK(end("2.6", "1e-5") == Approx(buckled).epsilon(1e-4));
  CHECK(end("2.4", "1e-5") > 0.99);
  for (const char* follower : {"2.6", "5", "10", "19"}) CHECK(end("0", follower) > 0.99);
}

TEST_CASE("A plate buckles under a load in its plane with a pressure on it as without", "[serial]") {
  Stationary plate(MPI_COMM_SELF, R"yaml(sinew: 1
materials: {m: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
bodies: {b: {type: shell, plate: {size: [1, 1], elements: [8, 8]}, thickness: 0.005, material: m}}
joints:
  c: {type: clamp, connect: [ground, b.boundary], components: z}
  x: {type: clamp, connect: [ground, b.x-], components: x}
  y: {type: clamp, connect: [ground, b.y-], components: y}
forces:
  f: {type: force, on: b.x+, vector: [-1.5e5, 0, 0]}  # critical: 4 pi^2 D / b = 9.5e4 N
  p: {type: pressure, on: b.surface, pressure: 10}
sensors: {m: {type: point, of: "b.node[40]", record: displacement}}
analysis: {type: static}
)yaml");
  CHECK(plate.find_rest().escapes == 1);
  CHECK(std::abs(plate.values().at("m.displacement.z")) > 1e-3);
}

TEST_CASE("A model in which nothing can move is at rest, and has reactions", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  wall: {type: fixed, connect: [ground, b]}
sensors:
  wall: {type: joint, of: wall, record: [force]}
analysis: {type: static}
)");
  CHECK(model.find_rest().is_stable);
  CHECK(model.values().at("wall.force.z") == Approx(-2 * gravity));
}
