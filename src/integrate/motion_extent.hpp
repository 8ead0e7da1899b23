/// \file
/// The length of a model whose bodies are points in one place: how far its motion takes them.
#pragma once

#include "integrate/integrator.hpp"

namespace sinew {

/// The places that the points of such a model have come to since the first that was included.
class MotionExtent {
 public:
  /// The system must outlive it. Collective.
  explicit MotionExtent(const DynamicSystem&);

  /// Takes in the place of a state; the longest range of a coordinate of any point so far, m, which depends neither on the origin
  /// nor on the number of ranks. Collective.
  double include(const State&);
  /// By how much a step of size h would widen it, at the speed and acceleration of the state that was included last. Collective.
  double growth(const State&, double h);
  /// Collective.
  void persist(Archive&);

 private:
  double widest(PetscVec low, PetscVec high);

  const DynamicSystem& system_;
  Configuration first_;
  VecHandle is_displacement_, place_, low_, high_, low_ahead_, high_ahead_, range_;  ///< the first: 1 or 0
  double reached_ = 0;
  bool has_first_ = false;
};

}  // namespace sinew
