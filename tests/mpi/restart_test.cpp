// A run that goes on from a checkpoint is the run that wrote it: to the last bit on the same ranks, to rounding on others.
#include "model/choices.hpp"
#include "observe/checkpoints.hpp"
#include "tests/mpi/heavy_top.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/paths.hpp"
#include "tests/physics/trajectory.hpp"

#include "tests/catch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

using namespace sinew;
using namespace sinew::test;

namespace fs = std::filesystem;

namespace {

/// Bodies that turn fast, a cable, a solid, a spring and a stop that count turns, a gear, dry friction, a control with states, a
/// force that bends and one that jumps, energies that are exchanged: everything that has a past.
const std::string everything = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials:
  rope: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3, viscosity: 1e3}
  rubber: {density: 1100, youngs_modulus: 5e6, poissons_ratio: 0.3}
sections: {line: {shape: circle, diameter: 0.01}}
bodies:
  "link{i}": {repeat: {i: 1..5}, type: rigid, mass: 1, inertia: [0.002, 0.08, 0.08], position: [i - 0.5, 0, 0],
              points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}
  wheel: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 0, 2], angular_velocity: [0, 0, 60]}
  disc: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.2], position: [1, 0, 2]}
  sled: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 3, 0], velocity: [1, 0, 0]}
  bar: {type: solid, box: {size: [0.4, 0.1, 0.1], elements: [3, 1, 1], order: 1}, material: rubber, position: [0, -2, 0]}
  flange: {type: rigid, mass: 0.3, inertia: [1e-3, 1e-3, 1e-3], position: [0.5, -2, 0]}
  rope: {type: cable, line: {from: [5, 0, 0], to: [6, 0, 0], elements: 3}, section: line, material: rope}
joints:
  hook: {type: spherical, connect: [ground, link1.start]}
  "pin{i}": {repeat: {i: 2..5}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
  tie: {type: spherical, connect: [link5.end, rope.start]}
  axle: {type: revolute, connect: [ground, wheel], axis: [0, 0, 1]}
  shaft: {type: revolute, connect: [ground, disc], axis: [0, 0, 1]}
  mesh: {type: gear, connect: [ground, wheel, disc], axis: [0, 0, 1], ratio: 2}
  rail: {type: prismatic, connect: [ground, sled], axis: [1, 0, 0]}
  wall: {type: clamp, connect: [ground, "bar.x-"]}
  end: {type: clamp, connect: [flange, "bar.x+"]}
forces:
  spring: {type: torsional-spring, connect: [ground, disc], axis: [0, 0, 1], stiffness: 0.02, damping: 0.01}
  drag: {type: actuator, of: rail, force: "-3*sign(sensor.sled.rate)"}
  push: {type: force, on: sled, vector: ["t < 0.06 ? 0 : 4", 0, 0]}
  hold: {type: actuator, connect: [ground, link3], axis: [0, 1, 0], torque: "control.lead.u"}
controls:
  lead: {state: {x: 0, y: 1}, derivative: {x: "-sensor.tip.position.z - x", y: "x - y"}, output: {u: "2*x"}}
sensors:
  tip: {type: point, of: link5.end, record: [position, velocity, acceleration]}
  end: {type: point, of: rope.end, record: [position, acceleration]}
  face: {type: point, of: "bar.x+", record: [position, velocity]}
  flange: {type: joint, of: end, record: [force, moment]}
  wheel: {type: point, of: wheel, record: [orientation]}
  sled: {type: relative, of: rail, record: [distance, rate]}
  turns: {type: relative, of: axle, record: [angle, rate]}
  spring: {type: force, of: spring, record: [moment, dissipated]}
  pin3: {type: joint, of: pin3, record: [force]}
  lead: {type: control, of: lead}
  energy: {type: energy, record: [total, dissipated, work]}
analysis: {end_time: 0.12, step: 2e-3, newton: {tolerance: 1e-12}}
)yaml";

const std::string heavy_top = heavy_top_until(0.05);

int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// What sensors record, by step; on rank 0 of the communicator.
struct Rows {
  std::vector<long> steps;
  std::vector<std::vector<double>> values;
};

