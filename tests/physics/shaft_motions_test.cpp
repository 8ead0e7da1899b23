// Motions of shafts: prescribed angles and rates against the ground, against another shaft, of a rotor against its body.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <utility>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A pinion of 0.02 kg m^2 that turns a wheel of 0.3 kg m^2 by -1/4, swung by 0.2 sin(3 t), or with that rate.
std::string train(const std::string& driven, const std::string& analysis) {
  return "sinew: 1\nbodies:\n"
         "  pinion: {type: shaft, inertia: 0.02, angle: 2, speed: 0.6}\n"
         "  wheel: {type: shaft, inertia: 0.3, angle: -1, speed: -0.15}\n"
         "joints:\n"
         "  teeth: {type: shaft-gear, connect: [pinion, wheel], ratio: -4}\n"
         "  drive: {type: motion, on: pinion, " +
         driven +
         "}\n"
         "sensors:\n"
         "  drive: {type: joint, of: drive, record: [torque, work]}\n  teeth: {type: joint, of: teeth}\n"
         "  pinion: {type: point, of: pinion}\n  wheel: {type: point, of: wheel}\n"
         "  gap: {type: constraint}\n  e: {type: energy, record: [kinetic, work]}\n"
         "analysis: {end_time: 1, " +
         analysis + "}\n";
}

struct Errors {
  double angle = 0, rate = 0, torque = 0, teeth = 0, work = 0;
};

/// Of a train against the closed form.
Errors errors_of(const Trajectory& run) {
  const double inertia = 0.02 + 0.3 / 16, amplitude = 0.2, omega = 3;
  Errors most;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const Values& v = run.values[n];
    const double t = run.time[n], turn = amplitude * std::sin(omega * t), rate = amplitude * omega * std::cos(omega * t),
                 acceleration = -omega * omega * turn;
    const auto larger = [](double& most_of, double error) { most_of = std::max(most_of, std::abs(error)); };
    larger(most.angle, v.at("pinion.angle") - 2 - turn);
    larger(most.angle, v.at("wheel.angle") + 1 + turn / 4);
    larger(most.rate, v.at("pinion.rate") - rate);
    larger(most.rate, v.at("wheel.rate") + rate / 4);
    larger(most.torque, v.at("drive.torque") - inertia * acceleration);
    larger(most.teeth, v.at("teeth.torque") + 0.3 / 16 * acceleration);  // what brakes the pinion turns the wheel
    larger(most.work, v.at("drive.work") - inertia * (rate * rate - 0.36) / 2);
    larger(most.work, v.at("e.work") - v.at("drive.work"));
  }
  return most;
}

}  // namespace

TEST_CASE("a driven train of shafts takes the torque that its inertia asks for, to second order", "[serial]") {
  for (const char* driven : {"angle: \"0.2*sin(3*t)\"", "angular_velocity: \"0.6*cos(3*t)\""}) {
    const bool is_angle = std::string(driven).rfind("angle", 0) == 0;
    for (const char* integrator : {"soi2", "gen-alpha-ggl", "bdf-si2"}) {
      const auto run = [&](double h) {
        return errors_of(run_model(MPI_COMM_SELF, train(driven, fmt::format("step: {}, integrator: {}", h, integrator))));
      };
      const Errors coarse = run(1e-2), fine = run(5e-3);
      INFO(driven << ", " << integrator << ": torque " << coarse.torque << " " << fine.torque << ", teeth " << coarse.teeth << " "
                  << fine.teeth << ", angle " << coarse.angle << " " << fine.angle << ", work " << coarse.work << " "
                  << fine.work);
      // positions and velocities are those that are prescribed, wherever that is said
      CHECK(coarse.rate < 1e-8);
      if (is_angle)
        CHECK(coarse.angle < 1e-10);
      else
        CHECK(std::log2(coarse.angle / fine.angle) > 1.8);
      CHECK(std::log2(coarse.torque / fine.torque) > 1.8);
      CHECK(std::log2(coarse.teeth / fine.teeth) > 1.8);
      CHECK(std::log2(coarse.work / fine.work) > 1.8);
    }
  }
}

