/// \file
/// Systems made of model files that stand in the test, and states that are the same on any number of ranks.
#pragma once

#include "input/model_reader.hpp"
#include "integrate/integrator.hpp"
#include "model/registered_catalogue.hpp"
#include "solve/modal_reduction.hpp"
#include "system/sensors.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <string>

namespace sinew::test {

/// A model and what was made of it.
struct TextModel {
  Model model;
  SolidMeshes meshes;
  std::unique_ptr<Numbering> numbering;
  std::unique_ptr<System> system;

  /// Collective.
  TextModel(MPI_Comm comm, const std::string& text)
      : model(with_modal_shapes(comm, read_model_text(text, "test.yaml", registered_catalogue()))),
        meshes(read_solid_meshes(comm, model)) {
    numbering = std::make_unique<Numbering>(model, meshes);
    system = std::make_unique<System>(model, distribute(comm, model, meshes, *numbering));
  }
  Sensors sensors() const { return Sensors(model, meshes, *numbering, *system); }
};

/// The model's initial state. Collective.
inline State initial_state(const System& system) {
  State state = make_state(system);
  system.initial_state(state.q, state.z);
  return state;
}

/// Numbers between -1 and 1 that depend on the natural number of a node or row and a component alone. The argument is a multiple
/// of 1/8 and exact, so that they have the same bits wherever compilers join a product and a sum.
inline double wave(std::int64_t number, int component) {
  return std::sin(1.75 * static_cast<double>(number) + 0.875 * component + 0.25);
}

/// A vector of degrees of freedom with such numbers. Collective.
inline VecHandle wavy_dofs(const System& system, double size) {
  VecHandle v = system.make_dof_vector();
  VecWrite x(v);
  const LocalModel& local = system.local();
  for (int n = 0; n < local.num_owned_nodes; ++n)
    for (int i = 0; i < local.size(n).dofs; ++i) x[local.dof[n] + i] = size * wave(local.node_id[n], i);
  return v;
}

/// The same for multipliers. Collective.
inline VecHandle wavy_rows(const System& system, double size) {
  VecHandle v = system.make_row_vector();
  VecWrite x(v);
  for (const OwnedRows& rows : system.local().rows)
    for (int i = 0; i < rows.position_rows + rows.velocity_rows; ++i) x[rows.first + i] = size * wave(rows.natural + i, 7);
  return v;
}

/// A state off the initial one, with velocities and multipliers. Collective.
inline State wavy_state(const System& system) {
  State state = initial_state(system);
  const VecHandle w = wavy_dofs(system, 0.02);
  const Configuration start = system.make_configuration();
  system.retract(start, w, state.q);
  state.z = wavy_dofs(system, 3.0);
  state.lambda = wavy_rows(system, 10.0);
  state.t = 0.25;
  return state;
}

/// What the sensors say at a state, by column; filled on rank 0. Collective.
inline std::map<std::string, double> measure(const Sensors& sensors, const State& state, PetscVec acceleration) {
  const std::vector<double> values = sensors.measure({state.t, &state.q, state.z, state.lambda}, acceleration);
  std::map<std::string, double> table;
  for (std::size_t i = 0; i < values.size(); ++i) table[sensors.header()[i]] = values[i];
  return table;
}

/// Three components of a sensor's quantity.
inline Vec3<double> vector_of(const std::map<std::string, double>& table, const std::string& name) {
  return Vec3<double>{{table.at(name + ".x"), table.at(name + ".y"), table.at(name + ".z")}};
}

/// A model with every kind of body, joint place and sensor; it can be cut into three parts.
inline constexpr const char* mixed_model = R"(sinew: 1
title: Some of everything
gravity: [0, 0, -9.81]
materials:
  rubber: {density: 1100, youngs_modulus: 5e6, poissons_ratio: 0.3}
  rope: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}
sections:
  line: {shape: circle, diameter: 0.01}
bodies:
  "link{i}":
    repeat: {i: 1..5}
    type: rigid
    mass: "0.5 + 0.1*i"
    inertia: [0.01, 0.1, 0.1]
    position: ["i-0.5", 0, 0]
    orientation: {axis: [1, 1, 0], angle: "0.3*i"}
    points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}
  bar:
    type: solid
    box: {size: [0.4, 0.1, 0.1], elements: [4, 2, 2], order: 1}
    material: rubber
    position: [1, 1, 0]
  wedge:
    type: solid
    box: {size: [0.2, 0.1, 0.1], elements: [3, 1, 1], order: 1}
    material: rubber
    position: [-1, 1, 0]
  "rope{i}":
    repeat: {i: 0..1}
    type: cable
    line: {from: ["1 + i", 0, 1], to: ["2 + i", 0, 1.5], elements: 4}
    section: line
    material: rope
    points: {mid: {at: 0.4}}
  bob: {type: point-mass, mass: 2, position: [2, 0, 1.5]}
joints:
  "pin{i}": {repeat: {i: 2..5}, type: revolute, connect: ["link{i-1}.b", "link{i}.a"], axis: [0, 1, 0]}
  first: {type: fixed, connect: [ground, link1.a]}
  wall: {type: clamp, connect: [ground, "bar.x-"]}
  tie: {type: spherical, connect: ["bar.x+", link3.b]}
  hang: {type: spherical, connect: [rope0.end, bob]}
  hold: {type: clamp, connect: [ground, rope1.start]}
sensors:
  "tip{i}": {repeat: {i: 1..5}, type: point, of: "link{i}.b",
             record: [position, displacement, velocity, acceleration, orientation,
             angular_velocity, angular_acceleration]}
  "mid{i}": {repeat: {i: 0..1}, type: point, of: "rope{i}.mid", record: [position, displacement, velocity, acceleration]}
  node: {type: point, of: "rope0.node[2]", record: [position, acceleration]}
  face: {type: point, of: "bar.x+", record: [position, velocity, orientation, angular_velocity]}
  bob: {type: point, of: bob, record: [position]}
  here: {type: point, of: [1, 2, 3], record: [position, velocity]}
  "pin{i}": {repeat: {i: 2..5}, type: joint, of: "pin{i}"}
  first: {type: joint, of: first}
  wall: {type: joint, of: wall}
  tie: {type: joint, of: tie}
  hold: {type: joint, of: hold}
  energy: {type: energy, record: [total, kinetic, strain, potential]}
  drift: {type: constraint, record: [position, velocity]}
  whole: {type: system, record: [mass, center_of_mass, momentum, angular_momentum]}
  part: {type: system, of: ["link{i}", bar, rope1], record: [angular_momentum, mass, center_of_mass, momentum]}
analysis: {end_time: 1, step: 0.01}
output: {fields: {every: 1, quantities: []}}
)";

}  // namespace sinew::test
