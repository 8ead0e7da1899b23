#include "integrate/vibration_filter.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// The newest value's share in the means: this times the angle by which the fast part turns in a step, within bounds.
constexpr double share_of_angle = 0.1;
constexpr double least_share = 0.005, most_share = 0.2;
/// The error of a vibration over its amplitude: twice, if it has gone out of phase, and some.
constexpr double most_wrong = 4;
/// Vibrations count more than what is slow as long as their errors add up: errors of their velocities, which are as large, do
/// too.
constexpr double vibration_factor = 1.6;

}  // namespace

VibrationFilter::VibrationFilter(const ErrorWeights& weights, PetscVec like)
    : weights_(weights),
      rates_(weights, like),
      accelerations_(weights, like),
      rate_(duplicate(like)),
      acceleration_(duplicate(like)),
      acceleration_with_this_(duplicate(like)) {}

double VibrationFilter::share(double h) const {
  return std::max(std::clamp(share_of_angle * rates_.accepted_frequency() * h, least_share, most_share),
                  1.0 / (rates_.known() + 1));
}

double VibrationFilter::measure(PetscVec e, double c, double h, double factor) {
  const double steps = weights_.tolerance().unit / h, scale = std::abs(c) * h * h * h;
  petsc(VecAXPBY(rate_, 1 / scale, 0.0, e));
  petsc(VecWAXPY(acceleration_with_this_, h, rate_, acceleration_));
  const double newest = share(h);
  rates_.take(rate_, newest, h);
  accelerations_.take(acceleration_with_this_, newest, h);
  if (rates_.known() == 0) return factor * weights_.of_configuration(e) * steps;
  const double slow = factor * weights_.of_configuration(rates_.slow()) * scale * steps;
  petsc(VecAXPBY(rate_, 1 - vibration_factor, vibration_factor, rates_.slow()));
  const double all = factor * weights_.of_configuration(rate_) * scale * steps, frequency = accelerations_.frequency();
  const double wrong = factor * most_wrong * weights_.of_configuration(accelerations_.fast()) / (frequency * frequency);
  return wrong < 1 ? std::min(all, slow / (1 - wrong)) : all;
}

void VibrationFilter::accept() {
  petsc(VecCopy(acceleration_with_this_, acceleration_));
  rates_.accept();
  accelerations_.accept();
}

void VibrationFilter::clear() {
  petsc(VecSet(acceleration_, 0.0));
  rates_.clear();
  accelerations_.clear();
}

}  // namespace sinew
