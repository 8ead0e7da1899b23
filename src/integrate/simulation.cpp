#include "integrate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sinew {

namespace {

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Simulation::Simulation(const DynamicSystem& system, Integrator& integrator, SimulationOptions options)
    : system_(system), integrator_(integrator), options_(std::move(options)) {}

ConsistencyReport Simulation::start(State& state) {
  state.t = options_.start_time;
  const std::string fault = system_.fault(state.q);
  if (!fault.empty()) throw InputError("the initial configuration is not admissible: " + fault);
  ConsistencyReport report;
  if (options_.initial == InitialValues::consistent) {
    report = project_onto_constraints(system_, state.t, state.q, state.z);
  } else {
    if (options_.initial == InitialValues::given) require_consistency(system_, state.t, state.q, state.z, 1e-8);
    report = measure_consistency(system_, state.t, state.q, state.z);
  }
  integrator_.start(state, options_.steps.step(0));
  return report;
}

/// From state.t to the target, by one step if it converges, by halves of it if not.
void Simulation::step_to(State& state, double target, const std::vector<Observer*>& observers, SimulationSummary& summary) {
  const double whole = target - state.t;
  double h = whole;
  while (target - state.t > 1e-9 * whole) {
    if (std::abs(target - state.t - h) < 1e-9 * whole) h = target - state.t;
    StepRecord record;
    record.step = h;
    record.time = state.t + h;
    const double begin = wall_clock();
    record.outcome = integrator_.step(state, h);
    record.seconds = wall_clock() - begin;
    record.number = summary.steps + (record.outcome.accepted ? 1 : 0);
    summary.newton += record.outcome.newton;
    summary.factorizations += record.outcome.factorizations;
    for (Observer* o : observers) o->record(record);
    if (record.outcome.accepted) {
      ++summary.steps;
      summary.most_newton = std::max(summary.most_newton, record.outcome.newton);
      h = std::min(2 * h, target - state.t);
      continue;
    }
    ++summary.rejected;
    h /= 4;
    if (h < options_.smallest_step_ratio * whole)
      throw SolveError(fmt::format("no step converges from t = {:.9g}, not even h = {:.3g} (prescribed: {:.3g}). Last: {}", state.t, 4 * h, whole,
                                   record.outcome.reason));
  }
  state.t = target;
}

SimulationSummary Simulation::run(State& state, const std::vector<Observer*>& observers) {
  SimulationSummary summary;
  VecHandle acceleration = system_.make_dof_vector();
  const auto observe = [&](bool is_last) {
    integrator_.output_acceleration(state, acceleration);
    for (Observer* o : observers) o->observe({state, acceleration, summary.steps, is_last});
  };
  observe(false);
  double target = options_.start_time;
  const double end = options_.end_time, slack = 1e-9 * std::max(std::abs(end), options_.steps.step(0));
  for (long n = 0; end - target > slack; ++n) {
    target += options_.steps.step(n);
    if (end - target <= slack) target = end;
    step_to(state, target, observers, summary);
    observe(target == end);
  }
  summary.end_time = state.t;
  return summary;
}

}  // namespace sinew
