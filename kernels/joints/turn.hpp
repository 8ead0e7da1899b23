/// \file
/// The angle by which one body has turned against another about an axis that both carry, with its turns.
#pragma once

#include "kernels/joints/motion_angle.hpp"
#include "kernels/lie/rotation_vector.hpp"

namespace sinew {

/// theta: rotation of the second body against the first about the axis e, zero at the start, as MotionAngle has it; turns count.
/// With x = u1 . u2 + v1 . v2, y = v1 . u2 - u1 . v2: theta = atan2(y, x) + 2 pi n, n by `near`, and
/// theta' = (x y' - y x') / (x^2 + y^2).
struct TurnAbout : MotionAngle::Params {
  double near = 0;  ///< an angle of the past, less than half a turn away

  static TurnAbout make(const Setup& setup, const Vec3<double>& axis) {
    return {MotionAngle::between(setup.places[0], setup.places[1], axis), 0.0};
  }
};

/// An angle that has turned by more than this since the one remembered could soon not be told from one of other turns: 3/8 of a
/// turn.
inline constexpr double longest_turn = 2.356194490192345;

/// How far theta of two frames is from `near`, rad, within half a turn.
template <class S>
KOKKOS_INLINE_FUNCTION S turned_since(const TurnAbout& p, const Frame<S> (&f)[2]) {
  const TurnAcross<S> across = MotionAngle::across(p, f);
  return angle_since(p.near, across.x(), across.y());
}

/// theta of two frames, rad.
template <class S>
KOKKOS_INLINE_FUNCTION S turned_angle(const TurnAbout& p, const Frame<S> (&f)[2]) {
  return p.near + turned_since(p, f);
}

/// theta has changed by so much since the last one remembered that it is to be remembered: takes it over and says so.
KOKKOS_INLINE_FUNCTION bool remember_turn(TurnAbout& p, const Frame<double> (&f)[2]) {
  const double since = turned_since(p, f);
  if (math::fabs(since) < memorable_turn) return false;
  p.near += since;
  return true;
}

/// Whether theta can be told after a step from the frames `before`: not where the turns that both bodies have made in it, each
/// less than half a turn, take theta too far from the one remembered. (Half a turn forward and half a turn back look like none.)
KOKKOS_INLINE_FUNCTION Verdict verdict_of_turn(const TurnAbout& p, const Frame<double> (&before)[2],
                                               const Frame<double> (&now)[2]) {
  const Vec3<double> e[2] = {cross(p.across1, p.across2), cross(p.mark1, p.mark2)};
  double by_steps = turned_since(p, before);
  for (int i = 0; i < 2 && dot(e[1], e[1]) > 0; ++i)  // of two lines that both carry one axis
    by_steps += (i == 0 ? -1 : 1) * dot(e[i], rotation_vector(transpose_product(before[i].R, now[i].R)));
  const bool is_told = math::fabs(by_steps) < longest_turn && math::fabs(turned_since(p, now)) < longest_turn;
  return is_told ? Verdict::ok : Verdict::other_branch;
}

/// D theta = t1 . omega1 + t2 . omega2 in the bodies' axes; the gradient of theta exactly, where the axes are not quite parallel
/// too.
template <class S>
struct TurnGradient {
  Vec3<S> t1, t2;

  KOKKOS_INLINE_FUNCTION S rate(const Twist<S> (&z)[2]) const { return dot(t1, z[0].omega) + dot(t2, z[1].omega); }
};

template <class S>
KOKKOS_INLINE_FUNCTION TurnGradient<S> turn_gradient(const TurnAbout& p, const Frame<S> (&f)[2]) {
  const TurnAcross<S> it = MotionAngle::across(p, f);
  const S x = it.x(), y = it.y();
  // cross(A, B) is the gradient of A . B by the rotation of A
  const Vec3<S> t = (1.0 / (x * x + y * y)) *
                    (x * (cross(it.v1, it.u2) - cross(it.u1, it.v2)) - y * (cross(it.u1, it.u2) + cross(it.v1, it.v2)));
  return {transpose_times(f[0].R, t), -transpose_times(f[1].R, t)};
}

/// theta and theta', the second and third measure of what works about the axis.
inline void measure_turn(const TurnAbout& p, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
  out[1] = turned_angle(p, s.frame);
  out[2] = turn_gradient(p, s.frame).rate(s.twist);
}

}  // namespace sinew