class RowCollector final : public Observer {
 public:
  RowCollector(const Sensors& sensors, Rows& rows) : sensors_(sensors), rows_(rows) {}
  /// Where something jumps at a checkpoint, the state there is that behind the jump: the first row of the run that goes on is
  /// another.
  void observe(const Snapshot& now) override {
    if (now.is_first && now.number > 0) return;
    const State& s = now.state;
    std::vector<double> row = sensors_.measure({s.t, &s.q, s.z, s.lambda}, now.acceleration);
    row.push_back(s.t);
    rows_.steps.push_back(now.number);
    rows_.values.push_back(std::move(row));
  }

 private:
  const Sensors& sensors_;
  Rows& rows_;
};

struct Choices {
  std::vector<std::string> overrides;
  fs::path directory;  ///< for checkpoints; none are written without
  fs::path restart;
};

/// Runs a model, or lets it go on. Collective.
Rows run(MPI_Comm comm, const std::string& text, const Choices& choices) {
  const Model model = with_modal_shapes(comm, read_model_text(text, "test.yaml", registered_catalogue(), choices.overrides));
  const SolidMeshes meshes = read_solid_meshes(comm, model);
  const Numbering numbering(model, meshes);
  System system(model, distribute(comm, model, meshes, numbering));
  const Sensors sensors(model, meshes, numbering, system);
  const CheckpointedModel parts{model, meshes, numbering, system};
  const auto integrator = make_integrator(system, model.analysis);
  SimulationOptions options = simulation_options(model.analysis, model.output);
  std::optional<Checkpoints> checkpoints;
  if (!choices.directory.empty()) {
    checkpoints.emplace(parts, choices.directory, 0.0);
    options.checkpoints = &*checkpoints;
  }
  Simulation simulation(system, *integrator, options);
  State state = make_state(system);
  system.initial_state(state.q, state.z);
  if (choices.restart.empty()) {
    simulation.start(state);
  } else {
    Restart restart(parts, choices.restart);
    system.persist(restart.archive());
    simulation.go_on_from(restart.archive(), state, restart.has_new_steps());
  }
  Rows rows;
  RowCollector collector(sensors, rows);
  simulation.run(state, {&collector});
  return rows;
}

