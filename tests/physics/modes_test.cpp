#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;
constexpr double E = 1e9, rho = 1000, A = 4e-4, I = A * A / 12, L = 2;

/// A straight cable of 16 elements of square section with what else belongs to the model.
std::string cable(const std::string& rest) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: {0}, youngs_modulus: {1}}}}}
sections: {{s: {{area: {2}, iy: {3:.17g}, iz: {3:.17g}}}}}
bodies:
  c: {{type: cable, line: {{from: [0, 0, 0], to: [{4}, 0, 0], elements: 16}}, section: s, material: m}}
{5}
)",
                     rho, E, A, I, L, rest);
}

/// Masses of 2 and 1 kg in a row, on springs and dampers.
const std::string two_masses = R"(sinew: 1
bodies:
  a: {type: point-mass, mass: 2, position: [1, 0, 0]}
  b: {type: point-mass, mass: 1, position: [2, 0, 0]}
joints:
  rail_a: {type: point-on-line, connect: [ground, a], axis: [1, 0, 0]}
  rail_b: {type: point-on-line, connect: [ground, b], axis: [1, 0, 0]}
forces:
  s: {type: spring-damper, connect: [ground, a], stiffness: 800, damping: 8}
  t: {type: spring-damper, connect: [a, b], stiffness: 300, damping: 5}
analysis: {type: modes}
)";

}  // namespace

TEST_CASE("A clamped cable vibrates with the frequencies of beam theory", "[serial]") {
  Stationary model(MPI_COMM_SELF, cable("joints:\n  wall: {type: clamp, connect: [ground, c.start]}\nanalysis: {type: modes}\n"));
  const std::vector<double> f = model.frequencies(8);
  const double roots[] = {1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349};
  for (int n = 0; n < 4; ++n) {
    const double expected = roots[n] * roots[n] / (2 * pi * L * L) * std::sqrt(E * I / (rho * A));
    CHECK(f[static_cast<std::size_t>(2 * n)] == Approx(expected).epsilon(1e-3));
    CHECK(f[static_cast<std::size_t>(2 * n + 1)] == Approx(expected).epsilon(1e-3));
  }
}

TEST_CASE("A cable that is held at a pin vibrates along itself with a quarter of a wave", "[serial]") {
  // a clamp holds the stretch of the cable at its end too, which costs an order of convergence
  Stationary model(MPI_COMM_SELF,
                   cable("joints:\n  pin: {type: spherical, connect: [ground, c.start]}\nanalysis: {type: modes}\n"));
  const std::vector<double> f = model.frequencies(20);
  const double axial = std::sqrt(E / rho) / (4 * L);
  const auto nearest =
      std::min_element(f.begin(), f.end(), [axial](double a, double b) { return std::abs(a - axial) < std::abs(b - axial); });
  CHECK(*nearest == Approx(axial).epsilon(1e-4));
}

TEST_CASE("A taut cable vibrates as a string with bending stiffness", "[serial]") {
  // pinned at both ends: omega_n^2 = (n pi/L)^2 (T + (n pi/L)^2 E I) / (rho A)
  const double T = 1000;
  Stationary model(MPI_COMM_SELF,
                   cable(fmt::format("joints:\n  a: {{type: spherical, connect: [ground, c.start]}}\n  b: {{type: point-on-line, "
                                     "connect: [ground, c.end], axis: [1, 0, 0]}}\nforces:\n  pull: {{type: force, on: c.end, "
                                     "vector: [{}, 0, 0]}}\nanalysis: {{type: modes, about: static}}\n",
                                     T)));
  model.find_rest();
  const std::vector<double> f = model.frequencies(4);
  const double stretched = L * (1 + T / (E * A));
  for (int n = 1; n <= 2; ++n) {
    const double k = n * pi / stretched;
    CHECK(f[static_cast<std::size_t>(2 * n - 1)] ==
          Approx(k / (2 * pi) * std::sqrt((T + k * k * E * I) / (rho * A) * stretched / L)).epsilon(3e-3));
  }
}

