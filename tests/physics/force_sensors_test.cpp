// Sensors of forces and of sections of cables against closed forms.
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// The largest difference between a column and a function of the other values of its row.
template <class Exact>
double worst(const Trajectory& run, const std::string& column, const Exact& exact) {
  double largest = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n)
    largest = std::max(largest, std::abs(run.values[n].at(column) - exact(run.time[n], run.values[n])));
  return largest;
}

}  // namespace

TEST_CASE("A spring pendulum tells tension, length and rate of its spring", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: point-mass, mass: 2, position: [1.2, 0, -0.3], velocity: [0, 0.5, 1]}
forces:
  strut: {type: spring-damper, connect: [ground, bob], stiffness: 300, damping: 4, length: 1}
sensors:
  strut: {type: force, of: strut, record: [force, length, rate]}
  bob: {type: point, of: bob, record: [position, velocity, acceleration]}
analysis: {end_time: 2, step: 5e-3}
)yaml");
  const auto length = [](const Values& v) { return norm(vector_of(v, "bob.position")); };
  const auto rate = [&](const Values& v) { return dot(vector_of(v, "bob.position"), vector_of(v, "bob.velocity")) / length(v); };
  CHECK(worst(run, "strut.length", [&](double, const Values& v) { return length(v); }) < 1e-13);
  CHECK(worst(run, "strut.rate", [&](double, const Values& v) { return rate(v); }) < 1e-13);
  CHECK(worst(run, "strut.force", [&](double, const Values& v) { return 300 * (length(v) - 1) + 4 * rate(v); }) < 1e-10);
  CHECK(run.values.front().at("strut.force") > 60);
}

TEST_CASE("A torsion oscillator tells moment, angle and rate of its spring", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  disc: {type: rigid, mass: 2, inertia: [0.4, 0.4, 0.5], position: [0, 0, 0], angular_velocity: [0, 0, 6]}
joints:
  hinge: {type: revolute, connect: [ground, disc], axis: [0, 0, 1]}
forces:
  rod: {type: torsional-spring, connect: [ground, disc], axis: [0, 0, 1], stiffness: 8}
sensors:
  rod: {type: force, of: rod, record: [angle, moment, rate]}
analysis: {end_time: 3, step: 1e-3}
)yaml");
  CHECK(worst(run, "rod.angle", [](double t, const Values&) { return 1.5 * std::sin(4 * t); }) < 1e-4);
  CHECK(worst(run, "rod.rate", [](double t, const Values&) { return 6 * std::cos(4 * t); }) < 4e-4);
  CHECK(worst(run, "rod.moment", [](double, const Values& v) { return 8 * v.at("rod.angle"); }) < 1e-12);
}

TEST_CASE("Actuators tell what their expressions say, loads what is applied of them", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  "cart{i}": {repeat: {i: 1..3}, type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, i, 0]}
joints:
  "rail{i}": {repeat: {i: 1..3}, type: prismatic, connect: [[0, "i", 0], "cart{i}"], axis: [1, 0, 0]}
forces:
  "push{i}": {repeat: {i: 1..3}, type: actuator, of: "rail{i}", force: "i*(1 - sensor.rail{i}.distance)"}
  wind: {type: force, on: cart1, vector: [0, "sin(t)", 0]}
sensors:
  "rail{i}": {repeat: {i: 1..3}, type: relative, of: "rail{i}"}
  "push{i}": {repeat: {i: 1..3}, type: force, of: "push{i}"}
  wind: {type: force, of: wind, record: force.y}
analysis: {end_time: 1, step: 1e-2}
)yaml");
  for (const std::string i : {"1", "2", "3"}) {
    CHECK(worst(run, "push" + i + ".force",
                [&](double, const Values& v) { return std::stod(i) * (1 - v.at("rail" + i + ".distance")); }) < 1e-13);
    CHECK(worst(run, "push" + i + ".length", [&](double, const Values& v) { return v.at("rail" + i + ".distance"); }) < 1e-13);
    CHECK(worst(run, "push" + i + ".rate", [&](double, const Values& v) { return v.at("rail" + i + ".rate"); }) < 1e-13);
  }
  CHECK(worst(run, "wind.force.y", [](double t, const Values&) { return std::sin(t); }) < 1e-13);
}

