#include "integrate/persistent_rate.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// The newest value's share in the means: this times the angle by which the rate swings in a step, within bounds.
constexpr double share_of_angle = 0.05;
constexpr double least_share = 0.005, most_share = 0.2;
/// What counts as more than chance, in standard errors.
constexpr double certainty = 2;
/// What swings is counted so many times.
constexpr double caution = 3;

}  // namespace

double PersistentRate::measure(double r, double h, double T) {
  const Means& last = accepted_;
  const double angle = last.size > 0 ? std::sqrt(2 * last.scatter / last.size) : std::sqrt(2.0);  // noise has sqrt(2)
  const double share = std::clamp(share_of_angle * angle, least_share, most_share);
  const auto average = [share](double old, double value) { return old + share * (value - old); };
  const double mean = average(last.rate, r), fast = r - mean, change = r - last.last;
  with_this_ = {mean, r, average(last.scatter, change * change / 2), average(last.size, fast * fast)};
  const double standard_error = std::sqrt(with_this_.scatter * share / (2 - share));
  const double slow = std::max(0.0, std::abs(mean) - certainty * standard_error);
  return std::min(std::abs(r), slow + caution * std::abs(fast) * h / (angle * T));
}

void PersistentRate::accept() { accepted_ = with_this_; }

}  // namespace sinew
