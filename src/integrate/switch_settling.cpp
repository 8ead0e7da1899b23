#include "integrate/switch_settling.hpp"

#include "base/error.hpp"
#include "base/reduction.hpp"
#include "partition/collective_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// What is left of g' where switches slide, relative to what they change in it.
constexpr double balanced = 1e-10, badly_balanced = 1e-3;
/// The same of g'', which a quotient of differences shows: over cbrt(epsilon) of the time in which it changes both its own error
/// and rounding are below that.
constexpr double balanced_later = 1e-6;
/// A switch that has changed less often in a burst of a hundred changes or more is not what brings them on.
constexpr int often = 10;
/// What slides faster than when it began to is held within more from this factor on.
constexpr double outgrown = 2;
/// Sweeps that halve what is left come from 1 to balanced in 34.
constexpr int most_sweeps = 100;

/// Is what has this g' turned back by this g'' before it is half a width away?
bool is_held(double first, double second, double width) { return first * first <= width * std::abs(second); }

}  // namespace

SwitchSettling::SwitchSettling(const DynamicSystem& system, double reach, double width)
    : system_(system),
      board_(*system.switches()),
      reach_(reach),
      width_(width),
      largest_(board_.size(), 0.0),
      slides_(board_.size()),
      changes_(board_.size(), 0),
      rates_(system, reach),
      creep_(system) {}

bool SwitchSettling::anywhere(bool here) const { return is_so_on_any(system_.layout().comm, here); }

double SwitchSettling::slack(std::size_t k) const {
  return has_kink_alone(board_.operation(k)) ? roundings_of_argument * epsilon * largest_[k] : 0.0;
}

void SwitchSettling::note(const std::vector<double>& g) {
  for (std::size_t k = 0; k < g.size(); ++k) largest_[k] = std::max(largest_[k], std::abs(g[k]));
}

bool SwitchSettling::let_follow(const Stage& begin, const Stage& end, const std::vector<char>& left) {
  std::vector<char> some = kinks_among(left);
  for (std::size_t k = 0; k < some.size(); ++k)
    if (left[k] != 0 && board_.operation(k) == ExpressionOp::atan2) some[k] = 1;
  return anywhere(std::find(some.begin(), some.end(), 1) != some.end()) && release(system_.smooth_switches(begin, end, some));
}

std::vector<char> SwitchSettling::kinks_among(const std::vector<char>& left) const {
  std::vector<char> kinks(board_.size(), 0);
  for (std::size_t k = 0; k < kinks.size(); ++k) kinks[k] = left[k] != 0 && has_kink_alone(board_.operation(k)) ? 1 : 0;
  return kinks;
}

bool SwitchSettling::let_kinks_follow(const std::vector<char>& left) { return release(kinks_among(left)); }

/// From now on the marked switches follow their arguments. True: there is one, on any rank. Collective.
bool SwitchSettling::release(const std::vector<char>& marked) {
  for (std::size_t k = 0; k < marked.size(); ++k)
    if (marked[k] != 0) board_.set_following(k, true);
  return anywhere(std::find(marked.begin(), marked.end(), 1) != marked.end());
}

/// Puts switches on the pieces that their arguments say, those that were left on the next one. Where another one within the
/// argument was left too, the argument may be back where it was, or elsewhere, once that one has gone over: it says so itself.
/// Returns the doubtful ones: what they do may drive them straight back.
std::vector<std::size_t> SwitchSettling::leave(const State& s, const std::vector<char>& left, const std::vector<double>& further,
                                               bool chooses_all) {
  const Stage stage{s.t, &s.q, s.z, nullptr};
  std::vector<char> fixed(board_.size(), 0), has_slid(board_.size(), 0);
  std::vector<double> before(board_.size(), 0);
  g_ = system_.switch_arguments(stage);
  std::vector<char> gone = left;
  for (std::size_t k = 0; k < board_.size(); ++k)
    if (board_.piece(k).slides && board_.margin(k, g_[k]) < 0) gone[k] = 1;
  const std::vector<char> follows = board_.around(gone);
  for (std::size_t k = 0; k < board_.size(); ++k) {
    SwitchPiece& piece = board_.piece(k);
    has_slid[k] = piece.slides ? 1 : 0;
    const bool goes_beyond = gone[k] != 0 && (piece.slides || follows[k] == 0);
    fixed[k] = piece.slides || goes_beyond || (!chooses_all && follows[k] == 0) ? 1 : 0;
    before[k] = piece.upper;
    if (goes_beyond)
      piece = board_.piece_beyond(k, g_[k], further[k]);
    else if (piece.slides)
      slides_[k].part = piece.part(g_[k]);
  }
  system_.choose_pieces(stage, fixed);
  for (std::size_t k = 0; k < board_.size(); ++k)
    if (fixed[k] == 0 && left[k] == 0 && board_.piece(k).upper != before[k]) ++changes_[k];  // beside another one
  g_ = system_.switch_arguments(stage);
  std::vector<std::size_t> doubtful;
  for (std::size_t k = 0; k < board_.size(); ++k)
    if (jumps(board_.operation(k)) && board_.piece(k).width == 0 && has_slid[k] == 0 &&
        ((left[k] != 0 && board_.piece(k).upper != before[k]) || g_[k] == 0))
      doubtful.push_back(k);
  return doubtful;
}

