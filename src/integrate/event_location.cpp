#include "integrate/event_location.hpp"

#include "base/error.hpp"
#include "base/reduction.hpp"
#include "partition/collective_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon(), never = std::numeric_limits<double>::infinity();
/// Steps end within this part of their size behind a change. What slides from there keeps the speed of its argument at that
/// moment, which must be small beside sqrt(rounding), within which it is held, and beside what error bars tell from rounding.
constexpr double landing = 1e-12;
/// Where all forces are continuous nothing slides behind a kink, and what it changes in velocities in the last part d of a step,
/// d h^2 times the jump of the rate, is small beside the h^3 that the method leaves. A switch that has a kink is held there: that
/// leaves d^2/2 times the jump, a millionth of what a step across leaves. Enough where steps are prescribed; controlled ones may
/// be far too long for what lies beyond.
constexpr double landing_at_kinks = 1e-3;
/// The interpolation between the ends of a step says where a change lies to about its own error.
constexpr double foresight = 1e-4;
/// Regula falsi by Illinois' rule has order 1.44: four looks lead from a tenth of the step to `foresight`. Where an argument is
/// not smooth, so many are enough for what decides nothing.
constexpr int most_looks = 10;
/// A trial is no shorter than this part of one that went too far, so that a poor estimate does not lead into rounding.
constexpr double shortest_trial = 1e-3;
/// A change before this part of the step is one at its beginning.
constexpr double at_once = 1e-6;
/// Halving alone comes from a step to its rounding in 53.
constexpr int most_trials = 60;
/// Where changes follow each other so fast a run would have a hundred million of them. One switch of many that change once or
/// twice brings on nothing: some must have changed often among them.
constexpr double burst_part = 1e-6;
constexpr long most_in_burst = 100;
/// Changes in a row, with no whole step between them, from which on what only has a kink is gone across: each costs some four
/// solutions, so that a step of many springs that go slack costs no more than about thirty.
constexpr long most_in_a_row = 8;
/// An argument that comes back counts from this depth on, relative to how far it goes in the step.
constexpr double least_depth = 1e-6;
/// Beside points at quarters of the step, those from which the slopes at its ends follow.
constexpr double beside_ends = 1.0 / 32;
/// Places looked at for one step: where an argument is smooth, each leaves a quarter of the depth or less, and ten come from the
/// step's own size to `least_depth`.
constexpr int most_dips = 10;
/// As often a step may be made shorter for what a force does within it: halvings lead from one to the shortest of a run in 33.
constexpr int most_shortened = 33;
/// Forces that count the turns of an angle tell it from one of other turns within half a turn of the last one that they remember,
/// which may be an eighth of a turn back (memorable_turn): no step is to turn it by more than a quarter.
constexpr double turn_of_a_step = std::numbers::pi / 2;
/// The rate at the end of a step may be larger than that at its beginning: beyond this the step is made shorter.
constexpr double too_long = 1.25;

}  // namespace

EventLocation::EventLocation(const DynamicSystem& system, Integrator& integrator, double duration, double width, bool meets_kinks)
    : system_(system),
      integrator_(integrator),
      duration_(duration),
      is_free_(meets_kinks),
      meets_kinks_(meets_kinks && system.has_kinks()),
      watches_passes_(is_free_ && system.has_passing_forces()),
      follows_turns_(is_free_ && system.forces_follow_turns()) {
  if (system.curves() != nullptr) swings_ = std::make_unique<HiddenSwings>(system);
  if (const SwitchBoard* switches = system.switches()) {
    settling_ = std::make_unique<SwitchSettling>(system, 1e-3 * duration, width);
    num_switches_ = switches->size();
  }
  if (!is_active()) return;
  between_ = system.make_configuration();
  w_ = system.make_dof_vector();
  z_ = system.make_dof_vector();
  left_.assign(num_switches_, 0);
  integrator_.guard([this](const State& begin, const Stage& end) { return look(begin, end); });
}

