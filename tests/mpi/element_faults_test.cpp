#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

using namespace sinew;
using test::TextModel;

namespace {

/// Six masses one metre apart, tied by springs, with a block of solid elements or without.
std::string net(bool with_solid) {
  std::string text = R"(sinew: 1
materials: {rubber: {density: 1100, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  "m{i}": {repeat: {i: 1..6}, type: point-mass, mass: 1, position: [i, 0, 0]}
)";
  if (with_solid)
    text +=
        "  block: {type: solid, box: {size: [1, 1, 1], elements: [2, 2, 2], order: 1}, material: rubber, position: [0, 1, 0]}\n";
  return text + R"(forces:
  pull: {type: force, on: m1, vector: [1, 0, 0]}
  push: {type: force, on: m2, vector: [1, 0, 0]}
  wind: {type: force, on: m3, vector: [1, 0, 0]}
  "s{i}": {repeat: {i: 1..5}, type: spring-damper, connect: ["m{i}", "m{i+1}"], stiffness: 100}
analysis: {end_time: 1, step: 0.01}
)";
}

/// The initial configuration with one degree of freedom of some nodes (by natural numbers) moved. Collective.
Configuration moved(const System& system, const std::vector<std::int64_t>& nodes, int component, double by) {
  const VecHandle w = system.make_dof_vector();
  {
    VecWrite x(w);
    for (const std::int64_t natural : nodes) {
      const int n = system.local().local_node(natural);
      if (n >= 0 && n < system.local().num_owned_nodes) x[system.local().dof[n] + component] = by;
    }
  }
  const Configuration start = system.make_configuration();
  Configuration q = system.make_configuration();
  system.retract(start, w, q);
  return q;
}

}  // namespace

TEST_CASE("a spring without direction is named on all ranks, with solids in the model and without", "[mpi]") {
  for (const bool with_solid : {false, true}) {
    INFO((with_solid ? "with a solid" : "without"));
    const TextModel built(MPI_COMM_WORLD, net(with_solid));
    CHECK(built.system->fault(test::initial_state(*built.system).q).empty());
    CHECK(built.system->fault(moved(*built.system, {3}, 0, 1.0)) ==
          "the spring-damper 's4' has no direction: its two places coincide");
    CHECK(built.system->is_compact() == with_solid);
  }
}

TEST_CASE("of several faults the first of the model is named, whatever rank has it", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, net(true));
  CHECK(built.system->fault(moved(*built.system, {1, 3}, 0, 1.0)) ==
        "the spring-damper 's2' has no direction: its two places coincide");
  // The block's first node pushed through the others.
  CHECK(built.system->fault(moved(*built.system, {3, 6}, 0, 1.0)) ==
        "an element of 'block' (hex8-st-venant-kirchhoff) is turned inside out");
}

TEST_CASE("an element that has left the range of numbers is named", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, net(false));
  CHECK(built.system->fault(moved(*built.system, {5}, 1, 1e200)) == "the spring-damper 's5' has left the range of numbers");
}

TEST_CASE("cables, bushings and actuators are checked in a model without solids", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, R"(sinew: 1
materials: {rope: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
sections: {line: {shape: circle, diameter: 0.01}}
bodies:
  base: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  top: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  far: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}
  rope: {type: cable, line: {from: [0, 0, 1], to: [1, 0, 1], elements: 2}, section: line, material: rope}
forces:
  mount: {type: bushing, connect: [base, top], stiffness: [1, 1, 1, 1, 1, 1]}
  jack: {type: actuator, connect: [top, far], force: 1}
analysis: {end_time: 1, step: 0.01}
)");
  const System& system = *built.system;
  CHECK(system.fault(test::initial_state(system).q).empty());
  CHECK(system.fault(moved(system, {0}, 3, M_PI)) == "the bushing 'mount' is turned by half a turn, where its angles end");
  CHECK(system.fault(moved(system, {2}, 0, -1.0)) == "the actuator 'jack' has no direction: its two places coincide");
  const std::string rope = "an element of 'rope' (cable) ";
  CHECK(system.fault(moved(system, {4, 6, 8}, 0, 1e200)) == rope + "has left the range of numbers");
  try {
    system.require_admissible(moved(system, {0}, 3, M_PI));
    FAIL("a bushing at half a turn was let pass");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "test.yaml:10:3: error: the initial configuration is not admissible: the bushing 'mount' is "
          "turned by half a turn, where its angles end");
  }
}
