// Which motion is a steady one, in which frame, and how it is found before its modes are.
#include "tests/catch.hpp"
#include "tests/physics/motion_models.hpp"
#include "tests/physics/moving.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::motion_models;

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

TEST_CASE("A drive at the speed at which its torques balance, up to rounding, moves steadily", "[serial]") {
  // the spring winds up by the torque that it hands on
  const auto train = [](double speed) {
    Moving model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
bodies:
  motor: {{type: shaft, inertia: 0.2, speed: {0:.17g}}}
  fan: {{type: shaft, inertia: 0.5, speed: {0:.17g}}}
forces:
  drive: {{type: shaft-torque, on: motor, torque: "0.3*(20 - sensor.motor.rate)"}}
  spring: {{type: shaft-spring, connect: [motor, fan], stiffness: 50, angle: {1:.17g}}}
  air: {{type: shaft-torque, on: fan, torque: "-0.7*sensor.fan.rate"}}
sensors:
  motor: {{type: point, of: motor}}
  fan: {{type: point, of: fan}}
analysis: {{type: modes, about: motion}}
)yaml",
                                            speed, 0.7 * speed / 50));
    return model.modes(4);
  };
  const MotionModes found = train(6);
  CHECK(found.is_steady());
  CHECK(found.unsteadiness < 1e-12);
  double frequency = 0;
  for (const Mode& mode : found.modes) frequency = std::max(frequency, std::abs(mode.imaginary));
  CHECK(frequency == Approx(std::sqrt(50 * (1 / 0.2 + 1 / 0.5))).epsilon(0.02));
  CHECK(train(6 * (1 + 1e-9)).is_steady());
}

/// Two springs from a body to points, without strain: of their elongations e'' = -k [1/m + 1/m1, c/m; c/m, 1/m + 1/m2] e, c the
/// cosine between them.
TEST_CASE("What drifts without turning swings as it does at rest, whatever its velocity is rounded to", "[serial]") {
  const double k = 1000, m = 4, m1 = 1.3, m2 = 7;
  const double first[3] = {0.6, 0.2, -0.97}, second[3] = {-0.1, 0.8, -0.47};
  double product = 0, squares[2] = {0, 0};
  for (int i = 0; i < 3; ++i) {
    product += first[i] * second[i];
    squares[0] += first[i] * first[i];
    squares[1] += second[i] * second[i];
  }
  const double a = k * (1 / m + 1 / m1), b = k * (1 / m + 1 / m2), c = k / m * product / std::sqrt(squares[0] * squares[1]);
  const double mean = (a + b) / 2, half = std::hypot((a - b) / 2, c);
  for (const char* velocity : {"[0, 0, 0]", "[3, 0.1, 0]", "[0.1, 0, 0.3]", "[1, 2, 3]", "[3.3, 1.7, 0.9]"}) {
    INFO(velocity);
    Moving model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
bodies:
  a: {{type: rigid, mass: 4, inertia: [0.1, 0.2, 0.3], position: [0.1, 0.3, 0.77], velocity: {0}}}
  b: {{type: point-mass, mass: 1.3, position: [0.7, 0.5, -0.2], velocity: {0}}}
  c: {{type: point-mass, mass: 7, position: [0, 1.1, 0.3], velocity: {0}}}
forces:
  s: {{type: spring-damper, connect: [a, b], stiffness: 1000}}
  t: {{type: spring-damper, connect: [a, c], stiffness: 1000}}
analysis: {{type: modes, about: motion}}
)",
                                            velocity));
    const MotionModes found = model.modes(20);
    CHECK(found.is_steady());
    REQUIRE(found.modes.size() == 12);
    CHECK(found.modes[10].omega() == Approx(std::sqrt(mean - half)).epsilon(1e-9));
    CHECK(found.modes[11].omega() == Approx(std::sqrt(mean + half)).epsilon(1e-9));
  }
}
