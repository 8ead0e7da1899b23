/// \file
/// The frame in which small motions about a steady motion have constant coefficients.
#pragma once

#include "system/system.hpp"

#include <functional>
#include <vector>

namespace sinew {

/// A frame that turns with the angular velocity W. What moves steadily in it: the velocities of all points (and of the slopes of
/// cables) turn with the frame, v(t) = exp(t W~) v0; bodies turn with the frame and in addition with a constant spin s about an
/// axis of their own, R(t) = exp(t W~) R0 exp(t s~). Small motions are counted along the axes of the frame, those of rotations
/// along the axes that the body would have without its spin:
///
///   points:     dv = u' + W x u,             da = u'' + 2 W x u' + W x (W x u)
///   rotations:  domega = u' + W_b x u,       dalpha = u'' + (W_b - s) x u' - s x (W_b x u),       W_b = R0^T W, s = omega - W_b
///
/// A spin leaves the coefficients constant if the body and what acts on it are symmetric about its axis; `variation` in
/// steady_motion.hpp measures it.
class MovingFrame {
 public:
  /// The system must outlive it. The spins are those of the state. Collective.
  MovingFrame(const System&, const Vec3<double>& angular_velocity, const Configuration& q, PetscVec z);

  const Vec3<double>& angular_velocity() const { return W_; }
  /// Does nothing turn, so that dv = u' and da = u''? The same on all ranks.
  bool is_at_rest() const { return is_at_rest_; }
  /// The largest angular velocity of the frame or of a body, rad/s. The same on all ranks.
  double rate() const { return rate_; }

  /// B in dv = u' + B u, over KKT vectors (zero in the rows). Collective.
  MatHandle velocity_matrix() const;
  /// C in da = u'' + C u' + A u. Collective.
  MatHandle coriolis_matrix() const;
  /// A in da = u'' + C u' + A u. Collective.
  MatHandle centrifugal_matrix() const;
  /// The accelerations of the steady motion: W x v of points, W_b x omega in body axes. Collective.
  void accelerations(PetscVec z, PetscVec a) const;
  /// Velocities after the configuration has moved by an increment w: v + W x w, and omega = R^T W + s. Collective.
  void follow(const Configuration& moved, PetscVec w, PetscVec z);
  /// State and frame a time tau later. Collective.
  void advance(double tau, Configuration& q, PetscVec z);
  /// Components along the axes of the frame at the start -> those along its axes a time tau later, in a dof vector. Collective.
  void turn(double tau, PetscVec dofs) const;

 private:
  struct Body {
    Vec3<double> frame_rate;  ///< W_b
    Vec3<double> spin;        ///< s
  };
  MatHandle block_matrix(const std::function<Mat3<double>(const Body*)>& block) const;

  const System* system_;
  Vec3<double> W_;
  std::vector<Body> bodies_;  ///< of the owned nodes; of points empty
  bool is_at_rest_ = true;
  double rate_ = 0;
};

/// The three components of a node in a vector, from entry `first` on.
inline Vec3<double> triple(const double* values, int first) { return {{values[first], values[first + 1], values[first + 2]}}; }

}  // namespace sinew