EventLocation::~EventLocation() {
  if (!is_active()) return;
  integrator_.guard({});
  if (settling_) system_.switches()->release();
  if (meets_kinks_) system_.hold_laws({});
}

void EventLocation::settle(const State& state) {
  std::fill(left_.begin(), left_.end(), 0);
  if (meets_kinks_) choose_sides({state.t, &state.q, state.z, nullptr});
  if (settling_) settling_->settle(state);
}

void EventLocation::choose_sides(const Stage& stage) {
  sides_.clear();
  for (const double g : system_.kinks(stage)) sides_.push_back(g > 0 ? 1 : -1);
  left_.assign(num_switches_ + sides_.size(), 0);
  has_sides_ = true;
  system_.hold_laws(sides_);
}

double EventLocation::least(double here) const {
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_DOUBLE, MPI_MIN, system_.layout().comm);
  return here;
}

std::vector<double> EventLocation::margins(const Stage& stage) {
  std::vector<double> values;
  if (settling_) {
    const SwitchBoard& board = *system_.switches();
    for (const double g : system_.switch_arguments(stage)) {
      const std::size_t k = values.size();
      values.push_back(board.margin(k, g) + settling_->slack(k));
    }
  }
  if (!meets_kinks_) return values;
  if (is_muted_) {
    values.resize(num_switches_ + sides_.size(), never);
  } else {
    const std::vector<double> g = system_.kinks(stage);
    for (std::size_t k = 0; k < g.size(); ++k) values.push_back(sides_[k] * g[k]);
  }
  return values;
}

void EventLocation::set_begin(const Stage& begin) {
  begin_ = margins(begin);
  bracket_.begin(begin_);
  floor_ = begin_;
  for (double& floor : floor_) floor = std::min(floor, 0.0);
  rounding_.assign(begin_.size(), 0.0);
  heeds_rounding_ = false;
}

/// Of what begins within rounding of its change, or beyond it, rounding alone decides nothing: it leaves by more than that. What
/// stands at 0 exactly has the rounding of what it comes to in the step; of a kink, whose pieces meet there, less than
/// `least_depth` of that is nothing. Looked up once in a step, where something has left. True: there is such a switch, on any
/// rank. Collective.
bool EventLocation::heed_rounding(const State& begin) {
  if (!settling_ || heeds_rounding_) return false;
  heeds_rounding_ = true;
  const SwitchBoard& board = *system_.switches();
  const std::vector<double> of_arguments = settling_->roundings({begin.t, &begin.q, begin.z, nullptr});
  bool is_near = false;
  for (std::size_t k = 0; k < num_switches_; ++k) {
    const SwitchPiece& piece = board.piece(k);
    const double reached = std::abs(end_[k]), nothing = std::max(of_arguments[k], roundings_of_argument * rounding * reached);
    if (piece.slides || piece.width > 0 || nothing == 0 || !(begin_[k] <= nothing)) continue;
    rounding_[k] = has_kink_alone(board.operation(k)) ? std::max(nothing, least_depth * reached) : nothing;
    floor_[k] -= rounding_[k];
    is_near = true;
  }
  return largest_of_all(system_.layout().comm, is_near ? 1.0 : 0.0) > 0;
}

/// Where the first argument leaves its piece, by straight lines from the margins at `h_low` to those at h; `never` where none
/// does, or none behind `after`. What lay outside at the beginning already is on its way back, as long as it does not go further.
/// Collective.
double EventLocation::first_crossing(const std::vector<double>& low, double h_low, const std::vector<double>& high, double h,
                                     double after) const {
  double first = never;
  for (std::size_t k = 0; k < high.size(); ++k) {
    if (!(high[k] < floor_[k])) continue;
    const double inside = low[k] > rounding_[k] ? low[k] : 0.0;
    const double crossing = h_low + (h - h_low) * inside / (inside - high[k]);
    if (crossing > after) first = std::min(first, crossing);
  }
  return least(first);
}