std::vector<double> SwitchSettling::roundings(const Stage& s) const {
  std::vector<double> few = rates_.rounding_of_arguments(s);
  for (double& g : few) g *= roundings_of_argument;
  return few;
}

/// What a switch is held within while it slides: with it, what its argument can creep (the width beside the argument's scale) and
/// what the argument's rounding does to the value (rounding beside the width) weigh alike. Twice that, since it is twice as steep
/// within a step.
std::vector<double> SwitchSettling::widths(const State& s) {
  std::vector<double> width = rates_.rounding_of_arguments({s.t, &s.q, s.z, nullptr});
  for (std::size_t k = 0; k < width.size(); ++k) {
    const double scale = std::max(largest_[k], std::abs(slides_[k].slope) * std::pow(reach_, slides_[k].order));
    width[k] = 2 * width_ * std::sqrt(scale * std::max(width[k], epsilon * scale));
  }
  return width;
}

/// Where some have changed pieces, on any rank: puts those around them where their arguments are now.
bool SwitchSettling::choose_around(const State& s, const std::vector<char>& changed) {
  if (!anywhere(std::find(changed.begin(), changed.end(), 1) != changed.end())) return false;
  const Stage stage{s.t, &s.q, s.z, nullptr};
  std::vector<char> fixed = board_.around(changed);
  for (std::size_t k = 0; k < board_.size(); ++k) fixed[k] = fixed[k] == 0 || board_.piece(k).slides ? 1 : 0;
  system_.choose_pieces(stage, fixed);
  g_ = system_.switch_arguments(stage);
  return true;
}

/// Do two rates of an argument, which the pieces of a switch give it, differ by more than rounding?
bool SwitchSettling::differs(std::size_t k, double ahead, double behind) const {
  const double size = std::max({std::abs(ahead), std::abs(behind), largest_[k] / reach_});
  return std::abs(ahead - behind) > roundings_of_argument * epsilon * size;
}

/// What the pieces of the doubtful ones do to arguments: those that are held, and the others.
SwitchSettling::Drives SwitchSettling::drives(const State& s, const std::vector<std::size_t>& doubtful) {
  const auto turn_over = [&] {
    for (const std::size_t k : doubtful) board_.piece(k).upper = 1 - board_.piece(k).upper;
  };
  const VecHandle a_ahead = duplicate(rates_.accelerations());
  Drives found;
  found.ahead.first = rates_.first(s);
  petsc(VecCopy(rates_.accelerations(), a_ahead));
  turn_over();
  found.behind.first = rates_.first(s);
  found.have_second = anywhere(std::any_of(
      doubtful.begin(), doubtful.end(), [&](std::size_t k) { return !differs(k, found.ahead.first[k], found.behind.first[k]); }));
  if (found.have_second) found.behind.second = rates_.second(s, rates_.accelerations(), found.behind.first);
  turn_over();
  if (found.have_second) found.ahead.second = rates_.second(s, a_ahead, found.ahead.first);
  return found;
}

/// What a switch would slide with, were it to slide. Those whose pieces differ in g'' alone do so where it shows beside what
/// rounding makes of it; of others the order is 1.
void SwitchSettling::weigh(const State& s, const std::vector<std::size_t>& doubtful, const Drives& drives) {
  std::vector<double> noise;
  if (drives.have_second) noise = rates_.rounding_of_second({s.t, &s.q, s.z, nullptr});
  for (const std::size_t k : doubtful) {
    const auto slope = [&](int order) {
      return (drives.ahead.of(k, order) - drives.behind.of(k, order)) * (board_.piece(k).upper != 0 ? 1 : -1);
    };
    const bool acts_later = drives.have_second && !differs(k, drives.ahead.first[k], drives.behind.first[k]) &&
                            std::abs(slope(2)) * badly_balanced > noise[k];
    Slide& slide = slides_[k];
    slide.order = acts_later ? 2 : 1;
    slide.slope = slope(slide.order);
    const double lower = (board_.piece(k).upper != 0 ? drives.behind : drives.ahead).of(k, slide.order);
    slide.part = -lower / slide.slope;
  }
}

