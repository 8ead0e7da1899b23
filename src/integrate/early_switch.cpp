#include "integrate/early_switch.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// What would be left of the way to the target is joined with a step if it is shorter than this part of it, as beside output
/// times.
constexpr double sliver = 1.0 / 3;
/// Times within so many roundings are the same.
constexpr double same_time = 8 * std::numeric_limits<double>::epsilon();

}  // namespace

void EarlySwitch::note(const StepGrid& grid, double t) {
  until_ = t;
  const auto after = std::lower_bound(grid.switches.begin(), grid.switches.end(), t);
  if (after == grid.switches.end() || (after != grid.switches.begin() && t - *(after - 1) < *after - t)) return;
  const auto next = std::upper_bound(grid.times.begin(), grid.times.end(), *after);
  if (next == grid.times.begin() || next == grid.times.end() || *after - t > *next - *(next - 1)) return;
  grid_ = &grid;
  until_ = *after;
  lead_ = until_ - t;
  next_ = static_cast<std::size_t>(next - grid.times.begin());
}

double EarlySwitch::step_end(double t, double target) {
  if (!(t < until_)) return target;
  const std::vector<double>& times = grid_->times;
  while (next_ < times.size() && times[next_] - lead_ <= t + same_time * std::abs(t)) ++next_;
  if (next_ == times.size()) return target;
  const double end = times[next_] - lead_;
  return target - end < sliver * (end - t) ? target : end;
}

}  // namespace sinew
