// Modes of tops, wheels and rotors against the roots of their characteristic equations.
#include "tests/catch.hpp"
#include "tests/physics/motion_models.hpp"
#include "tests/physics/moving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::motion_models;

TEST_CASE("An upright top precesses and nutates with the roots of A w^2 - C s w + m g l = 0", "[serial]") {
  const double A = 0.11, mgl = 2 * 9.81 * 0.2;
  Moving model(MPI_COMM_SELF, top(100));
  const MotionModes found = model.modes(5);
  CHECK(norm(found.angular_velocity) == 0);
  REQUIRE(found.modes.size() == 3);  // the first one: the spin itself
  const double Cs = 0.02 * 100, root = std::sqrt(Cs * Cs - 4 * A * mgl);
  CHECK(found.modes[1].omega() == Approx((Cs - root) / (2 * A)).epsilon(1e-9));
  CHECK(found.modes[2].omega() == Approx((Cs + root) / (2 * A)).epsilon(1e-9));
}

TEST_CASE("A wheel holds up the body that carries it: the roots of A w^2 - j W w + m g l = 0", "[serial]") {
  const double A = 0.03 + 2 * 0.04, momentum = 0.01 * 200, weight = 2 * 9.81 * 0.2;
  const std::string model = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  top:
    type: gyrostat
    mass: 2
    inertia: [0.03, 0.03, 0.02]
    position: [0, 0, 0.2]
    points: {tip: [0, 0, -0.2]}
    rotors: {wheel: {axis: [0, 0, 1], inertia: 0.01, speed: 200}}
joints:
  tip: {type: spherical, connect: [ground, top.tip]}
analysis: {type: modes, about: motion}
)";
  Moving moving(MPI_COMM_SELF, model);
  const std::vector<Mode> modes = moving.modes(6).modes;
  const double root = std::sqrt(momentum * momentum - 4 * A * weight);
  CHECK(nearest(modes, (momentum - root) / (2 * A)) == Approx((momentum - root) / (2 * A)).epsilon(1e-6));
  CHECK(nearest(modes, (momentum + root) / (2 * A)) == Approx((momentum + root) / (2 * A)).epsilon(1e-6));
}

TEST_CASE("An upright top falls if it spins too slowly", "[serial]") {
  const double A = 0.11, mgl = 2 * 9.81 * 0.2, critical = std::sqrt(4 * A * mgl) / 0.02;
  for (const double factor : {0.9, 1.1}) {
    Moving model(MPI_COMM_SELF, top(factor * critical));
    const MotionModes found = model.modes(5);
    double growth = 0;
    for (const Mode& m : found.modes) growth = std::max(growth, m.real);
    const double Cs = 0.02 * factor * critical, under = 4 * A * mgl - Cs * Cs;
    CHECK(growth == Approx(under > 0 ? std::sqrt(under) / (2 * A) : 0.0).margin(1e-8));
  }
}

TEST_CASE("A steadily precessing top nutates with its closed form, seen from the precessing frame", "[serial]") {
  const double A = 0.11, C = 0.02, mgl = 2 * 9.81 * 0.2, tilt = 0.5, P = 3;
  const double spin = (mgl + A * P * P * std::cos(tilt)) / (C * P);
  Moving model(MPI_COMM_SELF, fmt::format(R"model(sinew: 1
constants: {{th: {}, P: {}}}
gravity: [0, 0, -9.81]
bodies:
  top: {{type: rigid, mass: 2, inertia: [0.03, 0.03, 0.02], position: ["0.2*sin(th)", 0, "0.2*cos(th)"],
         orientation: {{axis: [0, 1, 0], angle: th}}, velocity: [0, "P*0.2*sin(th)", 0],
         angular_velocity_local: ["-P*sin(th)", 0, {:.17g}], points: {{tip: [0, 0, -0.2]}}}}
joints:
  tip: {{type: spherical, connect: [ground, top.tip]}}
analysis: {{type: modes, about: motion}}
)model",
                                          tilt, P, spin));
  const MotionModes found = model.modes(5);
  CHECK(found.angular_velocity[2] == Approx(P).epsilon(1e-9));
  CHECK(std::hypot(found.angular_velocity[0], found.angular_velocity[1]) < 1e-9);
  CHECK(found.variation < 1e-9);
  REQUIRE(found.modes.size() == 3);
  CHECK(found.modes[2].omega() ==
        Approx(std::sqrt(P * P - 2 * mgl * std::cos(tilt) / A + std::pow(mgl / (A * P), 2))).epsilon(1e-8));
}

TEST_CASE("A rotor whirls backward and forward, in the fixed frame and in its own", "[serial]") {
  // A w^2 -+ C s w - k = 0
  const double A = 0.03, k = 30, Cs = 5, spin = 100;
  const double backward = (-Cs + std::sqrt(Cs * Cs + 4 * A * k)) / (2 * A),
               forward = (Cs + std::sqrt(Cs * Cs + 4 * A * k)) / (2 * A);
  Moving fixed(MPI_COMM_SELF, rotor("[0.03, 0.03, 0.05]", ""));
  const MotionModes seen = fixed.modes(6);
  CHECK(norm(seen.angular_velocity) == 0);
  for (const double omega : {backward, forward, std::sqrt(800.0 / 2), std::sqrt(900.0 / 2)})
    CHECK(nearest(seen.modes, omega) == Approx(omega).epsilon(1e-9));
  Moving turning(MPI_COMM_SELF, rotor("[0.03, 0.03, 0.05]", ", frame: [0, 0, 100]"));
  const MotionModes carried = turning.modes(6);
  CHECK(carried.variation < 1e-9);
  for (const double omega : {backward + spin, forward - spin, spin - 20, spin + 20})
    CHECK(nearest(carried.modes, omega) == Approx(omega).epsilon(1e-9));
}