TEST_CASE("A pendulum of a rigid body swings with sqrt(m g l / J)", "[serial]") {
  const std::string text = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 2, inertia: [0.1, 0.3, 0.4], position: [0, 0, -0.5], points: {top: [0, 0, 0.5]}}
joints:
  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}
analysis: {type: modes, about: static}
)";
  Stationary model(MPI_COMM_SELF, text);
  model.find_rest();
  const std::vector<double> f = model.frequencies(3);
  REQUIRE(f.size() == 1);
  CHECK(f[0] == Approx(std::sqrt(2 * 9.81 * 0.5 / (0.3 + 2 * 0.25)) / (2 * pi)).epsilon(1e-9));
}

TEST_CASE("A mathematical pendulum swings with sqrt(g / l)", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: point-mass, mass: 3, position: [0, 0, -2]}
joints:
  string: {type: distance, connect: [ground, bob]}
analysis: {type: modes, about: static}
)");
  model.find_rest();
  const std::vector<double> f = model.frequencies(5);
  REQUIRE(f.size() == 2);
  for (const double each : f) CHECK(each == Approx(std::sqrt(9.81 / 2) / (2 * pi)).epsilon(1e-9));
}

TEST_CASE("Damped masses have the eigenvalues of their quadratic problem", "[serial]") {
  Stationary model(MPI_COMM_SELF, two_masses);
  const std::vector<Mode> modes = model.modes(5);
  REQUIRE(modes.size() == 2);
  for (const Mode& m : modes) {
    // det(lambda^2 M + lambda D + K) = 0
    const std::complex<double> l(m.real, m.imaginary);
    const std::complex<double> a = 2.0 * l * l + 13.0 * l + 1100.0, b = -5.0 * l - 300.0, c = l * l + 5.0 * l + 300.0;
    CHECK(std::abs(a * c - b * b) < 1e-6 * std::abs(a * c));
    CHECK(m.damping_ratio() > 0);
  }
  CHECK(modes[0].omega() < modes[1].omega());
}

TEST_CASE("A mass that is damped beyond oscillation has two real eigenvalues", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
bodies:
  a: {type: point-mass, mass: 2, position: [1, 0, 0]}
joints:
  rail: {type: point-on-line, connect: [ground, a], axis: [1, 0, 0]}
forces:
  s: {type: spring-damper, connect: [ground, a], stiffness: 800, damping: 100}
analysis: {type: modes}
)");
  const std::vector<Mode> modes = model.modes(2);
  REQUIRE(modes.size() == 2);
  CHECK(modes[0].real == Approx(-10));
  CHECK(modes[1].real == Approx(-40));
  CHECK(modes[1].damping_ratio() == Approx(1));
}

TEST_CASE("A free bar has six motions without stiffness and bends alike in two directions, damped or not", "[serial]") {
  for (const char* damping : {"", ", damping: {beta: 1e-5}"}) {
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.3{}}}}}
bodies:
  bar: {{type: solid, box: {{size: [1, 0.05, 0.05], elements: [20, 2, 2], order: 1}}, material: m}}
analysis: {{type: modes}}
)",
                                                damping));
    const std::vector<Mode> modes = model.modes(8);
    REQUIRE(modes.size() == 8);
    for (std::size_t i = 0; i < 6; ++i) CHECK(modes[i].omega() == 0);
    CHECK(modes[6].omega() == Approx(modes[7].omega()).epsilon(1e-7));
    CHECK(modes[6].damping_ratio() == Approx(*damping ? 1e-5 / 2 * modes[6].omega() : 0.0).margin(1e-10));
  }
}

TEST_CASE("Of many parts that are alike as many modes are found as are asked for, damped or not", "[serial]") {
  // 60 pendulums of each of two lengths
  for (const char* damping : {"0", "0.01"}) {
    const std::string text = fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  "a{{i}}": {{repeat: {{i: 1..60}}, type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1],
          position: [i, 0, -0.5], points: {{top: [0, 0, 0.5]}}}}
  "b{{i}}": {{repeat: {{i: 1..60}}, type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1],
          position: [i, 3, -0.1], points: {{top: [0, 0, 0.1]}}}}
