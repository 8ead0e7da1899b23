#include "integrate/simulation.hpp"

#include "integrate/error_weights.hpp"
#include "integrate/jump_impulses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

double wall_clock() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Parts of the run's duration, where the model file does not limit error-controlled steps.
constexpr double smallest_part = 1e-10, longest_part = 0.1;
/// The first step, relative to the time in which the initial accelerations move something by its size.
constexpr double first_part = 0.05;
/// Prescribed steps, relative to their size: what is shorter than `sliver` is joined with its neighbour, `same_time` is rounding.
constexpr double sliver = 1.0 / 3, same_time = 1e-6;
/// A step that is longer than the last one by more than this starts without history.
constexpr double most_growth = 10;
/// A prescribed step that is cut into more pieces is none that suits the model: to go on would take for ever.
constexpr int most_pieces = 1000;
/// As many inaccurate attempts in a row mean that the past is none of a smooth motion: the next one does without it.
constexpr int most_inaccurate = 4;
/// Times of a run that are so many roundings apart are the same (as those between which switches are located,
/// event_location.cpp).
constexpr double roundings = 8;
/// A formula is looked at a little beyond the shortest step that failed: its end may be the last time with a value.
constexpr double a_little_more = 1.01;

/// The longest step that does not end behind the target, where a function of time may go over to another piece.
double span(double t, double target) {
  double h = target - t;
  while (t + h > target) h = std::nextafter(h, 0.0);
  return h;
}

/// Is nothing but rounding of a run's times between t and the next one? No step leads there, and nothing moves until then.
bool is_at_once(double t, double next, const SimulationOptions& options) {
  const double largest = std::max({std::abs(options.start_time), std::abs(options.end_time), std::abs(t)});
  return next - t <= roundings * std::numeric_limits<double>::epsilon() * largest;
}

/// Where steps must end for functions of time: controlled ones at all breakpoints, prescribed ones at those that they do not
/// resolve and, where they may change without harm, at bends, behind which accelerations would be of first order; those of a grid
/// at what is no sample, since its steps have it already. The system must outlive it.
StopTimes::Breakpoints times_to_meet(const DynamicSystem& system, const Integrator& integrator,
                                     const SimulationOptions& options) {
  const bool meets_all = options.control.has_value(), meets_bends = integrator.suits_changing_steps(),
             is_grid = options.grid.has_value();
  return [=, &system](double from, double to, double step) {
    std::vector<Breakpoint> found = system.breakpoints(from, to, step);
    std::erase_if(found, [&](const Breakpoint& b) {
      const bool is_met = meets_all || !b.is_resolved || (meets_bends && b.bends);
      return !is_met || (is_grid && b.after == b.before);
    });
    return found;
  };
}

/// Why an attempt failed, and what solutions of longer ones were refused for.
std::string last_words(const StepOutcome& outcome, const std::string& refused) {
  return outcome.refused || refused.empty() ? outcome.reason : outcome.reason + "; with longer steps " + refused;
}

/// Names the expression that has no value, where that is what keeps even a step of h from being taken.
std::string no_value_after(const DynamicSystem& system, const State& state, double h) {
  const std::string text = system.not_finite(state.t + a_little_more * h);
  return text.empty() ? text : text + ". ";
}

}  // namespace

SimulationOptions simulation_options(const Analysis& analysis, const Output& output) {
  SimulationOptions o;
  o.end_time = analysis.end_time;
  if (const auto* control = std::get_if<StepControl>(&analysis.step)) {
    o.control = *control;
  } else {
    o.steps = std::get<StepSequence>(analysis.step);
  }
  for (const Interval& every : {output.fields, output.sensors, output.checkpoint})
    if (every.unit == Interval::Unit::simulated) o.stop_intervals.push_back(every.value);
  o.initial = analysis.initial;
  return o;
}

