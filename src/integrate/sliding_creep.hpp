/// \file
/// How fast a motion may creep where switches that slide hold it.
#pragma once

#include "integrate/switch_rates.hpp"
#include "system/switch_board.hpp"

#include <vector>

namespace sinew {

/// All that slide are moved together, each by what takes its argument through its width in one and the same time: what that gives
/// in accelerations over the time is how fast the motion may creep.
class SlidingCreep {
 public:
  /// The system must outlive it. Collective.
  explicit SlidingCreep(const DynamicSystem&);
  /// `times`: in which each of this rank's switches takes its argument through its width, of either sign; 0: of those that do not
  /// slide, or do not act on g'. Collective.
  void find(const State&, SwitchRates&, SwitchBoard&, const std::vector<double>& times);
  /// A dof vector; null where nothing slides that acts on g'.
  PetscVec found() const { return exists_ ? creep_.get() : nullptr; }

 private:
  const DynamicSystem& system_;
  VecHandle creep_;
  bool exists_ = false;
};

}  // namespace sinew
