/// \file
/// What of a rate of errors persists, and how large a displacement the rest can be.
#pragma once

#include "integrate/error_weights.hpp"

namespace sinew {

/// Splits r = r_mean + f, r_mean the exponential mean over some five steps. What f belongs to, a vibration of frequency w with
/// w^2 = mean |f'|^2 / mean |f|^2, moves things by |f| / (c h^2 w^3), if f = c h^2 times the rate of the acceleration: it cannot be wrong by much more.
class VibrationFilter {
 public:
  /// The weights must outlive it.
  VibrationFilter(const ErrorWeights&, PetscVec like);

  /// |r_mean| T + min(|f| T, 3 |f| / (c h^2 w^3)) in the units of the weights, T the weights' unit of time. Collective.
  double measure(PetscVec r, double c, double h);
  /// r of the last call joins the series. Collective.
  void accept();
  /// Begins a new series.
  void clear() { known_ = 0; }

 private:
  const ErrorWeights& weights_;
  VecHandle mean_, mean_with_this_, fast_, last_fast_, scaled_;
  double size_ = 0, change_ = 0, size_with_this_ = 0, change_with_this_ = 0;  ///< means of |f|^2, |f'|^2
  int known_ = 0;
};

}  // namespace sinew
