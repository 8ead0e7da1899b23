/// \file
/// Rotation vectors over any scalar (double, dual or lanes): exponential, logarithm and the tangent operator with its inverse and
/// rate, applied to vectors by cross products. Regular at zero.
/// Source: Cardona and Geradin (1988), Int. J. Numer. Methods Eng. 26, 2403-2438; conventions of so3.hpp.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/lie/so3.hpp"

namespace sinew {

/// A rotation vector theta and what its functions need. With t = |theta| and cross products for theta~:
///   exp = I + a theta~ + b theta~^2,   T = I - b theta~ + c theta~^2,   T^-1 = I + theta~/2 + h theta~^2,
///   a = sin t/t,  b = (1 - cos t)/t^2,  c = (t - sin t)/t^3,  h = (c - 2 e)/(2 b),
///   e = (1/2 - b)/t^2,  f = (1/6 - c)/t^2;   with s_n = sum over k of (-t^2)^k/(2k + n)!, b, c, e, f are s_2 to s_5, and
///   ds_n/d(t^2) = (n s_(n+2) - s_(n+1))/2.
template <class S>
struct RotationVector {
  Vec3<S> theta;
  S a = S(1.0), b = S(0.5), c = S(1.0 / 6.0), e = S(1.0 / 24.0), f = S(1.0 / 120.0), h = S(1.0 / 12.0);
  S g = S(1.0 / 720.0), k = S(1.0 / 5040.0), h_slope = S(1.0 / 360.0);  ///< s_6, s_7, 2 dh/d(t^2): see `raise`

  KOKKOS_INLINE_FUNCTION RotationVector() {}
  KOKKOS_INLINE_FUNCTION explicit RotationVector(const Vec3<S>& vector) : theta(vector) {
    const S t2 = dot(theta, theta);
    const bool small = all_below(t2, 0.25);
    if (small || std::is_same_v<S, Lanes>) {  // what is left out of the sums is below 1e-17
      e = series(t2, 4);
      f = series(t2, 5);
      c = 1.0 / 6.0 - t2 * f;
      b = 0.5 - t2 * e;
      a = 1.0 - t2 * c;
    }
    if constexpr (std::is_same_v<S, Lanes>) {
      if (!small) set_large_lanes(t2);
    } else if (!small) {
      using math::cos;
      using math::sin;
      using math::sqrt;
      const S t = sqrt(t2), half = sin(0.5 * t);
      a = sin(t) / t;
      b = 2.0 * half * half / t2;
      c = (1.0 - a) / t2;
      e = (0.5 - b) / t2;
      f = (1.0 / 6.0 - c) / t2;
    }
    h = (c - 2.0 * e) / (2.0 * b);
  }

  /// Finds what derivatives of T' and T^-1 need besides; before it they are those at theta = 0.
  KOKKOS_INLINE_FUNCTION void raise() {
    const S t2 = dot(theta, theta);
    if (all_below(t2, 0.25)) {
      g = series(t2, 6);
      k = series(t2, 7);
    } else if constexpr (std::is_same_v<S, Lanes>) {
      const S far_g = (1.0 / 24.0 - e) / t2, far_k = (1.0 / 120.0 - f) / t2;
      g = where_below(t2, 0.25, series(t2, 6), far_g);
      k = where_below(t2, 0.25, series(t2, 7), far_k);
    } else {
      g = (1.0 / 24.0 - e) / t2;
      k = (1.0 / 120.0 - f) / t2;
    }
    const S b1 = e - 0.5 * c, c1 = 0.5 * (3.0 * f - e), e1 = 0.5 * (4.0 * g - f);
    h_slope = (c1 - 2.0 * e1 - 2.0 * h * b1) / b;
  }