/// Which of them slide: those that both pieces drive towards g = 0. What stands at 0 exactly goes where both drive it.
void SwitchSettling::judge(const State& s, const std::vector<std::size_t>& doubtful, const std::vector<char>& left) {
  const Drives found = drives(s, doubtful);
  weigh(s, doubtful, found);
  const std::vector<double> width = widths(s);
  std::vector<char> turned(board_.size(), 0);
  for (const std::size_t k : doubtful) {
    SwitchPiece& piece = board_.piece(k);
    Slide& slide = slides_[k];
    const double away = piece.upper != 0 ? 1 : -1;
    const bool stands = slide.order == 2 && is_held(found.ahead.first[k], found.ahead.second[k], width[k]);
    const int order = stands ? 2 : 1;
    if (!(found.ahead.of(k, order) * away < 0)) continue;
    // what the other piece has let go of it does not hold, be its drive no more than rounding
    const double beyond = stands && left[k] != 0 ? badly_balanced : 0;
    if (slide.order == order && slide.part > -beyond && slide.part < 1 + beyond) {
      slide.part = std::clamp(slide.part, 0.0, 1.0);
      slide.steepness = piece.steepness = 1 / width[k];
      piece.slides = true;
    } else if (left[k] == 0) {
      piece.upper = 1 - piece.upper;
      turned[k] = 1;
    }
  }
  choose_around(s, turned);
}

/// Moves the values of all sliding switches to where g' = 0, or g'' = 0, would be if each acted on itself alone. Returns what is
/// left of these rates.
double SwitchSettling::sweep(const State& s) {
  for (std::size_t k = 0; k < board_.size(); ++k) {
    SwitchPiece& piece = board_.piece(k);
    if (finds_balance(k)) piece.center = slides_[k].part - piece.steepness * g_[k];
  }
  bool has_later = false;
  for (std::size_t k = 0; k < board_.size(); ++k) has_later = has_later || (finds_balance(k) && slides_[k].order == 2);
  Drive rate;
  rate.first = rates_.first(s);
  if (anywhere(has_later)) rate.second = rates_.second(s, rates_.accelerations(), rate.first);
  double left = 0;
  for (std::size_t k = 0; k < board_.size(); ++k) {
    if (!finds_balance(k)) continue;
    Slide& slide = slides_[k];
    if (slide.order == 2 && !is_held(rate.first[k], slide.slope, 1 / slide.steepness)) {
      slide.part = rate.first[k] > 0 ? 2 : -1;  // it slips
      continue;
    }
    const double change = rate.of(k, slide.order) / slide.slope;
    if (std::abs(change) <= (slide.order == 1 ? balanced : balanced_later)) continue;
    left = std::max(left, std::abs(change));
    slide.part -= change;
  }
  return largest_of_all(system_.layout().comm, left);
}

/// Those whose value would have to lie outside its range slip.
bool SwitchSettling::release_outside(const State& s) {
  std::vector<char> released(board_.size(), 0);
  for (std::size_t k = 0; k < board_.size(); ++k) {
    SwitchPiece& piece = board_.piece(k);
    const double part = slides_[k].part, beyond = slides_[k].order == 1 ? 0 : badly_balanced;
    if (!finds_balance(k) || (part >= -beyond && part <= 1 + beyond)) continue;
    piece.slides = false;
    piece.upper = part > 1 ? 1 : 0;
    released[k] = 1;
  }
  return choose_around(s, released);
}

bool SwitchSettling::slides_anywhere() const {
  bool slides = false;
  for (std::size_t k = 0; k < board_.size(); ++k) slides = slides || board_.piece(k).slides;
  return anywhere(slides);
}

void SwitchSettling::balance(const State& s) {
  const auto some_find_balance = [&] {
    bool any = false;
    for (std::size_t k = 0; k < board_.size(); ++k) any = any || finds_balance(k);
    return anywhere(any);
  };
  while (some_find_balance()) {
    double left = 1;
    for (int n = 0; n < most_sweeps && left > balanced; ++n) left = sweep(s);
    if (release_outside(s)) continue;
    if (left > badly_balanced)
      throw SolveError(fmt::format("switches that stick together at t = {:.9g} have no values that hold them all", s.t));
    return;
  }
}

