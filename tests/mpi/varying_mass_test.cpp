// Masses that depend on where they are, on several ranks: elements whose nodes lie with other ranks, and ranks without any.
#include "tests/mpi/beside_one_rank.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

const std::string engines_and_balls = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  crank: {type: shaft, inertia: [0.02, 0.03, 0.02, 0.04], stiffness: [300, 200, 250], speed: 20}
  wheel: {type: shaft, inertia: 0.1, speed: -10}
  "ball{i}":
    {repeat: {i: 0..3}, type: point-mass, mass: 0.5, position: [0.2*i, 0, 0.3 + 0.02*i], velocity: [0, 0.3*i, 0]}
  float:
    type: rigid
    mass: 0.4
    inertia: [1e-3, 2e-3, 3e-3]
    position: [0, 1, 0.3]
    angular_velocity: [1, 3, -2]
    points: {end: [0.1, 0.02, 0]}
joints:
  teeth: {type: shaft-gear, connect: [crank.end, wheel], ratio: -2}
  "link{i}": {repeat: {i: 0..2}, type: distance, connect: ["ball{i}", "ball{i+1}"]}
forces:
  "piston{i}": {repeat: {i: 0..3}, type: shaft-crank, on: "crank.node[i]", mass: 0.8, crank: 0.05, rod: 0.18, angle: 1.5*i}
  "water{i}": {repeat: {i: 0..3}, type: added-mass, on: "ball{i}", radius: 0.05, density: 1000, wall: [0, 0, 0],
    normal: [0, 0, 1]}
  water: {type: added-mass, on: float.end, radius: 0.06, density: 1000, wall: [0, 0, 0], normal: [0, 1, 3]}
sensors:
  teeth: {type: joint, of: teeth}
  "piston{i}": {repeat: {i: 0..3}, type: force, of: "piston{i}"}
  "ball{i}": {repeat: {i: 0..3}, type: point, of: "ball{i}", record: [position, velocity, acceleration]}
  "link{i}": {repeat: {i: 0..2}, type: joint, of: "link{i}", record: [force]}
  end: {type: point, of: float.end, record: [position, velocity, acceleration]}
  whole: {type: system}
  energy: {type: energy}
analysis: {end_time: 0.2, step: 5e-4, newton: {tolerance: 1e-12}}
)yaml";

}  // namespace

TEST_CASE("cranks on shafts and spheres near a wall move alike on any number of ranks", "[mpi]") {
  check_beside_one_rank(engines_and_balls);
}
