#include "integrate/step_attempts.hpp"

#include <chrono>

namespace sinew {

namespace {

double wall_clock() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

StepAttempts::StepAttempts(Integrator& integrator, EventLocation& events, Crossing& crossing, SingularPlaces& places)
    : integrator_(integrator), events_(events), crossing_(crossing), singular_places_(places) {}

void StepAttempts::report_to(const std::vector<Observer*>& observers, SimulationSummary& summary) {
  observers_ = &observers;
  summary_ = &summary;
}

StepOutcome StepAttempts::make(State& state, double& h) {
  StepOutcome outcome = make_once(state, h);
  if (!outcome.strays) return outcome;
  if (singular_places_.is_near(state, h)) {
    make_giving_way(state, h, outcome);
    return outcome;
  }
  integrator_.expect(Integrator::Ending::regular);
  outcome = make_once(state, h);
  integrator_.expect(Integrator::Ending::unknown);
  return outcome;
}

/// After a step that was far shorter the history would be extrapolated further than its digits reach.
StepOutcome StepAttempts::make_once(State& state, double& h) {
  const double tiny = 1e-9;  // of growth, which steps of given ratios have by rounding
  if (state.h_old > 0 && h > (1 + tiny) * integrator_.largest_growth() * state.h_old) integrator_.start(state, h);
  StepRecord record;
  const double begin = wall_clock(), t = state.t;
  record.outcome = events_.step(state, h);
  record.seconds = wall_clock() - begin;
  record.step = h;
  record.time = t + h;
  const StepOutcome& outcome = record.outcome;
  record.number = summary_->steps + (outcome.accepted ? 1 : 0);
  summary_->count(outcome, h);
  if (outcome.accepted) {
    crossing_.accept(state);
    summary_->switches = events_.count() + (events_.is_behind() ? 1 : 0);
    summary_->chatter = events_.chatter();
  }
  for (Observer* o : *observers_) o->record(record);
  return outcome;
}

void StepAttempts::make_giving_way(State& state, double& h, StepOutcome& outcome) {
  integrator_.expect(Integrator::Ending::singular);
  const StepOutcome again = make_once(state, h);
  integrator_.expect(Integrator::Ending::unknown);
  if (!again.accepted) return;
  outcome = again;
  singular_places_.note(state);
  summary_->singular = singular_places_.verdict();
}

}  // namespace sinew
