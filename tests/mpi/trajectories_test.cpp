#include "tests/catch.hpp"
#include "tests/mpi/heavy_top.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/physics/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace sinew;
using namespace sinew::test;

namespace {

struct NamedModel {
  std::string name, text;
};

const std::string heavy_top = heavy_top_until(0.1);

const std::string chain = R"(sinew: 1
title: Falling chain
gravity: [0, 0, -9.81]
bodies:
  "link{i}": {repeat: {i: 1..10}, type: rigid, mass: 1, inertia: [0.00167, 0.0842, 0.0842], position: [i - 0.5, 0, 0],
              points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}
joints:
  hook: {type: spherical, connect: [ground, link1.start]}
  "pin{i}": {repeat: {i: 2..10}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
sensors:
  "link{i}": {repeat: {i: 1..10}, type: point, of: "link{i}", record: [position, velocity, acceleration]}
  hook: {type: joint, of: hook, record: [force]}
  pin5: {type: joint, of: pin5, record: [force]}
analysis: {end_time: 0.3, step: [0.0033333333333333335, 0.0066666666666666671], newton: {tolerance: 1e-12}}
)";

/// The drive starts smoothly; the rod is soft enough to bend visibly.
/// The rod has no enhanced strains: one that bends as it should is six times as soft, and makes six times as much of the rounding
/// of places, to which the runs are compared.
const std::string slider_crank = R"yaml(sinew: 1
title: Slider-crank
constants: {r: 0.15, L: 0.3, omega: 20, T: 0.1}
gravity: [0, -9.81, 0]
materials:
  plastic: {density: 1200, youngs_modulus: 1e9, poissons_ratio: 0.3}
bodies:
  crank: {type: rigid, mass: 0.36, inertia: [2e-5, 7e-4, 7e-4], position: [r/2, 0, 0],
          points: {bearing: [-r/2, 0, 0], pin: [r/2, 0, 0]}}
  rod: {type: solid, box: {size: [L, 0.02, 0.02], elements: [8, 2, 1], order: 1}, material: plastic, formulation: displacement,
        position: [r, -0.01, -0.01]}
  slider: {type: rigid, mass: 0.08, inertia: [8e-6, 8e-6, 8e-6], position: [r + L, 0, 0]}
joints:
  main: {type: revolute, connect: [ground, crank.bearing], axis: [0, 0, 1]}
  drive: {type: motion, of: main, angle: "omega*(t < T ? t/2 - T/(2*pi)*sin(pi*t/T) : t - T/2)"}
  crankpin: {type: revolute, connect: [crank.pin, "rod.x-"], axis: [0, 0, 1]}
  wristpin: {type: spherical, connect: ["rod.x+", slider]}
  guide: {type: prismatic, connect: [ground, slider], axis: [1, 0, 0]}
sensors:
  crank: {type: point, of: crank, record: [position, velocity, acceleration]}
  slider: {type: point, of: slider, record: [position, velocity, acceleration]}
  drive: {type: joint, of: drive, record: [moment]}
  wristpin: {type: joint, of: wristpin, record: [force]}
  energy: {type: energy, record: [kinetic, strain, potential]}
analysis: {end_time: 0.12, step: 3e-3, newton: {tolerance: 1e-12}}
)yaml";

/// Two links are held by controllers that watch the chain's end.
const std::string controlled_chain = R"yaml(sinew: 1
title: Controlled chain
gravity: [0, 0, -9.81]
bodies:
  "link{i}": {repeat: {i: 1..8}, type: rigid, mass: 1, inertia: [0.00167, 0.0842, 0.0842], position: [i - 0.5, 0, 0],
              points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}
  winch: {type: point-mass, mass: 3, position: [2, 0, 3]}
joints:
  hook: {type: spherical, connect: [ground, link1.start]}
  "pin{i}": {repeat: {i: 2..8}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
controls:
  "hold{i}": {repeat: {i: 1..2}, state: {x: 0, y: 0.1*i}, 
              derivative: {x: "-sensor.tip.position.z - i*x", y: "sensor.middle.velocity.z*x - y + control.hold1.x"},
              output: {u: "20*x - 5*sensor.tip.velocity.z + control.all.sum"}}
  all: {output: {sum: "control.hold1.y + control.hold2.y"}}
forces:
  "drive{i}": {repeat: {i: 1..2}, type: actuator, connect: ["link{3*i}", "link{3*i+1}"], axis: [0, 1, 0],
               torque: "-control.hold{i}.u"}
  rope: {type: actuator, connect: [winch, link5.end], force: "-10*t*(1 + control.all.sum) - 3*sensor.tip.velocity.x"}
sensors:
  tip: {type: point, of: link8.end, record: [position, velocity, acceleration]}
  middle: {type: point, of: link4, record: [velocity, angular_velocity]}
  winch: {type: point, of: winch, record: [position, velocity]}
  "hold{i}": {repeat: {i: 1..2}, type: control, of: "hold{i}"}
  hook: {type: joint, of: hook, record: [force]}
analysis: {end_time: 0.3, step: [0.0033333333333333335, 0.0066666666666666671], newton: {tolerance: 1e-12}}
)yaml";

