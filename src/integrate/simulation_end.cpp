// Whether a run ends behind a step, and what is written down there to go on from.

#include "integrate/simulation.hpp"

namespace sinew {

/// Behind a step and what changes there: a checkpoint, where one is due or the run is to stop. True: it stops. What solvers keep
/// is no part of a checkpoint: this run goes on without it as well, so that one from there takes the same steps to the last bit.
bool Simulation::end_step(State& state, SimulationSummary& summary) {
  const bool is_last = summary.is_over || state.t >= options_.end_time;
  const bool stops = !is_last && must_stop(summary);  // at its end it is done
  CheckpointWriter* writer = options_.checkpoints;
  if (writer == nullptr) return stops || is_last;
  const Snapshot now = snapshot_for_checkpoints(state, summary, is_last);
  const bool is_due = writer->is_due(now);
  if (is_due || stops) writer->write(now, [&](Archive& archive) { persist(archive, state, summary, is_last); });
  if (is_due && writer->is_repeatable()) integrator_.renew();
  return stops || is_last;
}

bool Simulation::must_stop(SimulationSummary& summary) const {
  summary.stopped = options_.wants_stop && options_.wants_stop();
  return summary.stopped;
}

/// Does the condition begin to hold where the last step has ended, as `x > 1.5` does where x is 1.5 and grows? No step would end
/// there again: the change is one at the beginning of the next.
bool Simulation::begins_to_be_over(const State& state, double time) const {
  const double h = 2 * at_once * state.h_old;  // steps may become twice as long
  if (!(h > 0) || system_.stop_condition().empty()) return false;
  const VectorPool::Loan w = integrator_.dof_room().borrow(), z = integrator_.dof_room().borrow();
  petsc(VecAXPBY(w, h, 0.0, state.z));
  petsc(VecWAXPY(z, h, state.a, state.z));
  Configuration moved = system_.make_configuration();
  system_.retract(state.q, w, moved);
  return system_.is_over({time + h, &moved, z, state.lambda});
}

/// Runs on the grid of another one go as far as that has.
bool Simulation::is_over(const State& state, double time, SimulationSummary& summary) const {
  summary.is_over =
      !options_.grid && (system_.is_over({time, &state.q, state.z, state.lambda}) || begins_to_be_over(state, time));
  return summary.is_over;
}

/// In a state to which a step has led, or with what functions of time come to at once.
bool Simulation::is_over_behind(const State& state, const StopTimes& stops, SimulationSummary& summary) const {
  const Breakpoint* next = stops.breakpoint_at(state.t);
  return is_over(state, state.t, summary) || (next != nullptr && is_over(state, next->after, summary));
}

Snapshot Simulation::snapshot_for_checkpoints(const State& state, const SimulationSummary& summary, bool is_last) const {
  return {state, nullptr, summary.steps, is_last, false, false, false, prescribed_steps(state)};
}

/// How many prescribed steps have ended; -1 where none are prescribed.
long Simulation::prescribed_steps(const State& state) const {
  return options_.control || options_.grid || !course_ ? -1 : course_->list.num_ended(state.t);
}

}  // namespace sinew
