// Gears and racks against closed forms: what a moment at one end does at the other, over many turns.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr const char* analysis = "analysis: {end_time: 4, step: 0.01}\n";

/// Everything runs from rest at a constant acceleration: the largest error of a column, whose second derivative is `rate`,
/// relative to what it becomes.
double worst(const Trajectory& run, const std::string& column, double rate) {
  double largest = 0, end = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double exact = rate * run.time[n] * run.time[n] / 2;
    largest = std::max(largest, std::abs(run.values[n].at(column) - exact));
    end = std::max(end, std::abs(exact));
  }
  return end > 0 ? largest / end : largest;
}

constexpr const char* motor = "forces: {motor: {type: torque, on: first, vector: [0, 0, 5]}}\n";

/// Two wheels on the ground, of which a moment of 5 turns the first, or what else is said.
Trajectory run_spur_gear(const std::string& mesh, const std::string& drive = "", const std::string& forces = motor) {
  return run_model(PETSC_COMM_WORLD, R"yaml(sinew: 1
bodies:
  first: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.02], position: [0, 0, 0]}
  second: {type: rigid, mass: 4, inertia: [0.2, 0.2, 0.3], position: [0.5, 0, 0]}
joints:
  a: {type: revolute, connect: [ground, first], axis: [0, 0, 1]}
  b: {type: revolute, connect: [ground, second], axis: [0, 0, 1]}
  mesh: {type: gear, )yaml" + mesh + "}\n" +
                                         drive + forces + R"yaml(sensors:
  a: {type: relative, of: a, record: angle}
  b: {type: relative, of: b, record: angle}
)yaml" + analysis);
}

}  // namespace

TEST_CASE("a moment on one wheel of a gear accelerates both in proportion, for many turns", "[mpi]") {
  const double J1 = 0.02, J2 = 0.3, ratio = -3.7, moment = 5;
  const Trajectory run = run_spur_gear("connect: [ground, first, second], axis: [0, 0, 1], ratio: -3.7");
  const double rate = moment / (J1 + J2 / (ratio * ratio));
  CHECK(worst(run, "a.angle", rate) < 1e-8);
  CHECK(worst(run, "b.angle", rate / ratio) < 1e-8);
  if (!run.values.empty()) CHECK(run.values.back().at("a.angle") > 100);
}

TEST_CASE("which wheel of a gear is named first makes no difference", "[mpi]") {
  for (const char* mesh : {"connect: [ground, first, second], axis: [0, 0, 1], ratio: 2.5",
                           "connect: [ground, second, first], axis: [0, 0, 1], ratio: 0.4"}) {
    const Trajectory run = run_spur_gear(mesh);
    CHECK(worst(run, "a.angle", 5 / (0.02 + 0.3 / 6.25)) < 1e-8);
    CHECK(worst(run, "b.angle", 2 / (0.02 + 0.3 / 6.25)) < 1e-8);
  }
}

TEST_CASE("bevel wheels turn about axes that stand across each other", "[mpi]") {
  const double moment = 3, ratio = 2, J1 = 0.02, J2 = 0.3;
  const Trajectory run = run_model(PETSC_COMM_WORLD, std::string(R"yaml(sinew: 1
bodies:
  first: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.02], position: [0, 0, 0]}
  second: {type: rigid, mass: 4, inertia: [0.3, 0.2, 0.2], position: [0.5, 0, 0.5]}
joints:
  a: {type: revolute, connect: [ground, first], axis: [0, 0, 1]}
  b: {type: revolute, connect: [ground, second], axis: [1, 0, 0]}
  mesh: {type: gear, connect: [ground, first, second], axis: [0, 0, 1], second_axis: [1, 0, 0], ratio: 2}
forces:
  motor: {type: torque, on: first, vector: [0, 0, 3]}
sensors:
  b: {type: relative, of: b, record: angle}
)yaml") + analysis);
  CHECK(worst(run, "b.angle", moment / (J1 + J2 / (ratio * ratio)) / ratio) < 1e-8);
}

