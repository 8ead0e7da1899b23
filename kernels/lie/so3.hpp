/// \file
/// The rotation group in the body (left-trivialised) convention of the integrators: R1 = R0 exp(theta~), R' = R omega~.
/// Source: Arnold, Cardona and Bruls (2015), Lie group generalized-alpha; closed forms of exp and its tangent.
#pragma once

#include "kernels/algebra/dual.hpp"

namespace sinew {

/// Unit quaternion (w, x, y, z), body to global.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

/// Hamilton product a b.
KOKKOS_INLINE_FUNCTION Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

KOKKOS_INLINE_FUNCTION Quaternion normalized(const Quaternion& q) {
  const double r = 1.0 / math::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {r * q.w, r * q.x, r * q.y, r * q.z};
}

/// Rotation matrix of a unit quaternion, over any scalar, to where it is wanted.
template <class S>
KOKKOS_FORCEINLINE_FUNCTION void put_rotation_matrix(const S& w, const S& x, const S& y, const S& z, Mat3<S>& R) {
  R(0, 0) = 1 - 2 * (y * y + z * z);
  R(0, 1) = 2 * (x * y - w * z);
  R(0, 2) = 2 * (x * z + w * y);
  R(1, 0) = 2 * (x * y + w * z);
  R(1, 1) = 1 - 2 * (x * x + z * z);
  R(1, 2) = 2 * (y * z - w * x);
  R(2, 0) = 2 * (x * z - w * y);
  R(2, 1) = 2 * (y * z + w * x);
  R(2, 2) = 1 - 2 * (x * x + y * y);
}
template <class S>
KOKKOS_INLINE_FUNCTION Mat3<S> rotation_matrix(const S& w, const S& x, const S& y, const S& z) {
  Mat3<S> R;
  put_rotation_matrix(w, x, y, z, R);
  return R;
}
KOKKOS_INLINE_FUNCTION Mat3<double> rotation_matrix(const Quaternion& q) { return rotation_matrix(q.w, q.x, q.y, q.z); }

/// Unit quaternion of a rotation matrix (w >= 0), stable for every angle.
KOKKOS_INLINE_FUNCTION Quaternion quaternion_of(const Mat3<double>& R) {
  const double trace = R(0, 0) + R(1, 1) + R(2, 2);
  Quaternion q;
  if (trace > R(0, 0) && trace > R(1, 1) && trace > R(2, 2)) {
    q = {1 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  } else if (R(0, 0) > R(1, 1) && R(0, 0) > R(2, 2)) {
    q = {R(2, 1) - R(1, 2), 1 + 2 * R(0, 0) - trace, R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)};
  } else if (R(1, 1) > R(2, 2)) {
    q = {R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), 1 + 2 * R(1, 1) - trace, R(1, 2) + R(2, 1)};
  } else {
    q = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), 1 + 2 * R(2, 2) - trace};
  }
  q = normalized(q);
  return q.w < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
}

/// exp(theta~) as a unit quaternion.
KOKKOS_INLINE_FUNCTION Quaternion exp_quaternion(const Vec3<double>& theta) {
  const double angle2 = dot(theta, theta);
  double c, s;  // cos(angle/2), sin(angle/2)/angle
  if (angle2 < 1e-4) {
    c = 1 - angle2 / 8 * (1 - angle2 / 48 * (1 - angle2 / 120));
    s = 0.5 * (1 - angle2 / 24 * (1 - angle2 / 80 * (1 - angle2 / 168)));
  } else {
    const double angle = math::sqrt(angle2);
    c = math::cos(0.5 * angle);
    s = math::sin(0.5 * angle) / angle;
  }
  return {c, s * theta[0], s * theta[1], s * theta[2]};
}

/// Rotation vector of a unit quaternion, |theta| <= pi: exp(theta~) = R(q).
KOKKOS_INLINE_FUNCTION Vec3<double> log_quaternion(const Quaternion& q) {
  const double sign = q.w < 0 ? -1.0 : 1.0;
  const Vec3<double> v{{sign * q.x, sign * q.y, sign * q.z}};
  const double s = norm(v);
  const double factor = s < 1e-8 ? 2.0 / (sign * q.w) : 2.0 * math::atan2(s, sign * q.w) / s;
  return factor * v;
}

/// Tangent operator of the exponential, d/de exp((theta + e d)~) = exp(theta~) (T(theta) d)~ e:
/// T = I - (1 - cos t)/t^2 theta~ + (t - sin t)/t^3 theta~^2.
KOKKOS_INLINE_FUNCTION Mat3<double> exp_tangent(const Vec3<double>& theta) {
  const double t2 = dot(theta, theta);
  double b, c;  // (1 - cos t)/t^2, (t - sin t)/t^3
  if (t2 < 1e-4) {
    b = 0.5 * (1 - t2 / 12 * (1 - t2 / 30 * (1 - t2 / 56)));
    c = (1 - t2 / 20 * (1 - t2 / 42 * (1 - t2 / 72))) / 6;
  } else {
    const double t = math::sqrt(t2);
    const double half = math::sin(0.5 * t);
    b = 2 * half * half / t2;
    c = (t - math::sin(t)) / (t2 * t);
  }
  const Mat3<double> W = skew(theta);
  return identity<double, 3>() - b * W + c * (W * W);
}

}  // namespace sinew
