/// \file
/// Model files that stand in a test, run from start to end in this process, with what their sensors say after every step.
#pragma once

#include "input/model_reader.hpp"
#include "integrate/make_integrator.hpp"
#include "integrate/simulation.hpp"
#include "model/registered_catalogue.hpp"
#include "solve/joint_starts.hpp"
#include "solve/modal_reduction.hpp"
#include "solve/redundancy.hpp"
#include "system/sensors.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinew::test {

/// Values of sensors by column.
using Values = std::map<std::string, double>;

/// A run: one entry a step, the start included. Filled on rank 0 of the communicator, the summary on all.
struct Trajectory {
  std::vector<double> time;
  std::vector<Values> values;
  SimulationSummary summary;
  double worst_error = 0;  ///< estimated error over tolerance, of accepted steps
};

struct RunChoices {
  KktForm kkt = KktForm::block;
  bool at_every_step = true;        ///< false: the start and the end only
  bool settles_redundancy = false;  ///< redundant joints are looked for, as the command does
  std::string path = "test.yaml";   ///< of the model file, for the meshes it names
  std::vector<std::string> overrides;
};

namespace detail {

class Collector final : public Observer {
 public:
  Collector(const Sensors& sensors, Trajectory& trajectory, bool at_every_step)
      : sensors_(sensors), trajectory_(trajectory), at_every_step_(at_every_step) {}

  void record(const StepRecord& step) override {
    if (step.outcome.accepted) trajectory_.worst_error = std::max(trajectory_.worst_error, step.outcome.error);
  }
  void observe(const Snapshot& now) override {
    if (!at_every_step_ && now.number > 0 && !now.is_last) return;
    const State& s = now.state;
    const std::vector<double> v = sensors_.measure({s.t, &s.q, s.z, s.lambda}, now.acceleration);
    trajectory_.time.push_back(s.t);
    trajectory_.values.emplace_back();
    for (std::size_t i = 0; i < v.size(); ++i) trajectory_.values.back()[sensors_.header()[i]] = v[i];
  }

 private:
  const Sensors& sensors_;
  Trajectory& trajectory_;
  bool at_every_step_;
};

}  // namespace detail

/// Reads, distributes and integrates a model. Collective.
inline Trajectory run_model(MPI_Comm comm, const std::string& text, const RunChoices& choices = {}) {
  const Model model = with_modal_shapes(comm, read_model_text(text, choices.path, registered_catalogue(), choices.overrides));
  const SolidMeshes meshes = read_solid_meshes(comm, model);
  const Numbering numbering(model, meshes);
  System system(model, distribute_at_start(comm, model, meshes, numbering));
  if (choices.settles_redundancy) settle_redundancy(system, 0.0, true);
  const Sensors sensors(model, meshes, numbering, system);
  const auto integrator = make_integrator(system, model.analysis, choices.kkt);
  Simulation simulation(system, *integrator, simulation_options(model.analysis, model.output));
  State state = make_state(system);
  system.initial_state(state.q, state.z);
  simulation.start(state);
  Trajectory trajectory;
  detail::Collector collector(sensors, trajectory, choices.at_every_step);
  trajectory.summary = simulation.run(state, {&collector});
  return trajectory;
}

/// The largest difference of a value in all rows of two runs with the same sensors and as many rows.
inline double farthest_apart(const Trajectory& a, const Trajectory& b) {
  double largest = a.values.size() == b.values.size() ? 0.0 : HUGE_VAL;
  for (std::size_t n = 0; n < a.values.size() && largest < HUGE_VAL; ++n)
    for (const auto& [name, value] : a.values[n]) largest = std::max(largest, std::abs(value - b.values[n].at(name)));
  return largest;
}

}  // namespace sinew::test
