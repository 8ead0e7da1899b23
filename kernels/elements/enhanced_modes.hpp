/// \file
/// The strains that an enhanced hexahedron takes on by itself, beside those of its nodes, where its energy is not Hooke's:
///   E~ = sum_k x_k sym(p_k y_k^T) + sum_m phi_m beta_m I,    k = 1, 2, 3,   phi_m = yz, zx, xy,
/// twelve amplitudes: three vectors y_k and three numbers beta_m; x, y, z are the signs of the coordinates at the points of the
/// quadrature (kernels/elements/enhanced_geometry.hpp). p_k is normal to the faces of constant xi_k in the centre, so that y_k
/// p_k^T is the gradient of Wilson's incompatible displacement (1 - xi_k^2) y_k; phi_m are what nearly incompressible material
/// asks for. The functions have no mean, so they do no work on even stresses and patch tests hold, and are orthonormal over the
/// points: they take the quadratic form of an even, isotropic C apart,
///   sum_q E~:C:E~/8 = sum_k y_k.D_k y_k + 3 (3 lambda + 2 mu) sum_m beta_m^2,   D_k = mu I + (lambda + mu) p_k p_k^T.
/// Source: J. C. Simo, F. Armero and R. L. Taylor (1993), Comput. Methods Appl. Mech. Engrg 110, 359-386.
#pragma once

#include "kernels/algebra/unrolled.hpp"
#include "kernels/material/isotropic.hpp"
#include "kernels/shape/hex8.hpp"

namespace sinew {

/// The amplitudes of the enhanced strains, or what works on them.
template <class S>
struct EnhancedAmplitudes {
  Vec3<S> y[3];
  S beta[3] = {0.0, 0.0, 0.0};
};

/// A symmetric tensor's parts: linear[k] x_k + bilinear[m] phi_m I.
template <class S>
struct EnhancedField {
  Mat3<S> linear[3];
  S bilinear[3] = {0.0, 0.0, 0.0};

  /// T + sum x_k linear_k + (sum phi_m bilinear_m) I at point q.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> added_to(const Mat3<S>& T, int q) const;
};

/// The vectors p of an element. P: double, or Lanes.
template <class P>
struct EnhancedModes {
  static constexpr int Q = Hex8::num_stiffness_points;
  static constexpr int count = 12;  ///< of amplitudes
  Vec3<P> p[3];                     ///< unit vectors

  /// `B`: dxi/dX in the centre.
  KOKKOS_INLINE_FUNCTION void set(const Mat3<P>& B) {
    using math::sqrt;
    for (int k = 0; k < 3; ++k) {
      const P factor = 1.0 / sqrt(B(k, 0) * B(k, 0) + B(k, 1) * B(k, 1) + B(k, 2) * B(k, 2));
      for (int i = 0; i < 3; ++i) p[k][i] = factor * B(k, i);
    }
  }

  /// x, y, z, yz, zx or xy at point q.
  KOKKOS_INLINE_FUNCTION static constexpr double sign(int q, int k) {
    const int x = q & 1, y = q >> 1 & 1, z = q >> 2 & 1;
    const int up = k == 0 ? x : k == 1 ? y : k == 2 ? z : k == 3 ? (y == z) : k == 4 ? (z == x) : (x == y);
    return up ? 1.0 : -1.0;
  }

  /// E~.
  template <class S>
  KOKKOS_INLINE_FUNCTION EnhancedField<S> strains(const EnhancedAmplitudes<S>& a) const {
    EnhancedField<S> field;
    for (int k = 0; k < 3; ++k) {
      field.linear[k] = symmetric_part(outer(p[k], a.y[k]));
      field.bilinear[k] = a.beta[k];
    }
    return field;
  }

  /// The sums over the points of x_k T and phi_m tr T, T given point by point: what works on the amplitudes, once `work` has been
  /// asked for.
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION static void add(int q, const Mat3<S>& T, EnhancedField<S>& sums) {
    const S trace_T = trace(T);
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      unrolled<6>([&](auto m) __attribute__((always_inline)) {
        add_signed(sign(q, k), T(row(m), column(m)), sums.linear[k](row(m), column(m)));
      });
      add_signed(sign(q, 3 + k), trace_T, sums.bilinear[k]);
    });
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION EnhancedAmplitudes<S> work(const EnhancedField<S>& sums) const {
    EnhancedAmplitudes<S> b;
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) {
        S sum = sums.linear[k](i, i) * p[k][i];
        for (int j = 0; j < 3; ++j)
          if (j != i) sum = sum + sums.linear[k](i < j ? i : j, i < j ? j : i) * p[k][j];
        b.y[k][i] = sum;
      }
      b.beta[k] = sums.bilinear[k];
    }
    return b;
  }

  /// The numbers of a symmetric tensor: 00 11 22 12 02 01.
  KOKKOS_INLINE_FUNCTION static constexpr int row(int m) { return m < 3 ? m : m == 3 ? 1 : 0; }
  KOKKOS_INLINE_FUNCTION static constexpr int column(int m) { return m < 3 ? m : m == 5 ? 1 : 2; }

  /// sum + sign x
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION static void add_signed(double sign, const S& x, S& sum) {
    sum = sign > 0 ? sum + x : sum - x;
  }
};

template <class S>
KOKKOS_FORCEINLINE_FUNCTION Mat3<S> EnhancedField<S>::added_to(const Mat3<S>& T, int q) const {
  using Modes = EnhancedModes<double>;
  Mat3<S> sum;
  S even = 0.0;
  unrolled<3>([&](auto k) __attribute__((always_inline)) { Modes::add_signed(Modes::sign(q, 3 + k), bilinear[k], even); });
  unrolled<6>([&](auto m) __attribute__((always_inline)) {
    constexpr int i = Modes::row(m), j = Modes::column(m);
    S entry = i == j ? T(i, j) + even : T(i, j);
    unrolled<3>([&](auto k) __attribute__((always_inline)) { Modes::add_signed(Modes::sign(q, k), linear[k](i, j), entry); });
    sum(i, j) = sum(j, i) = entry;
  });
  return sum;
}

}  // namespace sinew
