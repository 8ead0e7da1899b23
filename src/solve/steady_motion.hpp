/// \file
/// Steady motions: which frame a moving model stands still in, how steady it is, the steady motion nearby, and the equations of
/// small motions about it.
#pragma once

#include "solve/linearised.hpp"
#include "solve/moving_frame.hpp"

namespace sinew {

/// A moving state at t = 0 with the accelerations and multipliers that belong to it.
struct MovingState {
  Configuration& q;
  PetscVec z, a, lambda;
};

/// What a moving state says of its frame.
struct FrameFit {
  /// Angular velocities in the order in which they are to be tried: the one that the motion determines, what it leaves open being
  /// 0 (of a body that only spins, nothing is determined); where something is `undecided` a second one, which comes first unless
  /// the accelerations are those of a steady motion; then the first with what is left open such that it turns with the bodies.
  std::vector<Vec3<double>> frames;
  /// The directions, of length 1, in which nothing but accelerations determines how the frame turns, and these are at odds with
  /// gravity and what turns least.
  std::vector<Vec3<double>> undecided;
  /// Part of the velocities, mass-weighted, that no rigid motion of the points has.
  double velocity_residual = 0;
};

/// First the velocities of all points that move, v = v0 + W x r and, of slopes, W x r', weighted by mass. Where they leave W open
/// (one body, bodies on one line) the joints and drives, whose rows know accelerations whatever the forces are, G a + drift = 0
/// with a = W x v and alpha = W x omega: the axis of a bearing in the ground stays where it is. What is open then the
/// accelerations themselves say, but only those of a steady motion: while a straight blade only begins to sag they are those of
/// its fall. Otherwise the frame turns about gravity, where that says something, and with the body that turns least. Collective.
FrameFit fit_frame(const System&, const MovingState&, const Vec3<double>& gravity);

/// Difference between the accelerations of a state and those of a steady motion in the frame, mass-weighted, relative to the
/// largest of both and of what forces and reactions would give alone; what rounding of positions makes of forces does not count.
/// 0: steady at this moment. Collective.
double unsteadiness(const System&, const MovingState&, const MovingFrame&);

/// The equations of small motions in the frame: with M, D, K, G of the moving state and the matrices of the frame
///
///   M u'' + (D + M C) u' + (K + D B + M A) u + G^T mu = 0,   G u = 0,   k_z (u' + B u) + k_q u = 0.
///
/// K = -df/dq holds what depends on velocities, and the multipliers of the motion. The system must not be held. Collective.
LinearisedSystem linearise(const System&, const MovingState&, const MovingFrame&);

struct SteadyReport {
  int iterations = 0;
  double change = 0;  ///< largest component of the configuration's change
  double part = 0;    ///< the same in parts of the model's length or radians
  bool converged = false;
};

/// The steady motion near a state, in a frame and with spins that stay: M a(q) = f(q, z(q), lambda), g(q) = 0 with z and a of the
/// steady motion, by Newton's method in (w, lambda), steps limited to a fifth of the model's length and 0.2 rad; where that
/// fails, by a relaxation M q' = f - M a, g = 0, whose implicit steps grow until they are Newton's. Motions without stiffness
/// (the turn about the frame's axis) stay as they are. Where it does not converge the state is as it was. Collective.
SteadyReport find_steady_motion(const System&, const MovingState&, MovingFrame&, double tolerance);

}  // namespace sinew