/// Links far apart are held by expressions of where they are and how they move.
const std::string tied_chain = R"yaml(sinew: 1
title: Tied chain
gravity: [0, 1, -9.81]
bodies:
  "link{i}": {repeat: {i: 1..8}, type: rigid, mass: 1, inertia: [0.00167, 0.0842, 0.0842], position: [i - 0.5, 0, 0],
              points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}
joints:
  hook: {type: spherical, connect: [ground, link1.start]}
  "pin{i}": {repeat: {i: 2..8}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
  tie: {type: coordinate,
        zero: "sensor.p3.displacement.z - 0.5*sensor.p6.displacement.z + 0.2*(sensor.span.distance - 4)*cos(3*t)"}
  lead: {type: velocity,
         zero: "sensor.p8.velocity.y + 0.3*sensor.p5.velocity.y*(1 + sensor.p8.displacement.z) - sin(9*t)*sensor.span.rate"}
sensors:
  "p{i}": {repeat: {i: 1..8}, type: point, of: "link{i}.end", record: [displacement, velocity, acceleration]}
  span: {type: relative, between: [link2.start, link6.start]}
  tie: {type: joint, of: tie, record: [force]}
  lead: {type: joint, of: lead, record: [force]}
analysis: {end_time: 0.3, step: [0.0033333333333333335, 0.0066666666666666671], newton: {tolerance: 1e-12}}
)yaml";

/// Joints that rub, and a guide that ends at a stop.
const std::string rubbing_chain = R"yaml(sinew: 1
title: Rubbing chain
gravity: [0, 1, -9.81]
bodies:
  "link{i}": {repeat: {i: 1..9}, type: rigid, mass: 1, inertia: [0.00167, 0.0842, 0.0842], position: [i - 0.5, 0, 0],
              points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}
  shoe: {type: rigid, mass: 2, inertia: [0.02, 0.02, 0.02], position: [0, 0, 1]}
joints:
  hook: {type: universal, connect: [ground, link1.start], axis: [0, 1, 0], axis2: [0, 0, 1]}
  "pin{i}": {repeat: {i: 2..8}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
  last: {type: revolute, connect: [link8.end, link9.start], axis: [0, 1, 0]}
  rail: {type: prismatic, connect: [[0, 0, 0], shoe], axis: [0, 0, 1]}
forces:
  hooked: {type: friction, of: hook, coefficient: 0.2, radius: 0.03, length: 0.1, transition_speed: 0.01}
  "rub{i}": {repeat: {i: 2..8}, type: friction, of: "pin{i}", coefficient: 0.01*i, radius: 0.05, transition_speed: 0.01}
  ended: {type: friction, of: last, coefficient: 0.2, radius: 0.03, length: 0.1, transition_speed: 0.01}
  braked: {type: friction, of: rail, coefficient: 0.3, length: 0.2, transition_speed: 0.01}
  floor: {type: stop, of: rail, lower: 0.9, stiffness: 1e4, damping: 0.2}
  tie: {type: spring-damper, connect: [shoe, link5], stiffness: 50, length: 4}
sensors:
  "link{i}": {repeat: {i: 1..9}, type: point, of: "link{i}", record: [position, velocity, acceleration]}
  shoe: {type: point, of: shoe, record: [position, velocity]}
  hook: {type: joint, of: hook, record: [force, moment]}
  pin5: {type: joint, of: pin5, record: [force]}
  rub5: {type: force, of: rub5}
  braked: {type: force, of: braked}
  floor: {type: force, of: floor}
analysis: {end_time: 0.3, step: [0.0016666666666666668, 0.0033333333333333335], newton: {tolerance: 1e-12}}
)yaml";

