/// \file
/// Steps in the rotation vector of a rotation, as integrators take them that keep the vector and not the rotation.
#pragma once

#include "kernels/lie/so3.hpp"

namespace sinew {

/// T(theta)^-1 v = v + theta x v / 2 + c theta x (theta x v), c = (1 - (t/2) cot(t/2))/t^2, the rate of the rotation vector at
/// angular velocity v.
KOKKOS_INLINE_FUNCTION Vec3<double> inverse_tangent_times(const Vec3<double>& theta, const Vec3<double>& v) {
  const double t2 = dot(theta, theta);
  double c = (1 + t2 / 60 * (1 + t2 / 42)) / 12;
  if (t2 > 1e-3) {
    const double half = 0.5 * math::sqrt(t2);
    c = (1 - half * math::cos(half) / math::sin(half)) / t2;
  }
  const Vec3<double> turned = cross(theta, v);
  return v + 0.5 * turned + c * cross(theta, turned);
}

/// Of solve_rotation_vector; it gives up beyond.
constexpr int max_chart_corrections = 50;

/// theta = base + b T(theta)^-1 omega by corrections with 1 + (b/2) omega~, which leaves an error of second order in b omega.
KOKKOS_INLINE_FUNCTION Vec3<double> solve_rotation_vector(const Vec3<double>& base, double b, const Vec3<double>& omega) {
  const Mat3<double> A = identity<double, 3>() + (0.5 * b) * skew(omega);
  const Mat3<double> P = inverse(A, determinant(A));
  Vec3<double> theta = base + b * omega;
  double last = 1e300;
  for (int i = 0; i < max_chart_corrections; ++i) {
    const Vec3<double> change = P * (base + b * inverse_tangent_times(theta, omega) - theta);
    theta = theta + change;
    const double size = norm(change);
    if (size <= 1e-17 || (size < 1e-12 && size > 0.5 * last)) return theta;
    last = size;
  }
  return last < 1e-12 ? theta : Vec3<double>{{NAN, NAN, NAN}};
}

}  // namespace sinew
