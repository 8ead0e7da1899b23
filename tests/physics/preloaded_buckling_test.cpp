#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;

/// Upright links of length 1 with springs of 7 N m/rad in their hinges, the second on top of the first. `load1` and `load2` press
/// their upper ends.
constexpr const char* two_links = R"(sinew: 1
constants: {load1: 0, load2: 0}
bodies:
  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], points: {h: [0, 0, -0.5], t: [0, 0, 0.5]}}
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1.5], points: {h: [0, 0, -0.5], t: [0, 0, 0.5]}}
joints:
  foot: {type: revolute, connect: [ground, a.h], axis: [0, 1, 0]}
  knee: {type: revolute, connect: [a.t, b.h], axis: [0, 1, 0]}
forces:
  k1: {type: torsional-spring, connect: [ground, a], axis: [0, 1, 0], stiffness: 7}
  k2: {type: torsional-spring, connect: [a, b], axis: [0, 1, 0], stiffness: 7}
  press1: {type: force, on: a.t, vector: [0, 0, -load1]}
  press2: {type: force, on: b.t, vector: [0, 0, -load2]}
)";

/// A cantilever of E I = 40/3 and length 2, stiff against pressure, pressed at its end by two forces.
std::string column(const std::string& body, const std::string& section) {
  return fmt::format(R"(sinew: 1
constants: {{ballast: 0, load: 1}}
materials: {{m: {{density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3}}}}
sections: {{s: {}}}
bodies:
  c: {}
joints:
  foot: {{type: clamp, connect: [ground, c.start]}}
forces:
  ballast: {{type: force, on: c.end, vector: [0, 0, -ballast]}}
  press: {{type: force, on: c.end, vector: [0, 0, -load]}}
)",
                     section, body);
}

}  // namespace

TEST_CASE("The weight of a link that a spring holds upright takes its part of the load that buckles it", "[serial]") {
  const std::string text = std::string(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], points: {h: [0, 0, -0.5], t: [0, 0, 0.5]}}
joints:
  foot: {type: revolute, connect: [ground, a.h], axis: [0, 1, 0]}
forces:
  k: {type: torsional-spring, connect: [ground, a], axis: [0, 1, 0], stiffness: 30}
  press: {type: force, on: a.t, vector: [0, 0, -4]}
)");
  Stationary whole(MPI_COMM_SELF, text + "analysis: {type: buckling}\n");
  CHECK(whole.buckling(1)[0] == Approx(30 / (2 * 9.81 * 0.5 + 4.0)).epsilon(1e-9));
  Stationary weight(MPI_COMM_SELF, text + "analysis: {type: buckling, kept: gravity}\n");
  CHECK(weight.buckling_under_kept_loads(1)[0] == Approx((30 - 2 * 9.81 * 0.5) / 4).epsilon(1e-9));
  Stationary press(MPI_COMM_SELF, text + "analysis: {type: buckling, kept: [press]}\n");
  CHECK(press.buckling_under_kept_loads(1)[0] == Approx((30 - 4.0) / (2 * 9.81 * 0.5)).epsilon(1e-9));
}

TEST_CASE("Of two links the upper one bears a load that stays, and the lower one what is multiplied", "[serial]") {
  const double k = 7, W = 2;
  Stationary model(MPI_COMM_SELF, std::string(two_links) + "analysis: {type: buckling, kept: [press2]}\n",
                   {"constants.load1=1", "constants.load2=2"});
  CHECK(model.buckling_under_kept_loads(1)[0] == Approx(2 * k - W - k * k / (k - W)).epsilon(1e-9));
}

TEST_CASE("A column that bears a part of Euler's load buckles under the rest of it", "[serial]") {
  const double euler = pi * pi * (40.0 / 3) / 16;
  const char* const of_cables = "{area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}";
  const char* const of_beams = "{shape: rectangle, width: 0.02, height: 0.02}";
  for (const double part : {-0.7, 0.4, 0.9}) {
    const std::vector<std::string> overrides{fmt::format("constants.ballast={}", part * euler), "analysis.kept=ballast"};
    for (const std::string& text :
         {column("{type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 16}, section: s, material: m}", of_cables),
          column("{type: beam, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 8}, section: s, material: m}", of_beams)}) {
      Stationary model(MPI_COMM_SELF, text + "analysis: {type: buckling}\n", overrides);
      CHECK(model.buckling_under_kept_loads(1)[0] == Approx((1 - part) * euler).epsilon(2e-3));
    }
  }
}

