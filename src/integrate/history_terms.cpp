#include "integrate/history_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

/// Ratios of a vibration that only a formula of order 2 is to meet. On the imaginary axis order 5 amplifies what lies between
/// 0.72 and 1.80, orders 3 and 4 all up to 1.23 and 1.63 (root loci: Re sum_j (1 - exp(-i theta))^j/j < 0). From 0.5 on, that is
/// theta = 1/2, a motion counts as not resolved (resolution.md); below, the choice of the order goes on from 3 and 4 to 5 by
/// itself, since its estimate falls to a half. Above 1.44 it goes down by itself.
constexpr double least_ratio = 0.5, least_ratio_of_five = 0.72, most_ratio = 1.44;
/// The lowest order that is not A-stable.
constexpr int first_unstable = 3;
/// Growth that is said.
constexpr double much_growth = 10;

}  // namespace

void HistoryTerms::restart() {
  known_ = filled_ = seen_ = amplified_steps_ = 0;
  unseen_ = window;
}

void HistoryTerms::add(const Terms& terms, int order, double t) {
  if (terms.known != known_) filled_ = 0;
  known_ = terms.known;
  std::rotate(squares_.begin(), squares_.end() - 1, squares_.end());
  for (int i = 0; i < count; ++i) squares_[0][i] = terms.sizes[i] * terms.sizes[i];
  filled_ = std::min(filled_ + 1, window);
  ratio_ = vibration(order);
  seen_ = ratio_ > 0 ? seen_ + 1 : 0;
  unseen_ = ratio_ > 0 ? 0 : unseen_ + 1;
  follow_growth(order, t);
}

/// Of a term to the one below, as root mean squares of the window.
double HistoryTerms::ratio(int upper) const {
  double above = 0, below = 0;
  for (int i = 0; i < filled_; ++i) {
    above += squares_[i][upper];
    below += squares_[i][upper - 1];
  }
  return below > 0 ? std::sqrt(above / below) : 0.0;
}

/// The ratio of what looks like a vibration, by the highest terms that do; 0: nothing does.
double HistoryTerms::vibration(int order) const {
  const double least = order < 5 ? least_ratio : least_ratio_of_five;
  const auto is_seen = [least](double r) { return r > least && r < most_ratio; };
  for (int i = known_ - 1; i > 1; --i)
    if (is_seen(ratio(i - 1)) && is_seen(ratio(i))) return ratio(i);
  return 0;
}

void HistoryTerms::follow_growth(int order, double t) {
  if (order < first_unstable || seen_ == 0) {
    amplified_steps_ = 0;
    return;
  }
  const int own = std::min(order + 1 - lowest, known_ - 1);
  double size = 0;
  for (const Squares& s : squares_) size += s[own];
  size = std::sqrt(size);
  if (++amplified_steps_ <= 2 * window) first_ = size;
  if (!(size > growth_ * first_)) return;
  growth_ = size / first_;
  grown_time_ = t;
  grown_angle_ = 2 * std::asin(ratio_ / 2);
  grown_order_ = order;
}

void HistoryTerms::persist(Archive& archive) {
  const Archive::Part part(archive, "terms");
  archive.pass("known", known_);
  archive.pass("filled", filled_);
  for (std::size_t i = 0; i < squares_.size(); ++i)
    for (std::size_t j = 0; j < squares_[i].size(); ++j) archive.pass(fmt::format("square_{}_{}", i, j), squares_[i][j]);
  archive.pass("seen", seen_);
  archive.pass("ratio", ratio_);
  archive.pass("unseen", unseen_);
  archive.pass("amplified_steps", amplified_steps_);
  archive.pass("first", first_);
  archive.pass("growth", growth_);
  archive.pass("grown_time", grown_time_);
  archive.pass("grown_angle", grown_angle_);
  archive.pass("grown_order", grown_order_);
}

std::string HistoryTerms::verdict() const {
  if (!(growth_ > much_growth)) return {};
  return fmt::format(
      "BDF of order {} has amplified a vibration of some {:.2g} steps a period, {:.2g} times by t = {:.6g}: what is recorded may "
      "be its own; 'order: 2' lets none grow, nor do steps that resolve it",
      grown_order_, 2 * std::numbers::pi / grown_angle_, growth_, grown_time_);
}

}  // namespace sinew
