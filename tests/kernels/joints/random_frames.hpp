// Random frames, twists and places for the tests of joints and forces.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/sweep/state.hpp"

namespace sinew::trial {

inline Quaternion random_quaternion(Sampler& sample) {
  Quaternion q;
  do {
    q = {sample.uniform(-1, 1), sample.uniform(-1, 1), sample.uniform(-1, 1), sample.uniform(-1, 1)};
  } while (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z < 0.1);
  return normalized(q);
}

inline Vec3<double> random_direction(Sampler& sample) {
  Vec3<double> a;
  do a = sample.vector(1);
  while (norm(a) < 0.3);
  return (1 / norm(a)) * a;
}

inline Frame<double> random_frame(Sampler& sample) { return {sample.vector(1), rotation_matrix(random_quaternion(sample))}; }

inline Twist<double> random_twist(Sampler& sample) { return {sample.vector(1), sample.vector(1)}; }

/// Frames anywhere, in any motion.
template <int N>
NodeStates<double, NodeKind::frame, N> random_states(Sampler& sample) {
  NodeStates<double, NodeKind::frame, N> s;
  for (int k = 0; k < N; ++k) {
    s.frame[k] = random_frame(sample);
    s.twist[k] = random_twist(sample);
  }
  return s;
}

/// A place of a body that may turn.
inline Place random_place(Sampler& sample) {
  Place place;
  place.frame = random_frame(sample);
  place.point = sample.vector(1);
  return place;
}

/// A place that carries the global position p.
inline Place random_place_at(Sampler& sample, const Vec3<double>& p) {
  Place place = random_place(sample);
  place.point = place.local(p - place.frame.x);
  return place;
}

/// The frame moved by a finite step along its degrees of freedom.
inline Frame<double> moved(const Frame<double>& f, const Vec3<double>& dx, const Vec3<double>& dtheta) {
  return {f.x + dx, f.R * rotation_matrix(exp_quaternion(dtheta))};
}

/// Rotation by `angle` about the global unit axis `e` through the global point `centre`.
inline Frame<double> turned(const Frame<double>& f, const Vec3<double>& e, double angle, const Vec3<double>& centre) {
  const Mat3<double> Q = rotation_matrix(exp_quaternion(angle * e));
  return {centre + Q * (f.x - centre), Q * f.R};
}

inline Frame<double> shifted(const Frame<double>& f, const Vec3<double>& d) { return {f.x + d, f.R}; }

}  // namespace sinew::trial
