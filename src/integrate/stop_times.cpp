#include "integrate/stop_times.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Relative to an interval: closer times are the same.
constexpr double slack = 1e-9;

}  // namespace

StopTimes::StopTimes(double start, double end, std::vector<double> intervals, std::vector<Breakpoint> breakpoints)
    : start_(start), end_(end), intervals_(std::move(intervals)), breakpoints_(std::move(breakpoints)) {}

double StopTimes::next(double t) const {
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

}  // namespace sinew