TEST_CASE("a drive between two shafts turns them both ways, and their momentum stays", "[serial]") {
  const double first = 0.2, second = 0.3, together = first * second / (first + second);
  for (const char* driven : {"angle: \"t^3\"", "angular_velocity: \"3*t^2\""}) {
    const Trajectory run =
        run_model(MPI_COMM_SELF, std::string("sinew: 1\nbodies:\n  a: {type: shaft, inertia: 0.2, angle: 1}\n"
                                             "  b: {type: shaft, inertia: 0.3, angle: -2}\n"
                                             "joints: {drive: {type: motion, connect: [a, b], ") +
                                     driven +
                                     "}}\nsensors:\n  a: {type: point, of: a}\n  b: {type: point, of: b}\n"
                                     "  drive: {type: joint, of: drive}\nanalysis: {end_time: 1, step: 2e-3}\n");
    for (std::size_t n = 0; n < run.time.size(); ++n) {
      const Values& v = run.values[n];
      const double t = run.time[n];
      INFO(driven << ", t = " << t);
      CHECK(v.at("b.angle") + 2 - (v.at("a.angle") - 1) == Approx(t * t * t).margin(2e-5));
      CHECK(v.at("b.rate") - v.at("a.rate") == Approx(3 * t * t).margin(1e-9));
      CHECK(first * v.at("a.rate") + second * v.at("b.rate") == Approx(0).margin(1e-10));
      CHECK(v.at("drive.torque") == Approx(-together * 6 * t).margin(2e-3));  // on the first
    }
  }
}

TEST_CASE("a driven rotor turns the body that carries it the other way", "[serial]") {
  const double J = 2, j = 0.1;  // about the axis: of the whole, of the rotor
  for (const char* places : {"on: craft.wheel", "connect: [craft, craft.wheel]"}) {
    const Trajectory run = run_model(
        MPI_COMM_SELF,
        std::string(
            "sinew: 1\nbodies:\n  craft: {type: gyrostat, mass: 5, inertia: [3, 2.5, 2], position: [0, 0, 0], rotors: {wheel: "
            "{axis: [0, 0, 1], inertia: 0.1, angle: 0.3}}}\njoints: {motor: {type: motion, ") +
            places +
            ", angle: \"4*t^2\"}}\nsensors:\n  craft: {type: point, of: craft, record: [angular_velocity, "
            "angular_acceleration]}\n"
            "  wheel: {type: point, of: craft.wheel}\n  motor: {type: joint, of: motor, record: [torque, work]}\n"
            "  e: {type: energy, record: [kinetic]}\nanalysis: {end_time: 1, step: 5e-3}\n");
    for (std::size_t n = 0; n < run.time.size(); ++n) {
      const Values& v = run.values[n];
      const double t = run.time[n];
      CHECK(v.at("wheel.angle") == Approx(0.3 + 4 * t * t).margin(1e-10));
      CHECK(v.at("wheel.rate") == Approx(8 * t).margin(1e-10));
      CHECK(v.at("craft.angular_velocity.z") == Approx(-j / J * 8 * t).margin(1e-9));
      CHECK(v.at("craft.angular_acceleration.z") == Approx(-j / J * 8).margin(1e-6));
      CHECK(v.at("motor.torque") == Approx(j * (1 - j / J) * 8).epsilon(1e-6));
      CHECK(v.at("motor.work") == Approx(v.at("e.kinetic")).margin(1e-8));
    }
  }
}