/// An empty directory that all ranks see. Collective.
fs::path fresh_directory(const std::string& name) {
  const fs::path directory = scratch_path("restart-" + name);
  if (rank() == 0) {
    fs::remove_all(directory);
    fs::create_directories(directory);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return directory;
}

/// The largest difference of the rows that two runs have in common, beside 1 + the largest value of the column; 0 only where all
/// bits are the same.
double difference(const Rows& whole, const Rows& part) {
  double most = 0;
  std::size_t compared = 0;
  std::vector<double> scale(whole.values.front().size(), 1.0);
  for (std::size_t c = 0; c < scale.size(); ++c)
    for (const std::vector<double>& row : whole.values) scale[c] = std::max(scale[c], 1 + std::abs(row[c]));
  for (std::size_t i = 0; i < part.steps.size(); ++i)
    for (std::size_t k = 0; k < whole.steps.size(); ++k) {
      if (whole.steps[k] != part.steps[i]) continue;
      ++compared;
      for (std::size_t c = 0; c < part.values[i].size(); ++c) {
        const double a = whole.values[k][c], b = part.values[i][c];
        if (std::memcmp(&a, &b, sizeof a) != 0) most = std::max({most, std::abs(a - b) / scale[c], 1e-300});
      }
    }
  REQUIRE(compared == part.steps.size());
  REQUIRE(compared > 2);
  return most;
}

struct Stepping {
  std::string name;
  std::vector<std::string> overrides;
};

/// Every integrator of the model file, with fixed steps, lists and, where it judges errors, with those that it chooses.
std::vector<Stepping> methods() {
  std::vector<Stepping> list;
  for (const auto& choice : choices_of<IntegratorName>()) {
    if (!choice.is_built) continue;
    const std::string name = choice.name;
    std::vector<std::string> base{"analysis.integrator=" + name};
    if (name == "newmark") base.emplace_back("analysis.gamma=0.6"), base.emplace_back("analysis.beta=0.3025");
    const auto with = [&](const std::string& more, const std::string& step) {
      std::vector<std::string> all = base;
      if (!step.empty()) all.push_back("analysis.step=" + step);
      list.push_back({name + more, all});
    };
    with("", "");
    with(", a list of steps", "[1e-3, 2e-3, 1.5e-3]");
    if (name != "newmark" && name != "trapezoid") with(", error-controlled", "{tolerance: 1e-4}");
  }
  return list;
}

/// In the middle of a run.
fs::path middle(const fs::path& directory, const Rows& rows) {
  long step = rows.steps.empty() ? 0 : rows.steps.back() / 2;
  MPI_Bcast(&step, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  std::error_code code;
  while (step > 0 && !fs::exists(directory / fmt::format("checkpoint-{:08}.h5", step), code)) --step;
  return directory / fmt::format("checkpoint-{:08}.h5", step);
}

bool can_be_had(const std::string& method, const std::string& text) {
  // the trapezoidal rule does not damp the kicks of switches
  return method.find("trapezoid") == std::string::npos || text == heavy_top;
}

}  // namespace

TEST_CASE("A run that goes on from a checkpoint takes the same steps to the last bit", "[mpi]") {
  petsc(PetscOptionsSetValue(nullptr, "-sinew_deterministic", "true"));
  for (const std::string& text : {heavy_top, everything})
    for (const Stepping& method : methods()) {
      if (!can_be_had(method.name, text)) continue;
      INFO((text == heavy_top ? "heavy top, " : "everything, ") << method.name);
      Choices choices{method.overrides, fresh_directory("bits"), {}};
      choices.overrides.emplace_back("output.checkpoint={every: 10, keep: 1000}");
      const Rows whole = run(MPI_COMM_WORLD, text, choices);
      choices.restart = middle(choices.directory, whole);
      choices.directory = fresh_directory("bits-second");
      const Rows part = run(MPI_COMM_WORLD, text, choices);
      if (rank() == 0) CHECK(difference(whole, part) == 0);
    }
  petsc(PetscOptionsClearValue(nullptr, "-sinew_deterministic"));
}

TEST_CASE("A run goes on on another number of ranks", "[mpi]") {
  for (const std::string& text : {heavy_top, everything})
    for (const Stepping& method : methods()) {
      if (!can_be_had(method.name, text) || method.name.find(',') != std::string::npos) continue;
      INFO((text == heavy_top ? "heavy top, " : "everything, ") << method.name);
      Choices together{method.overrides, fresh_directory("ranks-together"), {}};
      together.overrides.emplace_back("output.checkpoint={every: 10, keep: 1000}");
      const Rows whole = run(MPI_COMM_WORLD, text, together);
      Choices alone = together;  // which writes checkpoints as well: solvers begin anew in both
      alone.restart = middle(together.directory, whole);
      alone.directory = fresh_directory("ranks-alone");
      if (rank() == 0) CHECK(difference(whole, run(MPI_COMM_SELF, text, alone)) < 1e-8);
      alone.restart.clear();
      alone.directory = fresh_directory("ranks-alone-first");
      Rows of_one;
      if (rank() == 0) of_one = run(MPI_COMM_SELF, text, alone);
      MPI_Barrier(MPI_COMM_WORLD);
      together.restart = middle(alone.directory, of_one);
      together.directory = fresh_directory("ranks-together-second");
      const Rows part = run(MPI_COMM_WORLD, text, together);
      if (rank() == 0) CHECK(difference(of_one, part) < 1e-8);
    }
}

TEST_CASE("What is written does not depend on the ranks that write it", "[mpi]") {
  Choices choices{{"output.checkpoint={every: 1, keep: 1000}", "analysis.end_time=2e-3"}, fresh_directory("same-together"), {}};
  run(MPI_COMM_WORLD, everything, choices);
  const fs::path together = choices.directory / "checkpoint-00000001.h5";
  choices.directory = fresh_directory("same-alone");
  if (rank() == 0) run(MPI_COMM_SELF, everything, choices);
  MPI_Barrier(MPI_COMM_WORLD);
  const fs::path alone = choices.directory / "checkpoint-00000001.h5";
  const Hdf5Reader a(MPI_COMM_WORLD, together, "sinew checkpoint 3", "checkpoint"),
      b(MPI_COMM_WORLD, alone, "sinew checkpoint 3", "checkpoint");
  CHECK(a.number("/model", "start") == b.number("/model", "start"));
  const auto all = [](const Hdf5Reader& file, const std::string& name) {
    const std::int64_t total = file.num_rows(name);
    return file.integers(name, 0, total, total);
  };
  for (const char* keys : {"/system/relative_coordinates/keys", "/events/switches/pieces/keys"}) {
    INFO(keys);
    CHECK(a.num_rows(keys) > 0);
    CHECK(all(a, keys) == all(b, keys));
  }
}
