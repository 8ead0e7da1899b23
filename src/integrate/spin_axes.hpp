/// \file
/// By what the axes of bodies that spin fast have turned too little or too much.
#pragma once

#include "system/archive.hpp"
#include "system/dynamic_system.hpp"

#include <vector>

namespace sinew {

/// The sum of what turns have wrong across their spin, in the axes of each body and turned with it: errors that change their
/// direction, as those of bearings that vibrate, do not add up. See docs/theory/resolution.md, "Axes".
class SpinAxes {
 public:
  explicit SpinAxes(const DynamicSystem& system) : system_(system) {}

  /// Adds what a step that turned by w, no more than half a turn, has wrong; turns of it count. Returns the largest amount of the
  /// sum so far, rad. Collective.
  double add(PetscVec w, PetscVec wrong);
  /// rad.
  double largest() const { return largest_; }
  /// Collective.
  void persist(Archive&);

 private:
  void begin();
  void turn_with(PetscVec w);

  const DynamicSystem& system_;
  VecHandle sum_;                ///< none as long as nothing spins fast
  std::vector<PetscInt> turns_;  ///< first dofs of what turns on this rank, once there is a sum
  double largest_ = 0;
};

}  // namespace sinew
