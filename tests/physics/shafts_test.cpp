// Shafts: bodies that are an angle and nothing else, alone and turned by others.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("a shaft under a constant torque turns as its inertia says", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rotor: {type: shaft, inertia: 0.2, angle: 0.3, speed: -4}
forces:
  motor: {type: shaft-torque, on: rotor, value: 0.7}
sensors:
  motor: {type: force, of: motor}
  e: {type: energy}
analysis: {end_time: 3, step: 1e-2}
)yaml");
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n], speed = -4 + 0.7 / 0.2 * t;
    CHECK(run.values[n].at("motor.angle") == Approx(0.3 - 4 * t + 0.7 / 0.4 * t * t).margin(1e-10));
    CHECK(run.values[n].at("motor.rate") == Approx(speed).margin(1e-10));
    CHECK(run.values[n].at("e.kinetic") == Approx(0.1 * speed * speed).margin(1e-10));
  }
}

TEST_CASE("a shaft that turns with a body adds its inertia by the ratio squared, over many turns", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  base: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  wheel: {type: rigid, mass: 2, inertia: [0.4, 0.3, 0.5], position: [0, 0, 0]}
  rotor: {type: shaft, inertia: 0.1, angle: 1}
joints:
  foot: {type: fixed, connect: [ground, base]}
  hub: {type: revolute, connect: [base, wheel], axis: [1, 2, 2]}
  mesh: {type: shaft-turn, connect: [base, wheel, rotor], axis: [1, 2, 2], ratio: 3}
forces:
  motor: {type: shaft-torque, on: rotor, value: 2}
sensors:
  motor: {type: force, of: motor}
  hub: {type: relative, of: hub}
  mesh: {type: joint, of: mesh}
analysis: {end_time: 4, step: 5e-3}
)yaml");
  // about the axis e = (1, 2, 2)/3 the wheel has e . J e
  const double inertia = (0.4 + 4 * 0.3 + 4 * 0.5) / 9 + 9 * 0.1, acceleration = 3 * 2 / inertia;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n], angle = acceleration * t * t / 2;
    CHECK(run.values[n].at("hub.angle") == Approx(angle).margin(2e-4));
    CHECK(run.values[n].at("motor.angle") - 1 == Approx(3 * run.values[n].at("hub.angle")).margin(1e-8));
    CHECK(run.values[n].at("motor.rate") == Approx(3 * acceleration * t).margin(1e-4));
    const double torque = 0.1 * 3 * acceleration - 2;  // what the mesh exerts on the rotor, and 3 times as much on the base
    CHECK(run.values[n].at("mesh.torque") == Approx(torque).epsilon(1e-4));
    for (const auto& [axis, e] : {std::pair("x", 1 / 3.0), std::pair("y", 2 / 3.0), std::pair("z", 2 / 3.0)}) {
      CHECK(run.values[n].at(std::string("mesh.force.") + axis) == Approx(0).margin(1e-12));
      CHECK(run.values[n].at(std::string("mesh.moment.") + axis) == Approx(3 * torque * e).epsilon(1e-4));
    }
  }
}

TEST_CASE("two geared shafts and a third one behind a spring swing as two masses do, and keep their momentum", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  pinion: {type: shaft, inertia: 0.02, angle: 2}
  wheel: {type: shaft, inertia: 0.3, angle: -1}
  drum: {type: shaft, inertia: 0.4, angle: 0.5, speed: 5}
joints:
  teeth: {type: shaft-gear, connect: [pinion, wheel], ratio: -4}
forces:
  coupling: {type: shaft-spring, connect: [wheel, drum], stiffness: 60}
  at_pinion: {type: shaft-torque, on: pinion, value: 0}
  at_wheel: {type: shaft-torque, on: wheel, value: 0}
  at_drum: {type: shaft-torque, on: drum, value: 0}
sensors:
  teeth: {type: joint, of: teeth}
  coupling: {type: force, of: coupling}
  pinion: {type: force, of: at_pinion}
  wheel: {type: force, of: at_wheel}
  drum: {type: force, of: at_drum}
  e: {type: energy}
analysis: {end_time: 1, step: 5e-4}
)yaml");
  const double wheel = 0.3 + 16 * 0.02, drum = 0.4, speed = 5, frequency = std::sqrt(60 * (1 / wheel + 1 / drum));
  const double together = drum * speed / (wheel + drum);
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n], twist = speed / frequency * std::sin(frequency * t), rate = speed * std::cos(frequency * t);
    const auto& v = run.values[n];
    CHECK(v.at("coupling.angle") == Approx(twist).margin(1e-4));
    CHECK(v.at("coupling.rate") == Approx(rate).margin(2e-3));
    CHECK(v.at("coupling.moment") == Approx(60 * twist).margin(6e-3));
    CHECK(v.at("wheel.angle") + 1 == Approx(together * t - drum / (wheel + drum) * twist).margin(1e-4));
    CHECK(v.at("pinion.angle") - 2 == Approx(-4 * (v.at("wheel.angle") + 1)).margin(1e-10));
    CHECK(v.at("pinion.rate") == Approx(-4 * v.at("wheel.rate")).margin(1e-10));
    CHECK(wheel * v.at("wheel.rate") + drum * v.at("drum.rate") == Approx(drum * speed).margin(1e-10));
    const double alpha = -drum / (wheel + drum) * -frequency * frequency * twist;  // of the wheel
    CHECK(v.at("teeth.torque") == Approx(0.02 * -4 * alpha).margin(2e-3));
    CHECK(v.count("teeth.force.x") + v.count("teeth.moment.x") == 0);
    CHECK(v.at("e.total") == Approx(0.5 * drum * speed * speed).epsilon(1e-5));
  }
}

