// Vibrations of shells that are curved, or turn, against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/moving.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/src/input/mesh_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace sinew {
namespace {

using namespace sinew::test;
using std::numbers::pi;

/// A tube along x, 2 m long and 1 m wide, of n x 2n quadrilaterals, with groups of its ends.
FileMesh tube(int n) {
  constexpr double length = 2, radius = 0.5;
  FileMesh mesh;
  const int around = 2 * n;
  const auto tag = [&](int i, int j) { return 1 + j % around + around * i; };
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < around; ++j) {
      const double angle = 2 * pi * j / around;
      mesh.nodes.push_back({tag(i, j), {length * i / n, radius * std::cos(angle), radius * std::sin(angle)}});
    }
  for (int j = 0; j < around; ++j) {
    for (int i = 0; i < n; ++i) mesh.elements.push_back({3, 2, 1, {tag(i, j), tag(i + 1, j), tag(i + 1, j + 1), tag(i, j + 1)}});
    mesh.elements.push_back({1, 1, 1, {tag(0, j), tag(0, j + 1)}});
    mesh.elements.push_back({1, 1, 2, {tag(n, j), tag(n, j + 1)}});
  }
  mesh.physicals = {{{2, 1}, {1}}, {{1, 1}, {2}}, {{1, 2}, {3}}};
  mesh.names = {{{2, 1}, "wall"}, {{1, 2}, "left"}, {{1, 3}, "right"}};
  return mesh;
}

/// The ends keep their circle and may move along the tube. With m half waves along it and n whole waves around, u, v, w as
/// cos cos, sin sin, sin cos solve the equations of Fluegge (Leissa 1973, Vibration of Shells, NASA SP-288, chapter 2); the
/// smallest of three roots in Hz.
TEST_CASE("a tube vibrates as Fluegge's", "[serial][shell][modes]") {
  const std::string file = write_scratch("tube.msh", gmsh_bytes(tube(32), {false, false})).string();
  Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 8000, youngs_modulus: 2e11, poissons_ratio: 0.3}}}}
bodies:
  tube: {{type: shell, mesh: {}, thickness: 0.01, material: m}}
joints:
  left: {{type: clamp, connect: [ground, tube.left], components: [y, z]}}
  right: {{type: clamp, connect: [ground, tube.right], components: [y, z]}}
analysis: {{type: modes}}
)",
                                              file));
  const std::vector<double> found = model.frequencies(7);
  CHECK(found[0] < 1e-3);                           // along its axis nothing holds it
  const double roots[] = {124.11, 156.34, 190.40};  // m = 1; n = 3, 4, 2
  for (int k = 0; k < 3; ++k) {
    CHECK(found[2 * k + 1] == Approx(roots[k]).epsilon(0.02));
    CHECK(found[2 * k + 2] == Approx(found[2 * k + 1]).epsilon(1e-6));
  }
}

/// A strip that turns about z, in whose plane it lies, flaps as a rotating beam does: Wright, Smith, Thresher and Wang (1982),
/// J. Appl. Mech. 49, 197-202, in units of sqrt(EI/(rho A L^4)).
TEST_CASE("a strip that turns flaps as a beam, stiffened by its tension", "[serial][shell][modes]") {
  const double width = 0.05, t = 0.005, unit = std::sqrt(2e11 * t * t / (12 * 8000));
  for (const char* element : {"quad4", "tri3"})
    for (const auto& [speed, first] : {std::pair{2.0, 4.1373}, std::pair{10.0, 11.2023}}) {
      INFO(element << ", speed " << speed);
      Moving model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
constants: {{W: {:.17g}, b: {}}}
materials: {{m: {{density: 8000, youngs_modulus: 2e11, poissons_ratio: 0}}}}
bodies:
  strip:
    type: shell
    plate: {{size: [1, b], elements: [20, 2], element: {}}}
    thickness: {}
    material: m
    position: [0, -b/2, 0]
    velocity: [W*b/2, 0, 0]
    angular_velocity: [0, 0, W]
joints:
  hub: {{type: revolute, connect: [ground, strip.x-], axis: [0, 0, 1]}}
  drive: {{type: motion, of: hub, angular_velocity: W}}
analysis: {{type: modes, about: motion}}
)",
                                              speed * unit, width, element, t));
      const MotionModes found = model.modes(2);
      CHECK(found.variation < 1e-6);
      CHECK(found.modes[0].omega() < 1e-6);  // the turn as a whole
      CHECK(found.modes[1].omega() == Approx(first * unit).epsilon(1e-3));
    }
}

}  // namespace
}  // namespace sinew
