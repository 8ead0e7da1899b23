#include "integrate/simulation.hpp"

#include "integrate/obstacle.hpp"
#include "integrate/step_scales.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew {

namespace {

/// A prescribed step that is cut into more pieces is none that suits the model: to go on would take for ever.
constexpr int most_pieces = 1000;
/// So many failed attempts at a step are looked at for whether they end in a singular position: what gives there gives less
/// within a shorter one, by its square, and a step that is much shorter has no history that goes on.
constexpr int most_looks = 2;
/// As many inaccurate attempts in a row mean that the past is none of a smooth motion: the next one does without it.
constexpr int most_inaccurate = 4;

/// Of a size: a step that is allowed less sees nothing but rounding.
constexpr double few_roundings = StepScales::roundings * std::numeric_limits<double>::epsilon();

/// The longest step that does not end behind the target, where a function of time may go over to another piece.
double span(double t, double target) {
  double h = target - t;
  while (t + h > target) h = std::nextafter(h, 0.0);
  return h;
}

/// Why an attempt failed, and what solutions of longer ones were refused for.
std::string last_words(const StepOutcome& outcome, const std::string& refused) {
  return outcome.refused || refused.empty() ? outcome.reason : outcome.reason + "; with longer steps " + refused;
}

}  // namespace

Simulation::Simulation(const DynamicSystem& system, Integrator& integrator, SimulationOptions options)
    : system_(system),
      integrator_(integrator),
      options_(std::move(options)),
      events_(system, integrator, duration(), options_.sliding_width, options_.control.has_value()),
      crossing_(system, integrator, events_),
      singular_places_(system),
      attempts_(integrator, events_, crossing_, singular_places_) {
  if (options_.control) first_step_.emplace(system, integrator, error_tolerance(options_), options_.control->initial, duration());
  if (options_.control && !options_.grid && !integrator_.judge_errors(error_tolerance(options_)))
    throw InputError("this integrator has no error estimate; give `step` a number or a list of numbers");
  if (options_.control && options_.grid) integrator_.solve_within(error_tolerance(options_));
}

/// What the start is to be for.
double Simulation::first_prescribed_step() const {
  if (options_.grid && !options_.grid->times.empty()) return options_.grid->times.front() - options_.start_time;
  return options_.control ? smallest_part * duration() : options_.steps.step(0);
}

ConsistencyReport Simulation::start(State& state) {
  state.t = options_.start_time;
  system_.require_admissible(state.q);
  ConsistencyReport report;
  if (options_.initial == InitialValues::consistent || options_.initial == InitialValues::statics) {
    report = project_onto_constraints(system_, state.t, state.q, state.z, Turns::counted);
  } else {
    if (options_.initial == InitialValues::given) require_consistency(system_, state.t, state.q, state.z, 1e-8);
    report = measure_consistency(system_, state.t, state.q, state.z);
    count_turns(system_, state.t, state.q, state.z);
  }
  system_.require_admissible(state.q);  // as the projection has left it
  const std::string branch = system_.branch_fault(state.q, state.q, state.t);
  if (!branch.empty()) throw InputError("the initial configuration is not admissible: " + branch);
  system_.take_samples({state.t, &state.q, state.z, state.lambda}, true);
  events_.settle(state);
  if (system_.chooses_partners()) {  // made where the integrator was, or where another run ended
    system_.renew_partners({state.t, &state.q, state.z, state.lambda});
    integrator_.renew();
  }
  integrator_.start(state, first_prescribed_step());
  crossing_.accept(state);
  system_.require_not_over({state.t, &state.q, state.z, state.lambda});
  return report;
}

