// Shafts on several ranks: elements over lists of different lengths, whose discs lie with other ranks, move as on one.
#include "tests/mpi/beside_one_rank.hpp"
#include "tests/mpi/observe/text_model.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// Cranks of two to six discs, geared in a row and tied to bodies in hinges.
const std::string train = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  two: {type: shaft, inertia: [0.1, 0.2], stiffness: [300], damping: [0.1]}
  four: {type: shaft, inertia: [0.1, 0.2, 0.3, 0.2], stiffness: [300, 200, 250], drag: 0.02}
  six: {type: shaft, inertia: [0.1, 0.05, 0.2, 0.1, 0.3, 0.2], stiffness: [300, 200, 250, 300, 100]}
  "single{i}": {repeat: {i: 0..5}, type: shaft, inertia: 0.1 + 0.01*i, angle: i}
  "wheel{i}": {repeat: {i: 0..2}, type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [i, 0, 0], points: {rim: [0, 0.3, 0]}}
joints:
  "hub{i}": {repeat: {i: 0..2}, type: revolute, connect: [[i, 0, 0], "wheel{i}"], axis: [0, 0, 1]}
  "first": {type: shaft-gear, connect: [two.end, four.start], ratio: -2}
  "second": {type: shaft-gear, connect: [four.end, six.start], ratio: 1.5}
  "mesh{i}":
    {repeat: {i: 0..1}, type: shaft-turn, connect: ["wheel{i}", "wheel{i+1}", "six.node[2*i+2]"], axis: [0, 0, 1], ratio: 2}
forces:
  motor: {type: shaft-torque, on: two.start, value: "4*sin(5*t)"}
  "tie{i}": {repeat: {i: 0..4}, type: shaft-spring, connect: ["single{i}", "single{i+1}"], stiffness: 40, damping: 0.1}
  last: {type: shaft-spring, connect: [single5, six.end], stiffness: 30}
  "at{i}": {repeat: {i: 0..5}, type: shaft-torque, on: "single{i}", value: 0}
  "of{i}": {repeat: {i: 0..5}, type: shaft-torque, on: "six.node[i]", value: 0}
sensors:
  motor: {type: force, of: motor}
  first: {type: joint, of: first}
  "mesh{i}": {repeat: {i: 0..1}, type: joint, of: "mesh{i}"}
  "tie{i}": {repeat: {i: 0..4}, type: force, of: "tie{i}"}
  "at{i}": {repeat: {i: 0..5}, type: force, of: "at{i}"}
  "of{i}": {repeat: {i: 0..5}, type: force, of: "of{i}"}
  "rim{i}": {repeat: {i: 0..2}, type: point, of: "wheel{i}.rim", record: [position, velocity, acceleration]}
  whole: {type: system}
  energy: {type: energy}
analysis: {end_time: 0.5, step: 2e-3, newton: {tolerance: 1e-12}}
)yaml";

/// Planetary gears in a row, the sun of one on the arm of the next, with rings on springs to the ground; the last one's ring is
/// the ground.
const std::string planets = R"yaml(sinew: 1
bodies:
  "arm{i}": {repeat: {i: 0..6}, type: shaft, inertia: 0.2 + 0.02*i, angle: 0.1*i}
  "ring{i}": {repeat: {i: 0..4}, type: shaft, inertia: 0.3 - 0.01*i}
joints:
  "gear{i}": {repeat: {i: 0..4}, type: shaft-planetary, connect: ["arm{i}", "arm{i+1}", "ring{i}"], ratio: -2 - 0.1*i}
  last: {type: shaft-planetary, connect: [arm5, arm6, ground], ratio: -1.5}
forces:
  motor: {type: shaft-torque, on: arm0, value: "4*sin(5*t)"}
  "bar{i}": {repeat: {i: 0..4}, type: shaft-spring, connect: [ground, "ring{i}"], stiffness: 30 + i, damping: 0.2}
  back: {type: shaft-spring, connect: [arm6, ground], stiffness: 2}
  brake: {type: shaft-torque, connect: [ground, arm3], torque: "-0.3*sensor.arm3.rate"}
sensors:
  "arm{i}": {repeat: {i: 0..6}, type: point, of: "arm{i}"}
  "ring{i}": {repeat: {i: 0..4}, type: point, of: "ring{i}"}
  "gear{i}": {repeat: {i: 0..4}, type: joint, of: "gear{i}"}
  last: {type: joint, of: last}
  "bar{i}": {repeat: {i: 0..4}, type: force, of: "bar{i}", record: [moment, angle, rate, dissipated]}
  brake: {type: force, of: brake, record: [moment, work]}
  energy: {type: energy, record: [total, dissipated, work]}
analysis: {end_time: 0.5, step: 2e-3, newton: {tolerance: 1e-12}}
)yaml";

/// Masses on springs without length to where they start, and to each other, some of them in one place.
const std::string meetings = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  "bob{i}": {repeat: {i: 0..5}, type: point-mass, mass: 1 + 0.1*i, position: [floor(i/2), 1, 2], velocity: [0, 0.1*i, 0]}
forces:
  "hold{i}": {repeat: {i: 0..5}, type: spring-damper, connect: [[floor(i/2), 1, 2], "bob{i}"], stiffness: 10, damping: 0.3}
  "tie{i}": {repeat: {i: 0..4}, type: spring-damper, connect: ["bob{i}", "bob{i+1}"], stiffness: 5, damping: 0.2, length: 0}
sensors:
  "bob{i}": {repeat: {i: 0..5}, type: point, of: "bob{i}", record: [position, velocity, acceleration]}
  "tie{i}": {repeat: {i: 0..4}, type: force, of: "tie{i}", record: [force, length, rate, dissipated]}
  energy: {type: energy, record: [total, dissipated]}
analysis: {end_time: 1, step: 5e-3, newton: {tolerance: 1e-12}}
)yaml";

}  // namespace

TEST_CASE("planetary gears and springs to the ground turn alike on any number of ranks", "[mpi]") {
  check_beside_one_rank(planets);
}

TEST_CASE("springs without length pull alike on any number of ranks", "[mpi]") { check_beside_one_rank(meetings); }

TEST_CASE("shafts of several lengths turn alike on any number of ranks", "[mpi]") { check_beside_one_rank(train); }

TEST_CASE("elements with as many nodes are one family, the same ones on all ranks", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, train);
  std::vector<int> lengths;
  int discs = 0;
  for (const auto& family : built.system->families())
    if (family->name() == "shaft") {
      lengths.push_back(family->shape().nodes_per_element);
      discs += family->size() * family->shape().nodes_per_element;
    }
  CHECK(lengths == std::vector<int>{1, 2, 4, 6});
  MPI_Allreduce(MPI_IN_PLACE, &discs, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(discs == 18);
}
