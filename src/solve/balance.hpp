/// \file
/// Whether a state is one of rest: what is out of balance against the forces at work, and open joints against the model's extent.
#pragma once

#include "system/system.hpp"

#include <string>

namespace sinew {

/// What is left of the equations of rest.
struct Imbalance {
  double excess = 0;    ///< the worst residual over what is allowed in its place; not a number counts as infinite
  double of_force = 0;  ///< the same of forces alone
  double force = 0;     ///< the largest unbalanced force or moment
  double at_work = 0;   ///< the largest of the forces at work
  double rounding = 0;  ///< the largest that rounding of places makes
  double gap = 0;       ///< the largest residual of a constraint
  std::string text;     ///< where it is not one of rest: a clause that says how large it is and where
  bool is_rest() const { return excess <= 1; }
  /// Are all forces at work what rounding of places makes somewhere in the model? Then there may be none: an unloaded beam hands
  /// on to the body at its end what it has of them. But stiff parts hide the loads of soft ones there.
  bool is_rounding() const { return at_work <= rounding; }
};

/// A state and its residuals.
struct RestResidual {
  PetscVec force;          ///< what is out of balance, dof by dof
  PetscVec rows;           ///< residuals of the constraints
  PetscVec at_work;        ///< sum of the absolute values of all contributions to `force`, before they cancel
  PetscVec states;         ///< velocities: the values of first-order states
  PetscMat tangent;        ///< [K G^T; G 0] there, or nearby
  double coordinates = 0;  ///< the largest coordinate, m: positions are rounded in proportion to it
};

/// Judges residuals. A force may be out of balance by 1e-6 of the forces at work in its node, a moment by as much of the moments
/// or of these forces times the model's extent, beyond what rounding makes of both: of the contributions themselves, and of the
/// positions that they follow from, |K| times the last digit of the coordinates. A constraint may be open by what a displacement
/// of `tolerance` times the extent (a rotation of `tolerance` radians) makes of it, whatever its unit is: |G| times these; a rate
/// f_s of first-order states by what a change of the states by `tolerance` of their sizes makes of it. Collective.
Imbalance measure_imbalance(const System&, const RestResidual&, double tolerance);

/// The same of a configuration at rest under the loads that the system holds, with multipliers lambda and velocities that are
/// zero but for first-order states. Collective.
Imbalance measure_imbalance(const System&, const Configuration& q, PetscVec rest, PetscVec lambda, double tolerance);

/// What rounding makes, all in all, of the work f . w of the forces of such a state along an increment: of the contributions to
/// the forces, and of the positions that they follow from. Collective.
double rounding_of_work(const System&, const Configuration& q, PetscVec rest, PetscVec lambda, PetscVec w);

/// The same as it is found where the last digit of every coordinate is changed at random: far less than what is possible where
/// stiff members lie along an axis, across which their coordinates are small. Collective.
double sampled_rounding_of_work(const System&, const Configuration& q, PetscVec rest, PetscVec lambda, PetscVec w);

}  // namespace sinew