/// How many changes, one after the other, straight lines show in a trial of size h; those so close that a step behind the first
/// of them ends behind the others, too, are one. Counted no further than to one more than `most_in_a_row`. Collective.
long EventLocation::changes_ahead(double h) const {
  long count = 0;
  for (double at = -1; count <= most_in_a_row; ++count) {
    const double next = first_crossing(begin_, 0, end_, h, at);
    if (next == never) break;
    at = next + landing_at_kinks * h;
  }
  return count;
}

/// Where the first argument leaves its piece between the ends of a step, as an interpolation shows it. Collective.
double EventLocation::foreseen_crossing(const State& begin, const Stage& end) {
  const double h = end.t - begin.t;
  Bracket bracket = bracket_.afresh();  // which ends with this step
  double crossing = first_crossing(bracket);
  for (int i = 0; i < most_looks && bracket.width() > foresight * h; ++i) {
    const double at = crossing;
    std::vector<double> found = margins(interpolate(begin, end, at / h));
    if (first_crossing(begin_, 0, found, at) < never) {
      bracket.put_behind(at, std::move(found));
    } else {
      bracket.put_before(at, std::move(found));
    }
    crossing = first_crossing(bracket);
    if (std::abs(crossing - at) <= foresight * h) break;
  }
  return crossing;
}

/// The next trial: just behind where the change should be.
void EventLocation::aim(double crossing) {
  const double least_step = bracket_.h_low() > 0 ? 0.0 : shortest_trial * bracket_.h_high();
  next_ = std::min(bracket_.h_high(), std::max(crossing + tolerance_ / 2, least_step));
  if (bracket_.width() <= tolerance_) next_ = bracket_.h_high();
}

/// Have switches left that stood within rounding of their change at the beginning, and are no further inside in a trial that
/// looks there? Then they go over where the step begins, all at once; shorter trials would show rounding alone. Collective.
bool EventLocation::leaves_rest() {
  if (bracket_.h_low() > 0 || next_ > shortest_trial * bracket_.h_high()) return false;
  std::vector<char> left(left_.size(), 0);
  bool is_undecided = false;
  for (std::size_t k = 0; k < num_switches_; ++k) {
    if (rounding_[k] == 0 || !(bracket_.high()[k] < floor_[k] && end_[k] <= rounding_[k])) continue;
    left[k] = 1;
    is_undecided = is_undecided || end_[k] >= floor_[k];
  }
  if (largest_of_all(system_.layout().comm, is_undecided ? 1.0 : 0.0) == 0) return false;
  left_ = left;
  return true;
}

/// Decides on a solved step.
bool EventLocation::look(const State& begin, const Stage& end) {
  const double h = end.t - begin.t;
  end_ = margins(end);
  const bool is_first = bracket_.h_high() == 0;
  double crossing = first_crossing(bracket_.low(), bracket_.h_low(), end_, h);
  if (crossing < never && heed_rounding(begin)) crossing = first_crossing(bracket_.low(), bracket_.h_low(), end_, h);
  if (!is_first && leaves_rest()) {
    is_at_once_ = is_refused_ = true;
    return false;
  }
  if (crossing < never) {
    for (std::size_t k = 0; k < end_.size(); ++k) left_[k] = end_[k] < floor_[k] ? 1 : 0;
    if (is_first && settling_ && lets_follow(begin, end)) return false;
    const bool is_sharp = system_.has_held_laws() || (is_free_ ? has_left_switch() : has_left_jump());
    tolerance_ = std::max((is_sharp ? landing : landing_at_kinks) * asked_, 8 * rounding * std::abs(begin.t + asked_));
    if (h - crossing <= tolerance_ || next_ == bracket_.h_high()) {
      is_behind_ = true;
      return true;
    }
    bracket_.put_behind(next_, end_);
  } else if (!is_first) {
    if (next_ == bracket_.h_high()) return true;  // rounding: solved again, it does not reach the change
    bracket_.put_before(next_, end_);
  } else {
    if (!is_probing_ && comes_back(begin, end, h)) {
      is_probing_ = true;
    } else if (shows_all(begin, end)) {
      return true;
    }
    is_refused_ = true;
    return false;
  }
  aim(is_first ? foreseen_crossing(begin, end) : first_crossing(bracket_));
  is_refused_ = true;
  return false;
}

