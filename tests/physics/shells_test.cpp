// Shells against independent answers: elastica, plates of Kirchhoff, steps and energy of a plate that swings.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"
#include "tests/src/input/mesh_files.hpp"

#include <fmt/format.h>

#include <numbers>

namespace sinew {
namespace {

using namespace sinew::test;
using std::numbers::pi;

/// 10 x 1 x 0.1 m, E = 1.2e6 Pa, nu = 0: E I/L^2 = 1 N.
std::string strip(const std::string& element, const std::string& force) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1.2e6, poissons_ratio: 0}}}}
bodies:
  strip: {{type: shell, plate: {{size: [10, 1], elements: [20, 1], element: {}}}, thickness: 0.1, material: m}}
joints:
  hold: {{type: clamp, connect: [ground, strip.x-]}}
forces:
  tip: {}
sensors:
  tip: {{type: point, of: strip.x+, record: [position]}}
  hold: {{type: joint, of: hold, record: [force, moment]}}
analysis: {{type: static}}
)",
                     element, force);
}

/// Sze, Liu and Lo (2004), Finite Elem. Anal. Des. 40, 1551-1569, section 3.1: cantilever under end shear 4 E I/L^2, -u/L =
/// 0.3289 and w/L = 0.6700.
TEST_CASE("a strip bends as the elastica under a force at its end", "[serial][shell][statics]") {
  for (const char* element : {"quad4", "tri3"}) {
    INFO(element);
    Stationary model(MPI_COMM_SELF, strip(element, "{type: force, on: strip.x+, vector: [0, 0, 4]}"));
    model.find_rest();
    auto v = model.values();
    CHECK((10 - v["tip.position.x"]) / 10 == Approx(0.3289).epsilon(4e-3));
    CHECK(v["tip.position.z"] / 10 == Approx(0.6700).epsilon(2e-3));
    // what the clamp passes to the ground: the force, and its moment about the middle of the edge
    CHECK(v["hold.force.z"] == Approx(4).epsilon(1e-6));
    CHECK(v["hold.moment.y"] == Approx(-4 * v["tip.position.x"]).epsilon(1e-3));
  }
}

/// The same, section 3.2: the moment 2 pi E I/L makes a circle.
TEST_CASE("a strip rolls up to a circle under a moment at its end", "[serial][shell][statics]") {
  Stationary model(MPI_COMM_SELF,
                   strip("quad4", fmt::format("{{type: torque, on: strip.x+, vector: [0, {:.17g}, 0]}}", -2 * pi * 10)));
  model.find_rest();
  auto v = model.values();
  CHECK(std::abs(v["tip.position.x"]) < 1e-3);
  CHECK(std::abs(v["tip.position.z"]) < 1e-3);
}

constexpr double youngs = 1e7, poisson = 0.3, density = 1000;
double plate_stiffness(double t) { return youngs * t * t * t / (12 * (1 - poisson * poisson)); }

/// A square of side 1, supported or clamped all round, `more`: what is beside body and supports.
std::string square(int n, double t, bool is_clamped, const std::string& more, const std::string& element = "quad4") {
  std::string joints =
      fmt::format("  hold: {{type: clamp, connect: [ground, plate.boundary]{}}}\n", is_clamped ? "" : ", components: [z]");
  if (!is_clamped)
    joints +=
        "  slide: {type: clamp, connect: [ground, plate.x-], components: [x]}\n"
        "  corner: {type: clamp, connect: [ground, plate.x-y-], components: [y]}\n";
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: {}, youngs_modulus: {}, poissons_ratio: {}}}}}
bodies:
  plate: {{type: shell, plate: {{size: [1, 1], elements: [{}, {}], element: {}}}, thickness: {}, material: m}}
joints:
{}{})",
                     density, youngs, poisson, n, n, element, t, joints, more);
}

/// Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, sections 30 and 44: 0.00406 and 0.00126 q a^4/D. Thin
/// plates do not lock.
TEST_CASE("square plates sag as Kirchhoff's under an even pressure", "[serial][shell][statics]") {
  for (const bool is_clamped : {false, true})
    for (const double t : {1e-2, 1e-3}) {
      INFO("t " << t << " clamped " << is_clamped);
      const double sag = 10 * t, q = sag * plate_stiffness(t);  // w about t/25
      Stationary model(MPI_COMM_SELF,
                       square(16, t, is_clamped,
                              fmt::format("forces:\n  q: {{type: pressure, on: plate.surface, pressure: {:.17g}}}\n"
                                          "sensors:\n  middle: {{type: point, of: \"plate.node[144]\", record: [displacement]}}\n"
                                          "analysis: {{type: static}}\n",
                                          q)));
      model.find_rest();
      CHECK(-model.values()["middle.displacement.z"] / sag == Approx(is_clamped ? 0.00126532 : 0.00406235).epsilon(5e-3));
    }
}

/// A strip of span L, held at its ends, in which a pressure q raises so much tension N that bending counts no more
/// (N h^2/D = 260 with elements of length h): a parabola, q L^2/(8 N) deep, N^3 = E t q^2 L^2/24, for small slopes.
TEST_CASE("a thin strip hangs in its tension", "[serial][shell][statics]") {
  constexpr double t = 1e-3, q = 20;
  for (const char* element : {"quad4", "tri3"}) {
    INFO(element);
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: {}, youngs_modulus: {}, poissons_ratio: 0}}}}
bodies:
  strip: {{type: shell, plate: {{size: [1, 0.1], elements: [16, 1], element: {}}}, thickness: {}, material: m}}
joints:
  left: {{type: clamp, connect: [ground, strip.x-], components: [x, y, z]}}
  right: {{type: clamp, connect: [ground, strip.x+], components: [x, y, z]}}
forces:
  load: {{type: pressure, on: strip.surface, pressure: {}}}
sensors:
  middle: {{type: point, of: "strip.node[8]", record: [displacement]}}
analysis: {{type: static}}
)",
                                                density, youngs, element, t, q));
    model.find_rest();
    const double tension = std::cbrt(youngs * t * q * q / 24);
    CHECK(-model.values()["middle.displacement.z"] == Approx(q / (8 * tension)).epsilon(0.01));
  }
}

/// A square that a pressure bulges by many thicknesses is a membrane: .2865 a (q a/(E t))^(1/3) deep for nu = .3, by Foeppl's
/// energy and Ritz's method with 9 to 25 sines in each displacement (.2881, .2858, .2869). No mesh folds, however coarse.
TEST_CASE("a thin square bulges as a membrane", "[serial][shell][statics]") {
  constexpr double t = 1e-3, q = 20;
  const double depth = 0.2865 * std::cbrt(q / (youngs * t));
  struct Mesh {
    const char* element;
    int n;
    double error;
  };
  for (const auto& [element, n, error] : {Mesh{"quad4", 8, 0.08}, Mesh{"quad4", 16, 0.04}, Mesh{"tri3", 16, 0.04}}) {
    INFO(element << ", " << n << " a side");
    Stationary model(MPI_COMM_SELF,
                     square(n, t, true,
                            fmt::format("forces:\n  q: {{type: pressure, on: plate.surface, pressure: {}}}\n"
                                        "sensors:\n  middle: {{type: point, of: \"plate.node[{}]\", record: [displacement]}}\n"
                                        "analysis: {{type: static}}\n",
                                        q, (n + 1) * (n + 1) / 2),
                            element));
    model.find_rest();
    CHECK(-model.values()["middle.displacement.z"] == Approx(depth).epsilon(error));
  }
}