TEST_CASE("A Campbell diagram keeps to the frame at rest, however light the shaft and however fast it turns", "[serial]") {
  // An overhung disc on a shaft without mass, y + i z and its slope: det(K - s^2 diag(m, Jd) + s diag(0, Jp W)) = 0; modes of the
  // light shaft itself are held by rows whose motions rounding shows, as large as they are
  const double E = 2.1e11, d = 0.02, L = 0.5, m = 10, Jd = 0.08, Jp = 0.16, EI = E * 3.14159265358979 * d * d * d * d / 64;
  for (const char* density : {"1e-3", "1", "10"})
    for (const double W : {10.0, 50.0, 100.0, 200.0, 400.0, 700.0}) {
      Moving model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
materials: {{m: {{density: {1}, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}}}
sections: {{s: {{shape: circle, diameter: 0.02}}}}
bodies:
  sh: {{type: beam, line: {{from: [0, 0, 0], to: [0.5, 0, 0], elements: 6}}, section: s, material: m,
        angular_velocity: [{0}, 0, 0]}}
  d: {{type: rigid, mass: 10, inertia: [0.16, 0.08, 0.08], position: [0.5, 0, 0], angular_velocity: [{0}, 0, 0]}}
joints:
  b: {{type: revolute, connect: [ground, sh.start], axis: [1, 0, 0]}}
  k: {{type: fixed, connect: [sh.end, d]}}
analysis: {{type: modes, about: motion}}
)yaml",
                                              W, density));
      const MotionModes found = model.modes(10);
      INFO("density " << density << ", " << W << " rad/s");
      CHECK(norm(found.angular_velocity) == 0);
      CHECK(found.is_steady());
      int matches = 0;
      for (const Mode& mode : found.modes)
        for (const double s : {mode.omega(), -mode.omega()}) {
          const double k = EI / (L * L * L), lift = 12 * k - m * s * s, turn = 4 * k * L * L - Jd * s * s + Jp * W * s;
          const double slope = -2 * m * s * turn + lift * (Jp * W - 2 * Jd * s);
          // the nearest root, by Newton's method; shear takes 0.1 % off
          if (s != 0 && std::abs(lift * turn - 36 * k * k * L * L) < 3e-3 * std::abs(slope * s)) ++matches;
        }
      CHECK(matches == 4);
    }
}

TEST_CASE("An unsymmetric rotor is looked at from the frame that turns with it", "[serial]") {
  const double A = 0.03, B = 0.02, C = 0.045, k = 30, s = 100;
  Moving model(MPI_COMM_SELF, rotor("[0.03, 0.02, 0.045]", ""));
  const MotionModes found = model.modes(6);
  CHECK(found.angular_velocity[2] == Approx(s));
  CHECK(found.variation < 1e-9);
  int matches = 0;
  for (const Mode& m : found.modes) {
    const double w2 = m.omega() * m.omega(), c = (A + B - C) * s;
    const double a = -A * w2 + k + (C - B) * s * s, b = -B * w2 + k + (C - A) * s * s;
    if (std::abs(a * b - c * c * w2) < 1e-6 * std::abs(c * c * w2)) ++matches;
  }
  CHECK(matches == 2);
}

TEST_CASE("A rolling disc wobbles with its closed form and falls below its critical speed", "[serial]") {
  // (A + m r^2) w^2 = (C + m r^2) C s^2 / A - m g r
  const double m = 2, r = 0.5, A = m * r * r / 4, C = m * r * r / 2, g = 9.81;
  for (const double spin : {5.0, 1.0}) {
    Moving model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  wheel: {{type: rigid, mass: {0}, inertia: [{1}, {2}, {1}], position: [0, 0, {3}], velocity: [{4}, 0, 0],
           angular_velocity: [0, {5}, 0]}}
joints:
  roll: {{type: rolling-disc, connect: [[0, 0, 0], wheel], radius: {3}, normal: [0, 0, 1], axis_local: [0, 1, 0]}}
analysis: {{type: modes, about: motion}}
)",
                                            m, A, C, r, spin * r, spin));
    const MotionModes found = model.modes(6);
    const double square = ((C + m * r * r) * C * spin * spin / A - m * g * r) / (A + m * r * r);
    const Mode& last = found.modes.back();
    CHECK(found.variation < 1e-9);
    CHECK(last.omega() == Approx(std::sqrt(std::abs(square))).epsilon(1e-7));
    CHECK((last.real > 1e-3) == (square < 0 && last.imaginary < 1e-3 && last.real > 0));
    const double growth = std::max_element(found.modes.begin(), found.modes.end(), [](const Mode& a, const Mode& b) {
                            return a.real < b.real;
                          })->real;
    CHECK(growth == Approx(square < 0 ? std::sqrt(-square) : 0.0).margin(1e-6));
  }
}