Simulation::Simulation(const DynamicSystem& system, Integrator& integrator, SimulationOptions options)
    : system_(system),
      integrator_(integrator),
      options_(std::move(options)),
      events_(system, integrator, duration(), options_.sliding_width, options_.control.has_value()) {
  if (options_.control && !options_.grid && !integrator_.judge_errors(tolerance()))
    throw InputError("this integrator has no error estimate; give `step` a number or a list of numbers");
  if (options_.control && options_.grid) integrator_.solve_within(tolerance());
}

/// What is not given follows from what is: relative from tolerance, absolute none.
ErrorTolerance Simulation::tolerance() const {
  const StepControl& control = *options_.control;
  ErrorTolerance t;
  t.absolute = control.absolute;
  t.relative = control.relative > 0 ? control.relative : control.tolerance;
  t.per_unit_step = control.per_unit_step;
  t.unit = duration() > 0 ? duration() : 1.0;
  t.end = options_.end_time;
  t.length = options_.length;
  return t;
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
  events_.settle(state);
  integrator_.start(state, first_prescribed_step());
  accept(state);
  return report;
}

/// The state is part of the solution. Where elements have found other partners in it the step solvers' matrices are made anew.
void Simulation::accept(const State& state) {
  const Stage stage{state.t, &state.q, state.z, state.lambda};
  system_.accept(stage);
  if (system_.renew_partners(stage)) integrator_.renew();
}

/// One attempt, recorded and counted; h becomes what was taken of it. After a step that was far shorter the history would be
/// extrapolated further than its digits reach.
StepOutcome Simulation::attempt(State& state, double& h, const Observers& observers, SimulationSummary& summary) {
  if (state.h_old > 0 && h > most_growth * state.h_old) integrator_.start(state, h);
  StepRecord record;
  const double begin = wall_clock(), t = state.t;
  record.outcome = events_.step(state, h);
  record.seconds = wall_clock() - begin;
  record.step = h;
  record.time = t + h;
  const StepOutcome& outcome = record.outcome;
  record.number = summary.steps + (outcome.accepted ? 1 : 0);
  summary.newton += outcome.newton;
  summary.factorizations += outcome.factorizations;
  if (outcome.accepted) {
    accept(state);
    summary.shortest = summary.steps == 0 ? h : std::min(summary.shortest, h);
    summary.longest = std::max(summary.longest, h);
    summary.most_newton = std::max(summary.most_newton, outcome.newton);
    ++summary.steps;
    summary.switches = events_.count() + (events_.is_behind() ? 1 : 0);
    summary.chatter = events_.chatter();
  } else {
    ++summary.rejected;
    if (outcome.error > 1) ++summary.inaccurate;
  }
  for (Observer* o : observers) o->record(record);
  return outcome;
}

/// Says what ends the motion, if that is known: an expression without a value, or geometry, where the constraints cannot be
/// fulfilled any more at a time t that should be reached next, or where a joint would leave its branch by then if everything went
/// on as it moves now.
std::string Simulation::obstacle(const State& state, double t, const std::string& no_value) const {
  if (!no_value.empty()) return no_value;
  Configuration q = system_.make_configuration();
  Kokkos::deep_copy(q.values, state.q.values);
  VecHandle z = duplicate(state.z), gaps = system_.make_row_vector();
  petsc(VecCopy(state.z, z));
  const auto fault_ahead = [&] {
    petsc(VecCopy(state.z, z));
    petsc(VecScale(z, t - state.t));
    system_.retract(state.q, z, q);
    const std::string fault = system_.branch_fault(state.q, q, t);
    return fault.empty() ? fault : fault + ". ";
  };
  try {
    project_onto_constraints(system_, t, q, z);
    return fault_ahead();
  } catch (const InputError&) {
    system_.constraints({t, &q, z, nullptr}, gaps, nullptr);
    const std::string names = system_.names_of_largest(gaps);
    const std::string fault = names.empty() ? fault_ahead() : std::string();
    if (!fault.empty()) return fault;
    return fmt::format("The mechanism locks: {} cannot close at t = {:.9g}. ", names.empty() ? "the constraints" : names, t);
  }
}

