#include "integrate/stop_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Relative to an interval: closer times are the same.
constexpr double slack = 1e-9;
/// So many steps ahead breakpoints are looked for, again when as many as the second number are left.
constexpr double steps_ahead = 16, steps_left = 2;
/// Fewer than a search gives of one function, so that what comes until the last of them is known of all.
constexpr std::size_t most_at_once = 5000;
/// Times of a run that are so many roundings apart are the same (as those between which switches are located,
/// event_location.cpp).
constexpr double roundings = 8;

}  // namespace

StopTimes::StopTimes(double start, double end, std::vector<double> intervals, Breakpoints find)
    : start_(start), end_(end), intervals_(std::move(intervals)), find_(std::move(find)), known_(start) {}

/// For steps that have grown the search begins anew, since more is short beside them, and for shorter ones, beside which rows of
/// a smooth table are far apart.
void StopTimes::look_ahead(double t, double h) {
  const bool is_anew = h > 2 * step_ || h < step_ / 2;
  if (!find_ || (!is_anew && known_ >= std::min(end_, t + steps_left * h))) return;
  const auto is_of_use = [&](const Breakpoint& b) { return b.before >= t && (b.before == t || !is_anew); };
  std::erase_if(breakpoints_, [&](const Breakpoint& b) { return !is_of_use(b); });
  const double from = is_anew ? t : std::max(t, known_);
  double to = std::min(end_, from + steps_ahead * h);
  std::vector<Breakpoint> list = find_(from, to, h);
  if (list.size() > most_at_once) {
    to = list[most_at_once].before;
    list.resize(most_at_once);
  }
  for (const Breakpoint& found : list)
    if (breakpoints_.empty() ||
        found.before >= std::max(breakpoints_.back().after, std::nextafter(breakpoints_.back().before, to)))
      breakpoints_.push_back(found);
  known_ = to;
  step_ = h;
}

double StopTimes::next(double t, double h) {
  look_ahead(t, h);
  double stop = end_;
  double same = slack * (end_ - start_) * 1e-3;
  for (const double interval : intervals_) {
    const double number = std::floor((t - start_) / interval + slack) + 1;
    const double time = start_ + number * interval;
    if (time < stop) {
      stop = time;
      same = std::min(slack * interval, slack * (end_ - start_));
    }
  }
  if (end_ - stop <= same) stop = end_;
  const auto after = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), t,
                                      [](double time, const Breakpoint& b) { return time < b.before; });
  return after != breakpoints_.end() && after->before <= stop + same ? after->before : stop;
}

const Breakpoint* StopTimes::breakpoint_at(double t) const {
  const auto at = std::lower_bound(breakpoints_.begin(), breakpoints_.end(), t,
                                   [](const Breakpoint& b, double time) { return b.before < time; });
  return at != breakpoints_.end() && at->before == t ? &*at : nullptr;
}

void StopTimes::persist(Archive& archive) {
  auto& [start, end, intervals, find, breakpoints, known, step] = *this;
  const Archive::Part part(archive, "stops");
  archive.pass("known", known);
  archive.pass("step", step);
  std::vector<double> numbers;
  for (const auto& [before, after, jumps, is_resolved, bends, bends_motion] : breakpoints) {
    numbers.insert(numbers.end(), {before, after});
    for (const bool is : {jumps, is_resolved, bends, bends_motion}) numbers.push_back(is ? 1 : 0);
  }
  archive.pass("breakpoints", numbers);
  breakpoints.clear();
  for (std::size_t k = 0; k + 5 < numbers.size(); k += 6) {
    const auto is = [&](std::size_t i) { return numbers[k + i] != 0; };
    breakpoints.push_back({numbers[k], numbers[k + 1], is(2), is(3), is(4), is(5)});
  }
}

bool StopTimes::is_end(double t) const { return end_ - t <= slack * 1e-3 * (end_ - start_); }

bool StopTimes::is_at_once(double t, double next) const {
  const double largest = std::max({std::abs(start_), std::abs(end_), std::abs(t)});
  return next - t <= roundings * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace sinew
