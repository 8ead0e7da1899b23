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
/// as much for its growth and as much for its duration. In steps below the least share of the run errors of a velocity that
/// last, and displace until the end, may also be their part of what the step makes the fastest speed grow by: a point that begins
/// to move has gone no way yet. All of these add up to that part of the fastest speed.
class ErrorWeights {
 public:
  /// The references must outlive it. Collective.
  ErrorWeights(const DynamicSystem&, const ErrorTolerance&, const FirstOrderStates&);

  /// Takes the sizes of a state from which a step of size h starts. Collective.
  void set(const State&, double h);
  /// Where the length is not known and the step is so short, that it has come to these accelerations: from rest it is the first
  /// to show any. Collective.
  void see_end(const State&, double h, PetscVec accelerations);
  /// max |e_i| / wq_i, and likewise for velocities: the largest part of any dof, so that the answer depends neither on the number
  /// of dofs nor on that of ranks. Infinite where a number is none. Collective.
  double of_configuration(PetscVec e) const { return measure(e, q_weight_); }
  double of_velocity(PetscVec e) const { return measure(e, z_weight_); }
  /// The same of this rank's own dofs.
  double of_own_configuration(PetscVec e) const { return measure_own(e, q_weight_); }
  double of_own_velocity(PetscVec e) const { return measure_own(e, z_weight_); }
  /// Of an error of the velocity that lasts so long, of the step that was set, as a displacement. Collective.
  double of_lasting(PetscVec e, double time) const;
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
  double measure_own(PetscVec e, PetscVec weight) const;
  bool measures_motion() const { return extent_ && tolerance_.length == 0; }
  /// Below the least share of the run.
  bool is_short(double h) const { return tolerance_.per_unit_step && h < ErrorTolerance::least_share * tolerance_.unit; }
  void look_ahead(const State&, double h, PetscVec accelerations);
  double length() const;
  void weigh_displacements(double length, PetscVec weight) const;
  void set_lengths();

  const DynamicSystem& system_;
  const FirstOrderStates& states_;
  ErrorTolerance tolerance_;
  std::optional<MotionExtent> extent_;  ///< of points in one place
  /// Where the length is not known: that of the motion so far, or at the end, and what the step adds to the speed times how
  /// often it is counted.
  double reached_ = 0, length_ = 0, speed_ = 0;
  VecHandle q_weight_, z_weight_, z_size_, quotient_, lasting_weight_;
};

}  // namespace sinew