/// From state.t to the target, by one step if it converges, by quarters of it if not.
void Simulation::step_to(State& state, double target, const Observers& observers, SimulationSummary& summary) {
  const double whole = target - state.t;
  double h = whole;
  std::string failure, refused;  // what longer steps were refused for, where short ones meet no solution at all
  for (int pieces = 0; target - state.t > 1e-9 * whole;) {
    if (std::abs(target - state.t - h) < 1e-9 * whole) h = span(state.t, target);
    const StepOutcome outcome = attempt(state, h, observers, summary);
    if (outcome.accepted) {
      if (++pieces > most_pieces)
        throw SolveError(fmt::format(
            "the prescribed step of {:.3g} converges only in pieces, the last of {:.3g} to t = {:.9g}: the model moves faster, "
            "or is stiffer, than this step can follow (a shorter step, `step: {{tolerance: ...}}`, or a constraint in place "
            "of what is so stiff). Longer ones: {}",
            whole, h, state.t, refused.empty() ? failure : refused));
      h = std::min(2 * h, target - state.t);
      if (!events_.is_behind()) continue;
      for (Observer* o : observers) o->pass_switch(state.t);
      events_.pass(state, whole);
      h = target - state.t;
      --pieces;
      continue;
    }
    failure = outcome.reason;
    if (outcome.refused) refused = outcome.reason;
    h /= 4;
    if (!(h >= options_.smallest_step_ratio * whole) || state.t + h == state.t) {
      const double tried = 4 * h;
      throw SolveError(fmt::format("no step converges from t = {:.9g}, not even h = {:.3g} (prescribed: {:.3g}). {}Last: {}",
                                   state.t, tried, whole, obstacle(state, target, no_value_after(system_, state, tried)),
                                   last_words(outcome, refused)));
    }
  }
  state.t = target;
}

/// The next time at which a step ends, after t: the end of the next prescribed step or of a later one, which is the next then, or
/// a time that must be met. A prescribed time that lies closer to one of those than a third of the step, or of what lies between
/// two of them, is left out, so that no sliver remains.
double Simulation::next_time(double t) {
  const StepSequence& steps = options_.steps;
  StopTimes& stops = course_->stops;
  long& n = course_->next;
  const double stop = stops.next(t, steps.step(n));
  const auto least = [&] { return sliver * std::min(steps.step(n), stop - t); };
  while (prescribed_time(n) - t < least()) ++n;
  const double time = prescribed_time(n), near = stops.is_end(stop) ? same_time * steps.step(n) : least();
  return stop - time < near ? stop : time;
}

/// What lies between two times that are further apart than the step is taken in two halves.
void Simulation::run_prescribed(State& state, const Observers& observers, SimulationSummary& summary) {
  const double end = options_.end_time;
  StopTimes& stops = course_->stops;
  while (state.t < end) {
    const double begin = state.t, target = next_time(begin);
    if (is_at_once(begin, target, options_)) {
      state.t = target;
      pass_jump(state, stops, options_.steps.step(course_->next));
      continue;
    }
    const long n = course_->next;
    const double step = options_.steps.step(n), longest = std::max(step, options_.steps.step(n + 1));
    const int parts = target - begin > (1 + same_time) * longest ? 2 : 1;
    pass_bend(state, stops, (target - begin) / parts);
    for (int part = 1; part <= parts; ++part) {
      step_to(state, part < parts ? (begin + target) / 2 : target, observers, summary);
      if (stops.is_end(state.t)) state.t = end;
      if (stops.breakpoint_at(state.t) && std::abs(state.t - prescribed_time(n)) > same_time * step) ++summary.cut;
      observe(state, observers, summary, state.t == end);
    }
    pass_jump(state, stops, step);
    if (end_step(state, summary)) return;
  }
}