void SwitchSettling::steady(const State& s) {
  const std::vector<double> width = widths(s), g = system_.switch_arguments({s.t, &s.q, s.z, nullptr});
  for (std::size_t k = 0; k < g.size(); ++k) {
    SwitchPiece& piece = board_.piece(k);
    if (!piece.slides) continue;
    if (piece.width == 0 && width[k] * slides_[k].steepness > outgrown) {
      slides_[k].center += (slides_[k].steepness - 1 / width[k]) * g[k];
      slides_[k].steepness = 1 / width[k];
    }
    piece.steepness = 2 * slides_[k].steepness;
    piece.center = slides_[k].center - slides_[k].steepness * g[k];
  }
}

void SwitchSettling::count_changes(const std::vector<char>& left) {
  for (std::size_t k = 0; k < board_.size(); ++k) changes_[k] += left[k];
}

std::vector<char> SwitchSettling::often_changed() const {
  std::vector<char> marked(changes_.size(), 0);
  for (std::size_t k = 0; k < marked.size(); ++k) marked[k] = changes_[k] >= often ? 1 : 0;
  return marked;
}

bool SwitchSettling::has_often_changed() const {
  const std::vector<char> marked = often_changed();
  return anywhere(std::find(marked.begin(), marked.end(), 1) != marked.end());
}

std::optional<std::vector<char>> SwitchSettling::widen(const State& s) {
  std::vector<char> widened = often_changed();
  const std::vector<double> width = widths(s), g = system_.switch_arguments({s.t, &s.q, s.z, nullptr});
  bool has_any = false;
  for (std::size_t k = 0; k < board_.size(); ++k) {
    if (!jumps(board_.operation(k)) || board_.piece(k).width > 0 || width[k] == 0) widened[k] = 0;
    has_any = has_any || widened[k] != 0;
  }
  if (!anywhere(has_any)) return std::nullopt;
  for (std::size_t k = 0; k < board_.size(); ++k)
    if (widened[k] != 0) board_.piece(k) = piece_at(board_.operation(k), g[k], width[k]);
  return widened;
}

/// The smallest change of g' over a switch's range, as it is now, times steepness. All are moved together.
double SwitchSettling::holding_rate(const State& s) {
  if (!slides_anywhere()) return 0;
  const auto shift = [&](double by) {
    for (std::size_t k = 0; k < board_.size(); ++k)
      if (board_.piece(k).slides) board_.piece(k).center += by;
  };
  const std::vector<double> held = rates_.first(s);
  shift(1);
  const std::vector<double> let_go = rates_.first(s);
  shift(-1);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < board_.size(); ++k)
    if (board_.piece(k).slides) least = std::min(least, std::abs(let_go[k] - held[k]) * slides_[k].steepness);
  return least_of_all(system_.layout().comm, least);
}

/// In which what slides takes its argument through its width; 0 of those that do not act on g'.
std::vector<double> SwitchSettling::times_through_width() const {
  std::vector<double> times(board_.size(), 0.0);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const Slide& slide = slides_[k];
    if (board_.piece(k).slides && slide.order == 1 && slide.slope != 0) times[k] = 1 / (slide.steepness * slide.slope);
  }
  return times;
}

void SwitchSettling::settle(const State& s) {
  settle(s, std::vector<char>(board_.size(), 0), std::vector<double>(board_.size(), 0.0), true);
}

void SwitchSettling::pass(const State& s, const std::vector<char>& left, double moment) {
  std::vector<double> further(board_.size(), 0.0);
  if (anywhere(board_.leaves_table(left))) further = rates_.ways_of_places({s.t, &s.q, s.z, nullptr}, moment);
  settle(s, left, further, false);
}

void SwitchSettling::settle(const State& s, const std::vector<char>& left, const std::vector<double>& further, bool chooses_all) {
  board_.hold();
  rates_.begin(s);
  const std::vector<std::size_t> doubtful = leave(s, left, further, chooses_all);
  if (anywhere(!doubtful.empty())) judge(s, doubtful, left);
  balance(s);
  for (std::size_t k = 0; k < board_.size(); ++k) {
    const SwitchPiece& piece = board_.piece(k);
    if (!piece.slides) continue;
    if (piece.width > 0) slides_[k].steepness = 1 / piece.width;
    slides_[k].center = piece.width > 0 ? 0.5 : slides_[k].part - slides_[k].steepness * g_[k];
  }
  board_.set_sliding(slides_anywhere());
  board_.set_holding_rate(holding_rate(s));
  if (watches_creep_) creep_.find(s, rates_, board_, times_through_width());
  rates_.end();
}

}  // namespace sinew
