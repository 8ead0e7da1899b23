// Cables on several ranks: held by bodies that move, in place and direction, and slack.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// A cable between two bodies and through a third one, which leaves them obliquely, and a rope that is slack and becomes taut.
const char* const held = R"(sinew: 1
gravity: [0, 0, -9.81]
sections:
  hose: {stiffness: [1e4, 1, 1, 1, 0.5, 0.5], inertia: [0.2, 0.2, 0.2, 0, 0, 0]}
  rope: {stiffness: [500, 0, 0, 0, 0, 0], inertia: [0.05, 1, 1, 0, 0, 0]}
bodies:
  left: {type: rigid, mass: 3, inertia: [0.1, 0.2, 0.15], position: [0, 0, 0], orientation: {axis: [1, 2, 3], angle: 40 deg},
         points: {m: [0.1, 0.05, 0.02]}}
  right: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [2.2, 0.3, 0.1], points: {m: [-0.1, 0, 0.05]}}
  plate: {type: rigid, mass: 0.4, inertia: [0.01, 0.01, 0.01], position: [1.15, 0.3, 0.05]}
  hose: {type: cable, line: {from: [0.2, 0.1, 0], to: [2.1, 0.2, 0.1], elements: 8}, section: hose}
  rope: {type: cable, line: {from: [2.2, 0.3, 1], to: [2.2, 0.3, 0.1], elements: 6}, section: rope, compression: 0}
joints:
  pin: {type: spherical, connect: [ground, left]}
  grip: {type: fixed, connect: [left.m, hose.start]}
  hold: {type: fixed, connect: [right.m, hose.end]}
  middle: {type: fixed, connect: [plate, "hose.node[4]"]}
  hook: {type: spherical, connect: [ground, rope.start]}
  knot: {type: spherical, connect: [rope.end, right]}
sensors:
  tip: {type: point, of: right, record: [position]}
  grip: {type: joint, of: grip, record: [force, moment]}
  hold: {type: joint, of: hold, record: [force, moment]}
  hook: {type: joint, of: hook, record: [force]}
)";

}  // namespace

TEST_CASE("cables between bodies that move, and ropes, are the same on any number of ranks", "[mpi]") {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string text = std::string(held) + "analysis: {end_time: 0.1, step: 1e-3}\n";
  const Trajectory apart = run_model(MPI_COMM_WORLD, text), whole = run_model(MPI_COMM_SELF, text);
  if (rank != 0) return;
  REQUIRE(apart.values.size() == whole.values.size());
  for (const auto& [column, value] : whole.values.back()) {
    INFO(column);
    CHECK(apart.values.back().at(column) == Approx(value).epsilon(1e-6).margin(1e-6));
  }
}

TEST_CASE("cables between bodies come to the same rest on any number of ranks", "[mpi]") {
  const std::string text = std::string(held) + "analysis: {type: static, newton: {tolerance: 1e-10}}\n";
  Stationary apart(MPI_COMM_WORLD, text), whole(MPI_COMM_SELF, text);
  apart.find_rest();
  whole.find_rest();
  const auto values = apart.values(), expected = whole.values();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  for (const auto& [column, value] : expected) {
    INFO(column);
    CHECK(values.at(column) == Approx(value).epsilon(1e-5).margin(1e-5));
  }
}