/// A part of the time T in which the accelerations move something by its size or change a velocity by its size: the error of a
/// step of T is of the order of the sizes themselves, and falls with a power of h.
double Simulation::first_step(const State& state) const {
  if (options_.control->initial > 0) return options_.control->initial;
  ErrorWeights weights(system_, tolerance());
  weights.set(state, smallest_part * duration());
  const double relative = std::min(1.0, std::max(tolerance().relative, tolerance().absolute));
  const double moved = relative * weights.of_configuration(state.a), changed = relative * weights.of_velocity(state.a);
  double time = duration();
  if (moved > 0) time = std::min(time, 1 / std::sqrt(moved));
  if (changed > 0) time = std::min(time, 1 / changed);
  return first_part * time * std::pow(relative, 1.0 / order_of_errors());
}

/// The power of h with which the error over the tolerance falls.
int Simulation::order_of_errors() const { return integrator_.error_order() - (options_.control->per_unit_step ? 1 : 0); }

/// One accepted step towards the target, however many attempts it takes.
void Simulation::controlled_step(State& state, double target, StepController& controller, const Observers& observers,
                                 SimulationSummary& summary) {
  std::string refused;
  double unsolved = 0;  // the longest step that had no solution
  for (int inaccurate = 1;; ++inaccurate) {
    const double remaining = span(state.t, target);
    double h = controller.next(remaining);
    controller.set_order(order_of_errors());
    const StepOutcome outcome = attempt(state, h, observers, summary);
    if (outcome.accepted) {
      if (h == remaining) state.t = target;
      if (events_.is_behind()) return;
      controller.accept(outcome.error);
      return;
    }
    if (outcome.error > 1 && std::isfinite(outcome.error)) {
      controller.reject(outcome.error);
      if (inaccurate % most_inaccurate == 0) restart(state, smallest_part * duration());
    } else {
      controller.fail();
      unsolved = std::max(unsolved, h);
      if (outcome.refused) refused = outcome.reason;
    }
    if (controller.is_exhausted()) {
      const double reach = std::max(unsolved, h * most_growth);
      const std::string no_value = no_value_after(system_, state, h);
      throw SolveError(fmt::format(
          "the step from t = {:.9g} would have to be shorter than the smallest allowed one: {}with h = {:.3g} {}{}", state.t,
          obstacle(state, std::min(target, state.t + reach), no_value), h, last_words(outcome, refused),
          outcome.error > 1 || !no_value.empty() ? "" : " (a smaller tolerance keeps the motion out of such states)"));
    }
  }
}

