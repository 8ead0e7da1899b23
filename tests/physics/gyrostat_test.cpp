// Gyrostats: rigid bodies that carry rotors, beside closed forms and beside two rigid bodies in a hinge.
#include "tests/catch.hpp"
#include "tests/physics/sensed_vectors.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("the motor of a wheel turns the body that carries it the other way", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  craft: {type: gyrostat, mass: 3, inertia: [2, 3, 4], position: [0, 0, 0], rotors: {wheel: {axis: [0, 0, 2], inertia: 0.5}}}
forces:
  motor: {type: shaft-torque, on: craft.wheel, value: 0.7}
sensors:
  craft: {type: point, of: craft, record: [position, angular_velocity]}
  motor: {type: force, of: motor}
  whole: {type: system}
  e: {type: energy}
analysis: {end_time: 2, step: 1e-2}
)yaml");
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n], body = -0.7 * t / (4 - 0.5), wheel = 0.7 * t * 4 / (0.5 * (4 - 0.5));
    const Values& v = run.values[n];
    CHECK(v.at("craft.angular_velocity.z") == Approx(body).margin(1e-9));
    CHECK(v.at("motor.rate") == Approx(wheel).margin(1e-9));
    CHECK(v.at("motor.angle") == Approx(wheel * t / 2).margin(1e-9));
    CHECK(v.at("craft.position.z") == Approx(-9.81 * t * t / 2).margin(1e-9));
    CHECK(v.at("whole.mass") == Approx(3));
    CHECK(norm(vector_at(v, "whole.angular_momentum")) < 1e-9);
    const double turning = 4 * body * body / 2 + 0.5 * body * wheel + 0.5 * wheel * wheel / 2;
    CHECK(v.at("e.kinetic") == Approx(3 * 9.81 * 9.81 * t * t / 2 + turning).margin(1e-8));
  }
}

TEST_CASE("the nutation of a symmetric body with a wheel on its axis is faster by the wheel's spin", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  craft:
    type: gyrostat
    mass: 1
    inertia: [2, 2, 3]
    position: [0, 0, 0]
    angular_velocity: [0.3, 0, 0.5]
    rotors: {wheel: {axis: [0, 0, 1], inertia: 0.2, speed: 15}}
sensors:
  craft: {type: point, of: craft, record: [orientation, angular_velocity]}
  whole: {type: system}
analysis: {end_time: 4, step: 2e-3}
)yaml");
  const double rate = ((3 - 2) * 0.5 + 0.2 * 15) / 2;
  const Vec3<double> h{{2 * 0.3, 0, 3 * 0.5 + 0.2 * 15}};
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const Values& v = run.values[n];
    const Vec3<double> omega = transpose_times(axes_at(v, "craft"), vector_at(v, "craft.angular_velocity"));
    CHECK(omega[0] == Approx(0.3 * std::cos(rate * run.time[n])).margin(1e-5));
    CHECK(omega[1] == Approx(0.3 * std::sin(rate * run.time[n])).margin(1e-5));
    CHECK(omega[2] == Approx(0.5).margin(1e-9));
    CHECK(norm(vector_at(v, "whole.angular_momentum") - h) < 1e-4);
  }
}

TEST_CASE("a gyrostat moves like two rigid bodies in a hinge, with the friction of its bearing and a spring on a point",
          "[serial]") {
  // body: 3 kg at (-0.1, 0, 0) with (0.5, 0.6, 0.7) about its centre; rotor: 1 kg at (0.3, 0, 0) with (0.05, 0.08, 0.05)
  const std::string common = R"yaml(
sensors:
  motion: {type: point, of: craft.eye, record: [position, orientation]}
  whole: {type: system}
  e: {type: energy}
forces:
  tether: {type: spring-damper, connect: [[0, 0, 1], craft.eye], stiffness: 30, length: 0.5}
)yaml";
  const Trajectory one = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  craft:
    type: gyrostat
    mass: 4
    inertia: [0.55, 0.8, 0.87]
    position: [0, 0, 0]
    velocity: [0.4, 0, 0]
    angular_velocity: [0.5, -0.3, 0.8]
    points: {eye: [0, 0.2, 0.1]}
    rotors: {wheel: {axis: [0, 1, 0], inertia: 0.08, speed: 12, drag: 0.02}}
analysis: {end_time: 1, step: 5e-4}
)yaml" + common);
  const Trajectory two = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  craft:
    type: rigid
    mass: 3
    inertia: [0.5, 0.6, 0.7]
    position: [-0.1, 0, 0]
    velocity: [0.4, -0.08, -0.03]
    angular_velocity: [0.5, -0.3, 0.8]
    points: {eye: [0.1, 0.2, 0.1], axle: [0.4, 0, 0]}
  wheel:
    type: rigid
    mass: 1
    inertia: [0.05, 0.08, 0.05]
    position: [0.3, 0, 0]
    velocity: [0.4, 0.24, 0.09]
    angular_velocity: [0.5, 11.7, 0.8]
joints:
  hinge: {type: revolute, connect: [craft.axle, wheel], axis: [0, 1, 0]}
analysis: {end_time: 1, step: 5e-4}
)yaml" + common + "  drag: {type: torsional-spring, connect: [craft, wheel], axis: [0, 1, 0], damping: 0.02, stiffness: 0}\n");
  REQUIRE(one.time.size() == two.time.size());
  for (const auto& [column, value] : one.values.back()) {
    CAPTURE(column);
    CHECK(value == Approx(two.values.back().at(column)).margin(1e-5));
  }
  CHECK(norm(vector_at(one.values.back(), "motion.position")) > 0.3);  // it has moved
}

TEST_CASE("two rotors of a gyrostat that a spring couples swing against each other and leave the body at rest", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  craft:
    type: gyrostat
    mass: 1
    inertia: [1, 1, 2]
    position: [0, 0, 0]
    rotors: {a: {axis: [0, 0, 1], inertia: 0.1, speed: 1}, b: {axis: [0, 0, 1], inertia: 0.1, speed: -1}}
forces:
  coupling: {type: shaft-spring, connect: [craft.a, craft.b], stiffness: 20}
  a: {type: shaft-torque, on: craft.a, value: 0}
sensors:
  craft: {type: point, of: craft, record: angular_velocity}
  a: {type: force, of: a}
analysis: {end_time: 1, step: 1e-3}
)yaml");
  const double omega = std::sqrt(2 * 20 / 0.1);
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    CHECK(run.values[n].at("a.rate") == Approx(std::cos(omega * run.time[n])).margin(2e-3));
    CHECK(std::abs(run.values[n].at("craft.angular_velocity.z")) < 1e-9);
  }
}