/// pi^2 (m^2 + n^2) sqrt(D/(rho t))/a^2, and under compression along x 4 pi^2 D/b^2 per length: the same, chapter 9 of Timoshenko
/// and Gere (1961), Theory of Elastic Stability.
TEST_CASE("a supported square plate vibrates and buckles as Kirchhoff's", "[serial][shell][modes][buckling]") {
  constexpr double t = 0.01;
  const double D = plate_stiffness(t);
  Stationary modes(MPI_COMM_SELF, square(16, t, false, "analysis: {type: modes}\n"));
  const std::vector<double> found = modes.frequencies(4);
  const std::vector<double> sums{2, 5, 5, 8};
  for (std::size_t k = 0; k < sums.size(); ++k)
    CHECK(found[k] == Approx(pi * pi * sums[k] * std::sqrt(D / (density * t)) / (2 * pi)).epsilon(0.02));
  // an edge whose places are held in all directions still turns
  std::string held = square(16, t, true, "analysis: {type: modes}\n");
  held.insert(held.find("boundary]") + 9, ", components: [x, y, z]");
  Stationary pinned(MPI_COMM_SELF, held);
  CHECK(pinned.frequencies(1)[0] == Approx(found[0]).epsilon(1e-6));
  Stationary column(MPI_COMM_SELF, square(16, t, false,
                                          "forces:\n  push: {type: force, on: plate.x+, vector: [-1, 0, 0]}\n"
                                          "analysis: {type: buckling}\n"));
  CHECK(column.buckling(1)[0] == Approx(4 * pi * pi * D).epsilon(0.02));
}

/// A hemisphere with a hole of 18 degrees about its pole, n x n quadrilaterals a quarter; groups of the four points of its rim.
FileMesh hemisphere(int n) {
  FileMesh mesh;
  const int around = 4 * n;
  const auto tag = [&](int i, int j) { return 1 + i % around + around * j; };
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i < around; ++i) {
      const double height = 72 * pi / 180 * j / n, angle = 2 * pi * i / around, r = 10 * std::cos(height);
      mesh.nodes.push_back({tag(i, j), {r * std::cos(angle), r * std::sin(angle), 10 * std::sin(height)}});
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < around; ++i)
      mesh.elements.push_back({3, 2, 1, {tag(i, j), tag(i + 1, j), tag(i + 1, j + 1), tag(i, j + 1)}});
  mesh.physicals[{2, 1}] = {1};
  mesh.names.push_back({{2, 1}, "wall"});
  const std::pair<const char*, int> points[] = {
      {"east", tag(0, 0)}, {"north", tag(n, 0)}, {"west", tag(2 * n, 0)}, {"south", tag(3 * n, 0)}, {"top", tag(0, n)}};
  for (int k = 0; k < 5; ++k) {
    mesh.elements.push_back({15, 0, k + 1, {points[k].second}});
    mesh.physicals[{0, k + 1}] = {k + 2};
    mesh.names.push_back({{0, k + 2}, points[k].first});
  }
  return mesh;
}

/// Forces that pull two opposite points of the rim and push the two between: all bending, without strains in the plane, which
/// flat elements must not mistake for it. .093 m with 2 N: Simo, Fox and Rifai (1989), Comput. Methods Appl. Mech. Eng. 73,
/// 53-92.
TEST_CASE("a hemisphere bends under forces on its rim", "[serial][shell][statics]") {
  for (const int n : {4, 8}) {
    const std::string file = write_scratch("hemisphere.msh", gmsh_bytes(hemisphere(n), {false, false})).string();
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
constants: {{F: 0.002}}
materials: {{m: {{density: 1, youngs_modulus: 6.825e7, poissons_ratio: 0.3}}}}
bodies:
  dome: {{type: shell, mesh: {}, thickness: 0.04, material: m}}
joints:
  east: {{type: clamp, connect: [ground, dome.east], components: [y, z]}}
  west: {{type: clamp, connect: [ground, dome.west], components: [y, z]}}
  north: {{type: clamp, connect: [ground, dome.north], components: [x]}}
  top: {{type: clamp, connect: [ground, dome.top], components: [y]}}
forces:
  east: {{type: force, on: dome.east, vector: [F, 0, 0]}}
  west: {{type: force, on: dome.west, vector: [-F, 0, 0]}}
  north: {{type: force, on: dome.north, vector: [0, -F, 0]}}
  south: {{type: force, on: dome.south, vector: [0, F, 0]}}
sensors:
  east: {{type: point, of: dome.east, record: [displacement]}}
  north: {{type: point, of: dome.north, record: [displacement]}}
analysis: {{type: static}}
)",
                                                file));
    model.find_rest();
    auto v = model.values();
    CHECK(v["east.displacement.x"] == Approx(0.093e-3).epsilon(0.01));
    CHECK(v["north.displacement.y"] == Approx(-0.093e-3).epsilon(0.01));
  }
}

