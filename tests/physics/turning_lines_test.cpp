// Modes about motions of cables and beams that turn: centrifugal stiffening, and frames that turn with them.
#include "tests/catch.hpp"
#include "tests/physics/motion_models.hpp"
#include "tests/physics/moving.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::motion_models;

namespace {

/// A cable along x that turns about z with 2 pi rad/s, held at the axis.
std::string rotating_string(double modulus, int elements) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: {}}}}}
sections: {{s: {{area: 1e-4, iy: 1e-14, iz: 1e-14, j: 2e-14}}}}
bodies:
  c: {{type: cable, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: {}}}, section: s, material: m,
       angular_velocity: [0, 0, "2*pi"]}}
joints:
  pin: {{type: spherical, connect: [ground, c.start]}}
sensors:
  tip: {{type: point, of: c.end, record: [position]}}
analysis: {{type: modes, about: motion}}
)",
                     modulus, elements);
}

/// A cantilever along x on a hub of radius 0, held by a short first element, with L = rho A = 1 and E I = 1; it turns about z
/// with eta rad/s, driven by its angle or by its angular velocity.
std::string rotating_cantilever(double eta, bool by_rate = false) {
  constexpr int elements = 24;
  constexpr double root = 1e-3;
  std::string points = fmt::format("[{}, 0, 0]", -root);
  for (int i = 0; i <= elements; ++i) points += fmt::format(", [{:.17g}, 0, 0]", static_cast<double>(i) / elements);
  return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [1e7, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 0, 0, 0]}}}}
bodies:
  c: {{type: cable, line: {{points: [{0}]}}, section: s, velocity: [0, {1}, 0], angular_velocity: [0, 0, {2}]}}
  hub: {{type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [0, 0, {2}],
         points: {{back: [{3}, 0, 0]}}}}
joints:
  axis: {{type: revolute, connect: [ground, hub], axis: [0, 0, 1]}}
  drive: {{type: motion, of: axis, {4}}}
  root: {{type: spherical, connect: [hub, "c.node[1]"]}}
  back: {{type: spherical, connect: [hub.back, "c.node[0]"]}}
analysis: {{type: modes, about: motion}}
)",
                     points, -root * eta, eta, -root,
                     by_rate ? fmt::format("angular_velocity: {}", eta) : fmt::format("angle: \"{}*t\"", eta));
}

}  // namespace

TEST_CASE("A rotating string swings with sqrt(n(2n-1)) times its speed out of the plane, sqrt(n(2n-1)-1) in it", "[serial]") {
  Moving model(MPI_COMM_SELF, rotating_string(1e9, 32));
  const MotionModes found = model.modes(8);
  const double Omega = 2 * 3.141592653589793;
  CHECK(found.angular_velocity[2] == Approx(Omega).epsilon(1e-10));
  CHECK(found.variation < 1e-6);
  for (const double square : {1.0, 6.0, 15.0, 5.0, 14.0}) {
    const double omega = Omega * std::sqrt(square);
    CHECK(nearest(found.modes, omega) == Approx(omega).epsilon(1e-3));
  }
  for (const Mode& m : found.modes) CHECK(std::abs(m.real) < 1e-6 * Omega);
}

TEST_CASE("A rotating cantilever has the frequencies of Wright, Smith, Thresher and Wang (1982)", "[serial]") {
  const double published[][3] = {{1, 3.6816, 22.1810}, {2, 4.1373, 22.6149}, {3, 4.7973, 23.3203}};
  for (const auto& [eta, first, second] : published) {
    Moving model(MPI_COMM_SELF, rotating_cantilever(eta));
    const MotionModes found = model.modes(4);
    CHECK(found.variation < 1e-6);
    REQUIRE(found.modes.size() == 4);
    CHECK(found.modes[0].omega() == Approx(std::sqrt(first * first - eta * eta)).epsilon(1e-3));
    CHECK(found.modes[1].omega() == Approx(first).epsilon(1e-3));
    CHECK(found.modes[2].omega() == Approx(std::sqrt(second * second - eta * eta)).epsilon(1e-3));
    CHECK(found.modes[3].omega() == Approx(second).epsilon(1e-3));
  }
}

