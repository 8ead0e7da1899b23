#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;

/// A column of length 2 and E I = 40/3 under 2 N, with those joints.
std::string column(const std::string& joints) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e9}}}}
sections: {{s: {{area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}}}
bodies:
  c: {{type: cable, line: {{from: [0, 0, 0], to: [0, 0, 2], elements: 16}}, section: s, material: m}}
joints:
{}forces:
  press: {{type: force, on: c.end, vector: [0, 0, -2]}}
analysis: {{type: buckling}}
)",
                     joints);
}

const double euler = pi * pi * (40.0 / 3) / 4 / 2;

}  // namespace

TEST_CASE("A column buckles at Euler's loads", "[serial]") {
  Stationary pinned(MPI_COMM_SELF, column("  foot: {type: spherical, connect: [ground, c.start]}\n"
                                          "  head: {type: point-on-line, connect: [ground, c.end], axis: [0, 0, 1]}\n"));
  const std::vector<double> factors = pinned.buckling(4);
  REQUIRE(factors.size() == 4);
  CHECK(factors[0] == Approx(euler).epsilon(1e-3));
  CHECK(factors[1] == Approx(euler).epsilon(1e-3));
  CHECK(factors[2] == Approx(4 * euler).epsilon(2e-3));
  Stationary cantilever(MPI_COMM_SELF, column("  foot: {type: clamp, connect: [ground, c.start]}\n"));
  CHECK(cantilever.buckling(2)[0] == Approx(euler / 4).epsilon(1e-3));
}

TEST_CASE("The load factor is in proportion to the load, be it small or large", "[serial]") {
  const std::string text = column("  foot: {type: clamp, connect: [ground, c.start]}\n");
  for (const double load : {1e-6, 1e4}) {
    Stationary model(MPI_COMM_SELF, text, {fmt::format("forces.press.vector.2={}", -load)});
    CHECK(load * model.buckling(1)[0] == Approx(2 * euler / 4).epsilon(1e-3));
  }
}

TEST_CASE("A heavy column buckles under its own weight at 7.837 E I / L^2", "[serial]") {
  std::string text = column("  foot: {type: clamp, connect: [ground, c.start]}\n");
  text.replace(text.find("forces:"), text.find("analysis:") - text.find("forces:"), "gravity: [0, 0, -1]\n");
  Stationary model(MPI_COMM_SELF, text);
  const double weight = 1000 * 4e-4 * 2;
  CHECK(weight * model.buckling(1)[0] == Approx(7.837 * (40.0 / 3) / 4).epsilon(2e-3));
}

TEST_CASE("Buckling without loads is refused", "[serial]") {
  Stationary model(MPI_COMM_SELF, column("  foot: {type: clamp, connect: [ground, c.start]}\n"), {"forces.press.vector.2=0"});
  CHECK_THROWS_AS(model.buckling(1), InputError);
}

namespace {

/// `links` upright links of length 1 with springs of 7 N m/rad in their hinges, pressed at the upper end of link number `loaded`.
std::string links(int links, int loaded, const std::string& load, const std::string& more = "") {
  std::string bodies, joints, forces;
  for (int i = 1; i <= links; ++i) {
    const std::string below = i == 1 ? "ground" : fmt::format("b{}", i - 1);
    bodies += fmt::format(
        "  b{}: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, {}], "
        "points: {{h: [0, 0, -0.5], t: [0, 0, 0.5]}}}}\n",
        i, i - 0.5);
    joints +=
        fmt::format("  r{}: {{type: revolute, connect: [{}{}, b{}.h], axis: [0, 1, 0]}}\n", i, below, i == 1 ? "" : ".t", i);
    forces += fmt::format("  k{}: {{type: torsional-spring, connect: [{}, b{}], axis: [0, 1, 0], stiffness: 7}}\n", i, below, i);
  }
  return fmt::format("sinew: 1\nbodies:\n{}joints:\n{}forces:\n{}  f: {{on: b{}.t, {}}}\n{}analysis: {{type: buckling}}\n",
                     bodies, joints, forces, loaded, load, more);
}

const std::string dead_load = "type: force, vector: [0, 0, -0.1]";

/// Load factors of the first `loaded` links under 0.1 N: k/(P L) (2 - 2 cos((2 j - 1) pi / (2 n + 1))).
double of_links(int loaded, int j) { return 7 / 0.1 * (2 - 2 * std::cos((2 * j - 1) * pi / (2 * loaded + 1))); }

}  // namespace

