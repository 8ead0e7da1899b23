// Planetary gears and differentials of shafts, and shafts on springs to the ground, against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Three shafts in a planetary gear, each under a torque of its own.
struct Train {
  double ratio;
  double inertia[3], torque[3], speed[3];  ///< of carrier, first and second wheel

  /// The row of the gear.
  double row(int k) const { return k == 0 ? ratio - 1 : k == 1 ? 1 : -ratio; }
  /// J_k alpha_k = M_k - r_k lambda with sum r_k alpha_k = 0.
  double lambda() const {
    double above = 0, below = 0;
    for (int k = 0; k < 3; ++k) {
      above += row(k) * torque[k] / inertia[k];
      below += row(k) * row(k) / inertia[k];
    }
    return above / below;
  }
  double acceleration(int k) const { return (torque[k] - row(k) * lambda()) / inertia[k]; }
};

const char* const names[3] = {"arm", "sun", "ring"};

Trajectory run_train(const Train& train) {
  std::string bodies, forces, sensors;
  for (int k = 0; k < 3; ++k) {
    bodies += fmt::format("  {}: {{type: shaft, inertia: {}, angle: {}, speed: {}}}\n", names[k], train.inertia[k], 0.5 * k,
                          train.speed[k]);
    forces += fmt::format("  at_{0}: {{type: shaft-torque, on: {0}, value: {1}}}\n", names[k], train.torque[k]);
    sensors += fmt::format("  {0}: {{type: point, of: {0}}}\n", names[k]);
  }
  return run_model(MPI_COMM_SELF,
                   "sinew: 1\nbodies:\n" + bodies + "forces:\n" + forces + "sensors:\n" + sensors +
                       fmt::format("  gear: {{type: joint, of: gear}}\n  e: {{type: energy, record: [kinetic, work]}}\n"
                                   "joints:\n  gear: {{type: shaft-planetary, connect: [arm, sun, ring], ratio: {}}}\n"
                                   "analysis: {{end_time: 1, step: 0.01, newton: {{tolerance: 1e-12}}}}\n",
                                   train.ratio));
}

void check_train(const Train& train) {
  const Trajectory run = run_train(train);
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n];
    const Values& v = run.values[n];
    double kinetic = 0, work = 0;
    for (int k = 0; k < 3; ++k) {
      const double alpha = train.acceleration(k), speed = train.speed[k] + alpha * t;
      const double turn = train.speed[k] * t + alpha * t * t / 2;
      const std::string name = names[k];
      CHECK(v.at(name + ".angle") == Approx(0.5 * k + turn).margin(1e-9));
      CHECK(v.at(name + ".rate") == Approx(speed).margin(1e-9));
      kinetic += train.inertia[k] * speed * speed / 2;
      work += train.torque[k] * turn;
    }
    CHECK(v.at("gear.torque") == Approx(-train.row(0) * train.lambda()).margin(1e-9));
    CHECK(v.count("gear.force.x") + v.count("gear.moment.x") == 0);
    CHECK(v.at("e.kinetic") == Approx(kinetic).margin(1e-9));
    CHECK(v.at("e.work") == Approx(work).margin(1e-4));
  }
}

}  // namespace

TEST_CASE("an epicyclic gear turns its three shafts as their inertias and torques say", "[serial]") {
  // ring 63 teeth, sun 21: seen from the arm the sun turns by -3 in one turn of the ring
  check_train({-3, {0.3, 0.1, 0.5}, {-1.5, 2, 0.4}, {1, 4, 0}});
  check_train({0.4, {0.3, 0.1, 0.5}, {0, 2, 0}, {0, 0, 0}});  // both wheels turn alike: a train without a ring
}

TEST_CASE("a differential shares its torque among wheels of any speed", "[serial]") {
  const Train train{-1, {0.02, 0.4, 0.9}, {60, 0, 0}, {5, 8, 2}};
  check_train(train);
  for (const int wheel : {1, 2})  // half of what the case is driven with and does not take up itself
    CHECK(train.inertia[wheel] * train.acceleration(wheel) == Approx((60 - 0.02 * train.acceleration(0)) / 2));
}

TEST_CASE("with its ring held a planetary gear is a step down, whatever holds the ring", "[serial]") {
  const auto run = [](const std::string& ring, const std::string& body, const std::string& joint) {
    return run_model(MPI_COMM_SELF,
                     "sinew: 1\nbodies:\n  arm: {type: shaft, inertia: 0.3}\n  sun: {type: shaft, inertia: 0.1}\n" + body +
                         "joints:\n  gear: {type: shaft-planetary, connect: " + ring + ", ratio: -3}\n" + joint + R"yaml(forces:
  motor: {type: shaft-torque, on: sun, value: 2}
  load: {type: shaft-torque, on: arm, value: -3}
sensors:
  arm: {type: point, of: arm}
  sun: {type: point, of: sun}
  gear: {type: joint, of: gear}
)yaml" + (joint.empty() ? "" : "  brake: {type: joint, of: brake, record: torque}\n") +
                         "analysis: {end_time: 1, step: 0.01, newton: {tolerance: 1e-12}}\n");
  };
  const Trajectory to_ground = run("[arm, sun, ground]", "", ""),
                   braked = run("[arm, sun, ring]", "  ring: {type: shaft, inertia: 0.5}\n",
                                "  brake: {type: motion, on: ring, angle: 0}\n");
  // sun = 4 arm: (0.3 + 16 * 0.1) alpha = -3 + 4 * 2
  const double alpha = 5 / 1.9, sun_bears = 0.1 * 4 * alpha - 2;  // of the gear
  for (const Trajectory* one : {&to_ground, &braked})
    for (std::size_t n = 0; n < one->time.size(); ++n) {
      const Values& v = one->values[n];
      CHECK(v.at("arm.rate") == Approx(alpha * one->time[n]).margin(1e-9));
      CHECK(v.at("sun.rate") == Approx(4 * alpha * one->time[n]).margin(1e-9));
      CHECK(v.at("gear.torque") == Approx(-4 * sun_bears).margin(1e-9));
    }
  CHECK(braked.values.back().at("brake.torque") == Approx(-3 * sun_bears).margin(1e-9));  // all three add up to none
}