/// After a discontinuity: velocities that the constraints now allow (least change weighted by mass), new accelerations and
/// multipliers, no history.
void Simulation::restart(State& state, double h) {
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

/// To the other side of a breakpoint: what jumps there has jumped, and impulses have done their work.
void Simulation::jump_to(State& state, double t, double h) {
  VecHandle before = duplicate(state.z);
  petsc(VecCopy(state.z, before));
  state.t = t;
  restart(state, h);
  const VecHandle impulses = system_.wants_impulses() ? impulses_of_jump(system_, state, before) : VecHandle{};
  system_.accept_impulse(before, {state.t, &state.q, state.z, impulses});
}

/// Goes over to the other side where something jumps before the end. False where nothing does: the history is that of a steady
/// motion then, and goes on.
bool Simulation::pass_jump(State& state, const StopTimes& stops, double h) {
  const Breakpoint* breakpoint = stops.breakpoint_at(state.t);
  if (breakpoint == nullptr || !breakpoint->jumps || stops.is_end(breakpoint->after)) return false;
  jump_to(state, breakpoint->after, h);
  return true;
}

/// Behind a bend rates of accelerations from before do not hold. Methods that go on with them (the acceleration of SOI2 belongs
/// to a time beside the end of the step) make an error there that no estimate sees: with controlled steps they start anew, with
/// prescribed ones where it is a motion that bends. Behind a load that bends their history is changed to the new rates: a new
/// start would do as well for accelerations, but not keep what the load brings in of momentum to the last digit. Multistep
/// formulas start anew with prescribed steps; else their own differences see the bend. (The trapezoidal rule does not, and would
/// not forget the kick.)
void Simulation::pass_bend(State& state, const StopTimes& stops, double h) {
  const Breakpoint* breakpoint = stops.breakpoint_at(state.t);
  if (breakpoint == nullptr || breakpoint->after == breakpoint->before || state.h_old == 0) return;
  const bool is_controlled = options_.control.has_value(), is_multistep = integrator_.keeps_steps();
  const bool is_sharp = is_controlled || breakpoint->bends_motion;
  if (is_multistep ? !is_controlled : integrator_.extrapolates_rates() && is_sharp)
    integrator_.start(state, h);
  else if (!is_controlled && breakpoint->bends)
    integrator_.pass_bend(state, *breakpoint, h);
}

/// Behind an error-controlled step: what changes there.
void Simulation::pass_changes(State& state) {
  const bool is_switch = events_.is_behind();
  if (is_switch) events_.pass(state, smallest_part * duration());
  StepController& controller = *course_->controller;
  if (pass_jump(state, course_->stops, smallest_part * duration()) || is_switch)
    controller.restart(std::min(controller.wanted(), first_step(state)));
  else
    pass_bend(state, course_->stops, controller.wanted());
}

void Simulation::run_controlled(State& state, const Observers& observers, SimulationSummary& summary) {
  const double end = options_.end_time;
  auto& [stops, controller, next, begin] = *course_;
  while (state.t < end) {
    const double target = stops.next(state.t, controller->wanted());
    if (is_at_once(state.t, target, options_)) {
      state.t = target;
      pass_changes(state);
      continue;
    }
    controlled_step(state, target, *controller, observers, summary);
    if (stops.is_end(state.t)) state.t = end;
    if (stops.breakpoint_at(state.t)) ++summary.cut;
    observe(state, observers, summary, state.t == end);
    pass_changes(state);
    if (end_step(state, summary)) return;
  }
}

Simulation::Course Simulation::make_course(const State& state) const {
  Course course{
      StopTimes(options_.start_time, options_.end_time, options_.stop_intervals, times_to_meet(system_, integrator_, options_)),
      std::nullopt, 0, options_.start_time};
  if (!options_.control) return course;
  const StepControl& control = *options_.control;
  StepLimits limits;
  limits.longest = control.max > 0 ? control.max : std::max(longest_part * duration(), control.initial);
  limits.smallest = std::min(limits.longest, control.min > 0 ? control.min : smallest_part * duration());
  limits.first = first_step(state);
  limits.kept = integrator_.keeps_steps();
  course.controller.emplace(limits, order_of_errors());
  return course;
}

/// What jumps as the run begins acts from its first step on: the state at the start is that before the jump.
void Simulation::begin_course(State& state) {
  course_.emplace(make_course(state));
  const double h = options_.control ? course_->controller->wanted() : options_.steps.step(0);
  course_->stops.next(state.t, h);
  if (options_.control)
    pass_changes(state);
  else
    pass_jump(state, course_->stops, h);
}

void Simulation::persist(Archive& archive, State& state, SimulationSummary& summary, bool is_last) {
  sinew::persist(archive, state);
  integrator_.persist(archive);
  events_.persist(archive);
  if (!course_) course_.emplace(make_course(state));
  const Archive::Part part(archive, "run");
  auto& [stops, controller, next, begin] = *course_;
  stops.persist(archive);
  if (controller) controller->persist(archive);
  archive.pass("next_step", next);
  archive.pass("list_begins", begin);
  auto& [steps, rejected, newton, factorizations, inaccurate, shortest, longest, most_newton, switches, cut, end_time, chatter,
         hidden, stopped] = summary;
  archive.pass("steps", steps);
  archive.pass("rejected", rejected);
  archive.pass("newton", newton);
  archive.pass("factorizations", factorizations);
  archive.pass("inaccurate", inaccurate);
  archive.pass("shortest", shortest);
  archive.pass("longest", longest);
  archive.pass("most_newton", most_newton);
  archive.pass("switches", switches);
  archive.pass("cut", cut);
  archive.pass("end_time", end_time);
  archive.pass("is_last", is_last);
  if (!archive.is_reading() || !is_last) return;
  // The last state of a run is that before what jumps at its end; there is more to come now.
  if (controller)
    pass_changes(state);
  else
    pass_jump(state, stops, options_.steps.step(next));
}

void Simulation::go_on_from(Archive& archive, State& state, bool has_new_steps) {
  persist(archive, state, before_, false);
  system_.renew_partners({state.t, &state.q, state.z, state.lambda});
  integrator_.renew();
  if (!has_new_steps) return;
  course_->next = 0;
  course_->begin = state.t;
}

/// Behind a step and what changes there: a checkpoint, where one is due or the run is to stop. True: it stops. What solvers keep
/// is no part of a checkpoint: this run goes on without it as well, so that one from there takes the same steps to the last bit.
bool Simulation::end_step(State& state, SimulationSummary& summary) {
  const bool is_last = state.t >= options_.end_time, stops = !is_last && must_stop(summary);  // at its end it is done
  CheckpointWriter* writer = options_.checkpoints;
  if (writer == nullptr) return stops;
  const Snapshot now{state, nullptr, summary.steps, is_last};
  const bool is_due = writer->is_due(now);
  if (is_due || stops) writer->write(now, [&](Archive& archive) { persist(archive, state, summary, is_last); });
  if (is_due && writer->is_repeatable()) integrator_.renew();
  return stops;
}

/// The run that the grid comes from has met what its steps would not have followed. What jumps is met here, too, even where
/// rounding has moved it.
void Simulation::run_on_grid(State& state, const Observers& observers, SimulationSummary& summary) {
  const double end = options_.end_time;
  StopTimes stops(options_.start_time, end, {}, times_to_meet(system_, integrator_, options_));
  for (const double target : options_.grid->times) {
    const double whole = target - state.t, same = same_time * whole;
    for (bool is_there = false; !is_there;) {
      const double stop = stops.next(state.t, whole);
      is_there = stop >= target - same;
      const double next = stop <= target + same ? stop : target;
      if (!is_there && is_at_once(state.t, next, options_)) {
        state.t = next;
        continue;
      }
      if (!pass_jump(state, stops, whole)) pass_bend(state, stops, next - state.t);
      step_to(state, next, observers, summary);
    }
    if (stops.is_end(state.t)) state.t = end;
    observe(state, observers, summary, target == options_.grid->times.back());
    if (state.t < end && must_stop(summary)) return;
  }
}

bool Simulation::must_stop(SimulationSummary& summary) const {
  summary.stopped = options_.wants_stop && options_.wants_stop();
  return summary.stopped;
}

void Simulation::observe(const State& state, const Observers& observers, SimulationSummary& summary, bool is_last,
                         bool is_first) {
  summary.end_time = state.t;
  const VectorPool::Loan acceleration = integrator_.dof_room().borrow();
  integrator_.output_acceleration(state, acceleration);
  for (Observer* o : observers) o->observe({state, acceleration, summary.steps, is_last, events_.is_behind(), is_first});
}

SimulationSummary Simulation::run(State& state, const std::vector<Observer*>& observers, SimulationSummary* so_far) {
  SimulationSummary own;
  SimulationSummary& summary = so_far ? *so_far : own;
  summary = before_;
  observe(state, observers, summary, false, true);
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