TEST_CASE("A prescribed speed gives the modes that a prescribed angle gives, and a turn as a whole that nothing holds",
          "[serial]") {
  for (const double eta : {2.0, -3.0}) {
    Moving by_angle(MPI_COMM_SELF, rotating_cantilever(eta)), by_rate(MPI_COMM_SELF, rotating_cantilever(eta, true));
    const MotionModes expected = by_angle.modes(4), found = by_rate.modes(5);
    CHECK(found.steady.converged);
    CHECK(found.variation < 1e-6);
    CHECK(found.angular_velocity[2] == Approx(eta).epsilon(1e-9));
    REQUIRE(found.modes.size() == 5);
    CHECK(found.modes[0].omega() < 1e-6);
    for (std::size_t k = 0; k < 4; ++k) CHECK(found.modes[k + 1].omega() == Approx(expected.modes[k].omega()).epsilon(1e-8));
  }
}

TEST_CASE("A soft rotating cable is stretched to the steady state of an elastic rod", "[serial]") {
  // x(S) = sin(k S) / (k cos k L) with k^2 = rho Omega^2 / E, from N' = -rho A Omega^2 x and N = E A (x' - 1)
  const double Omega = 2 * 3.141592653589793;
  Moving model(MPI_COMM_SELF, rotating_string(1e5, 32));
  const MotionModes found = model.modes(3);
  const double k = std::sqrt(1000 * Omega * Omega / 1e5);
  CHECK(found.steady.change > 0.1);
  CHECK(found.unsteadiness < 1e-8);
  CHECK(found.variation < 1e-6);
  CHECK(model.values().at("tip.position.x") == Approx(std::tan(k) / k).epsilon(1e-4));
  CHECK(nearest(found.modes, Omega) == Approx(Omega).epsilon(1e-6));  // the plane of rotation, tilted
}

TEST_CASE("Two turning cables on a bearing have constant coefficients if the bearing is alike in all directions", "[serial]") {
  for (const double across : {1000.0, 800.0}) {
    Moving model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e7}}}}
sections: {{s: {{area: 4e-4, iy: 1.3e-8, iz: 1.3e-8}}}}
bodies:
  hub: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], angular_velocity: [0, 0, 3]}}
  a: {{type: cable, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: 6}}, section: s, material: m, angular_velocity: [0, 0, 3]}}
  b: {{type: cable, line: {{from: [0, 0, 0], to: [-1, 0, 0], elements: 6}}, section: s, material: m, angular_velocity: [0, 0, 3]}}
joints:
  ra: {{type: spherical, connect: [hub, a.start]}}
  rb: {{type: spherical, connect: [hub, b.start]}}
forces:
  bearing: {{type: bushing, connect: [ground, hub], stiffness: [{}, 1000, 900, 30, 30, 0]}}
analysis: {{type: modes, about: motion}}
)",
                                            across));
    const MotionModes found = model.modes(8);
    CHECK(found.angular_velocity[2] == Approx(3).epsilon(1e-9));
    CHECK((found.variation < 1e-6) == (across == 1000.0));
    CHECK(motion_warning(found).empty() == (across == 1000.0));
  }
}

TEST_CASE("A free beam that spins has as many slow modes as a free body, and bends out of the plane of its turning by W^2 more",
          "[serial]") {
  // seen from a frame that turns, a free body that drifts lacks eigenvectors: searches found ever new neighbours
  constexpr double W = 5;
  for (const int elements : {6, 12}) {
    Moving model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [4e6, 2e6, 2e6, 1.5, 2, 2], inertia: [0.8, 0.8, 0.8, 1e-5, 5e-6, 5e-6]}}}}
bodies:
  r: {{type: beam, line: {{from: [-0.5, 0, 0], to: [0.5, 0, 0], elements: {}}}, section: s, velocity: [0, {}, 0],
      angular_velocity: [0, 0, {}]}}
