#include "integrate/event_location.hpp"

#include "base/error.hpp"
#include "partition/collective_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon(), never = std::numeric_limits<double>::infinity();
/// Steps end within this part of their size behind a change. What slides from there keeps the speed of its argument at that
/// moment, which must be small beside sqrt(rounding), within which it is held.
constexpr double landing = 1e-10;
/// A trial is no shorter than this part of one that went too far, so that a poor estimate does not lead into rounding.
constexpr double shortest_trial = 1e-3;
/// A change before this part of the step is one at its beginning.
constexpr double at_once = 1e-6;
/// Halving alone comes from a step to its rounding in 53.
constexpr int most_trials = 60;
/// Where changes follow each other so fast a run would have a hundred million of them.
constexpr double burst_part = 1e-6;
constexpr long most_in_burst = 100;
/// An argument that comes back counts from this depth on, relative to how far it goes in the step.
constexpr double least_depth = 1e-6;

}  // namespace

EventLocation::EventLocation(const DynamicSystem& system, Integrator& integrator, double duration, double width)
    : system_(system), integrator_(integrator), duration_(duration) {
  if (system.switches() == nullptr) return;
  settling_ = std::make_unique<SwitchSettling>(system, 1e-3 * duration, width);
  between_ = system.make_configuration();
  w_ = system.make_dof_vector();
  z_ = system.make_dof_vector();
  left_.assign(system.switches()->size(), 0);
  integrator_.guard([this](const State& begin, const Stage& end) { return look(begin, end); });
}

EventLocation::~EventLocation() {
  if (!settling_) return;
  integrator_.guard({});
  system_.switches()->release();
}

void EventLocation::settle(const State& state) {
  if (!settling_) return;
  std::fill(left_.begin(), left_.end(), 0);
  settling_->settle(state, left_);
}

double EventLocation::least(double here) const {
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_DOUBLE, MPI_MIN, system_.layout().comm);
  return here;
}

std::vector<double> EventLocation::margins(const Stage& stage) {
  std::vector<double> values = system_.switch_arguments(stage);
  const SwitchBoard& board = *system_.switches();
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = board.margin(k, values[k]);
  return values;
}

/// Where the first argument leaves its piece, by straight lines from the margins at `h_low` to those at h. What lay outside at
/// the beginning already is on its way back, as long as it does not go further. Collective.
double EventLocation::first_crossing(const std::vector<double>& high, double h) const {
  double first = never;
  for (std::size_t k = 0; k < high.size(); ++k) {
    if (!(high[k] < std::min(begin_[k], 0.0))) continue;
    const double low = std::max(low_[k], 0.0);
    first = std::min(first, h_low_ + (h - h_low_) * low / (low - high[k]));
  }
  return least(first);
}

/// The next trial: just behind where the change should be.
void EventLocation::aim() {
  const double crossing = first_crossing(high_, h_high_), least_step = h_low_ > 0 ? 0.0 : shortest_trial * h_high_;
  next_ = std::min(h_high_, std::max(crossing + tolerance_ / 2, least_step));
  if (h_high_ - h_low_ <= tolerance_) next_ = h_high_;
}

/// Decides on a solved step.
bool EventLocation::look(const State& begin, const Stage& end) {
  const double h = end.t - begin.t;
  end_ = margins(end);
  const double crossing = first_crossing(end_, h);
  if (crossing < never) {
    for (std::size_t k = 0; k < end_.size(); ++k) left_[k] = end_[k] < std::min(begin_[k], 0.0) ? 1 : 0;
    if (h - crossing <= tolerance_ || next_ == h_high_) {
      is_behind_ = true;
      return true;
    }
    if (side_ > 0)
      for (double& margin : low_) margin /= 2;
    side_ = 1;
    high_ = end_;
    h_high_ = next_;
  } else if (h_high_ > 0) {
    if (next_ == h_high_) return true;  // rounding: solved again, it does not reach the change
    if (side_ < 0)
      for (double& margin : high_) margin /= 2;
    side_ = -1;
    low_ = end_;
    h_low_ = next_;
  } else {
    if (is_probing_ || !comes_back(begin, end, h)) return true;
    is_probing_ = true;
    is_refused_ = true;
    return false;
  }
  aim();
  is_refused_ = true;
  return false;
}

