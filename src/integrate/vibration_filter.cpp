#include "integrate/vibration_filter.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Of a mean: that of the newest value.
constexpr double newest_share = 0.2;
/// The error of a vibration over its amplitude: twice, if it has gone out of phase, and some.
constexpr double most_wrong = 3;

}  // namespace

VibrationFilter::VibrationFilter(const ErrorWeights& weights, PetscVec like)
    : weights_(weights),
      mean_(duplicate(like)),
      mean_with_this_(duplicate(like)),
      fast_(duplicate(like)),
      last_fast_(duplicate(like)),
      scaled_(duplicate(like)) {}

double VibrationFilter::measure(PetscVec r, double c, double h) {
  const double T = weights_.tolerance().unit;
  const double share = std::max(newest_share, 1.0 / (known_ + 1));
  petsc(VecCopy(r, mean_with_this_));
  if (known_ > 0) petsc(VecAXPBY(mean_with_this_, 1 - share, share, mean_));
  petsc(VecWAXPY(fast_, -1.0, mean_with_this_, r));
  const double all = weights_.of_configuration(r) * T;
  size_with_this_ = change_with_this_ = 0;
  if (known_ == 0) return all;
  double size = 0, change = 0;
  weights_.divide(fast_, false, scaled_);
  petsc(VecNorm(scaled_, NORM_2, &size));
  petsc(VecWAXPY(scaled_, -1.0, last_fast_, fast_));
  weights_.divide(scaled_, false, scaled_);
  petsc(VecNorm(scaled_, NORM_2, &change));
  change /= h;
  size_with_this_ = size_ + share * (size * size - size_);
  change_with_this_ = change_ + share * (change * change - change_);
  const double frequency = std::sqrt(change_with_this_ / size_with_this_);
  const double fast = weights_.of_configuration(fast_), mean = weights_.of_configuration(mean_with_this_);
  const double amplitude = fast / (std::abs(c) * h * h * std::pow(frequency, 3));
  return std::min(all, mean * T + most_wrong * amplitude);
}

void VibrationFilter::accept() {
  petsc(VecCopy(mean_with_this_, mean_));
  petsc(VecCopy(fast_, last_fast_));
  size_ = size_with_this_;
  change_ = change_with_this_;
  ++known_;
}

}  // namespace sinew
