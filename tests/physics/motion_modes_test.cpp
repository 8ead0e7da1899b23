#include "tests/catch.hpp"
#include "tests/physics/moving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

using namespace sinew;
using namespace sinew::test;

namespace {

/// The mode whose frequency is nearest, rad/s.
double nearest(const std::vector<Mode>& modes, double omega) {
  double best = 0;
  for (const Mode& m : modes)
    if (std::abs(m.omega() - omega) < std::abs(best - omega)) best = m.omega();
  return best;
}

std::string rotor(const std::string& inertia, const std::string& analysis) {
  return fmt::format(R"(sinew: 1
bodies:
  rotor: {{type: rigid, mass: 2, inertia: {}, position: [0, 0, 0], angular_velocity: [0, 0, 100]}}
forces:
  bearing: {{type: bushing, connect: [ground, rotor], stiffness: [800, 800, 900, 30, 30, 0]}}
analysis: {{type: modes, about: motion{}}}
)",
                     inertia, analysis);
}

std::string top(double spin) {
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  top: {{type: rigid, mass: 2, inertia: [0.03, 0.03, 0.02], position: [0, 0, 0.2], angular_velocity: [0, 0, {}],
         points: {{tip: [0, 0, -0.2]}}}}
joints:
  tip: {{type: spherical, connect: [ground, top.tip]}}
analysis: {{type: modes, about: motion}}
)",
                     spin);
}

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

/// A hub that turns about z with 12 rad/s and one or two straight arms on one line with it, which gravity or a force bends up or
/// down; the state given is not bent. `arms` are lines of bodies, `joints` and `forces` those of the sections.
std::string bodies_on_a_line(const std::string& arms, const std::string& joints, const std::string& forces,
                             const std::string& analysis) {
  return fmt::format(R"(sinew: 1
constants: {{W: 12}}
sections: {{s: {{stiffness: [1e5, 5e4, 5e4, 50, 100, 300], inertia: [0.5, 0.5, 0.5, 1e-4, 5e-5, 5e-5]}}}}
bodies:
  hub: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], angular_velocity: [0, 0, W],
         points: {{a: [0.1, 0, 0], b: [-0.1, 0, 0]}}}}
{}joints:
{}{}analysis: {{type: modes, about: motion{}}}
)",
                     arms, joints, forces, analysis);
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

TEST_CASE("A pendulum under a carriage of prescribed speed swings as under one that stands, about where it hangs", "[serial]") {
  Moving model(MPI_COMM_SELF, R"(sinew: 1
gravity: [1, 0, -9.81]
bodies:
  cart: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [2, 0, 0]}
  bob: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, -0.5], velocity: [2, 0, 0],
        points: {top: [0, 0, 0.5]}}
joints:
  rail: {type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, velocity: 2}
  pin: {type: revolute, connect: [cart, bob.top], axis: [0, 1, 0]}
analysis: {type: modes, about: motion}
)");
  const MotionModes found = model.modes(2);
  CHECK(found.steady.converged);
  REQUIRE(found.modes.size() == 2);
  CHECK(found.modes[0].omega() < 1e-6);
  CHECK(found.modes[1].omega() == Approx(std::sqrt(std::hypot(1.0, 9.81) * 0.5 / (0.01 + 0.25))).epsilon(1e-8));
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

