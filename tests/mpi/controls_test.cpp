// Controls and actuators on any number of ranks: every derivative of the tangent, and what they do to sums over dofs.
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/physics/stationary.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// Sensors of every kind of place and quantity, read from afar; outputs that use one another; every kind of actuator.
const std::string entangled = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
constants: {k: 4}
materials:
  rope: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}
sections:
  line: {shape: circle, diameter: 0.05}
bodies:
  "b{i}": {repeat: {i: 1..6}, type: rigid, mass: 1 + 0.1*i, inertia: [0.1, 0.2, 0.25], position: [i, 0, 0],
           orientation: {axis: [1, 1, 0], angle: 0.3*i}, points: {l: [-0.5, 0, 0], r: [0.5, 0.1, 0]}}
  rope: {type: cable, line: {from: [0, 3, 0], to: [2, 3, 0.5], elements: 4}, section: line, material: rope,
         points: {mid: {at: 0.4}}}
  far: {type: point-mass, mass: 2, position: [0, 5, 0], velocity: [1, 0, 0.5]}
joints:
  "h{i}": {repeat: {i: 2..6}, type: revolute, connect: ["b{i-1}.r", "b{i}.l"], axis: [0, 1, 0]}
  h0: {type: spherical, connect: [ground, b1.l]}
  knot: {type: spherical, connect: [b6.r, rope.start]}
  cross: {type: universal, connect: [b2.r, b5.l], axis: [1, 0, 0]}
controls:
  "gov{i}": {repeat: {i: 1..2}, state: {x: 0.1*i, y: 1},
             derivative: {x: "-x*i + sensor.tip.velocity.z + sin(t) + 0.1*control.sum.w",
                          y: "x*y - y + sensor.far.velocity.x*sensor.tip.orientation.w + sensor.b{i}.angular_velocity.y"},
             output: {u: "k*x + 3*y^2"}}
  sum: {output: {w: "control.gov1.u - 2*sensor.far.position.z + sensor.mid.displacement.y",
        v: "control.sum.w + control.gov2.y*control.sum.w"}}
forces:
  line: {type: actuator, connect: [far, b4.l], force: "10 - control.sum.v*0.1 - 5*sensor.tip.angular_velocity.y"}
  thrust: {type: actuator, on: b3.r, direction_local: [0, 0, 1],
           force: "20 + control.gov2.x - 3*sensor.tip.displacement.z*sensor.mid.velocity.x"}
  "turn{i}": {repeat: {i: 1..2}, type: actuator, connect: ["b{i}", "b{7-i}"], axis: [0, 1, 0],
              torque: "i*sensor.tip.position.z - control.gov{i}.y"}
  bend: {type: actuator, connect: [b1, b5], axis: [0, 1, 1],
         torque: "20*sensor.hinge.angle - sensor.gap.rate + 3*sensor.gap.distance*sensor.hinge.rate"}
  lift: {type: actuator, on: b4.r, direction: [0, 1, 1],
         force: "10*sensor.cross.angle2 + sensor.cross.rate.angle*sensor.post.rate - 4*sensor.post.distance"}
  push: {type: actuator, connect: [b2, far], direction: [0, 1, 1],
         force: "-30*sensor.far.position.z + sensor.tip.velocity.x*sensor.here"}
sensors:
  tip: {type: point, of: b6.r, record: [position, velocity, angular_velocity, orientation, displacement]}
  far: {type: point, of: far, record: [position, velocity]}
  mid: {type: point, of: rope.mid, record: [displacement, velocity]}
  here: {type: point, of: [1, 2, 3], record: position.y}
  hinge: {type: relative, of: h3}
  cross: {type: relative, of: cross, record: [angle2, rate]}
  gap: {type: relative, between: [rope.mid, far]}
  post: {type: relative, between: [b6.r, ground]}
  "b{i}": {repeat: {i: 1..2}, type: point, of: "b{i}", record: angular_velocity}
  "gov{i}": {repeat: {i: 1..2}, type: control, of: "gov{i}"}
  sum: {type: control, of: sum, record: v}
  whole: {type: system}
  energy: {type: energy}
analysis: {end_time: 1, step: 0.01}
)yaml";

/// Adds numbers that depend on the number of a state alone.
void add_to_states(const System& system, double size, PetscVec v) {
  VecWrite x(v);
  for (int c = 0; c < system.local().num_owned_controls; ++c) {
    const LocalControl& control = system.local().controls[static_cast<std::size_t>(c)];
    for (int k = 0; k < control.num_states; ++k) x[control.dof + k] += size * wave(control.natural + k, 11);
  }
}

/// Forces at q0 o exp(w + q d), z + v d; states of z + state d. Collective.
VecHandle forces_along(const System& system, const State& s, PetscVec w, PetscVec d, const TangentShift& shift, double eps) {
  VecHandle increment = duplicate(w), z = system.make_dof_vector(), f = system.make_dof_vector();
  petsc(VecWAXPY(increment, eps * shift.q, d, w));
  system.clear_states(increment);
  petsc(VecWAXPY(z, eps * shift.v, d, s.z));
  {
    const VecRead from(s.z), along(d);
    VecWrite to(z);
    for (const PetscInt i : system.layout().states) to[i] = from[i] + eps * shift.state_factor() * along[i];
  }
  Configuration q = system.make_configuration();
  system.retract(s.q, increment, q);
  system.forces({s.t, &q, z, s.lambda}, f);
  return f;
}

}  // namespace

