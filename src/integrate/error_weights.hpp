/// \file
/// The units in which local errors are measured: tolerances for every dof, from a state.
#pragma once

#include "integrate/first_order_states.hpp"
#include "integrate/integrator.hpp"
#include "integrate/motion_extent.hpp"

#include <optional>

namespace sinew {

/// wq = absolute + relative q_size for increments of the configuration, wz = (absolute + relative q_size)/second + relative
/// z_size for velocities, with the sizes of DynamicSystem::error_sizes; absolute/second + relative size for first-order states,
/// with their sizes as they have been seen (FirstOrderStates). Where the bodies are points in one place, lengths are measured by
/// the larger of the extent (how far from the ground they start) and that of their motion: the tolerance's, or, where that is not
/// known, what the motion covers by the end of the step. Per unit step, where errors of a step may be its part of those of the
/// run, that grows on to the end: L + (dL/dt) (T_end - t). What is allowed adds up to no more than twice the extent at the end,
/// as much for its growth and as much for its duration.
class ErrorWeights {
 public:
  /// The references must outlive it. Collective.
  ErrorWeights(const DynamicSystem&, const ErrorTolerance&, const FirstOrderStates&);

  /// Takes the sizes of a state from which a step of size h starts. Collective.
  void set(const State&, double h);
  /// max |e_i| / wq_i, and likewise for velocities: the largest part of any dof, so that the answer depends neither on the number
  /// of dofs nor on that of ranks. Infinite where a number is none. Collective.
  double of_configuration(PetscVec e) const { return measure(e, q_weight_); }
  double of_velocity(PetscVec e) const { return measure(e, z_weight_); }
  /// e_i / wq_i, e_i / wz_i.
  void divide(PetscVec e, bool velocity, PetscVec out) const;
  /// wq and wz.
  PetscVec of_displacements() const { return q_weight_; }
  PetscVec of_velocities() const { return z_weight_; }
  const ErrorTolerance& tolerance() const { return tolerance_; }
  /// Collective.
  void persist(Archive& archive) {
    if (extent_) extent_->persist(archive);
  }

 private:
  double measure(PetscVec e, PetscVec weight) const;
  double length(const State&, double h);

  const DynamicSystem& system_;
  const FirstOrderStates& states_;
  ErrorTolerance tolerance_;
  std::optional<MotionExtent> extent_;  ///< of points in one place
  VecHandle q_weight_, z_weight_, quotient_;
};

}  // namespace sinew