TEST_CASE("A conical pendulum over the bed of a lake swings with its closed form, the mass of the water varying", "[serial]") {
  // T = 1/2 A phi'^2 + 1/2 B theta'^2, with (m + m_along) l^2 sin^2 for A; A phi' is kept
  const double m = 0.6, l = 0.4, depth = 0.45, radius = 0.05, tilt = 0.5, s = std::sin(tilt), c = std::cos(tilt);
  const double free = 2.0 / 3.0 * 3.141592653589793 * 1000 * std::pow(radius, 3), height = depth - l * c;
  const double cube = std::pow(radius / height, 3), across = m + free * (1 + 3.0 / 8 * cube);
  const double along = m + free * (1 + 3.0 / 16 * cube), slope = -9.0 / 16 * free * cube / height * l * s;
  const double bend = -9.0 / 16 * free * cube / height * l * (c - 4 * l * s * s / height);
  const double A = along * l * l * s * s, A1 = l * l * s * (slope * s + 2 * along * c);
  const double A2 = l * l * (bend * s * s + 4 * slope * s * c + 2 * along * (c * c - s * s));
  const double B = l * l * (along * c * c + across * s * s), weight = m * 9.81 * l;
  const double Omega = std::sqrt(2 * weight * s / A1);
  const std::string text = fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {{type: point-mass, mass: {}, position: [{:.17g}, 0, {:.17g}], velocity: [0, {:.17g}, 0]}}
joints:
  string: {{type: distance, connect: [ground, ball]}}
forces:
  water: {{type: added-mass, on: ball, radius: {}, density: 1000, wall: [0, 0, {}], normal: [0, 0, 1]}}
analysis: {{type: modes, about: motion}}
)",
                                       m, l * s, -l * c, Omega * l * s, radius, -depth);
  Moving model(MPI_COMM_SELF, text);
  const MotionModes found = model.modes(5);
  CHECK(found.angular_velocity[2] == Approx(Omega).epsilon(1e-10));
  CHECK(found.variation < 1e-9);
  CHECK(found.modes.back().omega() == Approx(std::sqrt((Omega * Omega * (A1 * A1 / A - A2 / 2) + weight * c) / B)).epsilon(1e-8));
  CHECK(std::abs(found.modes.back().real) < 1e-8 * Omega);
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

TEST_CASE("A rotor that hangs between springs is first brought to its steady motion", "[serial]") {
  std::string text = rotor("[0.03, 0.03, 0.05]", "");
  text.insert(text.find("bodies:"), "gravity: [0, 0, -9.81]\n");
  Moving model(MPI_COMM_SELF, text);
  const MotionModes found = model.modes(6);
  CHECK(found.steady.change == Approx(2 * 9.81 / 900).epsilon(1e-9));
  CHECK(motion_warning(found).empty());
}

TEST_CASE("A pendulum in full swing is no steady motion, and that is said with a number", "[serial]") {
  Moving model(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 2, inertia: [0.1, 0.3, 0.4], position: [0, 0, -0.5], velocity: [-1.5, 0, 0],
        angular_velocity: [0, 3, 0], points: {top: [0, 0, 0.5]}}
joints:
  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}
analysis: {type: modes, about: motion, steady: given}
)");
  const MotionModes found = model.modes(1);
  CHECK(found.variation > 0.1);
  CHECK(motion_warning(found).find("not steady") != std::string::npos);
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

TEST_CASE("Of bodies on one line the frame is that of what is known before the forces", "[serial]") {
  const std::string blade = R"(  blade: {type: beam, line: {from: [0.1, 0, 0], to: [1.1, 0, 0], elements: 5}, section: s,
           velocity: [0, 0.1*W, 0], angular_velocity: [0, 0, W]}
)";
  const auto other = [](double end) {
    return fmt::format(R"(  other: {{type: beam, line: {{from: [-0.1, 0, 0], to: [{}, 0, 0], elements: 5}}, section: s,
           velocity: [0, -0.1*W, 0], angular_velocity: [0, 0, W]}}
)",
                       end);
  };
  const std::string wheel = R"(  wheel: {type: rigid, mass: 0.5, inertia: [0.004, 0.002, 0.002], position: [1.1, 0, 0],
           velocity: [0, 1.1*W, 0], angular_velocity: [400, 0, W]}
)";
  const std::string bearing = R"(  bearing: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  drive: {type: motion, of: bearing, angle: W*t}
)";
  const std::string root = "  root: {type: fixed, connect: [hub.a, blade.start]}\n";
  const std::string other_root = "  other_root: {type: fixed, connect: [hub.b, other.start]}\n";
  const std::string axle = "  axle: {type: revolute, connect: [blade.end, wheel], axis: [1, 0, 0]}\n";
  const std::string soft = "  soft: {type: bushing, connect: [ground, hub], stiffness: [4e4, 4e4, 4e4, 3e3, 3e3, 0]}\n";
  const std::string push = "  push: {type: follower-force, on: blade.end, vector_local: [0, 0, 0.7]}\n";
  const std::string gravity = "gravity: [0, 0, -9.81]\n";
  struct {
    const char* what;
    std::string before, arms, joints, forces;
  } const models[] = {
      {"one blade", gravity, blade, bearing + root, ""},
      {"two that are not alike", gravity, blade + other(-0.8), bearing + root + other_root, ""},
      {"two that are alike, with a force on one", "", blade + other(-1.1), bearing + root + other_root, "forces:\n" + push},
      {"the same in a soft bearing", "", blade + other(-1.1), root + other_root, "forces:\n" + soft + push},
      {"one with a wheel that spins, in a soft bearing", "", blade + wheel, root + axle, "forces:\n" + soft},
  };
  for (const auto& m : models) {
    INFO(m.what);
    Moving by_itself(MPI_COMM_SELF, m.before + bodies_on_a_line(m.arms, m.joints, m.forces, ""));
    Moving given(MPI_COMM_SELF, m.before + bodies_on_a_line(m.arms, m.joints, m.forces, ", frame: [0, 0, W]"));
    const MotionModes found = by_itself.modes(4), expected = given.modes(4);
    CHECK(norm(found.angular_velocity - expected.angular_velocity) < 1e-9 * 12);
    CHECK(motion_warning(found).empty());
    REQUIRE(found.modes.size() == expected.modes.size());
    for (std::size_t k = 0; k < found.modes.size(); ++k)
      CHECK(found.modes[k].omega() == Approx(expected.modes[k].omega()).epsilon(1e-7).margin(1e-3));
  }
}