/// Is what was left no switch that is to be met, being smooth where its pieces meet, or a kink among too many of them? Then the
/// step is solved again as it is.
bool EventLocation::lets_follow(const State& begin, const Stage& end) {
  const Stage from{begin.t, &begin.q, begin.z, nullptr};
  const std::vector<char> left = left_switches();
  if (!settling_->let_follow(from, end, left)) {
    if (is_free_) return false;  // steps are as long as what is held lets them be: too long for what lies beyond
    const long in_a_row = in_a_row_ + changes_ahead(end.t - begin.t);
    if (in_a_row <= most_in_a_row || !settling_->let_kinks_follow(left)) return false;
    in_a_row_ = in_a_row;  // what the step leaves beside these, once they follow, is among too many as well
  }
  if (is_probing_) next_ = longest_trial(from);
  is_probing_ = false;
  set_begin(from);
  is_refused_ = true;
  return true;
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

/// No step that begins or ends in this state is to be longer, so that forces see the turns that they count. Collective.
double EventLocation::longest_step(const Stage& stage) {
  const double fastest = follows_turns_ ? system_.fastest_turn(stage) : 0.0;
  return fastest > 0 ? turn_of_a_step / fastest : never;
}

/// The size of a trial from this state, as long as nothing else is known. Collective.
double EventLocation::longest_trial(const Stage& begin) {
  return std::min({asked_, longest_step(begin), watches_passes_ ? system_.soonest_pass(begin) : never});
}

/// Do the ends of the step show what forces do within it? If not, `next_` is the end of a shorter one, where that may be.
/// Collective.
bool EventLocation::shows_all(const State& begin, const Stage& end) {
  if (const double longest = longest_step(end), h = end.t - begin.t; h > too_long * longest && shortened_++ < most_shortened) {
    next_ = std::max(longest, h / 2);
    return false;
  }
  if (!swings_) return true;
  const double part = swings_->look(begin, interpolate(begin, end, 0.5), end);
  if (part == 1) return true;
  if (is_free_ && shortened_++ < most_shortened) {
    next_ = part * (end.t - begin.t);
    return false;
  }
  swings_->let_pass();
  return true;
}

/// Do arguments leave their pieces and come back within the step? Straight lines through the points beside an interval, one that
/// goes down on its left and one that goes up on its right, meet no higher than an argument that is convex between them has its
/// minimum, be it as sharp as the distance of two bodies that pass each other. Where they meet below 0 the interpolation is
/// looked at, the deepest place first, until none is left. `next_` then says where to look. Collective.
bool EventLocation::comes_back(const State& begin, const Stage& end, double h) {
  std::vector<double> parts{0}, sizes(end_.size(), 0);
  std::vector<std::vector<double>> m{begin_};
  for (const double part : {beside_ends, 0.25, 0.5, 0.75, 1 - beside_ends}) {
    parts.push_back(part);
    m.push_back(margins(interpolate(begin, end, part)));
  }
  parts.push_back(1);
  m.push_back(end_);
  for (const auto& values : m)
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] = std::max(sizes[k], std::abs(values[k]));
  for (int looks = 0;; ++looks) {
    Dip dip = deepest_dip(parts, m, sizes);
    if ((dip.outside < never || dip.place < never) && heed_rounding(begin)) dip = deepest_dip(parts, m, sizes);
    next_ = dip.outside * h;
    if (next_ < h) return true;
    if (dip.place == never || looks == most_dips) return false;
    const auto at = std::upper_bound(parts.begin(), parts.end(), dip.place);
    m.insert(m.begin() + (at - parts.begin()), margins(interpolate(begin, end, dip.place)));
    parts.insert(at, dip.place);
  }
}

