// What dampers take and what loads, motors and drives bring in: total + dissipated - work stays what it was, to second order of
// the step.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

double balance(const Values& v) { return v.at("e.total") + v.at("e.dissipated") - v.at("e.work"); }

/// The largest change of the balance.
double drift(const Trajectory& run) {
  double largest = 0;
  for (const Values& v : run.values) largest = std::max(largest, std::abs(balance(v) - balance(run.values.front())));
  return largest;
}

/// Halves the step: the balance is of second order, and something happens.
void check_balance(const std::string& model, double exchanged) {
  const Trajectory coarse = run_model(MPI_COMM_SELF, model, {.overrides = {"analysis.step=4e-3"}});
  const Trajectory fine = run_model(MPI_COMM_SELF, model, {.overrides = {"analysis.step=2e-3"}});
  const Values& last = fine.values.back();
  CHECK(last.at("e.dissipated") + std::abs(last.at("e.work")) > exchanged);
  CHECK(std::log2(drift(coarse) / drift(fine)) == Approx(2).margin(0.3));
  CHECK(drift(fine) < 1e-3 * exchanged);
}

}  // namespace

TEST_CASE("A damper has taken what a spring pendulum has lost", "[serial]") {
  check_balance(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: point-mass, mass: 2, position: [1.2, 0, -0.3], velocity: [0, 0.5, 1]}
forces:
  strut: {type: spring-damper, connect: [ground, bob], stiffness: 300, damping: 4, length: 1}
sensors:
  e: {type: energy, record: [total, dissipated, work]}
analysis: {end_time: 2, step: 2e-3}
)yaml",
                8);
}

TEST_CASE("A drive has brought in what a crank and its load have gained and its damper has lost", "[serial]") {
  check_balance(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {hub: [-0.5, 0, 0], pin: [0.5, 0, 0]}}
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], points: {pin: [-0.5, 0, 0]}}
joints:
  hub: {type: revolute, connect: [ground, crank.hub], axis: [0, 1, 0]}
  pin: {type: revolute, connect: [crank.pin, rod.pin], axis: [0, 1, 0]}
  drive: {type: motion, of: hub, angle: "2*t^2"}
forces:
  brake: {type: torsional-spring, connect: [crank, rod], axis: [0, 1, 0], damping: 0.2}
  wind: {type: force, on: rod, vector: ["3*sin(4*t)", 0, 0]}
  motor: {type: actuator, of: pin, torque: "-0.5*sensor.pin.rate"}
sensors:
  pin: {type: relative, of: pin}
  e: {type: energy, record: [total, dissipated, work]}
analysis: {end_time: 1, step: 2e-3}
)yaml",
                2.9);
}

TEST_CASE("The work of a motor is the integral of its power", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  disc: {type: rigid, mass: 2, inertia: [0.4, 0.4, 0.5], position: [0, 0, 0]}
joints:
  hinge: {type: revolute, connect: [ground, disc], axis: [0, 0, 1]}
forces:
  motor: {type: actuator, of: hinge, torque: "3"}
sensors:
  e: {type: energy, record: [kinetic, work, dissipated]}
analysis: {end_time: 2, step: 1e-2}
)yaml");
  CHECK(run.values.back().at("e.work") == Approx(3 * 12));  // 3 t^2 rad after 2 s
  CHECK(run.values.back().at("e.kinetic") == Approx(36));
  CHECK(run.values.back().at("e.dissipated") == Approx(0).margin(1e-12));
}

TEST_CASE("What single forces and drives have done adds up to what the whole has", "[serial]") {
  const std::string model = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {hub: [-0.5, 0, 0], pin: [0.5, 0, 0]}}
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], points: {pin: [-0.5, 0, 0]}}
joints:
  hub: {type: revolute, connect: [ground, crank.hub], axis: [0, 1, 0]}
  pin: {type: revolute, connect: [crank.pin, rod.pin], axis: [0, 1, 0]}
  drive: {type: motion, of: hub, angle: "2*t^2"}
forces:
  brake: {type: torsional-spring, connect: [crank, rod], axis: [0, 1, 0], damping: 0.2, stiffness: 3}
  rub: {type: friction, of: pin, coefficient: 0.2, radius: 0.02, transition_speed: 0.01}
  wind: {type: force, on: rod, vector: ["3*sin(4*t)", 0, 0]}
  motor: {type: actuator, of: pin, torque: "-0.5*sensor.turn.rate"}
sensors:
  turn: {type: relative, of: pin}
  e: {type: energy, record: [total, dissipated, work]}
  drive: {type: joint, of: drive, record: [work, moment.y]}
  hub: {type: joint, of: hub, record: work}
  brake: {type: force, of: brake, record: [dissipated, work]}
  rub: {type: force, of: rub, record: dissipated}
  wind: {type: force, of: wind, record: work}
  motor: {type: force, of: motor, record: [work, dissipated]}
analysis: {end_time: 1, step: 2e-3}
)yaml";
  double before = 0;
  for (const char* step : {"analysis.step=4e-3", "analysis.step=2e-3"}) {
    const Trajectory run = run_model(MPI_COMM_SELF, model, {.overrides = {step}});
    for (const Values& v : run.values) {
      CHECK(v.at("drive.work") + v.at("hub.work") + v.at("wind.work") + v.at("motor.work") ==
            Approx(v.at("e.work")).margin(1e-11));
      CHECK(v.at("brake.dissipated") + v.at("rub.dissipated") == Approx(v.at("e.dissipated")).margin(1e-11));
      CHECK(v.at("hub.work") == Approx(0).margin(1e-11));  // an ideal joint
      CHECK(v.at("brake.work") == 0);
      CHECK(v.at("motor.dissipated") == 0);
    }
    const Values& last = run.values.back();
    CHECK(last.at("drive.work") > 0.2);
    CHECK(last.at("rub.dissipated") > 1e-3);
    CHECK(last.at("motor.work") < -0.1);
    const double drifted = drift(run);
    if (before > 0) CHECK(std::log2(before / drifted) == Approx(2).margin(0.3));
    before = drifted;
  }
}

TEST_CASE("Where prescribed velocities jump every drive does the work of its own impulse", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  s: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0], points: {end: [0, 0, 0]}}
  bob: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, -0.4], points: {top: [-0.3, 0, 0.4]}}
  far: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0]}
joints:
  p: {type: prismatic, connect: [ground, s], axis: [1, 0, 0]}
  h: {type: revolute, connect: [s.end, bob.top], axis: [0, 1, 0]}
  m: {type: motion, of: p, displacement: "max(0, t - 1)"}
  r: {type: prismatic, connect: [ground, far], axis: [0, 0, 1]}
  n: {type: motion, of: r, velocity: "t < 0.5 ? 0 : t < 1.1 ? 2 : -1"}
sensors:
  e: {type: energy, record: [kinetic, total, work, dissipated]}
  m: {type: joint, of: m, record: work}
  n: {type: joint, of: n, record: work}
  h: {type: joint, of: h, record: [force, work]}
analysis: {end_time: 2, step: {tolerance: 1e-7}}
)yaml");
  double most = 0;
  for (const Values& v : run.values) {
    CHECK(v.at("m.work") + v.at("n.work") == Approx(v.at("e.work")).margin(1e-8));
    CHECK(v.at("h.work") == Approx(0).margin(1e-8));
    most = std::max(most, std::abs(v.at("m.work")));
  }
  CHECK(most > 0.5);
  // The kinetic energy that is left, and the weight lifted by 2 * 0.6 - 0.9 m.
  CHECK(run.values.back().at("n.work") == Approx(0.5 + 9.81 * 0.3).epsilon(1e-6));
}