TEST_CASE("Links that are rigid buckle by the reactions in them", "[serial]") {
  for (const double load : {1e-7, 0.1, 1e5}) {
    Stationary model(MPI_COMM_SELF, links(2, 2, dead_load), {fmt::format("forces.f.vector.2={}", -load)});
    const std::vector<double> factors = model.buckling(10);
    REQUIRE(factors.size() == 2);
    CHECK(load * factors[0] == Approx(7 * (3 - std::sqrt(5.0)) / 2).epsilon(1e-9));
    CHECK(load * factors[1] == Approx(7 * (3 + std::sqrt(5.0)) / 2).epsilon(1e-9));
  }
}

TEST_CASE("A joint between rods under pressure buckles at k L / 2 P", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
bodies:
  m: {type: point-mass, mass: 1, position: [1, 0, 0]}
  e: {type: point-mass, mass: 1, position: [2, 0, 0]}
joints:
  d1: {type: distance, connect: [[0, 0, 0], m]}
  d2: {type: distance, connect: [m, e]}
  l: {type: point-on-line, connect: [ground, e], axis: [1, 0, 0]}
  z: {type: coordinate-fixed, connect: [ground, m], direction: [0, 0, 1]}
forces:
  s: {type: spring-damper, connect: [[1, -1, 0], m], stiffness: 30}
  f: {type: force, on: e, vector: [-1, 0, 0]}
analysis: {type: buckling}
)");
  const std::vector<double> factors = model.buckling(10);
  REQUIRE(factors.size() == 1);
  CHECK(factors[0] == Approx(15).epsilon(1e-9));
}

TEST_CASE("A pendulum that a spring holds upright falls over at k / m g l", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0.5], points: {h: [0, 0, -0.5]}}
joints:
  r: {type: revolute, connect: [ground, a.h], axis: [0, 1, 0]}
forces:
  k: {type: torsional-spring, connect: [ground, a], axis: [0, 1, 0], stiffness: 20}
analysis: {type: buckling}
)");
  CHECK(model.buckling(1)[0] == Approx(20 / (2 * 9.81 * 0.5)).epsilon(1e-9));
}

TEST_CASE("What is under tension without loads buckles after the loads have taken the tension away", "[serial]") {
  // a rod and a spring of length 1 hold a mass between them, under 10 N/m times 0.5 m
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
bodies:
  m: {type: point-mass, mass: 1, position: [1, 0, 0]}
joints:
  rod: {type: distance, connect: [[0, 0, 0], m]}
forces:
  s: {type: spring-damper, connect: [[2, 0, 0], m], stiffness: 10, length: 0.5}
  f: {type: force, on: m, vector: [-1, 0, 0]}
analysis: {type: buckling}
)");
  const std::vector<double> factors = model.buckling(10);
  REQUIRE(factors.size() == 2);
  CHECK(factors[0] == Approx(10).epsilon(1e-9));
  CHECK(factors[1] == Approx(10).epsilon(1e-9));
}

TEST_CASE("Motions that the loads do not soften have no load factor, however many are asked for", "[serial]") {
  // a foot on a spring that goes down under the load, which changes nothing
  const std::string on_a_foot = R"(sinew: 1
bodies:
  foot: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], points: {h: [0, 0, -0.5], t: [0, 0, 0.5]}}
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1.5], points: {h: [0, 0, -0.5], t: [0, 0, 0.5]}}
joints:
  r: {type: cylindrical, connect: [foot, a.h], axis: [0, 1, 0]}
  p: {type: prismatic, connect: [ground, foot], axis: [0, 0, 1]}
  y: {type: coordinate-fixed, connect: [ground, a], direction: [0, 1, 0]}
  r2: {type: revolute, connect: [a.t, b.h], axis: [0, 1, 0]}
