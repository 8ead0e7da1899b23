#include "solve/extrapolated_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// A difference contradicts a slope that it misses by so many times what that may be wrong by. Where a kink lies within the steps
/// differences grow by `ratio`, which is more; where they converge they come nearer.
constexpr double contradiction = 2;
/// Errors are smaller than such a part of slopes that are near their limit; of differences that grow by `ratio` they are
/// 1 - 1/ratio.
constexpr double near = 0.5;

}  // namespace

ExtrapolatedSlopes::ExtrapolatedSlopes(std::vector<double> rounding, double ratio)
    : rounding_(std::move(rounding)),
      ratio_(ratio),
      slopes_(rounding_.size(), 0.0),
      errors_(rounding_.size(), std::numeric_limits<double>::infinity()),
      settled_(rounding_.size(), 0),
      rows_(rounding_.size()) {}

void ExtrapolatedSlopes::add(double step, const std::vector<double>& above, const std::vector<double>& below) {
  step_ = step;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (!settled_[k]) extend(k, (above[k] - below[k]) / (2 * step));
}

/// Neville's rule: T_j = T_(j-1) + (T_(j-1) - S_(j-1)) / (ratio^2j - 1), S the row before.
void ExtrapolatedSlopes::extend(std::size_t k, double difference) {
  const std::vector<double> before = std::move(rows_[k]);
  std::vector<double>& row = rows_[k];
  row.assign(1, difference);
  if (before.empty() || std::abs(difference - slopes_[k]) > contradiction * (errors_[k] + rounding_[k] / step_)) {
    slopes_[k] = difference;
    errors_[k] = std::numeric_limits<double>::infinity();
  }
  double power = 1;
  for (const double last : before) {
    power *= ratio_ * ratio_;
    const double plain = row.back(), extrapolated = plain + (plain - last) / (power - 1);
    const double error = std::max(std::abs(extrapolated - plain), std::abs(extrapolated - last));
    row.push_back(extrapolated);
    if (!(error < errors_[k])) continue;
    errors_[k] = error;
    slopes_[k] = extrapolated;
  }
}

void ExtrapolatedSlopes::settle(const std::vector<double>& margins) {
  for (std::size_t k = 0; k < settled_.size(); ++k) {
    const bool is_known = errors_[k] <= margins[k] && errors_[k] <= near * std::abs(slopes_[k]);
    if (is_known || errors_[k] <= rounding_[k] / step_) settled_[k] = 1;
  }
}

bool ExtrapolatedSlopes::are_settled() const {
  return std::all_of(settled_.begin(), settled_.end(), [](char is_settled) { return is_settled != 0; });
}

}  // namespace sinew