TEST_CASE("a shaft starts where and as fast as its motion says, however many turns away", "[serial]") {
  const auto at_start = [](const std::string& driven, const std::string& more) {
    return run_model(MPI_COMM_SELF,
                     "sinew: 1\nbodies:\n  rotor: {type: shaft, inertia: 0.2, angle: 1, speed: -3}\n"
                     "  wheel: {type: shaft, inertia: 0.1}\n"
                     "joints:\n  drive: {type: motion, connect: [ground, rotor], " +
                         driven +
                         "}\n  teeth: {type: shaft-gear, connect: [rotor, wheel], ratio: 2}\n"
                         "sensors:\n  rotor: {type: point, of: rotor}\n  wheel: {type: point, of: wheel}\n"
                         "  drive: {type: joint, of: drive}\nanalysis: {end_time: 0.02, step: 0.01" +
                         more + "}\n")
        .values.front();
  };
  const Values turned = at_start("angle: \"100 + 7*t + t^2\"", "");
  CHECK(turned.at("rotor.angle") == Approx(101).epsilon(1e-12));
  CHECK(turned.at("rotor.rate") == Approx(7).epsilon(1e-12));
  CHECK(turned.at("wheel.angle") == Approx(50).epsilon(1e-12));
  CHECK(turned.at("drive.torque") == Approx((0.2 + 0.1 / 4) * 2).epsilon(1e-9));
  const Values fast = at_start("angular_velocity: \"7 + 2*t\"", "");
  CHECK(fast.at("rotor.rate") == Approx(7).epsilon(1e-12));
  CHECK(fast.at("wheel.rate") == Approx(3.5).epsilon(1e-12));
  CHECK(fast.at("drive.torque") == Approx((0.2 + 0.1 / 4) * 2).epsilon(1e-9));
  CHECK_THROWS(at_start("angle: \"100\"", ", initial: given"));
}

TEST_CASE("two drives of a geared pair that say the same share its torque, and the motion stays", "[serial]") {
  RunChoices choices;
  choices.settles_redundancy = true;
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  pinion: {type: shaft, inertia: 0.02}
  wheel: {type: shaft, inertia: 0.3}
joints:
  teeth: {type: shaft-gear, connect: [pinion, wheel], ratio: -4}
  fast: {type: motion, on: pinion, angle: "-2*t^2"}
  slow: {type: motion, on: wheel, angle: "0.5*t^2"}
sensors:
  fast: {type: joint, of: fast}
  slow: {type: joint, of: slow}
  wheel: {type: point, of: wheel}
analysis: {end_time: 1, step: 1e-2}
)yaml",
                                   choices);
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const Values& v = run.values[n];
    const double t = run.time[n];
    CHECK(v.at("wheel.angle") == Approx(t * t / 2).margin(1e-10));
    CHECK(v.at("wheel.rate") == Approx(t).margin(1e-9));
    // the wheel's equation with what comes through the teeth
    CHECK(v.at("slow.torque") - 4 * v.at("fast.torque") == Approx(0.3 + 16 * 0.02).epsilon(1e-6));
  }
}

TEST_CASE("shafts at rest at prescribed angles wind the springs between them, and what is left vibrates", "[serial]") {
  Stationary line(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  line: {type: shaft, inertia: [0.1, 0.2, 0.4], stiffness: [20, 30]}
joints:
  near: {type: motion, on: line.start, angle: 1.5}
  far: {type: motion, on: line.end, angle: 0}
sensors:
  near: {type: joint, of: near}
  far: {type: joint, of: far}
  middle: {type: point, of: "line.node[1]"}
analysis: {type: static, newton: {tolerance: 1e-10}}
)yaml");
  line.find_rest();
  const double moment = 1.5 * 20 * 30 / 50;  // of two springs, one behind the other
  const auto values = line.values();
  CHECK(values.at("near.torque") == Approx(moment).epsilon(1e-9));
  CHECK(values.at("far.torque") == Approx(-moment).epsilon(1e-9));
  CHECK(values.at("middle.angle") == Approx(moment / 30).epsilon(1e-9));
  const std::vector<double> frequencies = line.frequencies(1);
  REQUIRE(frequencies.size() == 1);
  CHECK(frequencies[0] == Approx(std::sqrt((20 + 30) / 0.2) / (2 * std::acos(-1.0))).epsilon(1e-9));
}
