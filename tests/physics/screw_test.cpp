// A screw that falls in its nut: the two coordinates over many turns, and the load on the thread.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double mass = 2, inertia = 0.01, gravity = 9.81;

std::string falling_screw(double pitch) {
  return R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  spindle: {type: rigid, mass: 2, inertia: [0.05, 0.05, 0.01], position: [0.3, -0.2, 1]}
joints:
  thread: {type: screw, connect: [[0.3, -0.2, 0.4], spindle], axis: [0, 0, 1], pitch: )yaml" +
         std::to_string(pitch) + R"yaml(}
sensors:
  turn: {type: relative, of: thread, record: [angle, distance]}
  load: {type: joint, of: thread, record: [force, moment]}
analysis: {end_time: 10, step: 0.05}
)yaml";
}

}  // namespace

TEST_CASE("a screw falls slowly, by its pitch in a turn, for fifty turns, right-handed or left-handed", "[mpi]") {
  for (const double pitch : {0.02, -0.02}) {
    const double slope = 2 * std::numbers::pi / pitch;  // rad/m
    const double a = -mass * gravity / (mass + inertia * slope * slope);
    const Trajectory run = run_model(PETSC_COMM_WORLD, falling_screw(pitch));
    for (std::size_t n = 0; n < run.time.size(); ++n) {
      const Values& now = run.values[n];
      const double way = a * run.time[n] * run.time[n] / 2;
      CHECK(now.at("turn.distance") == Approx(0.6 + way).epsilon(1e-8));
      CHECK(now.at("turn.angle") == Approx(slope * way).epsilon(1e-8).margin(1e-9));
      // on the nut: the weight that is not spent on falling, and what makes the spindle turn
      CHECK(now.at("load.force.z") == Approx(-mass * (gravity + a)).epsilon(1e-8));
      CHECK(now.at("load.moment.z") == Approx(-inertia * slope * a).epsilon(1e-8));
    }
    if (!run.values.empty()) CHECK(std::abs(run.values.back().at("turn.angle")) > 90 * std::numbers::pi);
  }
}
