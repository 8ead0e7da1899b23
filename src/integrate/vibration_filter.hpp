/// \file
/// What of the errors of positions persists, and how large a displacement the rest can be.
#pragma once

#include "integrate/smoothed_series.hpp"

namespace sinew {

/// Local errors e = c h^3 j, with j the rate of the acceleration as far as constraints leave it free. The slow part of j goes on
/// moving things. The rest belongs to vibrations: with f the fast part of the integral of j, the acceleration, and w its
/// frequency, they displace by |f|/w^2, and cannot be wrong by much more.
class VibrationFilter {
 public:
  /// The weights must outlive it.
  VibrationFilter(const ErrorWeights&, PetscVec like);

  /// Errors like e, left by a step of size h, over the tolerance: `factor` times what they amount to in T, the weights' unit of
  /// time, over what vibrations leave of the tolerance; or, if that is less, as though vibrations persisted too. Collective.
  double measure(PetscVec e, double c, double h, double factor);
  /// e of the last call joins the series. Collective.
  void accept();
  /// Begins a new series.
  void clear();

 private:
  double share(double h) const;

  const ErrorWeights& weights_;
  SmoothedSeries rates_, accelerations_;
  VecHandle rate_, acceleration_, acceleration_with_this_;
};

}  // namespace sinew