TEST_CASE("three discs on one shaft answer a torque with their turn and two vibrations", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  crank: {type: shaft, inertia: [0.2, 0.2, 0.2], stiffness: [50, 50]}
forces:
  start: {type: shaft-torque, on: crank.start, value: 3}
  middle: {type: shaft-torque, on: "crank.node[1]", value: 0}
  end: {type: shaft-torque, on: crank.end, value: 0}
sensors:
  start: {type: force, of: start}
  middle: {type: force, of: middle}
  end: {type: force, of: end}
analysis: {end_time: 1.5, step: 1e-3}
)yaml");
  // modes (1, 1, 1), (1, 0, -1), (1, -2, 1) with omega^2 = 0, k/J, 3 k/J; shares of a torque M on the first disc M/3, M/2, M/6
  const double J = 0.2, M = 3, slow = 50 / J, fast = 3 * slow;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n], turn = M / (3 * J) * t * t / 2, a = M / (2 * J) * (1 - std::cos(std::sqrt(slow) * t)) / slow,
                 b = M / (6 * J) * (1 - std::cos(std::sqrt(fast) * t)) / fast;
    const auto& v = run.values[n];
    CHECK(v.at("start.angle") == Approx(turn + a + b).margin(1e-4));
    CHECK(v.at("middle.angle") == Approx(turn - 2 * b).margin(1e-4));
    CHECK(v.at("end.angle") == Approx(turn - a + b).margin(1e-4));
  }
}

TEST_CASE("bearings and springs of a shaft take its energy away", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  rotor: {type: shaft, inertia: 0.1, speed: 7, drag: 0.05}
  pair: {type: shaft, inertia: [0.1, 0.3], stiffness: [20], damping: [0.4]}
forces:
  rotor: {type: shaft-torque, on: rotor, value: 0}
  first: {type: shaft-torque, on: pair.start, value: 0.6}
  second: {type: shaft-torque, on: pair.end, value: 0}
sensors:
  rotor: {type: force, of: rotor}
  first: {type: force, of: first}
  second: {type: force, of: second}
analysis: {end_time: 8, step: 5e-3}
)yaml");
  for (std::size_t n = 0; n < run.time.size(); ++n)
    CHECK(run.values[n].at("rotor.rate") == Approx(7 * std::exp(-0.5 * run.time[n])).margin(1e-4));
  // when the vibration has died the spring carries what drives the second disc, 3/4 of the torque
  CHECK(run.values.back().at("first.angle") - run.values.back().at("second.angle") == Approx(0.45 / 20).margin(1e-6));
}

