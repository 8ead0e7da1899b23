/// \file
/// Sums element contributions into local unknowns in a fixed order: no atomics, the same bits every time.
#pragma once

#include "kernels/sweep/family.hpp"

namespace sinew {

/// target[i] = sum of the slots listed for i. Slots without a target (-1) are left out.
class Gather {
 public:
  Gather() = default;
  /// `target_of_slot`: local index or -1, slot by slot.
  Gather(const std::vector<int>& target_of_slot, int num_targets);
  /// Device pointers; writes all targets.
  void sum(const double* slots, double* targets) const;
  /// The same of their absolute values.
  void sum_magnitudes(const double* slots, double* targets) const;

 private:
  int num_targets_ = 0;
  DeviceArray<int> start_, slots_;
};

}  // namespace sinew