  /// exp(theta~) u
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> turn(const Vec3<S>& u) const { return polynomial(a, b, u); }
  /// exp(-theta~) u
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> turn_back(const Vec3<S>& u) const { return polynomial(-a, b, u); }
  KOKKOS_INLINE_FUNCTION Mat3<S> matrix() const {
    const Mat3<S> W = skew(theta);
    return identity<S, 3>() + a * W + b * (W * W);
  }
  /// T u: the turn, in turned axes, that a change u of theta makes.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> tangent(const Vec3<S>& u) const { return polynomial(-b, c, u); }
  /// T^T u
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> tangent_transposed(const Vec3<S>& u) const { return polynomial(b, c, u); }
  /// T^-1 u
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> inverse_tangent(const Vec3<S>& u) const { return polynomial(S(0.5), h, u); }
  /// T^-T u = exp(theta~) T^-1 u
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> inverse_tangent_transposed(const Vec3<S>& u) const { return polynomial(S(-0.5), h, u); }
  /// T' u, where theta changes at the rate `rate`.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> tangent_rate(const Vec3<S>& rate, const Vec3<S>& u) const { return derived(-1.0, rate, u); }
  /// T'^T u
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> tangent_rate_transposed(const Vec3<S>& rate, const Vec3<S>& u) const {
    return derived(1.0, rate, u);
  }
  /// Derivative of T^-1 u along `change`.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> inverse_tangent_change(const Vec3<S>& change, const Vec3<S>& u) const {
    return inverse_derived(0.5, change, u);
  }
  /// Of T^-T u.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> inverse_tangent_transposed_change(const Vec3<S>& change, const Vec3<S>& u) const {
    return inverse_derived(-0.5, change, u);
  }
  /// Derivative of T' u along `change` of theta.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> tangent_rate_change(const Vec3<S>& rate, const Vec3<S>& change, const Vec3<S>& u) const {
    return derived_twice(-1.0, rate, change, u);
  }
  /// Of T'^T u.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> tangent_rate_transposed_change(const Vec3<S>& rate, const Vec3<S>& change,
                                                                     const Vec3<S>& u) const {
    return derived_twice(1.0, rate, change, u);
  }

 private:
  /// u + p theta x u + q theta x (theta x u)
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> polynomial(const S& p, const S& q, const Vec3<S>& u) const {
    const Vec3<S> w = cross(theta, u);
    return u + p * w + q * cross(theta, w);
  }

  /// sign (b theta~)' u + (c theta~^2)' u
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> derived(double sign, const Vec3<S>& rate, const Vec3<S>& u) const {
    const S along = 2.0 * dot(theta, rate);
    const S b_rate = (e - 0.5 * c) * along, c_rate = 0.5 * (3.0 * f - e) * along;
    const Vec3<S> w = cross(theta, u), v = cross(rate, u);
    const S p = sign * b_rate, q = sign * b;
    return p * w + q * v + c_rate * cross(theta, w) + c * (cross(rate, w) + cross(theta, v));
  }

  /// Derivative of sign (b theta~)' u + (c theta~^2)' u along `change`.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> derived_twice(double sign, const Vec3<S>& rate, const Vec3<S>& change,
                                                    const Vec3<S>& u) const {
    const S along_rate = 2.0 * dot(theta, rate), along_change = 2.0 * dot(theta, change), both = 2.0 * dot(rate, change);
    const S b1 = e - 0.5 * c, c1 = 0.5 * (3.0 * f - e), e1 = 0.5 * (4.0 * g - f), f1 = 0.5 * (5.0 * k - g);
    const S b2 = e1 - 0.5 * c1, c2 = 0.5 * (3.0 * f1 - e1);
    const S b_both = b2 * along_rate * along_change + b1 * both, c_both = c2 * along_rate * along_change + c1 * both;
    const Vec3<S> w = cross(theta, u), v = cross(rate, u), x = cross(change, u);
    return (sign * b_both) * w + (sign * b1 * along_rate) * x + (sign * b1 * along_change) * v + c_both * cross(theta, w) +
           (c1 * along_rate) * (cross(change, w) + cross(theta, x)) + (c1 * along_change) * (cross(rate, w) + cross(theta, v)) +
           c * (cross(rate, x) + cross(change, v));
  }

  /// Derivative of u + p theta x u + h theta x (theta x u).
  KOKKOS_FORCEINLINE_FUNCTION Vec3<S> inverse_derived(double p, const Vec3<S>& change, const Vec3<S>& u) const {
    const S h_change = h_slope * dot(theta, change);
    const Vec3<S> w = cross(theta, u), v = cross(change, u);
    return p * v + h_change * cross(theta, w) + h * (cross(change, w) + cross(theta, v));
  }

  /// Lanes with a large turn, one after the other.
  void set_large_lanes(const S& t2) {
    double square[lane_count], t[3][lane_count], sums[5][lane_count];
    S* const all[5] = {&a, &b, &c, &e, &f};
    t2.store(square);
    for (int i = 0; i < 3; ++i) theta[i].store(t[i]);
    for (int i = 0; i < 5; ++i) all[i]->store(sums[i]);
    for (int l = 0; l < lane_count; ++l) {
      if (square[l] < 0.25) continue;
      const RotationVector<double> one(Vec3<double>{{t[0][l], t[1][l], t[2][l]}});
      const double found[5] = {one.a, one.b, one.c, one.e, one.f};
      for (int i = 0; i < 5; ++i) sums[i][l] = found[i];
    }
    for (int i = 0; i < 5; ++i) *all[i] = S(sums[i]);
  }

  /// s_n of t2: nine terms, by Horner's rule.
  KOKKOS_INLINE_FUNCTION static S series(const S& t2, int n) {
    S sum = S(1.0);
    for (int k = 8; k > 0; --k) sum = 1.0 - (1.0 / ((n + 2 * k) * (n + 2 * k - 1))) * (t2 * sum);
    double factorial = 24;
    for (int i = 5; i <= n; ++i) factorial *= i;
    return sum / factorial;
  }
};

