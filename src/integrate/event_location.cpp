#include "integrate/event_location.hpp"

#include "base/reduction.hpp"
#include "integrate/excursions.hpp"

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
/// Halving alone comes from a step to its rounding in 53.
constexpr int most_trials = 60;
/// Changes in a row, with no whole step between them, from which on what only has a kink is gone across: each costs some four
/// solutions, so that a step of many springs that go slack costs no more than about thirty.
constexpr long most_in_a_row = 8;
/// Beside points at quarters of the step, those from which the slopes at its ends follow.
constexpr double beside_ends = 1.0 / 32;
/// Places looked at for one step: where an argument is smooth, each leaves a quarter of the depth or less, and ten come from the
/// step's own size to `least_depth`.
constexpr int most_dips = 10;

}  // namespace

EventLocation::EventLocation(const DynamicSystem& system, Integrator& integrator, double duration, double width, bool meets_kinks)
    : system_(system),
      integrator_(integrator),
      settling_(system.switches() ? std::make_unique<SwitchSettling>(system, 1e-3 * duration, width) : nullptr),
      seen_(system, meets_kinks),
      chatter_(system, settling_.get(), duration),
      is_free_(meets_kinks),
      meets_kinks_(meets_kinks && system.has_kinks()),
      num_switches_(system.switches() ? system.switches()->size() : 0) {
  if (!is_active()) return;
  within_.emplace(system);
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

/// `begins`: a step does so there. Collective.
std::vector<double> EventLocation::margins(const Stage& stage, bool begins) {
  std::vector<double> values;
  if (settling_) {
    SwitchBoard& board = *system_.switches();
    for (const double g : system_.switch_arguments(stage)) {
      const std::size_t k = values.size();
      values.push_back(board.margin(k, begins ? board.begin_step(k, g) : g) + settling_->slack(k));
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
  begin_ = margins(begin, true);
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
  return is_so_on_any(system_.layout().comm, is_near);
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
  return least_of_all(system_.layout().comm, first);
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
    std::vector<double> found = margins(within_->at(begin, end, at / h));
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
    const bool is_sharp = system_.has_held_laws() || (is_free_ ? has_left_switch() : has_left_jump()) ||
                          (h - crossing <= landing_at_kinks * asked_ && is_past_piece());
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
    } else if (const std::optional<double> shorter = seen_.shorter_step(begin, end, *within_)) {
      next_ = *shorter;
    } else {
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
  if (is_probing_) next_ = std::min(asked_, seen_.longest_trial(from));
  is_probing_ = false;
  set_begin(from);
  is_refused_ = true;
  return true;
}

/// Is there any argument, on any rank, that may? Not one that is followed for good, nor an angle a quarter of a turn or more
/// from its cut at both ends: there and back is half a turn, which no step tells from one the other way. Collective.
bool EventLocation::may_come_back() const {
  constexpr double quarter = std::numbers::pi / 2;  // of a turn
  bool may = false;
  for (std::size_t k = 0; k < end_.size() && !may; ++k) {
    const bool turns = k < num_switches_ && system_.switches()->operation(k) == ExpressionOp::atan2;
    may = !(std::min(begin_[k], end_[k]) >= (turns ? quarter : never));
  }
  return is_so_on_any(system_.layout().comm, may);
}

/// Do arguments leave their pieces and come back within the step? Where Excursions show that one may, the interpolation is looked
/// at, the deepest place first, until none is left. `next_` then says where to look. Collective.
bool EventLocation::comes_back(const State& begin, const Stage& end, double h) {
  if (!may_come_back()) return false;
  std::vector<double> parts{0};
  std::vector<std::vector<double>> m{begin_};
  for (const double part : {beside_ends, 0.25, 0.5, 0.75, 1 - beside_ends}) {
    parts.push_back(part);
    m.push_back(margins(within_->at(begin, end, part)));
  }
  parts.push_back(1);
  m.push_back(end_);
  Excursions excursions(std::move(parts), std::move(m));
  std::vector<char> slides(end_.size(), 0);
  for (std::size_t k = 0; k < num_switches_; ++k) slides[k] = system_.switches()->piece(k).slides ? 1 : 0;
  const auto deepest = [&] { return excursions.deepest(floor_, slides, system_.layout().comm); };
  for (int looks = 0;; ++looks) {
    Excursions::Dip dip = deepest();
    if ((dip.outside < never || dip.place < never) && heed_rounding(begin)) dip = deepest();
    next_ = dip.outside * h;
    if (next_ < h) return true;
    if (dip.place == never || looks == most_dips) return false;
    excursions.add(dip.place, margins(within_->at(begin, end, dip.place)));
  }
}

StepOutcome EventLocation::step(State& state, double& h) {
  if (!is_active()) return integrator_.step(state, h);
  const double asked = h;
  StepOutcome sum;
  for (bool is_new = true;;) {
    if (is_new) begin_step(state, asked);
    is_new = false;
    h = next_;
    if (++trials_ > most_trials && bracket_.h_high() > 0) next_ = h = bracket_.h_high();
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
  next_ = std::min(asked_, seen_.longest_trial(begin));
  trials_ = 0;
  seen_.begin_step();
  is_probing_ = is_behind_ = is_at_once_ = false;
}

/// Whether there is anything to write must not depend on `stop`, which may be another one, or none, in the run that goes on.
void EventLocation::persist(Archive& archive, const State& state) {
  has_sides_ = false;  // chosen anew by the state, in the run that goes on as in the one that was cut off
  const bool have_past = settling_ && settling_->has_past();
  if (have_past || meets_kinks_ || seen_.exist()) {
    const Archive::Part part(archive, "events");
    chatter_.persist(archive);
    archive.pass("in_a_row", in_a_row_);
    if (meets_kinks_) archive.pass("muted_until", muted_until_);
    if (have_past) settling_->persist(archive);
    seen_.persist(archive);
  }
  if (settling_ && archive.is_reading()) settling_->choose_new(state);
}

void EventLocation::pass(State& state, double h) {
  if (const std::optional<double> end_of_burst = chatter_.count_change(state, left_)) muted_until_ = *end_of_burst;
  if (++in_a_row_ > most_in_a_row && settling_) settling_->let_kinks_follow(left_);
  if (settling_) settling_->pass(state, left_, at_once * h);
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
  return is_so_on_any(system_.layout().comm, std::find(left.begin(), left.end(), 1) != left.end());
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
  return is_so_on_any(system_.layout().comm, is_here);
}

/// Is an argument further behind the row of a table that it has left than the pieces which meet there are long? Held, the steep
/// piece between two close rows would go on with its slope, or another row be passed: such a piece is a jump to a step, and is
/// met like one. Collective.
bool EventLocation::is_past_piece() const {
  if (!settling_) return false;
  const SwitchBoard& board = *system_.switches();
  bool is_here = false;
  for (std::size_t k = 0; k < num_switches_; ++k) is_here = is_here || (left_[k] != 0 && -end_[k] > board.shorter_piece(k));
  return is_so_on_any(system_.layout().comm, is_here);
}

}  // namespace sinew