TEST_CASE("At rest springs and bushings tell what they carry, step by step of the load", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -10]
bodies:
  bob: {type: point-mass, mass: 2, position: [0, 0, -1]}
  block: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [4, 0, 0]}
forces:
  spring: {type: spring-damper, connect: [ground, bob], stiffness: 1000, damping: 7}
  guide: {type: spring-damper, connect: [[1, 0, -1], bob], stiffness: 1}
  side: {type: spring-damper, connect: [[0, 1, -1], bob], stiffness: 1}
  mount: {type: bushing, connect: [[4, 0, 0], block], stiffness: [1e4, 1e4, 3e3, 200, 200, 200]}
  twist: {type: torque, on: block, vector: [0, 0, 4]}
sensors:
  spring: {type: force, of: spring}
  mount: {type: force, of: mount}
  twist: {type: force, of: twist}
analysis: {type: static, steps: 4}
)yaml");
  model.find_rest();
  const auto v = model.values();
  CHECK(v.at("spring.force") == Approx(20).epsilon(1e-3));  // the guides help a little
  CHECK(v.at("spring.force") == Approx(1000 * (v.at("spring.length") - 1)));
  CHECK(v.at("spring.rate") == 0);
  CHECK(v.at("mount.force.z") == Approx(-30));  // on the ground
  CHECK(v.at("mount.displacement.z") == Approx(-0.01));
  CHECK(v.at("mount.moment.z") == Approx(4));
  CHECK(v.at("mount.rotation.z") == Approx(0.02).epsilon(1e-4));
  REQUIRE(model.path().size() == 4);
  CHECK(model.path()[0].at("twist.moment.z") == Approx(1));
  CHECK(v.at("twist.moment.z") == Approx(4));
}

TEST_CASE("A hanging cable carries the weight of what hangs below", "[serial]") {
  Stationary rope(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
sections:
  line: {stiffness: [1e5, 1e5, 1e5, 1, 1, 1], inertia: [2, 2, 2, 0, 0, 0]}
bodies:
  rope: {type: cable, line: {from: [0, 0, 0], to: [0, 0, -5], elements: 4}, section: line}
joints:
  hook: {type: spherical, connect: [ground, rope.start]}
sensors:
  "at{i}": {repeat: {i: 0..10}, type: section, of: rope, at: i/10}
analysis: {type: static}
)yaml");
  rope.find_rest();
  for (int i = 0; i <= 10; ++i) {
    const std::string name = "at" + std::to_string(i);
    const double weight = 2 * 9.81 * 5 * (10 - i) / 10;
    CHECK(rope.values().at(name + ".tension") == Approx(weight).margin(1e-6));
    CHECK(rope.values().at(name + ".force.z") == Approx(-weight).margin(1e-6));  // of the part below on the part above
    CHECK(rope.values().at(name + ".strain") == Approx(weight / 1e5).margin(1e-11));
    CHECK(rope.values().at(name + ".moment.y") == Approx(0).margin(1e-6));
  }
}

TEST_CASE("A clamped cable with a load at its end carries the moment of the load and the load itself", "[serial]") {
  Stationary beam(MPI_COMM_SELF, R"yaml(sinew: 1
sections:
  rod: {stiffness: [1e6, 1e6, 1e6, 100, 100, 100], inertia: [1, 1, 1, 0, 0, 0]}
bodies:
  rod: {type: cable, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 5}, section: rod}
joints:
  wall: {type: clamp, connect: [ground, rod.start]}
forces:
  load: {type: force, on: rod.end, vector: [0, 0, 0.01]}
sensors:
  "at{i}": {repeat: {i: 0..7}, type: section, of: rod, at: i/7, record: [force, moment, curvature.y, tension]}
analysis: {type: static}
)yaml");
  beam.find_rest();
  for (int i = 0; i <= 7; ++i) {
    const std::string name = "at" + std::to_string(i);
    const double moment = -0.01 * 2 * (7 - i) / 7.0;  // (p - r) x F
    CHECK(beam.values().at(name + ".moment.y") == Approx(moment).margin(1e-7));
    CHECK(beam.values().at(name + ".curvature.y") == Approx(moment / 100).margin(1e-9));
    CHECK(beam.values().at(name + ".force.z") == Approx(0.01).epsilon(1e-4));
  }
}