forces:
  kk: {type: spring-damper, connect: [[0, 0, -1], foot], stiffness: 1e3}
  k: {type: torsional-spring, connect: [foot, a], axis: [0, 1, 0], stiffness: 7}
  k2: {type: torsional-spring, connect: [a, b], axis: [0, 1, 0], stiffness: 7}
  f: {type: force, on: b.t, vector: [0, 0, -0.1]}
analysis: {type: buckling}
)";
  Stationary model(MPI_COMM_SELF, on_a_foot);
  for (const int count : {1, 2, 3, 10}) {
    const std::vector<double> factors = model.buckling(count);
    REQUIRE(static_cast<int>(factors.size()) == std::min(count, 2));
    for (std::size_t j = 0; j < factors.size(); ++j)
      CHECK(factors[j] == Approx(of_links(2, static_cast<int>(j) + 1)).epsilon(1e-6));
  }
}

TEST_CASE("Of a chain whose lower links are loaded, those alone buckle", "[serial]") {
  // the longer chain goes to SLEPc; 60 of 40 is more than its Krylov space can hold
  for (const auto& [all, loaded] : std::vector<std::pair<int, int>>{{20, 3}, {60, 3}, {60, 40}, {60, 60}}) {
    Stationary model(MPI_COMM_SELF, links(all, loaded, dead_load));
    for (const int count : {10, 60}) {
      INFO(fmt::format("{} of {} links, {} asked for", loaded, all, count));
      const std::vector<double> factors = model.buckling(count);
      REQUIRE(static_cast<int>(factors.size()) == std::min(count, loaded));
      for (std::size_t j = 0; j < factors.size(); ++j)
        CHECK(factors[j] == Approx(of_links(loaded, static_cast<int>(j) + 1)).epsilon(1e-6));
    }
  }
}

TEST_CASE("Under loads that follow it a chain does not buckle, unless something holds its end", "[serial]") {
  const std::string follower = "type: follower-force, vector_local: [0, 0, -0.1]";
  for (const int number : {2, 10, 60})
    CHECK_THROWS_WITH(Stationary(MPI_COMM_SELF, links(number, number, follower)).buckling(3),
                      Catch::Contains("no multiple of the loads buckles the model"));
  // c at the end of two links: P = (k^2 + 5 k c L^2) / 2 c L^3
  std::string held = links(2, 2, follower);
  held.insert(held.find("analysis:"), "  top: {type: spring-damper, connect: [[5, 0, 2], b2.t], stiffness: 3, length: 5}\n");
  CHECK(Stationary(MPI_COMM_SELF, held).buckling(1)[0] == Approx((49 + 105) / 6.0 / 0.1).epsilon(1e-6));
}

namespace {

/// A shaft of length 2 and E I = 3 that is clamped at one end, and at the other one may only turn about and slide along its line,
/// where a moment twists it; it is that stiff against shear.
std::string twisted_shaft(double shear) {
  return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [1e6, {0}, {0}, 2, 3, 3], inertia: [1, 1, 1, 1, 1, 1]}}}}
bodies:
  shaft: {{type: beam, line: {{from: [0, 0, 0], to: [2, 0, 0], elements: 10, order: 3}}, section: s}}
joints:
  root: {{type: fixed, connect: [ground, shaft.start]}}
  sleeve: {{type: cylindrical, connect: [ground, shaft.end], axis: [1, 0, 0]}}
forces:
  twist: {{type: torque, on: shaft.end, vector: [1, 0, 0]}}
analysis: {{type: buckling}}
)",
                     shear);
}

}  // namespace

