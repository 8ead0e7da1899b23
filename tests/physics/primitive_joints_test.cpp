// Joints that hold directions alone, against closed forms and against the joints that hold the same by other rows.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Two bodies that springs hold together, driven by a torque on one and a force beside the centre of the other.
Trajectory driven(const std::string& joints) {
  return run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  one: {type: rigid, mass: 2, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0], angular_velocity: [0.5, 0, 0.3],
        points: {tip: [0.2, 0.1, 0]}}
  two: {type: rigid, mass: 1, inertia: [0.1, 0.15, 0.2], position: [0.5, 0.2, -0.1], angular_velocity: [0.5, 0, 0.3],
        points: {tip: [-0.1, 0, 0.2], ball: [-0.3, -0.1, 0.1]}}
joints:
)yaml" + joints + R"yaml(
forces:
  turn: {type: follower-torque, on: one, vector_local: ["0.3*sin(3*t)", 0.2, -0.1]}
  push: {type: force, on: two.tip, vector: [0.5, "cos(2*t)", 0.3]}
  tie: {type: bushing, connect: [one.tip, two.tip], stiffness: [20, 30, 40, 0, 0, 0]}
sensors:
  one: {type: point, of: one, record: [position, angular_velocity, angular_acceleration]}
  two: {type: point, of: two.tip, record: [position, angular_velocity, acceleration]}
  drift: {type: constraint, record: [position, velocity]}
analysis: {end_time: 2, step: 5e-3, newton: {tolerance: 1e-12}}
)yaml");
}

/// The same motion, and constraints that hold.
void check_same(const Trajectory& a, const Trajectory& b) {
  CHECK(farthest_apart(a, b) < 1e-8);
  CHECK(std::abs(a.values.back().at("drift.position")) < 1e-10);
  CHECK(std::abs(a.values.back().at("drift.velocity")) < 1e-10);
}

}  // namespace

TEST_CASE("bodies of one orientation turn together, with the inertia of both", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  one: {type: rigid, mass: 2, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0]}
  two: {type: rigid, mass: 1, inertia: [0.1, 0.15, 0.2], position: [3, 2, -1], velocity: [0.3, 0, 1]}
joints: {lock: {type: orientation, connect: [one, two]}}
forces: {turn: {type: torque, on: one, vector: [0, 0, "0.9*t"]}}
sensors:
  two: {type: point, of: two, record: [position, angular_velocity, angular_acceleration]}
  lock: {type: joint, of: lock}
analysis: {end_time: 2, step: 0.01}
)yaml");
  const Values& end = run.values.back();
  CHECK(end.at("two.angular_acceleration.z") == Approx(0.9 * 2 / 0.6).epsilon(1e-6));
  CHECK(end.at("two.angular_velocity.z") == Approx(0.9 * 2 * 2 / 2 / 0.6).epsilon(1e-6));
  CHECK(end.at("lock.moment.z") == Approx(-0.2 * 0.9 * 2 / 0.6).epsilon(1e-6));  // on the first body: what the second one takes
  CHECK(end.at("two.position.x") == Approx(3.6).epsilon(1e-9));
  CHECK(end.at("lock.force.x") == 0.0);
}

TEST_CASE("an orientation is three pairs of perpendicular axes, parallel axes are two", "[serial]") {
  check_same(driven("  lock: {type: orientation, connect: [one, two]}"),
             driven("  z: {type: perpendicular, connect: [one, two], axis: [0, 0, 1], axis2: [0, 1, 0]}\n"
                    "  x: {type: perpendicular, connect: [one, two], axis: [1, 0, 0], axis2: [0, 0, 1]}\n"
                    "  y: {type: perpendicular, connect: [one, two], axis: [0, 1, 0], axis2: [1, 0, 0]}"));
  check_same(driven("  lock: {type: parallel, connect: [one, two], axis: [0, 0, 1]}"),
             driven("  x: {type: perpendicular, connect: [one, two], axis: [1, 0, 0], axis2: [0, 0, 1]}\n"
                    "  y: {type: perpendicular, connect: [one, two], axis: [0, 1, 0], axis2: [0, 0, 1]}"));
}

TEST_CASE("a universal joint is a ball joint and perpendicular axes", "[serial]") {
  check_same(driven("  cross: {type: universal, connect: [one.tip, two.ball], axis: [0, 0, 1], axis2: [1, 0, 0]}"),
             driven("  ball: {type: spherical, connect: [one.tip, two.ball]}\n"
                    "  cross: {type: perpendicular, connect: [one, two], axis: [0, 0, 1], axis2: [1, 0, 0]}"));
}
