#include "integrate/step_controller.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr double safety = 0.9;
constexpr double most_growth = 2, least_growth = 0.3, least_repeated = 0.2;
/// After an attempt in vain so many accepted steps do not grow: errors that fluctuate would make the next attempt vain as well.
constexpr int steps_of_caution = 3;
constexpr double dead_band_low = 0.9, dead_band_high = 1.2;
/// A step grows by the upper end of the dead band if its error then is still below this.
constexpr double comfortable = 0.3;
/// A step with more iterations is dearer than the shorter ones that would do. The next is at most this part of it, later ones may
/// grow slowly.
constexpr int many_iterations = 6;
constexpr double easier = 0.7, recovery = 1.02;
/// A step may be this much longer than wanted if it meets the time where one must end.
constexpr double stretch = 1.02;
/// Errors below this tell no more than this.
constexpr double least_error = 1e-8;
/// A step that was far from its tolerance only because growth is limited says nothing of a trend.
constexpr double least_last_error = 0.1;

/// Of the largest error of the past, scaled to the step: what is left of it after a step. Errors of a vibration rise and fall
/// twice a period. Those of the first steps are too large and not remembered: what vibrates is not known yet.
constexpr double memory = 0.93;
constexpr int first_steps = 12;

}  // namespace

StepController::StepController(const StepLimits& limits, int order)
    : limits_(limits), order_(order), wanted_(std::clamp(limits.first, limits.smallest, limits.longest)) {}

double StepController::next(double remaining) {
  planned_ = std::min(wanted_, limits_.longest);
  if (last_step_ > 0) planned_ = std::min(planned_, most_growth * last_step_);
  taken_ = planned_;
  if (remaining <= std::max(planned_, std::min(stretch * planned_, limits_.longest)))
    taken_ = remaining;
  else if (remaining < 2 * planned_)
    taken_ = remaining / 2;
  return taken_;
}

void StepController::accept(double error, int iterations) {
  const double remembered = ++steps_ > first_steps ? memory * envelope_ * std::pow(taken_ / last_step_, order_) : 0.0;
  envelope_ = std::max({error, remembered, least_error});
  const double e = envelope_;
  if (taken_ <
      0.99 * planned_) {  // cut by a time to be met: its error says how long a step could have been, and nothing of a trend
    wanted_ = std::min(safety * taken_ * std::pow(e, -1 / order_), most_growth * wanted_);
  } else {
    double factor =
        std::clamp(safety * std::pow(e, -0.7 / order_) * std::pow(last_error_, 0.4 / order_), least_growth, most_growth);
    if (caution_ > 0) factor = std::min(factor, 1.0);
    if (factor > dead_band_low && factor < dead_band_high) {
      const bool is_comfortable = e * std::pow(dead_band_high, order_) <= comfortable;
      factor = is_comfortable && caution_ == 0 ? dead_band_high : 1.0;
    }
    wanted_ = planned_ * factor;
    last_error_ = std::max(e, least_last_error);
  }
  longest_easy_ = iterations > many_iterations ? easier * taken_ : recovery * longest_easy_;
  wanted_ = std::min(wanted_, longest_easy_);
  wanted_ = std::clamp(wanted_, limits_.smallest, limits_.longest);
  last_step_ = taken_;
  caution_ = std::max(0, caution_ - 1);
}

void StepController::reject(double error) {
  wanted_ = taken_ * std::max(least_repeated, safety * std::pow(error, -1 / order_));
  caution_ = steps_of_caution;
}

void StepController::fail() {
  wanted_ = taken_ / 4;
  caution_ = steps_of_caution;
}

void StepController::restart(double first) {
  wanted_ = std::clamp(first, limits_.smallest, limits_.longest);
  last_step_ = 0;
  last_error_ = 1;
  envelope_ = 0;
  steps_ = 0;
  longest_easy_ = std::numeric_limits<double>::infinity();
  caution_ = 0;
}

}  // namespace sinew