analysis: {{type: modes, about: motion, frame: [0, 0, {}]}}
)",
                                            elements, -W / 2, W, W));
    const MotionModes found = model.modes(16);
    int slow = 0;
    for (const Mode& m : found.modes)
      if (m.omega() < 2 * W) {
        CHECK((m.omega() < 1e-3 * W || m.omega() == Approx(W).epsilon(1e-6)));
        CHECK(std::abs(m.real) < 1e-8 * W);
        ++slow;
      }
    CHECK(slow <= 8);
    const double in_plane = nearest(found.modes, 36.1), out_of_plane = nearest(found.modes, 36.44);
    CHECK(in_plane == Approx(36.1).epsilon(2e-3));
    CHECK(out_of_plane * out_of_plane - in_plane * in_plane == Approx(W * W).epsilon(2e-2));
  }
}

TEST_CASE("A thin ring that turns slowly has its closed form: rounding of its place in the turn is no search", "[serial]") {
  // inextensional: w = 2 n W/(n^2 + 1) +- sqrt(w0^2 + n^2 (n^2 - 1)^2 W^2/(n^2 + 1)^2),
  // w0^2 = n^2 (n^2 - 1)^2/(n^2 + 1) EI/(m R^4)
  constexpr double R = 0.5, EI = 2, mass = 0.8;
  for (const double W : {0.5, 5.0, 8.0}) {
    Moving model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [4e6, 0, 0, 0, 2, 2], inertia: [0.8, 0.8, 0.8, 0, 0, 0]}}}}
bodies: {{r: {{type: ring, circle: {{centre: [0, 0, 0], axis: [0, 0, 1], radius: 0.5, elements: 32}}, section: s,
              angular_velocity: [0, 0, {}]}}}}
analysis: {{type: modes, about: motion, frame: [0, 0, {}]}}
)",
                                            W, W));
    const MotionModes found = model.modes(20);
    CHECK(found.steady.iterations <= 10);
    for (const int n : {2, 3}) {
      const double nn = n * n, k = nn * (nn - 1) * (nn - 1) / (nn + 1), turning = 2 * n * W / (nn + 1);
      const double root = std::sqrt(k * EI / (mass * R * R * R * R) + k / (nn + 1) * W * W);
      CAPTURE(W, n);
      CHECK(nearest(found.modes, root - turning) == Approx(root - turning).epsilon(2e-3));
      CHECK(nearest(found.modes, root + turning) == Approx(root + turning).epsilon(2e-3));
    }
  }
}

TEST_CASE("A straight blade on a driven hub cones under gravity: its bearing decides the frame, not its fall", "[serial]") {
  // U = -m g l sin b - 1/2 W^2 (m (e + l cos b)^2 + J cos^2 b + J_x sin^2 b), b the angle downwards about the hinge at e
  const double m = 0.5, l = 0.5, e = 0.1, J = 0.04, J_x = 1e-4, W = 12, g = 9.81;
  double b = 0, stiffness = 0;
  for (int i = 0; i < 20; ++i) {
    const double s = std::sin(b), c = std::cos(b);
    const double slope = -m * g * l * c + W * W * (m * (e + l * c) * l * s + (J - J_x) * c * s);
    stiffness = m * g * l * s + W * W * (m * l * (e * c + l * (c * c - s * s)) + (J - J_x) * (c * c - s * s));
    b -= slope / stiffness;
  }
  Moving model(MPI_COMM_SELF, "gravity: [0, 0, -9.81]\nsensors: {blade: {type: point, of: blade}}\n" +
                                  bodies_on_a_line(R"(  blade: {type: rigid, mass: 0.5, inertia: [1e-4, 0.04, 0.04],
           position: [0.6, 0, 0], velocity: [0, 0.6*W, 0], angular_velocity: [0, 0, W], points: {o: [-0.5, 0, 0]}}
)",
                                                   R"(  bearing: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  flap: {type: revolute, connect: [hub.a, blade.o], axis: [0, 1, 0]}
  drive: {type: motion, of: bearing, angle: W*t}
)",
                                                   "", ""));
  const MotionModes found = model.modes(2);
  CHECK(norm(found.angular_velocity - Vec3<double>{{0, 0, W}}) < 1e-9 * W);
  CHECK(motion_warning(found).empty());
  CHECK(model.values().at("blade.position.z") == Approx(-l * std::sin(b)).epsilon(1e-8));
  REQUIRE(found.modes.size() == 1);
  CHECK(found.modes[0].omega() == Approx(std::sqrt(stiffness / (J + m * l * l))).epsilon(1e-8));
}