TEST_CASE("A clamped shaft buckles under torsion where tan(M L / 2 E I) = M L / 2 E I", "[serial]") {
  // Greenhill's problem with clamped ends (Timoshenko and Gere, Theory of Elastic Stability, 2.20): M = 8.9868 E I / L
  Stationary shaft(MPI_COMM_SELF, twisted_shaft(1e4));
  const std::vector<double> factors = shaft.buckling(4);
  REQUIRE(factors.size() == 4);
  for (const double factor : factors) CHECK(std::abs(factor) == Approx(8.9868 * 3 / 2).epsilon(1e-3));
}

TEST_CASE("A load factor that terms of second order would change says so", "[serial]") {
  // beams have no such terms, be they as stiff against shear as they may
  for (const double shear : {1e4, 1e9}) {
    Stationary shaft(MPI_COMM_SELF, twisted_shaft(shear));
    const BucklingMode mode = std::move(shaft.buckling_modes(1)[0]);
    CHECK(mode.second_order < 1e-3);
    CHECK(std::abs(mode.load_factor) == Approx(8.9868 * 3 / 2).epsilon(1e-3));
  }
  const std::string foot = "  foot: {type: clamp, connect: [ground, c.start]}\n";
  Stationary pushed(MPI_COMM_SELF, column(foot), {"forces.press.vector=[0.2, 0, -2]"});
  CHECK(pushed.buckling_modes(1)[0].second_order > largest_second_order);
  Stationary plain(MPI_COMM_SELF, column("  foot: {type: clamp, connect: [ground, c.start]}\n"));
  CHECK(plain.buckling_modes(1)[0].second_order < 1e-3);
}

namespace {

/// A cantilever of length 3 and E I = 1e4, far stiffer against stretching, under 1 N along it and some across.
std::string slender(double across) {
  return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [1e9, 1e9, 1e9, 1e6, 1e4, 1e6], inertia: [1, 1, 1, 2e-2, 1e-2, 1e-2]}}}}
bodies:
  a: {{type: beam, line: {{from: [0, 0, 0], to: [0, 0, 3], elements: 6}}, section: s, up: [0, 1, 0]}}
joints:
  f: {{type: fixed, connect: [ground, a.start]}}
forces:
  p: {{type: force, on: a.end, vector: [{}, 0, -1]}}
analysis: {{type: buckling}}
)",
                     across);
}

}  // namespace

TEST_CASE("What bends a slender column as well changes nothing of its load factor", "[serial]") {
  // it is that of the beam-column, whose deflection grows beyond all bounds there whatever the load across
  for (const double across : {0.0, 1e-3, 0.1, 0.5}) {
    Stationary model(MPI_COMM_SELF, slender(across));
    const BucklingMode mode = std::move(model.buckling_modes(1)[0]);
    CHECK(mode.load_factor == Approx(pi * pi * 1e4 / 4 / 9).epsilon(1e-4));
    // P L^3/3 EI, over L
    CHECK(mode.displaced == Approx(across * mode.load_factor * 9 / 3e4).epsilon(0.02).margin(1e-4));
    CHECK((mode.displaced > largest_displacement) == (across == 0.5));
  }
}

TEST_CASE("A narrow cantilever of beams or shells buckles sideways at 4.0126 sqrt(E I G J) / L^2", "[serial]") {
  // Timoshenko and Gere, Theory of Elastic Stability, 6.1: without what it sags before
  for (const double deep : {25.0, 1000.0}) {
    Stationary beam(MPI_COMM_SELF, fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [1e6, 1e6, 1e6, 1, 1, {}], inertia: [1, 1, 1, 1, 1, 1]}}}}
bodies:
  a: {{type: beam, line: {{from: [0, 0, 0], to: [2, 0, 0], elements: 12}}, section: s, up: [0, 1, 0]}}
joints:
  f: {{type: fixed, connect: [ground, a.start]}}
forces:
  p: {{type: force, on: a.end, vector: [0, -1, 0]}}
analysis: {{type: buckling}}
)",
                                               deep));
    const std::vector<BucklingMode> modes = beam.buckling_modes(2);
    for (const BucklingMode& mode : modes) CHECK(std::abs(mode.load_factor) == Approx(4.0126 / 4).epsilon(2e-3));
    CHECK(modes[0].load_factor * modes[1].load_factor < 0);
  }
}

