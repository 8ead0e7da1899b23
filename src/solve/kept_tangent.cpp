#include "solve/kept_tangent.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A tangent by which corrections shrink by this factor or more converges, and is kept until a new one is cheaper.
constexpr double safe_rate = 0.1;
/// After a kept tangent has failed to carry a step it is tried again after 1, 2, 4 ... steps, at most so many.
constexpr int longest_pause = 32;
/// A first correction of this size, relative to the model's own, leaves the region where its tangent is of use.
constexpr double far = 0.1;

}  // namespace

bool KeptTangent::wants_refresh(const Iteration& now) const {
  if (now.number == 1) {
    // What the residual asks for next says more than any rule: the tangent at hand ends it with one more iteration.
    if (now.left * now.left <= remaining_part * now.limit * now.correction) return false;
    // The first iteration of a kept tangent makes a good predictor of the configuration that the new one is taken at.
    if (now.correction > far) return true;
    if (now.is_fresh) return false;
    return (is_old_ || !is_trial_) && now.correction * lucky_rate > now.limit;
  }
  // A new tangent converges quadratically: it will do better than the ratio it was met with.
  const double rate = std::min(now.is_fresh ? now.rate * now.rate : now.rate, 0.99);
  // The one iteration that a new tangent takes comes on top of its price.
  const double most = rate < safe_rate ? std::max(tangent_patience, price_ + 1) : tangent_patience;
  return rate > 0.5 || std::log(now.limit / now.correction) / std::log(rate) > most;
}

void KeptTangent::learn(const Outcome& outcome) {
  if (!started_with_kept_) return;
  if (!is_trial_) {
    pause_ = std::max(0, pause_ - 1);
  } else if (!outcome.converged || outcome.factorizations > 0) {
    last_pause_ = std::clamp(2 * last_pause_, 1, longest_pause);
    pause_ = last_pause_;
  } else {
    last_pause_ = 0;
  }
  watch_age(outcome);
}

void KeptTangent::watch_age(const Outcome& outcome) {
  if (!outcome.converged || outcome.factorizations > 0) {
    least_iterations_ = std::numeric_limits<int>::max();
    cost_of_age_ = 0;
    is_old_ = false;
    return;
  }
  least_iterations_ = std::min(least_iterations_, outcome.iterations);
  cost_of_age_ += outcome.iterations - least_iterations_;
  is_old_ = cost_of_age_ >= price_;
}

}  // namespace sinew
