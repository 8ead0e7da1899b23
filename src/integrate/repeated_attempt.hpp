/// \file
/// What attempts that repeat a step tell.
#pragma once

#include <cmath>
#include <limits>

namespace sinew {

/// The last attempt at a step, and its error.
class RepeatedAttempt {
 public:
  /// Takes note of an attempt, and of what the error of a smooth motion would be proportional to. Does it repeat the last one
  /// with a shorter step, and has the error fallen by less than that, by half an order? Then what is seen is no smooth motion,
  /// but a jump or a fast one that came to light, of which shorter steps only show more.
  bool shows_more(double t, double h, double error, double smooth) {
    const bool is_repeated = t == time_ && h < step_;
    const bool shows_more = is_repeated && error > error_ * (smooth / smooth_) * std::sqrt(step_ / h);
    time_ = t;
    step_ = h;
    error_ = error;
    smooth_ = smooth;
    return shows_more;
  }

 private:
  double time_ = std::numeric_limits<double>::quiet_NaN(), step_ = 0, error_ = 0, smooth_ = 0;
};

}  // namespace sinew
