#include "run/motion.hpp"

#include "base/error.hpp"
#include "integrate/make_integrator.hpp"
#include "observe/error_bar_run.hpp"
#include "run/rest.hpp"
#include "run/run_verdicts.hpp"
#include "solve/smallest_reactions.hpp"

#include <stdexcept>

namespace sinew {

BeginState beginning(const BuiltModel& built, const State& begin) {
  const System& system = *built.system;
  const auto first = std::make_shared<State>(make_state(system));
  Kokkos::deep_copy(first->q.values, begin.q.values);
  petsc(VecCopy(begin.z, first->z));
  return [&system, first](State& state) {
    system.initial_state(state.q, state.z);  // makes the system forget
    Kokkos::deep_copy(state.q.values, first->q.values);
    petsc(VecCopy(first->z, state.z));
  };
}

Motion::Motion(BuiltModel& built)
    : built_(built),
      sensors_(built.model, built.meshes, *built.numbering, *built.system),
      options_(simulation_options(built.model.analysis, built.model.output)) {
  const Model& model = built.model;
  if (model.analysis.type != AnalysisType::dynamic || wants_error_bars(model.analysis))
    throw InputError(model.source.file +
                     ": error: the analysis is no single run in time (take `type: dynamic` with steps that are "
                     "prescribed or have a tolerance, or let `sinew run` do what it asks for)");
  sensors_.choose_reactions(smallest_reactions(*built.system));
  integrator_ = make_integrator(*built.system, model.analysis);
  state_ = make_state(*built.system);
}

ConsistencyReport Motion::start() {
  System& system = *built_.system;
  const auto warn = [this](const std::string& warning) {
    if (built_.warn && !warning.empty()) built_.warn(warning);
  };
  system.initial_state(state_.q, state_.z);
  settle_constraints(built_);
  if (built_.model.analysis.initial == InitialValues::statics) {
    const StaticStart start = start_from_rest(built_, state_);
    if (!start.warning.empty()) warn("warning: " + start.warning);
  }
  options_.length = find_extent(system, built_.model.analysis, options_, beginning(built_, state_));
  simulation_.emplace(system, *integrator_, options_);
  const ConsistencyReport report = simulation_->start(state_);
  warn(report.lost_turns.as("warning"));
  return report;
}

SimulationSummary Motion::run(const std::vector<Observer*>& observers) {
  if (!simulation_) throw std::logic_error("Motion::run comes after start");
  simulation_->run(state_, observers, &summary_);
  return summary_;
}

std::vector<std::string> Motion::verdicts() const { return verdicts_of_run(*integrator_, *built_.system, state_, summary_); }

}  // namespace sinew