TEST_CASE("The tangent of controls and actuators agrees with differences", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, entangled);
  const System& system = *built.system;
  State s = wavy_state(system);
  add_to_states(system, 2, s.z);
  const VecHandle w = wavy_dofs(system, 0.4);
  Configuration q1 = system.make_configuration();
  system.retract(s.q, w, q1);
  const MatHandle A = system.make_tangent_matrix();
  std::vector<TangentShift> shifts(3);
  shifts[0].q = 1;
  shifts[1].v = 1;
  shifts[2] = {0.7, 0.4, 0, 0, ConstraintRows::stage, 1.5, 1};
  for (const double state_q : {0.0, 0.8})
    for (TangentShift& shift : shifts) {
      shift.state_q = state_q;
      CAPTURE(shift.q, shift.v, state_q);
      system.assemble_tangent({s.t, &q1, s.z, s.lambda}, shift, w, A);
      VecHandle d = system.make_dof_vector(), rows = system.make_row_vector(), found = system.make_dof_vector();
      petsc(VecCopy(wavy_dofs(system, 1.0), d));
      add_to_states(system, 1, d);
      VecHandle x = make_kkt_vector(system.layout()), Ax = make_kkt_vector(system.layout());
      join_kkt(d, rows, x);
      petsc(MatMult(A, x, Ax));
      split_kkt(Ax, found, rows);
      constexpr double eps = 1e-5;
      VecHandle difference = forces_along(system, s, w, d, shift, -eps), ahead = forces_along(system, s, w, d, shift, eps);
      petsc(VecAXPBY(difference, -1 / (2 * eps), 1 / (2 * eps), ahead));
      const double size = max_norm(difference);
      petsc(VecAXPY(difference, -1.0, found));
      CHECK(max_norm(difference) < 1e-7 * (1 + size));
      CHECK(size > 1);
    }
}

TEST_CASE("States count as unit masses in matrices and as nothing in sums over bodies", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, entangled);
  const System& system = *built.system;
  State s = wavy_state(system);
  const Sensors sensors = built.sensors();
  const double before = system.energy({s.t, &s.q, s.z, s.lambda}).kinetic;
  const auto plain = measure(sensors, s, nullptr);
  add_to_states(system, 1e3, s.z);
  CHECK(system.energy({s.t, &s.q, s.z, s.lambda}).kinetic == Approx(before).epsilon(1e-14));
  const auto driven = measure(sensors, s, nullptr);
  for (const auto& [column, value] : plain)
    if (column.rfind("gov", 0) != 0 && column.rfind("sum", 0) != 0) CHECK(driven.at(column) == value);
  VecHandle Mz = system.make_dof_vector(), f = system.make_dof_vector();
  system.mass_times({s.t, &s.q, s.z, s.lambda}, s.z, Mz);
  const VecRead z(s.z), inertia(Mz);
  bool is_unit = true;
  for (const PetscInt i : system.layout().states) is_unit = is_unit && z[i] == inertia[i];
  CHECK(is_unit);
}

TEST_CASE("All ranks together find the rest and the vibrations of a controlled chain that one finds alone", "[mpi]") {
  const std::string model = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  "link{i}": {repeat: {i: 1..4}, type: rigid, mass: 1, inertia: [0.01, 0.08, 0.08], position: [i - 0.5, 0, 0],
              points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  hook: {type: revolute, connect: [ground, link1.a], axis: [0, 1, 0]}
  "pin{i}": {repeat: {i: 2..4}, type: revolute, connect: ["link{i-1}.b", "link{i}.a"], axis: [0, 1, 0]}
controls:
  "servo{i}": {repeat: {i: 1..4}, state: {M: 0},
               derivative: {M: "(-200*sensor.link{i}.position.z + 20*sensor.link{i}.angular_velocity.y - M)/0.1"}}
forces:
  "motor{i}": {repeat: {i: 1..4}, type: actuator, connect: [ground, "link{i}"], axis: [0, -1, 0], torque: "control.servo{i}.M"}
sensors:
  "link{i}": {repeat: {i: 1..4}, type: point, of: "link{i}", record: [position, angular_velocity]}
  "servo{i}": {repeat: {i: 1..4}, type: control, of: "servo{i}"}
analysis: {type: static}
)yaml";
  Stationary together(MPI_COMM_WORLD, model);
  together.find_rest();
  const auto rest = together.values();
  const std::vector<double> frequencies = together.frequencies(4);
  if (comm_rank(MPI_COMM_WORLD) != 0) return;
  Stationary alone(MPI_COMM_SELF, model);
  alone.find_rest();
  for (const auto& [column, value] : alone.values()) CHECK(rest.at(column) == Approx(value).epsilon(1e-9).margin(1e-9));
  const std::vector<double> expected = alone.frequencies(4);
  REQUIRE(frequencies.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(frequencies[k] == Approx(expected[k]).epsilon(1e-7));
  CHECK(std::abs(rest.at("servo1.M")) > 1);
}