/// The state within a step: positions by their values and velocities at both ends, velocities by both ends and the first
/// acceleration.
Stage EventLocation::interpolate(const State& begin, const Stage& end, double part) {
  const double h = end.t - begin.t, p = part, r = 1 - part;
  system_.difference(begin.q, *end.q, w_);
  petsc(VecScale(w_, p * p * (3 - 2 * p)));
  petsc(VecAXPBYPCZ(w_, p * r * r * h, -p * p * r * h, 1.0, begin.z, end.z));
  system_.retract(begin.q, w_, between_);
  petsc(VecCopy(begin.z, z_));
  petsc(VecAXPBYPCZ(z_, p * p, p * r * h, 1 - p * p, end.z, begin.a));
  return {begin.t + p * h, &between_, z_, nullptr};
}

/// Do arguments leave their pieces and come back, as far as five points of the step and parabolas through them show? `next_` then
/// says where to look.
bool EventLocation::comes_back(const State& begin, const Stage& end, double h) {
  constexpr int intervals = 4;  // what comes back faster than a quarter of the step is not seen (docs/theory/events.md)
  const SwitchBoard& board = *system_.switches();
  std::vector<std::vector<double>> m{begin_};
  for (int i = 1; i < intervals; ++i) m.push_back(margins(interpolate(begin, end, static_cast<double>(i) / intervals)));
  m.push_back(end_);
  double first = never;
  for (std::size_t k = 0; k < end_.size(); ++k) {
    if (board.piece(k).slides) continue;
    double size = 0;
    for (const auto& values : m) size = std::max(size, std::abs(values[k]));
    for (int i = 1; i < intervals; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double bend = m[at - 1][k] - 2 * m[at][k] + m[at + 1][k], slope = (m[at + 1][k] - m[at - 1][k]) / 2;
      const double place = bend > 0 ? std::clamp(-slope / bend, -1.0, 1.0) : 0.0;
      const double depth = m[at][k] + place * (slope + place * bend / 2);
      if (depth < -least_depth * size && depth < begin_[k]) first = std::min(first, (i + place) / intervals * h);
    }
  }
  next_ = least(first);
  return next_ < h;
}

StepOutcome EventLocation::step(State& state, double& h) {
  if (!settling_) return integrator_.step(state, h);
  const double asked = h;
  StepOutcome sum;
  for (bool is_new = true;;) {
    if (is_new) begin_step(state, asked);
    is_new = false;
    h = next_;
    if (++trials_ > most_trials) next_ = h = h_high_;
    is_refused_ = false;
    StepOutcome outcome = integrator_.step(state, h);
    outcome.newton = sum.newton += outcome.newton;
    outcome.linear = sum.linear += outcome.linear;
    outcome.factorizations = sum.factorizations += outcome.factorizations;
    if (outcome.accepted) settling_->note(system_.switch_arguments({state.t, &state.q, state.z, nullptr}));
    if (!is_refused_) return outcome;
    if (h_high_ > 0 && h_high_ < at_once * asked) {
      pass(state, asked);
      is_new = true;
    }
  }
}

void EventLocation::begin_step(const State& state, double h) {
  begin_ = low_ = margins({state.t, &state.q, state.z, nullptr});
  h_low_ = h_high_ = 0;
  next_ = h;
  side_ = trials_ = 0;
  is_probing_ = is_behind_ = false;
  tolerance_ = std::max(landing * h, 8 * rounding * std::abs(state.t + h));
}

void EventLocation::persist(Archive& archive) {
  if (!settling_) return;
  const Archive::Part part(archive, "events");
  archive.pass("count", count_);
  archive.pass("burst", burst_);
  archive.pass("burst_begin", burst_begin_);
  settling_->persist(archive);
}

void EventLocation::pass(State& state, double h) {
  count_change(state.t);
  settling_->settle(state, left_);
  integrator_.start(state, h);
  system_.accept({state.t, &state.q, state.z, state.lambda});
  std::fill(left_.begin(), left_.end(), 0);
  is_behind_ = false;
}

void EventLocation::count_change(double t) {
  ++count_;
  if (t - burst_begin_ > burst_part * duration_) {
    burst_begin_ = t;
    burst_ = 0;
  }
  if (++burst_ <= most_in_burst) return;
  std::int64_t key = std::numeric_limits<std::int64_t>::max();
  std::string name;
  for (std::size_t k = left_.size(); k-- > 0;)
    if (left_[k] != 0) {
      name = system_.name_of_switch(k);
      key = static_cast<std::int64_t>(k);
    }
  throw SolveError(fmt::format(
      "{} chatters: it has changed {} times between t = {:.12g} and {:.12g}, and each change brings on the next. A law without a "
      "jump (tanh(x/x0) for sign(x), a ramp for a comparison), a delay or a dead band lets the motion go on",
      first_text(system_.layout().comm, key, name), burst_, burst_begin_, t));
}

}  // namespace sinew
