#include "observe/tolerance_attempts.hpp"

#include "observe/error_bars.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// The last of three runs has a sixteenth of the error of the first, which is allowed as much more, but no more than this.
constexpr double gain_of_quarters = 16, loosest = 0.1;
/// Of the look, over what the first attempt would have.
constexpr double looser = 10;
/// Steps from which on a look costs nobody anything that counts: of small models they take a second.
constexpr double many_steps = 20000;
/// Looser steps than the usual ones are tried where they are allowed so much more: less is 1.4 times fewer steps, which one
/// attempt that fails is not worth.
constexpr double worthwhile = 2;
/// What is asked of the next attempt, over what the last one shows to be needed: bars are good to about a quarter.
constexpr double reserve = 0.7;  // twice after the look, whose long steps tell less
/// Of the tolerance after an attempt that failed: no error is known, and a digit more is what a user would try.
constexpr double after_failure = 0.07;
/// Runs that differ by this part of a quantity's size have little in common, and by how much they differ says nothing of how much
/// shorter steps have to be: a latch that is released too soon or too late is wrong by all of what it moves.
constexpr double unrelated = 0.1;
/// What the last two attempts show of how errors fall with the tolerance is believed down to this power, that of local control by
/// step (docs/theory/error-control.md). Where it looks like less the errors are rounding, or one attempt was good by chance: with
/// 1/2 moments that are nothing but rounding asked for 4,500 steps where 116 do.
constexpr double least_power = 2.0 / 3;
/// Where the tolerance has a say in the steps they become more with it, if not by the method's order at least by this part of it.
constexpr double steered = 0.25;
/// So many times in a row it may have none: the longest steps that there are may be those of several tolerances.
constexpr int most_idle = 2;
/// Steps of an attempt and of the quarters alone, over those of its first run.
constexpr double of_attempt = 1 + 2 + 4, of_quarters = 4;

}  // namespace

ToleranceAttempts::ToleranceAttempts(double tolerance, double order, double duration)
    : usual_(std::min(gain_of_quarters * tolerance, loosest)), tolerance_(usual_), order_(order), duration_(duration) {}

double ToleranceAttempts::most_steps() const { return has_begun_ ? std::numeric_limits<double>::infinity() : many_steps; }

void ToleranceAttempts::look() {
  tolerance_ = looser * usual_;
  is_look_ = has_begun_ = true;
}

void ToleranceAttempts::remember(double excess) {
  has_begun_ = true;
  last_tolerance_ = tolerance_;
  last_excess_ = excess;
  is_look_ = false;
}

bool ToleranceAttempts::loosen(double excess, long steps) {
  // no run has less than one step
  const double fewer = std::min(std::pow(reserve / excess, 1 / order_), static_cast<double>(steps));
  const double factor = std::pow(fewer, order_);
  if (!is_look_ || of_attempt / fewer > of_quarters / 2) return false;
  remember(excess);
  tolerance_ *= factor;
  return true;
}

void ToleranceAttempts::missed_by(double error, double excess, long steps) {
  const bool is_known = error < unrelated, is_look = is_look_;
  const double expected = last_steps_ > 0 ? std::pow(last_tolerance_ / tolerance_, 1 / order_) : 0;
  idle_ = static_cast<double>(steps) < std::pow(expected, steered) * static_cast<double>(last_steps_) ? idle_ + 1 : 0;
  last_steps_ = steps;
  if (idle_ == most_idle || std::isfinite(longest_)) {
    const double mean = duration_ / static_cast<double>(steps);
    longest_ = std::min(longest_, mean) * std::pow(reserve / std::max(excess, 1.0), 1 / order_);
    return;
  }
  const double least = std::min(least_power, order_of_integrals / order_);
  double power = 1;
  if (last_excess_ > 0 && is_known) power = std::log(last_excess_ / excess) / std::log(last_tolerance_ / tolerance_);
  if (!(power >= least)) power = least;
  if (!is_look) ++misses_;
  double factor = std::pow(std::pow(reserve, std::max(1, misses_ - 1)) / excess, 1 / std::min(power, 1.0));
  if (!is_known) factor = std::max(factor, after_failure);
  remember(is_known && !is_look ? excess : 0);  // how errors fall is not seen between so long steps and usual ones
  tolerance_ *= is_look ? factor * reserve : factor;
  if (is_look && !(is_known && tolerance_ > worthwhile * usual_)) tolerance_ = usual_;
}

bool ToleranceAttempts::is_chance(double observed_order) {
  if (!(tolerance_ > usual_ && observed_order > order_ + 1)) return false;
  remember(0);
  tolerance_ = usual_;
  return true;
}

void ToleranceAttempts::failed() {
  const double next = is_look_ ? usual_ : tolerance_ * after_failure;
  remember(0);
  tolerance_ = next;
}

}  // namespace sinew
