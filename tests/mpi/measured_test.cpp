// Sensors of joints' coordinates, forces and sections where bodies lie on several ranks.
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/physics/trajectory.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// A chain whose hinges are controlled by their angles, with springs across it and a cable at its end.
const std::string chain = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
sections:
  line: {stiffness: [1e4, 1e4, 1e4, 2, 2, 2], inertia: [0.2, 0.2, 0.2, 0, 0, 0]}
bodies:
  "link{i}": {repeat: {i: 1..6}, type: rigid, mass: 1, inertia: [0.01, 0.08, 0.08], position: [i - 0.5, 0, 0],
              velocity: [0, 0, 0],
              points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  rope: {type: cable, line: {from: [6, 0, 0], to: [9, 0, 0], elements: 6}, section: line}
joints:
  pin1: {type: revolute, connect: [ground, link1.a], axis: [0, 1, 0]}
  "pin{i}": {repeat: {i: 2..6}, type: revolute, connect: ["link{i-1}.b", "link{i}.a"], axis: [0, 1, 0]}
  knot: {type: spherical, connect: [link6.b, rope.start]}
forces:
  "servo{i}": {repeat: {i: 1..6}, type: actuator, of: "pin{i}",
               torque: "100*(0.2*i*sin(9*t) - sensor.pin{i}.angle) - 5*sensor.pin{i}.rate - 3*sensor.span.rate"}
  "tie{i}": {repeat: {i: 1..2}, type: spring-damper, connect: ["link{i}", "link{7-i}"], stiffness: 50, damping: 1}
sensors:
  "pin{i}": {repeat: {i: 1..6}, type: relative, of: "pin{i}"}
  span: {type: relative, between: [link1, "rope.node[5]"]}
  "servo{i}": {repeat: {i: 1..6}, type: force, of: "servo{i}"}
  "tie{i}": {repeat: {i: 1..2}, type: force, of: "tie{i}"}
  "cut{i}": {repeat: {i: 0..5}, type: section, of: rope, at: i/5}
analysis: {end_time: 0.5, step: 5e-3}
)yaml";

}  // namespace

TEST_CASE("All ranks together measure joints, forces and sections as one does alone", "[mpi]") {
  const Trajectory together = run_model(MPI_COMM_WORLD, chain);
  if (comm_rank(MPI_COMM_WORLD) != 0) return;
  const Trajectory alone = run_model(MPI_COMM_SELF, chain);
  REQUIRE(together.values.size() == alone.values.size());
  REQUIRE(alone.values.front().size() == 12 + 2 + 12 + 6 + 6 * 11);
  for (std::size_t n = 0; n < alone.values.size(); n += 20)
    for (const auto& [column, value] : alone.values[n]) {
      CAPTURE(column, n);
      CHECK(together.values[n].at(column) == Approx(value).epsilon(1e-5).margin(1e-4));
    }
}

TEST_CASE("What springs measure is what they do to their bodies, on any number of ranks", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, chain);
  State s = wavy_state(*built.system);
  const std::map<std::string, double> values = measure(built.sensors(), s, nullptr);
  const TextModel single(MPI_COMM_SELF, chain);
  s = wavy_state(*single.system);
  const std::map<std::string, double> expected = measure(single.sensors(), s, nullptr);
  if (comm_rank(MPI_COMM_WORLD) != 0) return;
  for (const auto& [column, value] : expected) {
    CAPTURE(column);
    CHECK(values.at(column) == Approx(value).epsilon(1e-12).margin(1e-12));
  }
  CHECK(values.at("tie1.force") == Approx(50 * (values.at("tie1.length") - 5) + values.at("tie1.rate")));
}