/// P(z) = 2 k z (l0/l - 1) with l^2 = a^2 + z^2 presses the apex from z0 down to z. From there linear buckling knows the
/// stiffness K = -dP/dz and how it changes with what a load moves, P/K: K^2/(P dK/dz) at most.
TEST_CASE("A shallow arch that is pressed already has the load factor of the state that it has come to", "[serial]") {
  const double k = 100, a = 1, z0 = 0.4, l0 = std::hypot(a, z0), z = 0.33;
  const auto length = [&](double at) { return std::hypot(a, at); };
  const double kept = 2 * k * z * (l0 / length(z) - 1);
  const double K = -2 * k * (l0 * a * a / std::pow(length(z), 3) - 1), slope = 6 * k * l0 * a * a * z / std::pow(length(z), 5);
  Stationary arch(MPI_COMM_SELF, fmt::format(R"(sinew: 1
bodies:
  p: {{type: point-mass, mass: 1, position: [0, 0, {}]}}
joints:
  guide: {{type: point-on-line, connect: [ground, p], axis: [0, 0, 1]}}
forces:
  left: {{type: spring-damper, connect: [[-1, 0, 0], p], stiffness: 100, length: {}}}
  right: {{type: spring-damper, connect: [[1, 0, 0], p], stiffness: 100, length: {}}}
  ballast: {{type: force, on: p, vector: [0, 0, {}]}}
  press: {{type: force, on: p, vector: [0, 0, -0.5]}}
analysis: {{type: buckling, kept: [ballast]}}
)",
                                             z0, l0, l0, -kept));
  CHECK(arch.buckling_under_kept_loads(1)[0] == Approx(K * K / (slope * 0.5)).epsilon(1e-5));
}

/// Guys of stiffness k pull a mast down that stands on a ball joint, with 3 T L/l drawn, of which its own give leaves a part; of
/// a load it bears the same part, until it has Euler's load of a column that is pinned at both ends.
TEST_CASE("A mast that guys pull down bears what their tension leaves of Euler's load", "[serial]") {
  const double L = 6, foot = 3, T = 500, k = 2e5, E = 7e10, outer = 0.05, inner = 0.044;
  const double area = pi / 4 * (outer * outer - inner * inner), l = std::hypot(L, foot);
  const double euler = pi * pi * E * pi / 64 * (std::pow(outer, 4) - std::pow(inner, 4)) / (L * L);
  const double of_mast = E * area / L, of_guys = 3 * k * L * L / (l * l), part = of_mast / (of_mast + of_guys);
  Stationary mast(MPI_COMM_SELF, R"(sinew: 1
constants: {L: 6, T: 500}
materials: {alu: {density: 2700, youngs_modulus: 7e10, poissons_ratio: 0.3}}
sections: {tube: {shape: tube, diameter: 0.05, thickness: 0.003}}
bodies:
  mast: {type: beam, line: {from: [0, 0, 0], to: [0, 0, L], elements: 16}, section: tube, material: alu}
joints:
  foot: {type: spherical, connect: [ground, mast.start]}
forces:
  "guy{i}":
    repeat: {i: 0..2}
    type: spring-damper
    connect: [[3*cos(2*pi*i/3), 3*sin(2*pi*i/3), 0], mast.end]
    stiffness: 2e5
    length: sqrt(L^2 + 9) - T/2e5
  top: {type: force, on: mast.end, vector: [0, 0, -1000]}
analysis: {type: buckling, kept: []}
)");
  const std::vector<double> factors = mast.buckling_under_kept_loads(2);
  CHECK(factors[0] == Approx((euler - part * 3 * T * L / l) / part / 1000).epsilon(5e-3));
  CHECK(factors[1] == Approx(factors[0]).epsilon(1e-6));
}

TEST_CASE("Where all loads are kept nothing is left to multiply", "[serial]") {
  Stationary model(MPI_COMM_SELF, std::string(two_links) + "analysis: {type: buckling, kept: [press1, press2]}\n",
                   {"constants.load1=1", "constants.load2=2"});
  CHECK_THROWS_AS(model.buckling_under_kept_loads(1), InputError);
}