TEST_CASE("a planet rolls around a sun that stands still, its arm being the carrier", "[mpi]") {
  // The planet turns 1 + z_sun / z_planet times as fast as the arm: 1 + 3.
  const double moment = 2, arm = 0.05, mass = 0.5, distance = 0.4, planet = 0.001, times = 4;
  const Trajectory run = run_model(PETSC_COMM_WORLD, std::string(R"yaml(sinew: 1
bodies:
  sun: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  arm: {type: rigid, mass: 1, inertia: [0.05, 0.05, 0.05], position: [0, 0, 0], points: {end: [0.4, 0, 0]}}
  planet: {type: rigid, mass: 0.5, inertia: [0.001, 0.001, 0.001], position: [0.4, 0, 0]}
joints:
  rest: {type: fixed, connect: [ground, sun]}
  hub: {type: revolute, connect: [ground, arm], axis: [0, 0, 1]}
  pin: {type: revolute, connect: [arm.end, planet], axis: [0, 0, 1]}
  mesh: {type: gear, connect: [arm, sun, planet], axis: [0, 0, 1], ratio: -1/3}
forces:
  motor: {type: torque, on: arm, vector: [0, 0, 2]}
sensors:
  hub: {type: relative, of: hub, record: angle}
  pin: {type: relative, of: pin, record: angle}
)yaml") + "analysis: {end_time: 1, step: 5e-4}\n");
  const double rate = moment / (arm + mass * distance * distance + planet * times * times);
  CHECK(worst(run, "hub.angle", rate) < 1e-5);  // the planet moves on a circle: order 2
  CHECK(worst(run, "pin.angle", rate * (times - 1)) < 1e-5);
}

TEST_CASE("a pinion drives its rack along, wherever their carrier goes", "[mpi]") {
  // The moment acts between frame and pinion, so that frame and rack part with their common centre of mass at rest.
  const double moment = 1.5, radius = 0.05, rack = 2, inertia = 0.001, frame = 10, pinion = 0.5;
  const Trajectory run = run_model(PETSC_COMM_WORLD, std::string(R"yaml(sinew: 1
bodies:
  frame: {type: rigid, mass: 10, inertia: [1, 1, 1], position: [0, 0, 0]}
  pinion: {type: rigid, mass: 0.5, inertia: [0.001, 0.001, 0.001], position: [0, 0.05, 0]}
  rack: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.2, 0, 0]}
joints:
  bed: {type: prismatic, connect: [ground, frame], axis: [1, 0, 0]}
  hinge: {type: revolute, connect: [frame, pinion], axis: [0, 0, 1]}
  guide: {type: prismatic, connect: [frame, rack], axis: [1, 0, 0]}
  teeth: {type: rack-pinion, connect: [frame, pinion, rack], axis: [0, 0, 1], direction: [1, 0, 0], radius: 0.05}
forces:
  motor: {type: torque, on: pinion, vector: [0, 0, 1.5]}
sensors:
  way: {type: relative, of: guide, record: distance}
  turn: {type: relative, of: hinge, record: angle}
  frame: {type: point, of: frame, record: displacement}
)yaml") + analysis);
  const double carried = frame + pinion, reduced = rack * carried / (rack + carried);
  const double rate = moment / radius / (reduced + inertia / (radius * radius));
  CHECK(worst(run, "turn.angle", rate / radius) < 1e-8);
  CHECK(worst(run, "frame.displacement.x", -rate * rack / (rack + carried)) < 1e-8);
  if (!run.values.empty()) CHECK(run.values.back().at("turn.angle") > 100);
}

TEST_CASE("a gear follows a wheel whose prescribed angle begins many turns from where it is drawn", "[mpi]") {
  for (const double ratio : {2.5, 0.4}) {
    const Trajectory run = run_spur_gear(fmt::format("connect: [ground, first, second], axis: [0, 0, 1], ratio: {}", ratio),
                                         "  drive: {type: motion, of: a, angle: \"-30 + t\"}\n", "");
    if (run.values.front().empty()) continue;
    CHECK(run.values.front().at("a.angle") == Approx(-30).epsilon(1e-9));
    CHECK(run.values.front().at("b.angle") == Approx(-30 / ratio).epsilon(1e-9));
    CHECK(run.values.back().at("b.angle") == Approx(-26 / ratio).epsilon(1e-9));
  }
}

TEST_CASE("a gear loses no turns where a prescribed step turns its slow wheel by more than half of one", "[serial]") {
  for (const double ratio : {2.5, -3.0})
    for (const double turn : {2.7, 4.0, 6.0, 7.5}) {  // rad of the slow wheel in a step
      CAPTURE(ratio, turn);
      const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
constants: {{w: {}, i: {}}}
bodies:
  slow: {{type: rigid, mass: 2, inertia: [0.02, 0.02, 0.03], position: [0, 0, 0], angular_velocity: [0, 0, w]}}
  fast: {{type: rigid, mass: 1, inertia: [0.001, 0.001, 0.001], position: [1, 0, 0], angular_velocity: [0, 0, i*w]}}
joints:
  h: {{type: revolute, connect: [ground, slow], axis: [0, 0, 1]}}
  k: {{type: revolute, connect: [ground, fast], axis: [0, 0, 1]}}
  g: {{type: gear, connect: [ground, fast, slow], axis: [0, 0, 1], ratio: i}}
forces:
  motor: {{type: torque, on: slow, vector: [0, 0, 0.01]}}
sensors: {{h: {{type: relative, of: h}}, k: {{type: relative, of: k}}}}
analysis: {{end_time: 1, step: 0.1}}
)yaml",
                                                                  10 * turn, ratio));
      const double angle = 10 * turn + 0.005 / (0.03 + ratio * ratio * 0.001);
      CHECK(run.values.back().at("h.angle") == Approx(angle).epsilon(1e-6));
      CHECK(run.values.back().at("k.angle") == Approx(ratio * angle).epsilon(1e-6));
    }
}
