/// \file
/// A series of vectors, one of every step, divided into what is slow and what is fast.
#pragma once

#include "integrate/error_weights.hpp"

namespace sinew {

/// The slow part is the mean of means, m2 := m2 + s (m1 - m2) after m1 := m1 + s (x - m1): of a vibration that turns by th in a
/// step about (s/th)^2 is left in it. The fast part, x - 2 m1 + m2, does not see a steady rise. All sizes are in the units of the
/// weights.
class SmoothedSeries {
 public:
  /// The weights must outlive it.
  SmoothedSeries(const ErrorWeights&, PetscVec like);

  /// x is the newest value unless another follows before `accept`; s is its share in the means, h the step since the last one.
  /// Collective.
  void take(PetscVec x, double share, double h);
  void accept();
  /// Begins a new series.
  void clear() { known_ = 0; }
  /// Number of accepted values.
  int known() const { return known_; }

  PetscVec slow() const { return mean2_with_this_; }
  PetscVec fast() const { return fast_; }
  /// w of the fast part, w^2 = mean |f'|^2 / mean |f|^2, with the newest value; of the accepted ones. Infinite where they do not
  /// tell.
  double frequency() const { return frequency_of(change_with_this_, size_with_this_); }
  double accepted_frequency() const { return frequency_of(change_, size_); }

 private:
  static double frequency_of(double change, double size);
  double square(PetscVec x);

  const ErrorWeights& weights_;
  VecHandle mean_, mean2_, mean_with_this_, mean2_with_this_, fast_, last_fast_, difference_;
  double size_ = 0, change_ = 0, size_with_this_ = 0, change_with_this_ = 0;  ///< means of |f|^2, |f'|^2
  int known_ = 0;
};

}  // namespace sinew