/// From state.t to the target, by one step if it converges, by quarters of it if not. False: the run is to stop between them, or
/// is over.
bool Simulation::step_to(State& state, double target, const Observers& observers, SimulationSummary& summary) {
  const double whole = target - state.t;
  double h = whole;
  std::string failure, refused;  // what longer steps were refused for, where short ones meet no solution at all
  int looks = 0;
  for (int pieces = 0; target - state.t > 1e-9 * whole;) {
    const double end = early_switch_.step_end(state.t, target), longest = end - state.t;
    const double prescribed = end < target ? longest : whole;
    const bool is_piece = h < longest;
    h = std::min(h, longest);
    if (std::abs(target - state.t - h) < 1e-9 * whole) h = span(state.t, target);
    StepOutcome outcome = attempts_.make(state, h);
    if (!outcome.accepted && !outcome.strays && looks++ < most_looks && singular_places_.is_near(state, h))
      attempts_.make_giving_way(state, h, outcome);
    if (outcome.accepted) {
      if (is_over(state, state.t, summary)) return false;
      if (events_.is_behind()) {
        for (Observer* o : observers) o->pass_switch(state.t);
        if (options_.grid) early_switch_.note(*options_.grid, state.t);
        h = early_switch_.step_end(state.t, target) - state.t;
        events_.pass(state, state.t + h < target ? h : whole);
        continue;
      }
      if (is_piece && ++pieces > most_pieces) {
        const std::string locked = contradiction_ahead(system_, state, whole, options_.end_time - state.t);
        throw SolveError(fmt::format(
            "the prescribed step of {:.3g} converges only in pieces, the last of {:.3g} to t = {:.9g}{}Longer ones: {}", whole, h,
            state.t,
            locked.empty() ? ": the model moves faster, or is stiffer, than this step can follow (a shorter step, `step: "
                             "{tolerance: ...}`, or a constraint in place of what is so stiff). "
                           : ". " + locked,
            refused.empty() ? failure : refused));
      }
      h = std::min(2 * h, target - state.t);
      if (target - state.t > 1e-9 * whole && must_stop(summary)) return false;
      continue;
    }
    failure = outcome.reason;
    if (outcome.refused) refused = outcome.reason;
    h /= 4;
    if (!(h >= options_.smallest_step_ratio * prescribed) || state.t + h == state.t) {
      const double tried = 4 * h;
      throw SolveError(fmt::format("no step converges from t = {:.9g}, not even h = {:.3g} (prescribed: {:.3g}). {}Last: {}",
                                   state.t, tried, whole, obstacle(system_, state, target, no_value_after(system_, state, tried)),
                                   last_words(outcome, refused)));
    }
  }
  state.t = target;
  return true;
}

/// What lies between two times that are further apart than the step is taken in two halves.
void Simulation::run_prescribed(State& state, const Observers& observers, SimulationSummary& summary) {
  const double end = options_.end_time;
  auto& [stops, controller, list] = *course_;
  while (state.t < end) {
    const double begin = state.t, target = list.next_time(begin, stops);
    if (stops.is_at_once(begin, target)) {
      state.t = target;
      pass_changes(state, observers, summary);
      if (summary.is_over && end_step(state, summary)) return;
      continue;
    }
    const int parts = list.is_shorter_than(target - begin) ? 2 : 1;
    crossing_.pass_bend(state, stops, (target - begin) / parts);
    for (int part = 1; part <= parts && !summary.is_over; ++part) {
      if (!step_to(state, part < parts ? (begin + target) / 2 : target, observers, summary)) {
        if (summary.is_over) observe(state, observers, summary, true, &stops);
        end_step(state, summary);
        return;
      }
      if (stops.is_end(state.t)) state.t = end;
      if (stops.breakpoint_at(state.t) && !list.ends_at(state.t)) ++summary.cut;
      const bool is_last = is_over_behind(state, stops, summary) || state.t == end;
      observe(state, observers, summary, is_last, &stops);
    }
    if (!summary.is_over) pass_changes(state, observers, summary);
    if (end_step(state, summary)) return;
  }
}

