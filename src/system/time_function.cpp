#include "system/time_function.hpp"

#include "model/expression_breaks.hpp"
#include "model/piecewise_linear.hpp"
#include "system/hidden_changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew {

namespace {

/// See add_breaks.
constexpr double steps_of_piece = 8, lost_area = 0.02;
/// Of a short piece: no more parts than that, whatever it does.
constexpr int most_parts = 64;
/// What changes by less than this part of what is there around it passes on steadily.
constexpr double least_jump = 1e-9;
constexpr double never = std::numeric_limits<double>::infinity();

bool differ(double a, double b, double around) {
  return !(std::abs(b - a) <= least_jump * std::max({std::abs(a), std::abs(b), around}));
}

using Dual3 = Dual<Dual2>;

/// The time, from which three derivatives follow.
Dual3 moving(double t) { return {Dual2(Dual1(t, 1.0), Dual1(1.0, 0.0)), Dual2(Dual1(1.0, 0.0), Dual1(0.0, 0.0))}; }

/// A value and its first three derivatives.
std::array<double, 4> derivatives(const Dual3& a) {
  return {a.value.value.value, a.value.value.grad, a.value.grad.grad, a.grad.grad.grad};
}

}  // namespace

TimeFunction::TimeFunction(const Expression& expression, const Indices& indices, Kind kind)
    : expression_(expression), indices_(indices), kind_(kind) {}

/// With numbers in the place of variables that make nothing vanish, and their negatives: what is steady for both is steady.
TimeFunction::Derivatives TimeFunction::at(double t, double side) const {
  std::vector<Dual3> values;
  for (std::size_t k = 0; k < expression_.variables().size(); ++k)
    values.emplace_back(side * (0.3 + std::fmod((std::numbers::phi - 1) * static_cast<double>(k), 1.0)));
  return derivatives(expression_.evaluate(moving(t), indices_, values.data()));
}

/// At a break; `near`: a time within which the function is to be taken for as large as it is around it. Where a variable decides
/// what holds, numbers in its place may hide what jumps: then what knows time alone is looked at by itself.
TimeFunction::Change TimeFunction::change(double before, double after, double near) const {
  Change result;
  if (!breaks_by_time_alone(expression_, indices_, before) || !breaks_by_time_alone(expression_, indices_, after)) {
    for (const TimePart& part : time_parts(expression_, indices_))
      result.add(change_of([&](double t) { return derivatives(part.evaluate(moving(t))); }, before, after, near));
    return result;
  }
  for (const double side : {1.0, -1.0}) {
    result.add(change_of([&](double t) { return at(t, side); }, before, after, near));
    if (expression_.variables().empty()) break;
  }
  return result;
}

/// Of a function of time.
template <class At>
TimeFunction::Change TimeFunction::change_of(At at, double before, double after, double near) const {
  Change result;
  const Derivatives was = at(before), left = at(before - near), right = at(after + near);
  Derivatives is = at(after);
  if (kind_ == Kind::angle) is[0] = was[0] + std::remainder(is[0] - was[0], 2 * std::numbers::pi);
  std::array<bool, 4> changes{};
  for (std::size_t k = 0; k < changes.size(); ++k)
    changes[k] = differ(was[k], is[k], std::max(std::abs(left[k]), std::abs(right[k])));
  const std::size_t acceleration = is_position() ? 2 : kind_ == Kind::velocity ? 1 : 0;
  for (std::size_t k = 0; k <= acceleration; ++k) result.jumps = result.jumps || changes[k];
  result.bends = changes[acceleration + 1];
  const double between = std::nextafter(before, after);  // where pieces have an instant between them
  result.jumps = result.jumps || (between < after && differ(was[0], at(between)[0], std::abs(is[0])));
  return result;
}

/// Into how many parts a piece is to be divided so that chords follow it, and what knows time alone in it. Where a variable
/// decides what holds, numbers in its place would make it jump at times of their own.
int TimeFunction::parts(double from, double to) const {
  const auto is_known = [&](double t) { return breaks_by_time_alone(expression_, indices_, t); };
  const bool jumps_by_time_alone = is_known(from) && is_known((from + to) / 2) && is_known(to);
  int most = jumps_by_time_alone ? parts_of([this](double t) { return at(t, 1)[0]; }, from, to) : 1;
  if (expression_.variables().empty()) return most;
  for (const TimePart& part : time_parts(expression_, indices_))
    most = std::max(most, parts_of([&part](double t) { return part.value(t); }, from, to));
  return most;
}