TEST_CASE("A conical pendulum and a top with speeds that are not quite right are brought to turn about gravity", "[serial]") {
  // z = -g/W^2, w^2 = W^2 (1 + 3 cos^2)
  const double W = 3, g = 9.81, l = std::sqrt(2.0), c = g / (W * W * l);
  Moving pendulum(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  p: {type: point-mass, mass: 1, position: [1, 0, -1], velocity: [0, 3, 0]}
joints:
  rod: {type: distance, connect: [ground, p]}
sensors:
  p: {type: point, of: p}
analysis: {type: modes, about: motion}
)");
  const MotionModes swings = pendulum.modes(2);
  CHECK(norm(swings.angular_velocity - Vec3<double>{{0, 0, W}}) < 1e-9 * W);
  CHECK(swings.is_steady());
  CHECK(pendulum.values().at("p.position.z") == Approx(-l * c).epsilon(1e-9));
  CHECK(swings.modes.back().omega() == Approx(W * std::sqrt(1 + 3 * c * c)).epsilon(1e-8));
  // the spin s stays, P (C (s + P cos) - A P cos) = m g l says how far it leans
  const double A = 0.11, C = 0.02, mgl = 2 * 9.81 * 0.2, P = 3, axial = 80;
  Moving top(MPI_COMM_SELF, R"model(sinew: 1
constants: {th: 0.5, P: 3}
gravity: [0, 0, -9.81]
bodies:
  top: {type: rigid, mass: 2, inertia: [0.03, 0.03, 0.02], position: ["0.2*sin(th)", 0, "0.2*cos(th)"],
        orientation: {axis: [0, 1, 0], angle: th}, velocity: [0, "P*0.2*sin(th)", 0],
        angular_velocity_local: ["-P*sin(th)", 0, 80], points: {tip: [0, 0, -0.2]}}
joints:
  tip: {type: spherical, connect: [ground, top.tip]}
sensors:
  top: {type: point, of: top}
analysis: {type: modes, about: motion}
)model");
  const MotionModes found = top.modes(5);
  const double spin = axial - P * std::cos(0.5), tilt = (mgl - C * spin * P) / ((C - A) * P * P);  // its cosine
  CHECK(norm(found.angular_velocity - Vec3<double>{{0, 0, P}}) < 1e-9 * P);
  CHECK(found.is_steady());
  CHECK(top.values().at("top.position.z") == Approx(0.2 * tilt).epsilon(1e-8));
}

TEST_CASE("A top that turns the wrong way round is not taken for the one upside down that turns so steadily", "[serial]") {
  Moving model(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  top: {type: rigid, mass: 15, inertia: [0.234375, 0.46875, 0.234375], position: [0, 1, 0], velocity: [4.61538, 0, 0],
        angular_velocity_local: [0, 150, -4.61538], points: {tip: [0, -1, 0]}}
joints:
  pivot: {type: spherical, connect: [ground, top.tip]}
analysis: {type: modes, about: motion}
)");
  const MotionModes found = model.modes(3);
  CHECK_FALSE(found.is_steady());
  CHECK(motion_warning(found).find("velocities and joints do not say how the frame turns about (") != std::string::npos);
}