/// One accepted step towards the target, however many attempts it takes.
void Simulation::controlled_step(State& state, double target, StepController& controller) {
  std::string refused;
  double unsolved = 0;  // the longest step that had no solution
  const StepController before = controller;
  bool has_looked = false;
  for (int inaccurate = 1;; ++inaccurate) {
    const double remaining = span(state.t, target);
    double h = controller.next(remaining);
    controller.set_order(first_step_->order_of_errors());
    const double begin = state.t;
    StepOutcome outcome = attempts_.make(state, h);
    stuck_.note(begin, h, outcome, events_.is_behind());
    if (const std::string why = stuck_.verdict(options_.end_time - state.t); !why.empty())
      throw SolveError(contradiction_ahead(system_, state, before.wanted(), options_.end_time - state.t) + why);
    // Errors that are seen at singular positions are not those of the step's size, and shorter ones only show more.
    if (!outcome.accepted && (inaccurate > 1 || !(outcome.error > 1)) && !std::exchange(has_looked, true)) {
      StepController afresh = before;
      const double across = std::min(singular_places_.step_across(state), integrator_.largest_growth() * state.h_old);
      double wanted = std::min(std::max(afresh.next(remaining), across), remaining);
      if (singular_places_.is_near(state, wanted)) attempts_.make_giving_way(state, wanted, outcome);
      if (outcome.accepted) {
        controller = afresh;
        h = wanted;
        outcome.error = std::min(outcome.error, 1.0);
      }
    }
    if (outcome.accepted) {
      if (h == remaining) state.t = target;
      if (events_.is_behind()) return;
      controller.accept(outcome.error);
      return;
    }
    if (outcome.error > 1 && std::isfinite(outcome.error)) {
      controller.reject(outcome.error);
      if (inaccurate % most_inaccurate == 0) crossing_.restart(state, smallest_part * duration());
    } else {
      controller.fail();
      unsolved = std::max(unsolved, h);
      if (outcome.refused) refused = outcome.reason;
    }
    if (controller.is_exhausted()) {
      const double reach = std::min(std::max(unsolved, h * integrator_.largest_growth()), target - state.t);
      const double soon = 1e-3 * (state.t - options_.start_time);  // what ends a motion later has not made it hard yet
      const std::string ahead =
          obstacle_ahead(system_, state, reach, outcome.error > 1 ? soon : reach, no_value_after(system_, state, h));
      std::string last = last_words(outcome, refused);
      if (ahead.find(last) != std::string::npos) last = "there is no solution";
      const bool is_elsewhere = outcome.error > 1 || !ahead.empty();
      const ErrorTolerance allowed = error_tolerance(options_);
      if (outcome.error > 1 && allowed.relative < few_roundings * allowed.steps(h))
        last +=
            " (of so short a part of the run less error is allowed than rounding makes: take a larger tolerance, or `per: step`)";
      throw SolveError(
          fmt::format("the step from t = {:.9g} would have to be shorter than the smallest allowed one: {}with h = {:.3g} {}{}",
                      state.t, ahead, h, last, is_elsewhere ? "" : " (a smaller tolerance keeps the motion out of such states)"));
    }
  }
}

/// Behind a step: what changes there. False: nothing.
bool Simulation::pass_changes(State& state) {
  if (!course_->controller) return crossing_.pass_jump(state, course_->stops, course_->list.step());
  StepController& controller = *course_->controller;
  const bool is_switch = events_.is_behind();
  if (!is_switch && course_->stops.breakpoint_at(state.t) == nullptr) return false;
  const VectorPool::Loan a_before = integrator_.dof_room().borrow();
  integrator_.output_acceleration(state, a_before);
  if (is_switch) events_.pass(state, smallest_part * duration());
  if (crossing_.pass_jump(state, course_->stops, smallest_part * duration()) || is_switch)
    controller.restart(std::min(controller.wanted(), first_step_->behind_jump(state, a_before)));
  else
    crossing_.pass_bend(state, course_->stops, controller.wanted());
  return true;
}

/// The same in a run that may end by it (what samples give): a row of its own tells it.
void Simulation::pass_changes(State& state, const Observers& observers, SimulationSummary& summary) {
  if (pass_changes(state) && is_over(state, state.t, summary)) observe(state, observers, summary, true, &course_->stops, true);
}

void Simulation::run_controlled(State& state, const Observers& observers, SimulationSummary& summary) {
  const double end = options_.end_time;
  auto& [stops, controller, list] = *course_;
  while (state.t < end) {
    const double target = stops.next(state.t, controller->wanted());
    if (stops.is_at_once(state.t, target)) {
      state.t = target;
      pass_changes(state, observers, summary);
      if (summary.is_over && end_step(state, summary)) return;
      continue;
    }
    controlled_step(state, target, *controller);
    if (stops.is_end(state.t)) state.t = end;
    if (stops.breakpoint_at(state.t)) ++summary.cut;
    const bool is_last = is_over_behind(state, stops, summary) || state.t == end;
    observe(state, observers, summary, is_last, &stops);
    if (!summary.is_over) pass_changes(state, observers, summary);
    if (end_step(state, summary)) return;
  }
}

StopTimes::Breakpoints Simulation::breakpoints() const {
  return times_to_meet(system_, integrator_, {options_.control.has_value(), options_.grid.has_value()});
}