/// Friction beside a solid, in joints that hold its surfaces.
const std::string rubbing_slider_crank = slider_crank.substr(0, slider_crank.find("sensors:")) + R"yaml(forces:
  at_crankpin: {type: friction, of: crankpin, coefficient: 0.1, radius: 0.01, transition_speed: 0.01}
  at_wristpin: {type: friction, of: wristpin, coefficient: 0.1, radius: 0.01, transition_speed: 0.01}
  at_guide: {type: friction, of: guide, coefficient: 0.1, transition_speed: 0.05}
)yaml" + slider_crank.substr(slider_crank.find("sensors:"));

const std::vector<NamedModel> models{{"heavy top", heavy_top},
                                     {"chain", chain},
                                     {"slider-crank", slider_crank},
                                     {"controlled chain", controlled_chain},
                                     {"tied chain", tied_chain},
                                     {"rubbing chain", rubbing_chain},
                                     {"rubbing slider-crank", rubbing_slider_crank}};

int rank() { return comm_rank(MPI_COMM_WORLD); }

/// The sensor and quantity of a column: its components are judged by their common size.
std::string vector_of_column(const std::string& column) {
  const std::size_t dot = column.rfind('.');
  return column.size() - dot == 2 ? column.substr(0, dot) : column;
}

/// Largest difference of two runs, relative to the largest value of each sensor's quantity; above `most` it is reported. On rank
/// 0.
double difference(const Trajectory& a, const Trajectory& b, double most = 1e-9) {
  if (a.time.size() != b.time.size()) return 1;
  Values size, gap;
  for (std::size_t k = 0; k < a.time.size(); ++k)
    for (const auto& [column, value] : a.values[k]) {
      const std::string name = vector_of_column(column);
      size[name] = std::max(size[name], std::abs(value));
      gap[name] = std::max(gap[name], std::abs(value - b.values[k].at(column)));
    }
  double largest = 0;
  for (const auto& [name, d] : gap) {
    INFO(name << ": " << d << " of " << size[name]);
    CHECK(d <= most * size[name]);
    if (size[name] > 0) largest = std::max(largest, d / size[name]);
  }
  return largest;
}

bool is_same(const Trajectory& a, const Trajectory& b) { return a.time == b.time && a.values == b.values; }

bool has_same_bits(PetscVec a, PetscVec b) {
  const VecRead x(a), y(b);
  PetscInt n = 0;
  petsc(VecGetLocalSize(a, &n));
  return std::memcmp(x.data(), y.data(), static_cast<std::size_t>(n) * sizeof(double)) == 0;
}

/// Forces, both levels of constraints and their drift at a state with everything in motion. Collective.
std::vector<VecHandle> evaluate(const System& system) {
  const State s = wavy_state(system);
  std::vector<VecHandle> results;
  results.push_back(system.make_dof_vector());
  for (int i = 0; i < 3; ++i) results.push_back(system.make_row_vector());
  const Stage stage{s.t, &s.q, s.z, s.lambda};
  system.forces(stage, results[0]);
  system.constraints(stage, results[1], results[2]);
  system.constraint_drift(stage, results[3]);
  return results;
}

}  // namespace

TEST_CASE("All ranks together find the trajectory that one finds alone", "[mpi]") {
  for (const NamedModel& m : models) {
    INFO(m.name);
    const Trajectory together = run_model(MPI_COMM_WORLD, m.text);
    CHECK(together.summary.rejected == 0);
    if (rank() != 0) continue;
    CHECK(difference(run_model(MPI_COMM_SELF, m.text), together) < 1e-9);
  }
}

TEST_CASE("All ranks together choose the steps that one chooses alone", "[mpi]") {
  for (const NamedModel& m : models) {
    INFO(m.name);
    RunChoices choices;
    choices.overrides = {"analysis.step={tolerance: 1e-3}", "analysis.end_time=0.05"};
    const Trajectory together = run_model(MPI_COMM_WORLD, m.text, choices);
    if (rank() != 0) continue;
    const Trajectory alone = run_model(MPI_COMM_SELF, m.text, choices);
    CHECK(alone.summary.steps == together.summary.steps);
    for (const auto& [column, value] : alone.values.back())
      CHECK(together.values.back().at(column) == Approx(value).epsilon(1e-5).margin(1e-6));
  }
}