TEST_CASE("Two beams that a joint makes one buckle under a load across them, and a frame under wind", "[serial]") {
  const std::string beams = R"(sinew: 1
sections: {s: {stiffness: [1e8, 1e8, 1e8, 1e4, 1e4, 1e4], inertia: [1, 1, 1, 2e-2, 1e-2, 1e-2]}}
bodies:
  left: {type: beam, line: {from: [0, 0, 0], to: [0, 0, 4], elements: 6}, section: s, up: [0, 1, 0]}
  right: {type: beam, line: {from: [4, 0, 0], to: [4, 0, 4], elements: 6}, section: s, up: [0, 1, 0]}
  top: {type: beam, line: {from: [0, 0, 4], to: [4, 0, 4], elements: 6}, section: s, up: [0, 1, 0]}
joints:
  a: {type: fixed, connect: [ground, left.start]}
  b: {type: fixed, connect: [ground, right.start]}
  c: {type: fixed, connect: [left.end, top.start]}
  d: {type: fixed, connect: [right.end, top.end]}
  plane: {type: point-on-plane, connect: [ground, "top.node[6]"], normal: [0, 1, 0]}
forces:
  l: {type: force, on: left.end, vector: [WIND, 0, -1]}
  r: {type: force, on: right.end, vector: [0, 0, -1]}
analysis: {type: buckling}
)";
  // sway of a portal with equal legs and beam, clamped feet: tan(k L) = -k L / 6, k L = 2.7165
  const double sway = 2.7165 * 2.7165 * 1e4 / 16;
  for (const char* wind : {"0", "0.02"}) {
    std::string text = beams;
    text.replace(text.find("WIND"), 4, wind);
    Stationary frame(MPI_COMM_SELF, text);
    CHECK(frame.buckling(1)[0] == Approx(sway).epsilon(5e-3));
  }
}

TEST_CASE("What nothing holds is not loaded", "[serial]") {
  std::string text = slender(0.1);
  text.replace(text.find("type: fixed"), 11, "type: spherical");
  CHECK_THROWS_WITH(Stationary(MPI_COMM_SELF, text).buckling(1), Catch::Contains("meets no resistance"));
}

/// Euler's loads of a clamped strip, pi^2 E I/(4 L^2) (2 k - 1)^2, where rounding of the assembled stiffness exceeds that of
/// bending: by up to 10^14 against stretching across a solid.
TEST_CASE("Thin strips and wires keep their first load factor, however stiff they are otherwise", "[serial]") {
  struct Case {
    std::string body;
    double thickness, width;
  };
  const std::vector<Case> cases{
      {"{type: solid, box: {size: [1, 0.1, 0.001], elements: [20, 1, 1], element: hex20}, material: steel}", 1e-3, 0.1},
      {"{type: solid, box: {size: [1, 0.1, 0.0005], elements: [20, 1, 1]}, material: steel}", 5e-4, 0.1},
      {"{type: shell, plate: {size: [1, 0.1], elements: [20, 2]}, thickness: 2e-5, material: steel}", 2e-5, 0.1}};
  for (const auto& [body, thickness, width] : cases) {
    INFO(body);
    const double load = std::pow(3.141592653589793 / 2, 2) * 2.1e11 * width * std::pow(thickness, 3) / 12;
    Stationary model(MPI_COMM_WORLD,
                     "sinew: 1\nmaterials: {steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0}}\n"
                     "bodies: {strip: " +
                         body +
                         "}\njoints: {foot: {type: clamp, connect: [ground, strip.x-]}}\n"
                         "forces: {P: {type: force, on: strip.x+, vector: [" +
                         fmt::format("{:.17g}", -load) + ", 0, 0]}}\nanalysis: {type: static}\n");
    const std::vector<double> factors = model.buckling(2);
    REQUIRE(factors.size() == 2);
    CHECK(factors[0] == Approx(1).epsilon(0.012));
    CHECK(factors[1] == Approx(9).epsilon(0.02));
  }
}