TEST_CASE("what holds the carrier of a planetary gear bears the first torque", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  sun: {type: shaft, inertia: 0.1}
  ring: {type: shaft, inertia: 0.5}
joints:
  gear: {type: shaft-planetary, connect: [ground, sun, ring], ratio: -3}
forces:
  motor: {type: shaft-torque, on: sun, value: 2}
sensors:
  sun: {type: point, of: sun}
  ring: {type: point, of: ring}
  gear: {type: joint, of: gear}
analysis: {end_time: 1, step: 0.01, newton: {tolerance: 1e-12}}
)yaml");
  const double alpha = 2 / (0.1 + 0.5 / 9), lambda = 2 - 0.1 * alpha;  // of the sun
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    CHECK(run.values[n].at("sun.rate") == Approx(alpha * run.time[n]).margin(1e-9));
    CHECK(run.values[n].at("ring.rate") == Approx(-alpha / 3 * run.time[n]).margin(1e-9));
    CHECK(run.values[n].at("gear.torque") == Approx(4 * lambda).margin(1e-9));
  }
}

TEST_CASE("a rotor on a torsion spring to the ground swings as a damped oscillator, from either end of the spring", "[serial]") {
  const double J = 0.2, k = 50, c = 0.6, delta = c / (2 * J), omega = std::sqrt(k / J - delta * delta);
  for (const bool ground_first : {true, false}) {
    const double sign = ground_first ? 1 : -1;
    const std::string text = fmt::format(R"yaml(sinew: 1
bodies:
  rotor: {{type: shaft, inertia: 0.2, angle: 0.3, speed: 4}}
forces:
  bar: {{type: shaft-spring, connect: {}, stiffness: 50, damping: 0.6}}
sensors:
  rotor: {{type: point, of: rotor}}
  bar: {{type: force, of: bar, record: [moment, angle, rate, work, dissipated]}}
  e: {{type: energy}}
analysis: {{end_time: 2, step: 1e-3}}
)yaml",
                                         ground_first ? "[ground, rotor]" : "[rotor, ground]");
    const Trajectory run = run_model(MPI_COMM_SELF, text);
    const double start = run.values.front().at("e.total");
    CHECK(start == Approx(0.1 * 16));
    for (std::size_t n = 0; n < run.time.size(); ++n) {
      const double t = run.time[n], turn = 4 / omega * std::exp(-delta * t) * std::sin(omega * t);
      const double rate = 4 * std::exp(-delta * t) * (std::cos(omega * t) - delta / omega * std::sin(omega * t));
      const Values& v = run.values[n];
      CHECK(v.at("rotor.angle") - 0.3 == Approx(turn).margin(1e-4));
      CHECK(v.at("bar.angle") == Approx(sign * turn).margin(1e-4));
      CHECK(v.at("bar.rate") == Approx(sign * rate).margin(2e-3));
      CHECK(v.at("bar.moment") == Approx(sign * (k * turn + c * rate)).margin(1e-2));
      CHECK(v.at("e.strain") == Approx(k * turn * turn / 2).margin(2e-3));
      CHECK(v.at("e.total") + v.at("bar.dissipated") == Approx(start).margin(3e-4));
    }
    Stationary rest(MPI_COMM_SELF, text);
    const std::vector<Mode> modes = rest.modes(1);
    REQUIRE(modes.size() == 1);
    CHECK(modes[0].omega() == Approx(std::sqrt(k / J)));
    CHECK(modes[0].real == Approx(-delta));
  }
}

TEST_CASE("a spring to the ground has its angle without moment, and holds a torque there at rest", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  rotor: {type: shaft, inertia: 0.2, angle: -1}
forces:
  bar: {type: shaft-spring, connect: [ground, rotor], stiffness: 50, angle: 0.1}
  load: {type: shaft-torque, on: rotor, value: 3}
sensors:
  rotor: {type: point, of: rotor}
  bar: {type: force, of: bar}
analysis: {type: static}
)yaml");
  model.find_rest();
  CHECK(model.values().at("rotor.angle") == Approx(-1 + 0.1 + 3.0 / 50));
  CHECK(model.values().at("bar.moment") == Approx(3));
}

TEST_CASE("a torque between the ground and a shaft by an expression does the work of one on the shaft", "[serial]") {
  const auto run = [](const char* places) {
    return run_model(MPI_COMM_SELF, std::string(R"yaml(sinew: 1
bodies:
  mill: {type: shaft, inertia: 0.4, speed: 3, angle: 1}
sensors:
  mill: {type: point, of: mill}
  drive: {type: force, of: drive, record: [moment, work]}
  e: {type: energy}
forces:
  drive: {type: shaft-torque, )yaml") + places +
                                        R"yaml(, torque: "2*cos(3*t) - 0.5*sensor.mill.rate"}
analysis: {end_time: 2, step: 5e-3}
)yaml");
  };
  const Trajectory between = run("connect: [ground, mill]"), on = run("on: mill");
  REQUIRE(between.time.size() == on.time.size());
  for (std::size_t n = 0; n < on.time.size(); ++n)
    for (const char* column : {"mill.angle", "mill.rate", "drive.moment", "drive.work", "e.kinetic"})
      CHECK(between.values[n].at(column) == Approx(on.values[n].at(column)).margin(1e-10));
}
