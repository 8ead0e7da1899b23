#include "integrate/crossing.hpp"

#include "integrate/jump_impulses.hpp"
#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <vector>

namespace sinew {

StopTimes::Breakpoints times_to_meet(const DynamicSystem& system, const Integrator& integrator, StepsTaken steps) {
  const bool meets_all = steps.are_controlled, meets_bends = integrator.suits_changing_steps(), is_grid = steps.are_of_grid;
  return [=, &system](double from, double to, double step) {
    std::vector<Breakpoint> found = system.breakpoints(from, to, step);
    std::erase_if(found, [&](const Breakpoint& b) {
      const bool is_met = meets_all || !b.is_resolved || (meets_bends && b.bends);
      return !is_met || (is_grid && b.after == b.before);
    });
    return found;
  };
}

void Crossing::accept(const State& state) {
  const Stage stage{state.t, &state.q, state.z, state.lambda};
  system_.accept(stage);
  if (system_.renew_partners(stage)) integrator_.renew();
}

void Crossing::restart(State& state, double h) {
  try {
    project_onto_constraints(system_, state.t, state.q, state.z, Turns::counted);
  } catch (const InputError& fault) {
    throw SolveError(
        fmt::format("no state at t = {:.9g} fulfils the constraints (has a prescribed motion jumped out of reach?): {}", state.t,
                    fault.what()));
  }
  events_.settle(state);
  integrator_.start(state, h);
  accept(state);
}

/// What jumps there has jumped, and impulses have done their work.
void Crossing::jump_to(State& state, double t, double h) {
  VecHandle before = duplicate(state.z);
  petsc(VecCopy(state.z, before));
  state.t = t;
  try {
    system_.take_samples({state.t, &state.q, state.z, state.lambda}, false);
  } catch (const InputError& fault) {
    throw SolveError(fault.what());
  }
  restart(state, h);
  const VecHandle impulses = system_.wants_impulses() ? impulses_of_jump(system_, state, before) : VecHandle{};
  system_.accept_impulse(before, {state.t, &state.q, state.z, impulses});
}

bool Crossing::pass_jump(State& state, const StopTimes& stops, double h) {
  const Breakpoint* breakpoint = stops.breakpoint_at(state.t);
  if (breakpoint == nullptr || !breakpoint->jumps || stops.is_end(breakpoint->after)) return false;
  jump_to(state, breakpoint->after, h);
  return true;
}

void Crossing::pass_bend(State& state, const StopTimes& stops, double h) {
  const Breakpoint* breakpoint = stops.breakpoint_at(state.t);
  if (breakpoint == nullptr || breakpoint->after == breakpoint->before || state.h_old == 0) return;
  if (integrator_.keeps_steps())
    integrator_.start(state, h);
  else if (breakpoint->bends)
    integrator_.pass_bend(state, *breakpoint, h);
}

}  // namespace sinew