joints:
  "ha{{i}}": {{repeat: {{i: 1..60}}, type: revolute, connect: [[i, 0, 0], "a{{i}}.top"], axis: [0, 1, 0]}}
  "hb{{i}}": {{repeat: {{i: 1..60}}, type: revolute, connect: [[i, 3, 0], "b{{i}}.top"], axis: [0, 1, 0]}}
forces:
  "d{{i}}": {{repeat: {{i: 1..60}}, type: torsional-spring, connect: [ground, "a{{i}}"], axis: [0, 1, 0], damping: {}}}
analysis: {{type: modes}}
)",
                                         damping);
    Stationary model(MPI_COMM_SELF, text);
    model.find_rest();
    for (const int count : {10, 70}) {
      INFO(damping << ", " << count);
      const std::vector<double> f = model.frequencies(count);
      REQUIRE(static_cast<int>(f.size()) == count);
      const auto frequency = [](double l) { return std::sqrt(9.81 * l / (0.1 + l * l)) / (2 * pi); };
      const double low = std::min(frequency(0.5), frequency(0.1)), high = std::max(frequency(0.5), frequency(0.1));
      for (int k = 0; k < count; ++k) CHECK(f[static_cast<std::size_t>(k)] == Approx(k < 60 ? low : high).epsilon(1e-8));
    }
  }
}

TEST_CASE("A solid bar twists and stretches with the frequencies of its waves", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.3}}
bodies:
  bar: {type: solid, box: {size: [1, 0.05, 0.05], elements: [40, 4, 4], order: 1}, material: m}
joints:
  wall: {type: clamp, connect: [ground, bar.x-]}
analysis: {type: modes}
)");
  const std::vector<double> f = model.frequencies(8);
  const double G = 2e11 / 2.6, J = 0.140577, polar = 1.0 / 6;
  CHECK(f[6] == Approx(std::sqrt(G * J / (7800 * polar)) / 4).epsilon(0.03));
  CHECK(f[7] == Approx(std::sqrt(2e11 / 7800) / 4).epsilon(0.005));
}

TEST_CASE("A pendulum is stable below its hinge and not above it", "[serial]") {
  for (const double z : {-0.5, 0.5}) {
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {{type: rigid, mass: 2, inertia: [0.1, 0.3, 0.4], position: [0, 0, {}], points: {{top: [0, 0, {}]}}}}
joints:
  hinge: {{type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}}
analysis: {{type: static, unstable: keep}}
)",
                                                z, -z));
    model.find_rest();
    CHECK(model.is_stable() == (z < 0));
  }
}

TEST_CASE("The damping of something small counts beside whatever is stiff and heavy", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
bodies:
  machine: {type: point-mass, mass: 1000, position: [0, 0, 1]}
  wheel: {type: rigid, mass: 1e-4, inertia: [1e-9, 1e-9, 1e-9], position: [1, 0, 0]}
joints:
  guide: {type: point-on-line, connect: [[0, 0, 0], machine], axis: [0, 0, 1]}
  arbor: {type: revolute, connect: [ground, wheel], axis: [0, 0, 1]}
forces:
  mounts: {type: spring-damper, connect: [ground, machine], stiffness: 1e9}
  hair: {type: torsional-spring, connect: [ground, wheel], axis: [0, 0, 1], stiffness: 1e-6, damping: 1e-9}
analysis: {type: modes}
)");
  const std::vector<Mode> modes = model.modes(2);
  REQUIRE(modes.size() == 2);
  CHECK(modes[0].omega() == Approx(std::sqrt(1e3)));
  CHECK(modes[0].damping_ratio() == Approx(1e-9 / (2 * std::sqrt(1e-6 * 1e-9))));
  CHECK(modes[1].damping_ratio() == Approx(0).margin(1e-12));
}