/// The first of the points at which an argument is outside, and where lines show that one may be furthest outside between two.
EventLocation::Dip EventLocation::deepest_dip(const std::vector<double>& parts, const std::vector<std::vector<double>>& m,
                                              const std::vector<double>& sizes) const {
  double outside = never, depth = 0, place = never;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (k < num_switches_ && system_.switches()->piece(k).slides) continue;
    const auto is_outside = [&](double margin) { return margin < -least_depth * sizes[k] && margin < floor_[k]; };
    const auto slope = [&](std::size_t i) { return (m[i + 1][k] - m[i][k]) / (parts[i + 1] - parts[i]); };
    for (std::size_t i = 1; i + 2 < parts.size(); ++i) {
      if (is_outside(m[i][k]) || is_outside(m[i + 1][k])) outside = std::min(outside, parts[is_outside(m[i][k]) ? i : i + 1]);
      const double down = slope(i - 1), up = slope(i + 1), width = parts[i + 1] - parts[i];
      if (!(down < 0 && up > 0)) continue;
      const double way = (m[i][k] - m[i + 1][k] + up * width) / (up - down), lowest = m[i][k] + down * way;
      if (!(way > 0 && way < width && is_outside(lowest) && lowest < depth * sizes[k])) continue;
      depth = lowest / sizes[k];
      place = parts[i] + way;
    }
  }
  outside = least(outside);
  const double deepest = least(depth);
  return {outside, deepest < 0 ? least(depth == deepest ? place : never) : never};
}

StepOutcome EventLocation::step(State& state, double& h) {
  if (!is_active()) return integrator_.step(state, h);
  const double asked = h;
  StepOutcome sum;
  for (bool is_new = true;;) {
    if (is_new) begin_step(state, asked);
    is_new = false;
    h = next_;
    if (++trials_ > most_trials) next_ = h = bracket_.h_high();
    is_refused_ = false;
    StepOutcome outcome = integrator_.step(state, h);
    outcome.newton = sum.newton += outcome.newton;
    outcome.linear = sum.linear += outcome.linear;
    outcome.factorizations = sum.factorizations += outcome.factorizations;
    if (outcome.accepted && settling_) settling_->note(system_.switch_arguments({state.t, &state.q, state.z, nullptr}));
    if (outcome.accepted && !is_refused_ && !is_behind_) in_a_row_ = 0;
    if (!is_refused_) return outcome;
    if (is_at_once_ || (bracket_.h_high() > 0 && bracket_.h_high() < at_once * asked)) {
      pass(state, asked);
      is_new = true;
    }
  }
}

void EventLocation::begin_step(const State& state, double h) {
  if (meets_kinks_) {
    const bool was_muted = is_muted_;
    is_muted_ = state.t < muted_until_;
    if (!has_sides_ || (was_muted && !is_muted_)) choose_sides({state.t, &state.q, state.z, nullptr});
    if (is_muted_) system_.hold_laws({});
  }
  const Stage begin{state.t, &state.q, state.z, nullptr};
  if (settling_ && system_.switches()->is_sliding()) settling_->steady(state);
  set_begin(begin);
  asked_ = h;
  next_ = longest_trial(begin);
  trials_ = shortened_ = 0;
  is_probing_ = is_behind_ = is_at_once_ = false;
}

void EventLocation::persist(Archive& archive) {
  has_sides_ = false;  // chosen anew by the state, in the run that goes on as in the one that was cut off
  if (!is_active()) return;
  const Archive::Part part(archive, "events");
  archive.pass("count", count_);
  archive.pass("burst", burst_);
  archive.pass("burst_begin", burst_begin_);
  archive.pass("chatter", chatter_);
  archive.pass("in_a_row", in_a_row_);
  if (meets_kinks_) archive.pass("muted_until", muted_until_);
  if (settling_) settling_->persist(archive);
  if (swings_) swings_->persist(archive);
}