/// 0.6 x 0.3 x 0.01 m, 7810 kg/m^3, let go level and at rest, held at a corner.
std::string pendulum(double h) {
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {{m: {{density: 7810, youngs_modulus: 1e7, poissons_ratio: 0.3}}}}
bodies:
  plate: {{type: shell, plate: {{size: [0.6, 0.3], elements: [4, 2]}}, thickness: 0.01, material: m}}
joints:
  pin: {{type: spherical, connect: [ground, plate.x-y-]}}
sensors:
  far: {{type: point, of: plate.x+y+, record: [position]}}
  energy: {{type: energy, record: [total, kinetic]}}
  whole: {{type: system, record: [mass]}}
analysis: {{end_time: 0.2, step: {:.17g}}}
)",
                     h);
}

TEST_CASE("a plate swings about its corner with its energy, and steps are of order 2", "[serial][shell][dynamics]") {
  std::vector<Trajectory> runs;
  for (const double h : {2e-3, 1e-3, 5e-4}) runs.push_back(run_model(MPI_COMM_SELF, pendulum(h)));
  CHECK(runs[0].values.front().at("whole.mass") == Approx(0.6 * 0.3 * 0.01 * 7810));
  const auto& last = runs[2].values.back();
  CHECK(last.at("energy.kinetic") > 1);
  CHECK(std::abs(last.at("energy.total") - runs[2].values.front().at("energy.total")) < 1e-3 * last.at("energy.kinetic"));
  const auto change = [&](std::size_t k) {
    double sum = 0;
    for (const char* axis : {"x", "y", "z"}) {
      const std::string name = std::string("far.position.") + axis;
      sum += std::pow(runs[k].values.back().at(name) - runs[k + 1].values.back().at(name), 2);
    }
    return std::sqrt(sum);
  };
  INFO(change(0) << " " << change(1));
  CHECK(std::log2(change(0) / change(1)) == Approx(2).margin(0.5));
}

/// A strip of 10 x 0.1 x 0.1 m on a hinge that turns by 1e-3 t^4 rad, and the beam of these measures. What rounding of places
/// makes of the forces in the strip is more, in the first steps, than what moves it.
TEST_CASE("a strip starts as slowly as its hinge wants, and goes as a beam", "[serial][shell][dynamics]") {
  std::vector<double> tips;
  for (const char* arm : {"{type: shell, plate: {size: [10, 0.1], elements: [16, 1]}, thickness: 0.1, material: m}",
                          "{type: beam, line: {from: [0, 0, 0], to: [10, 0, 0], elements: 16}, section: s, material: m}"}) {
    const bool is_shell = tips.empty();
    const Trajectory run =
        run_model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1200, youngs_modulus: 1.7e10, poissons_ratio: 0}}}}
sections: {{s: {{shape: rectangle, width: 0.1, height: 0.1}}}}
bodies:
  arm: {}
joints:
  hub: {{type: revolute, connect: [ground, {}], axis: [0, 1, 0]}}
  drive: {{type: motion, of: hub, angle: "1e-3*t^4"}}
sensors:
  tip: {{type: point, of: {}, record: [displacement]}}
analysis: {{end_time: 1, step: 0.02}}
)",
                                             arm, is_shell ? "arm.x-" : "arm.start", is_shell ? "arm.x+" : "arm.end"));
    tips.push_back(run.values.back().at("tip.displacement.z"));
  }
  CHECK(std::abs(tips[1]) > 1e-4);
  CHECK(tips[0] == Approx(tips[1]).epsilon(5e-3));
}

}  // namespace
}  // namespace sinew