/// Of a function of time.
template <class Value>
int TimeFunction::parts_of(Value value, double from, double to) const {
  constexpr int finer = 4;
  const double origin = is_position() ? value(from) : 0.0;
  for (int count = 1; count < most_parts; count *= 2) {
    const int points = finer * count;
    double lost = 0, area = 0, left = value(from) - origin, right = left;
    for (int i = 0; i < points; ++i) {
      const int within = i % finer;
      const auto above = [&](int k) { return value(k == points ? to : from + (to - from) * k / points) - origin; };
      if (within == 0) {
        left = right;
        right = above(i + finer);
      }
      const double f = within == 0 ? left : above(i);
      area += std::abs(f);
      lost += std::abs(f - (left + (right - left) * within / finer));
    }
    if (!(lost > lost_area * area)) return count;
  }
  return most_parts;
}

void TimeFunction::add_breaks(double from, double to, double step, std::vector<Breakpoint>& list) const {
  Breaks breaks;
  if (may_break(expression_, is_position())) {
    const double reach = steps_of_piece * step;
    // Searched apart, so that what lies behind takes no room from what comes.
    breaks = find(from, to + reach, step);
    const auto earlier = find(from - reach, from, step);
    if (!earlier.empty()) breaks.insert(breaks.begin(), earlier.back());
    add_breaks(breaks, from, to, step, list);
  }
  add_hidden(breaks, from, to, step, list);
}

/// The breaks between two times, also where what decides comes and goes between two samples; of positions, rows of smooth tables
/// that lie so far apart beside the steps that the jump of the third derivative is one of a curve and not of what was measured.
TimeFunction::Breaks TimeFunction::find(double from, double to, double step) const {
  std::vector<double> also;
  const double rows_apart = is_position() ? steps_of_piece * step : never;
  if (!decides_linearly(expression_, is_position()))
    for (const TimePart& part : deciding_time_parts(expression_, indices_))
      HiddenChanges(part, (to - from) / samples_of_breaks).add_times(-never, never, from, to, also);
  return find_breaks(expression_, indices_, from, to, also, rows_apart);
}

/// Times between which steps follow what is hidden within them, piece by piece.
void TimeFunction::add_hidden(const Breaks& breaks, double from, double to, double step, std::vector<Breakpoint>& list) const {
  std::vector<double> times;
  for (const TimePart& part : curved_time_parts(expression_, indices_)) {
    HiddenChanges hidden(part, step);
    double begin = -never;
    for (const auto& [before, after] : breaks) {
      hidden.add_times(begin, before, from, to, times);
      begin = after;
    }
    hidden.add_times(begin, never, from, to, times);
  }
  for (const double time : times) list.push_back({time, time, false, false});
}

void TimeFunction::add_breaks(const Breaks& breaks, double from, double to, double step, std::vector<Breakpoint>& list) const {
  const double reach = steps_of_piece * step;
  double length = never;  // of the piece before the break
  bool is_followed = true;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const auto [before, after] = breaks[i];
    const double next = i + 1 < breaks.size() ? breaks[i + 1].first : never, next_length = next - after;
    const int count = next_length < reach ? parts(after, next) : 1;
    const bool next_is_followed = next_length >= reach || next_length / count >= step;
    if (after > from && before < to) {
      const double shorter = std::min(length, next_length);
      const Change c = change(before, after, std::min(step, shorter / 2));
      const bool is_sharp = c.bends && (kind_ != Kind::force || shorter < reach);
      const bool goes_on = kind_ == Kind::angle && !c.jumps && !c.bends;
      const bool is_resolved = !c.jumps && !is_sharp && is_followed && next_is_followed;
      if (!goes_on)
        list.push_back({std::max(before, from), after, c.jumps, is_resolved, c.bends, c.bends && kind_ != Kind::force});
    }
    for (int k = 1; k < count && !next_is_followed; ++k) {
      const double time = after + next_length * k / count;
      if (time >= from && time < to) list.push_back({time, time, false, false});
    }
    length = next_length;
    is_followed = next_is_followed;
  }
}

}  // namespace sinew