void EventLocation::pass(State& state, double h) {
  count_change(state);
  if (++in_a_row_ > most_in_a_row && settling_) settling_->let_kinks_follow(left_);
  if (settling_) settling_->pass(state, left_);
  for (std::size_t k = num_switches_; k < left_.size(); ++k)
    if (left_[k] != 0) sides_[k - num_switches_] *= -1;
  if (meets_kinks_ && !is_muted_) system_.hold_laws(sides_);
  integrator_.start(state, h);
  system_.accept({state.t, &state.q, state.z, state.lambda});
  std::fill(left_.begin(), left_.end(), 0);
  is_behind_ = false;
}

/// Those of left_ that are switches of the board.
std::vector<char> EventLocation::left_switches() const {
  return {left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(num_switches_)};
}

/// On any rank.
bool EventLocation::has_left_switch() const {
  const std::vector<char> left = left_switches();
  return largest_of_all(system_.layout().comm, std::find(left.begin(), left.end(), 1) != left.end() ? 1.0 : 0.0) > 0;
}

/// The same of those that do not only have a kink, or have one that has been left within their arguments: at rest v and x come to
/// 0 together in sign(x + abs(v)*v), and a kink that goes over late would turn the sign.
bool EventLocation::has_left_jump() const {
  if (!settling_) return false;
  const SwitchBoard& board = *system_.switches();
  const std::vector<char> left = left_switches(), around = board.around(left);
  bool is_here = false;
  for (std::size_t k = 0; k < num_switches_; ++k)
    is_here = is_here || ((left[k] != 0 || around[k] != 0) && !has_kink_alone(board.operation(k)));
  return largest_of_all(system_.layout().comm, is_here ? 1.0 : 0.0) > 0;
}

/// The expression of the first of the marked switches, on whichever rank.
std::string EventLocation::name_first(const std::vector<char>& marked) const {
  std::int64_t key = std::numeric_limits<std::int64_t>::max();
  std::string name;
  for (std::size_t k = num_switches_; k-- > 0;)
    if (marked[k] != 0) {
      name = system_.name_of_switch(k);
      key = static_cast<std::int64_t>(k);
    }
  return first_text(system_.layout().comm, key, name);
}

void EventLocation::count_change(const State& state) {
  const double t = state.t;
  ++count_;
  if (t - burst_begin_ > burst_part * duration_) {
    burst_begin_ = t;
    burst_ = 0;
    if (settling_) settling_->forget_changes();
  }
  if (settling_) settling_->count_changes(left_);
  if (++burst_ <= most_in_burst) return;
  const bool has_left = has_left_switch();
  if (has_left && !settling_->has_often_changed()) return;
  if (const auto widened = settling_ ? settling_->widen(state) : std::nullopt) {
    if (chatter_.empty())
      chatter_ = fmt::format(
          "{} chatters: it has changed {} times between t = {:.12g} and {:.12g}, and each change brings on the next. From there "
          "on it goes over from one value to the other within a very small width of its argument, and what it is in between "
          "follows from the motion. A law without a jump (tanh(x/x0) for sign(x), a ramp for a comparison), a delay or a dead "
          "band says how it is meant",
          name_first(*widened), burst_, burst_begin_, t);
    for (std::size_t k = 0; k < num_switches_; ++k)
      if ((*widened)[k] != 0) left_[k] = 0;  // it is where it belongs
    burst_ = 0;
    return;
  }
  if (!has_left) {  // laws that are not held let the motion go on
    muted_until_ = burst_begin_ + burst_part * duration_;
    burst_ = 0;
    return;
  }
  throw SolveError(fmt::format(
      "{} chatters: it has changed {} times between t = {:.12g} and {:.12g}, and each change brings on the next. A law without a "
      "jump (tanh(x/x0) for sign(x), a ramp for a comparison), a delay or a dead band lets the motion go on",
      name_first(settling_->often_changed()), burst_, burst_begin_, t));
}

}  // namespace sinew
