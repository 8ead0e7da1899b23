/// \file
/// Models that come in any size, and the matrix of a step with them.
#pragma once

#include "tests/mpi/observe/text_model.hpp"

namespace sinew::test {

/// Cables that cross in a square of `cells` by `cells`, tied where they do.
inline std::string cable_net(int cells) {
  return "sinew: 1\nconstants: {n: " + std::to_string(cells) + R"yaml(}
materials: {rope: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0}}
sections: {rope: {shape: circle, diameter: 0.03}}
bodies:
  "x{j}": {repeat: {j: 0..n}, type: cable, line: {from: [0, j, 0], to: [n, j, 0], elements: 2*n}, section: rope, material: rope}
  "y{i}": {repeat: {i: 0..n}, type: cable, line: {from: [i, 0, 0], to: [i, n, 0], elements: 2*n}, section: rope, material: rope}
joints:
  "c{100*i+j}": {repeat: {i: 0..n, j: 0..n}, type: spherical, connect: ["x{j}.node[{2*i}]", "y{i}.node[{2*j}]"]}
analysis: {end_time: 1, step: 0.01}
)yaml";
}

/// A chain of as many links as wanted, the joints of a type with `more` keys.
inline std::string chain_of(int links, const std::string& joint, const std::string& more = "") {
  return "sinew: 1\nconstants: {N: " + std::to_string(links) + R"yaml(}
bodies:
  "link{i}":
    repeat: {i: 1..N}
    type: rigid
    mass: 1
    inertia: [0.1, 0.2, 0.3]
    position: [i-0.5, 0, 0]
    points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}
joints:
  hook: {type: revolute, connect: [ground, link1.a], axis: [0, 0, 1]}
  "pin{i}": {repeat: {i: 2..N}, type: )yaml" +
         joint + R"yaml(, connect: ["link{i-1}.b", "link{i}.a"])yaml" + more + "}\nanalysis: {end_time: 1, step: 0.01}\n";
}

inline TangentShift shift_of_a_step() {
  TangentShift shift;
  shift.q = 1e-4;
  shift.v = 1e-2;
  shift.a = 1;
  return shift;
}

/// The tangent of a model at its start.
struct Tangent {
  /// Collective.
  explicit Tangent(const TextModel& built, const TangentShift& shift = shift_of_a_step())
      : system(*built.system), matrix(system.make_tangent_matrix()) {
    const State state = initial_state(system);
    const VecHandle w = system.make_dof_vector(), lambda = system.make_row_vector();
    system.assemble_tangent({0.0, &state.q, state.z, lambda}, shift, w, matrix);
  }
  const System& system;
  MatHandle matrix;
};

}  // namespace sinew::test