/// That of the quaternion (w, v), or of a multiple of it, for |v| < w/10: 2 atan(x)/x v/w with x^2 = v^2/w^2; what is left out
/// is below 1e-18.
template <class S>
KOKKOS_INLINE_FUNCTION Vec3<S> small_rotation_vector(const S& w, const Vec3<S>& v) {
  const S x2 = dot(v, v) / (w * w);
  S sum = S(1.0 / 17.0);
  for (int k = 7; k >= 0; --k) sum = 1.0 / (2 * k + 1) - x2 * sum;
  return (2.0 * sum / w) * v;
}

/// The rotation vector of a rotation matrix, shorter than pi: exp(theta~) = R. By its quaternion, of which the largest entry is
/// found first (Shepperd 1978).
template <class S>
KOKKOS_INLINE_FUNCTION Vec3<S> rotation_vector(const Mat3<S>& R) {
  using math::atan2;
  using math::sqrt;
  Vec3<S> v{{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)}};
  const S trace = R(0, 0) + R(1, 1) + R(2, 2);
  S w = 1.0 + trace;  // (w, v): the quaternion times some number
  if (value_of(trace) < -0.5) {
    int i = value_of(R(1, 1)) > value_of(R(0, 0)) ? 1 : 0;
    if (value_of(R(2, 2)) > value_of(R(i, i))) i = 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    w = v[i];
    v[i] = 1.0 + 2.0 * R(i, i) - trace;
    v[j] = R(i, j) + R(j, i);
    v[k] = R(i, k) + R(k, i);
    if (value_of(w) < 0) {
      w = -w;
      v = -v;
    }
  }
  const S v2 = dot(v, v), w2 = w * w;
  if (value_of(v2) < 1e-2 * value_of(w2)) return small_rotation_vector(w, v);
  const S length = sqrt(v2);
  return (2.0 * atan2(length, w) / length) * v;
}

/// Of every lane; those with a large turn one after the other. A template, so that compilers for devices need not look at it.
template <class S>
requires std::is_same_v<S, Lanes> Vec3<S> rotation_vector(const Mat3<S>& R) {
  const Vec3<S> v{{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)}};
  const Lanes w = 1.0 + (R(0, 0) + R(1, 1) + R(2, 2)), excess = dot(v, v) - 1e-2 * (w * w);
  const Vec3<Lanes> small = small_rotation_vector(w, v);
  if (all_below(excess, 0.0)) return small;
  double large[lane_count], entries[9][lane_count], found[3][lane_count];
  excess.store(large);
  for (int i = 0; i < 3; ++i) small[i].store(found[i]);
  for (int i = 0; i < 9; ++i) R(i / 3, i % 3).store(entries[i]);
  for (int l = 0; l < lane_count; ++l) {
    if (large[l] < 0) continue;
    Mat3<double> one;
    for (int i = 0; i < 9; ++i) one(i / 3, i % 3) = entries[i][l];
    const Vec3<double> theta = rotation_vector(one);
    for (int i = 0; i < 3; ++i) found[i][l] = theta[i];
  }
  return {{Lanes(found[0]), Lanes(found[1]), Lanes(found[2])}};
}

}  // namespace sinew
