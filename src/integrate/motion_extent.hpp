/// \file
/// The length of a model whose bodies are points in one place: how far its motion takes them.
#pragma once

#include "integrate/integrator.hpp"

namespace sinew {

/// The places that the points of such a model have come to since the first that was included, and how fast they were.
class MotionExtent {
 public:
  /// The system must outlive it. Collective.
  explicit MotionExtent(const DynamicSystem&);

  /// Takes in the place of a state; the longest range of a coordinate of any point so far, m, which depends neither on the origin
  /// nor on the number of ranks. Collective.
  double include(const State&);
  /// By how much a step of size h would widen it, at the speed of the state that was included last and these accelerations.
  /// Collective.
  double growth(const State&, PetscVec accelerations, double h);
  /// The longest range of a coordinate's speed so far, m/s, rest included.
  double speed() const { return speed_; }
  /// By how much such a step would widen that. Collective.
  double speed_growth(const State&, PetscVec accelerations, double h);
  /// Collective.
  void persist(Archive&);

 private:
  double widest(PetscVec low, PetscVec high);
  double widest_with(PetscVec low, PetscVec high, PetscVec ahead);

  const DynamicSystem& system_;
  Configuration first_;
  VecHandle is_displacement_;                         ///< 1 or 0
  VecHandle place_, low_, high_, slowest_, fastest_;  ///< the last two: speeds with their signs
  VecHandle low_ahead_, high_ahead_, range_;
  double reached_ = 0, speed_ = 0;
  bool has_first_ = false;
};

}  // namespace sinew
