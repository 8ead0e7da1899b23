// Beams on several ranks: the same motion, sensors and fields of a section as on one.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// An arc on a clamp with a weight at its end; `damping` is a line of the beam, or empty.
std::string shaken_arc(const std::string& damping) {
  return R"yaml(sinew: 1
gravity: [0, 0, -9.81]
sections: {s: {stiffness: [1e4, 4e3, 4e3, 20, 30, 50], inertia: [1, 1, 1, 0.03, 0.01, 0.02]}}
bodies:
  arc:
    type: beam
    line: {curve: ["2*sin(s)", "2 - 2*cos(s)", "0"], range: [0, pi/2], elements: 9}
    section: s
)yaml" + damping +
         R"yaml(    points: {third: {at: 1/3}}
  bob: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 2, 0]}
joints:
  root: {type: clamp, connect: [ground, arc.start]}
  weld: {type: fixed, connect: [arc.end, bob]}
forces:
  push: {type: torque, on: arc.third, vector: ["20*sin(30*t)", "0", "0"]}
sensors:
  tip: {type: point, of: arc.end, record: [position, orientation, velocity, angular_velocity, acceleration]}
  "at{i}": {repeat: {i: 0..9}, type: section, of: arc, at: i/9}
  root: {type: joint, of: root, record: [force, moment]}
  weld: {type: joint, of: weld, record: [force, moment]}
  whole: {type: system}
  energy: {type: energy, record: [kinetic, strain, total, dissipated]}
analysis: {end_time: 0.1, step: 2e-3, newton: {tolerance: 1e-14}}
)yaml";
}

void check_alike(const std::string& text) {
  const Trajectory together = run_model(MPI_COMM_WORLD, text), alone = run_model(MPI_COMM_SELF, text);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) return;
  for (const auto& [name, value] : alone.values.back()) {
    INFO(name);
    CHECK(together.values.back().at(name) == Approx(value).epsilon(1e-9).margin(1e-9));
  }
}

}  // namespace

TEST_CASE("A beam that is shaken moves alike on any number of ranks", "[mpi]") { check_alike(shaken_arc("")); }

TEST_CASE("A beam that is damped by component moves alike on any number of ranks", "[mpi]") {
  check_alike(shaken_arc("    damping: {beta: [1e-4, 2e-4, 3e-4, 2e-3, 1e-3, 5e-4]}\n"));
}