TEST_CASE("The implicit start is the same in the block form and the monolithic one", "[mpi]") {
  RunChoices block;
  block.overrides = {"analysis.start=implicit"};
  RunChoices monolithic = block;
  monolithic.kkt = KktForm::monolithic;
  const Trajectory a = run_model(MPI_COMM_WORLD, chain, block), b = run_model(MPI_COMM_WORLD, chain, monolithic);
  if (rank() == 0) CHECK(difference(a, b) < 1e-9);
}

TEST_CASE("The block form and the monolithic one find the same trajectory", "[mpi]") {
  RunChoices monolithic;
  monolithic.kkt = KktForm::monolithic;
  for (const NamedModel& m : models) {
    INFO(m.name);
    const Trajectory a = run_model(MPI_COMM_WORLD, m.text), b = run_model(MPI_COMM_WORLD, m.text, monolithic);
    if (rank() == 0) CHECK(difference(a, b) < 1e-9);
  }
}

TEST_CASE("Stabilised index 2 finds the same trajectory block by block and as one system", "[mpi]") {
  for (const std::string& text : {heavy_top, chain, slider_crank, rubbing_chain}) {
    RunChoices block, monolithic;
    block.overrides = monolithic.overrides = {"analysis.integrator=gen-alpha-ggl"};
    monolithic.kkt = KktForm::monolithic;
    INFO(text.substr(0, 40));
    const Trajectory a = run_model(MPI_COMM_WORLD, text, block), b = run_model(MPI_COMM_WORLD, text, monolithic);
    if (rank() == 0) CHECK(difference(a, b, 1e-8) < 1e-8);
  }
}

TEST_CASE("Forces and constraints repeat themselves bit by bit on the same ranks", "[mpi]") {
  for (const NamedModel& m : models) {
    INFO(m.name);
    const TextModel one(MPI_COMM_WORLD, m.text), two(MPI_COMM_WORLD, m.text);
    CHECK(one.system->local().node_id == two.system->local().node_id);
    const std::vector<VecHandle> a = evaluate(*one.system), again = evaluate(*one.system), b = evaluate(*two.system);
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(has_same_bits(a[i], again[i]));
      CHECK(has_same_bits(a[i], b[i]));
    }
  }
}

TEST_CASE("A trajectory on one rank repeats itself bit by bit", "[mpi]") {
  for (const NamedModel& m : models) {
    INFO(m.name);
    if (rank() == 0) CHECK(is_same(run_model(MPI_COMM_SELF, m.text), run_model(MPI_COMM_SELF, m.text)));
  }
}

TEST_CASE("Every integrator finds on several ranks the trajectory that it finds on one", "[mpi]") {
  for (const std::string integrator : {"gen-alpha-ggl", "bdf-si1", "bdf-si2", "trapezoid"})
    for (const std::string& text : {heavy_top, chain, slider_crank, rubbing_chain}) {
      RunChoices choices;
      choices.overrides = {"analysis.integrator=" + integrator};
      if (integrator == "trapezoid") choices.overrides.push_back("analysis.constraints=velocity");
      if (integrator == "bdf-si2") choices.overrides.push_back("analysis.order=3");
      INFO(integrator << ": " << text.substr(0, 40));
      const Trajectory together = run_model(MPI_COMM_WORLD, text, choices);
      CHECK(together.summary.rejected == 0);
      if (rank() == 0) CHECK(difference(run_model(MPI_COMM_SELF, text, choices), together, 1e-8) < 1e-8);
    }
}

TEST_CASE("With -sinew_deterministic a trajectory on several ranks repeats itself bit by bit", "[mpi]") {
  petsc(PetscOptionsSetValue(nullptr, "-sinew_deterministic", "true"));
  for (const NamedModel& m : models) {
    INFO(m.name);
    const Trajectory one = run_model(MPI_COMM_WORLD, m.text), two = run_model(MPI_COMM_WORLD, m.text);
    if (rank() == 0) CHECK(is_same(one, two));
  }
  petsc(PetscOptionsClearValue(nullptr, "-sinew_deterministic"));
}

TEST_CASE("Ranks without a body take part in everything: none has made more objects of PETSc than another", "[mpi]") {
  run_model(MPI_COMM_WORLD, heavy_top);
  PetscMPIInt tag = 0;
  MPI_Comm inner = MPI_COMM_NULL;
  petsc(PetscCommDuplicate(MPI_COMM_WORLD, &inner, &tag));
  int tags[2] = {tag, -tag};
  MPI_Allreduce(MPI_IN_PLACE, tags, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(tags[0] == -tags[1]);
  petsc(PetscCommDestroy(&inner));
}