TEST_CASE("a torque on a shaft may depend on angles and rates of shafts", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  braked: {type: shaft, inertia: 0.5, speed: 7}
  sprung: {type: shaft, inertia: 0.5, angle: 0.3}
  engine: {type: shaft, inertia: 0.4, speed: 10}
  mill: {type: shaft, inertia: 1.2}
sensors:
  braked: {type: point, of: braked, record: rate}
  sprung: {type: point, of: sprung}
  engine: {type: point, of: engine}
  mill: {type: point, of: mill}
  clutch: {type: force, of: clutch}
  energy: {type: energy, record: [total, work]}
forces:
  brake: {type: shaft-torque, on: braked, torque: "-2*sensor.braked.rate"}
  spring: {type: shaft-torque, on: sprung, torque: "-50*sensor.sprung.angle"}
  clutch: {type: shaft-torque, connect: [engine, mill], torque: "0.6*(sensor.engine.rate - sensor.mill.rate)"}
analysis: {end_time: 2, step: 1e-3}
)yaml");
  const double swings = std::sqrt(50 / 0.5), slip = 0.6 * (1 / 0.4 + 1 / 1.2), together = 0.4 * 10 / (0.4 + 1.2);
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n], apart = 10 * std::exp(-slip * t);
    const auto& v = run.values[n];
    CHECK(v.at("braked.rate") == Approx(7 * std::exp(-4 * t)).margin(1e-4));
    CHECK(v.at("sprung.angle") == Approx(0.3 * std::cos(swings * t)).margin(1e-4));
    CHECK(v.at("sprung.rate") == Approx(-0.3 * swings * std::sin(swings * t)).margin(1e-3));
    CHECK(v.at("engine.rate") == Approx(together + 0.75 * apart).margin(1e-4));
    CHECK(v.at("mill.rate") == Approx(together - 0.25 * apart).margin(1e-4));
    CHECK(v.at("clutch.rate") == Approx(-apart).margin(1e-4));
    CHECK(v.at("clutch.moment") == Approx(0.6 * apart).margin(1e-4));
    CHECK(v.at("energy.total") - v.at("energy.work") == Approx(run.values[0].at("energy.total")).epsilon(1e-4));
  }
}

TEST_CASE("a reaction wheel under control turns its satellite back", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  craft:
    type: gyrostat
    mass: 10
    inertia: [3, 3, 2]
    position: [0, 0, 0]
    angular_velocity: [0, 0, 0.4]
    rotors: {wheel: {axis: [0, 0, 1], inertia: 0.06}}
joints:
  hinge: {type: revolute, connect: [ground, craft], axis: [0, 0, 1]}
sensors:
  hinge: {type: relative, of: hinge}
  wheel: {type: point, of: craft.wheel}
forces:
  motor: {type: shaft-torque, on: craft.wheel, torque: "8*sensor.hinge.angle + 3*sensor.hinge.rate"}
analysis: {end_time: 4, step: 2e-3}
)yaml");
  // (J - J_wheel) theta'' = -M of the craft without its wheel; J theta' + J_wheel phi' stays what it was
  const double alone = 2 - 0.06, decay = 3 / (2 * alone), omega = std::sqrt(8 / alone - decay * decay);
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n], theta = 0.4 / omega * std::exp(-decay * t) * std::sin(omega * t);
    const auto& v = run.values[n];
    CHECK(v.at("hinge.angle") == Approx(theta).margin(1e-5));
    CHECK(2 * v.at("hinge.rate") + 0.06 * v.at("wheel.rate") == Approx(2 * 0.4).epsilon(1e-8));
  }
}

TEST_CASE("a shaft follows a body over steps of any size, with all its turns", "[serial]") {
  for (const char* integrator : {"soi2", "gen-alpha", "gen-alpha-ggl", "newmark", "bdf-si2"})
    for (const double turn : {2.2, 2.7, 3.3, 6.0, 13.0}) {  // rad of the body in a step
      CAPTURE(integrator, turn);
      const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
constants: {{w: {}}}
bodies:
  disc: {{type: rigid, mass: 2, inertia: [0.02, 0.02, 0.03], position: [0, 0, 0], angular_velocity: [0, 0, w]}}
  rotor: {{type: shaft, inertia: 0.001, speed: -2.5*w}}
joints:
  hinge: {{type: revolute, connect: [ground, disc], axis: [0, 0, 1]}}
  mesh: {{type: shaft-turn, connect: [ground, disc, rotor], axis: [0, 0, 1], ratio: -2.5}}
sensors:
  disc: {{type: point, of: disc, record: [orientation, angular_velocity]}}
  rotor: {{type: point, of: rotor}}
analysis: {{end_time: 1, step: 0.1, integrator: {}}}
)yaml",
                                                                  10 * turn, integrator));
      const Values& end = run.values.back();
      CHECK(end.at("rotor.angle") == Approx(-25 * turn));
      CHECK(std::abs(end.at("disc.orientation.w")) == Approx(std::abs(std::cos(5 * turn))).margin(1e-9));
      CHECK(end.at("disc.angular_velocity.z") == Approx(10 * turn));
    }
}