Simulation::Course Simulation::make_course(const State& state) const {
  Course course{StopTimes(options_.start_time, options_.end_time, options_.stop_intervals, breakpoints()), std::nullopt,
                PrescribedSteps(options_.steps, options_.start_time)};
  if (!options_.control) return course;
  const StepControl& control = *options_.control;
  StepLimits limits;
  limits.longest = control.max > 0 ? control.max : std::max(longest_part * duration(), control.initial);
  limits.smallest = std::min(limits.longest, control.min > 0 ? control.min : smallest_part * duration());
  limits.first = first_step_->at(state);
  limits.kept = integrator_.keeps_steps();
  course.controller.emplace(limits, first_step_->order_of_errors());
  return course;
}

/// What jumps as the run begins acts from its first step on: the state at the start is that before the jump.
void Simulation::begin_course(State& state) {
  course_.emplace(make_course(state));
  const double h = options_.control ? course_->controller->wanted() : course_->list.step();
  course_->stops.next(state.t, h);
  pass_changes(state);
}

void Simulation::persist(Archive& archive, State& state, SimulationSummary& summary, bool is_last) {
  sinew::persist(archive, state);
  integrator_.persist(archive);
  events_.persist(archive, state);
  singular_places_.persist(archive);
  if (!course_) course_.emplace(make_course(state));
  const Archive::Part part(archive, "run");
  auto& [stops, controller, list] = *course_;
  stops.persist(archive);
  if (controller) controller->persist(archive);
  list.persist(archive);
  sinew::persist(archive, summary);
  if (archive.is_reading()) summary.singular = singular_places_.verdict();
  archive.pass("is_last", is_last);
  if (!archive.is_reading() || !is_last) return;
  // The last state of a run is that before what jumps at its end; there is more to come now.
  pass_changes(state);
}

void Simulation::go_on_from(Archive& archive, State& state, bool has_new_steps) {
  persist(archive, state, before_, false);
  system_.renew_partners({state.t, &state.q, state.z, state.lambda});
  integrator_.renew();
  system_.require_not_over({state.t, &state.q, state.z, state.lambda});
  if (has_new_steps) course_->list = PrescribedSteps(options_.steps, state.t);
}

/// The run that the grid comes from has met what its steps would not have followed. What jumps is met here, too, even where
/// rounding has moved it.
void Simulation::run_on_grid(State& state, const Observers& observers, SimulationSummary& summary) {
  const double end = options_.end_time;
  StopTimes stops(options_.start_time, end, {}, breakpoints());
  for (const double target : options_.grid->times) {
    const double whole = target - state.t, same = PrescribedSteps::same_time * whole;
    for (bool is_there = false; !is_there;) {
      const double stop = stops.next(state.t, whole);
      is_there = stop >= target - same;
      const double next = stop <= target + same ? stop : target;
      if (!is_there && stops.is_at_once(state.t, next)) {
        state.t = next;
        continue;
      }
      if (!crossing_.pass_jump(state, stops, whole)) crossing_.pass_bend(state, stops, next - state.t);
      if (!step_to(state, next, observers, summary)) return;
    }
    if (stops.is_end(state.t)) state.t = end;
    observe(state, observers, summary, target == options_.grid->times.back(), &stops);
    if (state.t < end && must_stop(summary)) return;
  }
}

void Simulation::observe(const State& state, const Observers& observers, SimulationSummary& summary, bool is_last,
                         const StopTimes* stops, bool is_again) {
  summary.end_time = state.t;
  const VectorPool::Loan acceleration = integrator_.dof_room().borrow();
  integrator_.output_acceleration(state, acceleration);
  const Breakpoint* breakpoint = stops ? stops->breakpoint_at(state.t) : nullptr;
  const bool jumps = breakpoint != nullptr && breakpoint->jumps;
  for (Observer* o : observers)
    o->observe({state, acceleration, summary.steps, is_last, events_.is_behind(), stops == nullptr, jumps,
                prescribed_steps(state), is_again});
}

SimulationSummary Simulation::run(State& state, const std::vector<Observer*>& observers, SimulationSummary* so_far) {
  SimulationSummary own;
  SimulationSummary& summary = so_far ? *so_far : own;
  summary = before_;
  attempts_.report_to(observers, summary);
  observe(state, observers, summary, false, nullptr);
  if (options_.checkpoints) options_.checkpoints->begin_behind(snapshot_for_checkpoints(state, summary, false));
  if (options_.grid) {
    run_on_grid(state, observers, summary);
    return summary;
  }
  if (!course_) begin_course(state);
  if (options_.control)
    run_controlled(state, observers, summary);
  else
    run_prescribed(state, observers, summary);
  summary.hidden = events_.verdict();
  return summary;
}

}  // namespace sinew
