#include "integrate/smoothed_series.hpp"

#include <cmath>
#include <limits>

namespace sinew {

SmoothedSeries::SmoothedSeries(const ErrorWeights& weights, PetscVec like) : weights_(weights) {
  for (VecHandle* v : {&mean_, &mean2_, &mean_with_this_, &mean2_with_this_, &fast_, &last_fast_, &difference_})
    *v = duplicate(like);
}

void SmoothedSeries::take(PetscVec x, double share, double h) {
  petsc(VecCopy(x, mean_with_this_));
  if (known_ > 0) petsc(VecAXPBY(mean_with_this_, 1 - share, share, mean_));
  petsc(VecCopy(mean_with_this_, mean2_with_this_));
  if (known_ > 0) petsc(VecAXPBY(mean2_with_this_, 1 - share, share, mean2_));
  petsc(VecCopy(x, fast_));
  petsc(VecAXPBYPCZ(fast_, -2.0, 1.0, 1.0, mean_with_this_, mean2_with_this_));
  size_with_this_ = change_with_this_ = 0;
  if (known_ == 0) return;
  size_with_this_ = size_ + share * (square(fast_) - size_);
  petsc(VecWAXPY(difference_, -1.0, last_fast_, fast_));
  change_with_this_ = change_ + share * (square(difference_) / (h * h) - change_);
}

void SmoothedSeries::accept() {
  petsc(VecCopy(mean_with_this_, mean_));
  petsc(VecCopy(mean2_with_this_, mean2_));
  petsc(VecCopy(fast_, last_fast_));
  size_ = size_with_this_;
  change_ = change_with_this_;
  ++known_;
}

double SmoothedSeries::frequency_of(double change, double size) {
  return size > 0 ? std::sqrt(change / size) : std::numeric_limits<double>::infinity();
}

double SmoothedSeries::square(PetscVec x) {
  double norm = 0;
  weights_.divide(x, false, difference_);
  petsc(VecNorm(difference_, NORM_2, &norm));
  return norm * norm;
}

}  // namespace sinew
