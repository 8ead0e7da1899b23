/// \file
/// The strains that an enhanced hexahedron takes on by itself, beside those of its nodes:
///   E~ = sum_k phi_k sym(p_k y_k^T) + sum_m phi_m beta_m I,    k = 1, 2, 3,  m = 4, 5, 6,
/// twelve amplitudes: three vectors y_k and three numbers beta_m. p_k is normal to the faces of constant xi_k in the centre, so
/// that y_k p_k^T is the gradient of Wilson's incompatible displacement (1 - xi_k^2) y_k; phi_k follows xi_k and phi_m the
/// products eta zeta, zeta xi, xi eta, which nearly incompressible material asks for.
///   phi_k are orthonormal over the points of the quadrature and have no mean,
///   sum_q w_q phi_k phi_l = delta_kl,   sum_q w_q phi_k = 0,   w_q = det dX/dxi,
/// however the element is distorted. Without mean they do no work on even stresses, so patch tests hold; being orthonormal they
/// take the quadratic form of an even, isotropic C apart: int E~:C:E~ = sum_k y_k.D_k y_k + 3 (3 lambda + 2 mu) sum_m beta_m^2,
///   D_k = mu I + (lambda + mu) p_k p_k^T,   D_k^-1 = 1/mu (I - (lambda + mu)/(lambda + 2 mu) p_k p_k^T).
/// In a parallelepiped phi_k is xi_k over its norm and the strains are those of Simo, Armero and Taylor's twelve modes. In others
/// the signs s of xi, ..., xi eta at the points are turned by the shortest rotation that takes u = (1, ..., 1)/sqrt(8) to the
/// direction r of sqrt(w_q): s - (u + r) (r.s)/(1 + u.r), over sqrt(w_q), where Simo and Rifai scale them by det J_0/det J.
/// Sources: J. C. Simo and M. S. Rifai (1990), Int. J. Numer. Meth. Engng 29, 1595-1638; J. C. Simo, F. Armero and R. L. Taylor
/// (1993), Comput. Methods Appl. Mech. Engrg 110, 359-386; S. Klinkel and W. Wagner (1997), Int. J. Numer. Meth. Engng 40,
/// 4529-4545 (enhanced Green-Lagrange strains).
#pragma once

#include "kernels/material/isotropic.hpp"
#include "kernels/shape/hex8.hpp"

namespace sinew {

/// The amplitudes of the enhanced strains, or what works on them.
template <class S>
struct EnhancedAmplitudes {
  Vec3<S> y[3];
  S beta[3] = {0.0, 0.0, 0.0};
};

/// A symmetric tensor's parts along phi: linear[k] phi_k + bilinear[m] phi_m I.
template <class S>
struct EnhancedField {
  Mat3<S> linear[3];
  S bilinear[3] = {0.0, 0.0, 0.0};

  /// T + sum phi_k linear_k + (sum phi_m bilinear_m) I.
  template <class P>
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> added_to(const Mat3<S>& T, const P (&phi)[6]) const {
    const S even = phi[3] * bilinear[0] + phi[4] * bilinear[1] + phi[5] * bilinear[2];
    Mat3<S> sum;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        sum(i, j) = T(i, j) + phi[0] * linear[0](i, j) + phi[1] * linear[1](i, j) + phi[2] * linear[2](i, j);
        if (j > i) sum(j, i) = sum(i, j);
      }
      sum(i, i) = sum(i, i) + even;
    }
    return sum;
  }
};

/// The functions phi and the vectors p of an element. P: double, or Lanes.
template <class P>
struct EnhancedModes {
  static constexpr int Q = Hex8::num_stiffness_points;
  static constexpr int count = 12;  ///< of amplitudes

  P p[3][3] = {};  ///< p[k]: unit vectors
  P size[Q] = {};  ///< 1/sqrt(8 w_q), m^-3/2
  P turn[6] = {};  ///< (r.s_k)/(1 + u.r)
  P offset = 0.0;  ///< 1/sqrt(volume), m^-3/2

  /// Of the element with these vertices, whose volume at every point must be positive. Host.
  static EnhancedModes make(const double (&x)[3][Hex8::num_nodes]) {
    EnhancedModes modes;
    double weight[Q], volume = 0, unused;
    for (int q = 0; q < Q; ++q) volume += weight[q] = determinant(jacobian(x, Hex8::stiffness_point(q, unused)));
    const Mat3<double> J = jacobian(x, Hex8::centre()), B = inverse(J, determinant(J));
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> row{{B(k, 0), B(k, 1), B(k, 2)}};
      for (int i = 0; i < 3; ++i) modes.p[k][i] = row[i] / norm(row);
    }
    const double share = 1 / math::sqrt(double(Q));
    double alignment = 0, products[6] = {};
    for (int q = 0; q < Q; ++q) {
      const double r = math::sqrt(weight[q] / volume);
      modes.size[q] = share / math::sqrt(weight[q]);
      alignment += share * r;
      for (int k = 0; k < 6; ++k) products[k] += share * sign(q, k) * r;
    }
    for (int k = 0; k < 6; ++k) modes.turn[k] = products[k] / (1 + alignment);
    modes.offset = 1 / math::sqrt(volume);
    return modes;
  }

  /// phi at point q, m^-3/2.
  KOKKOS_FORCEINLINE_FUNCTION void functions(int q, P (&phi)[6]) const {
    const P common = size[q] + offset;
    for (int k = 0; k < 6; ++k) phi[k] = sign(q, k) * size[q] - turn[k] * common;
  }

  KOKKOS_INLINE_FUNCTION Vec3<P> axis(int k) const { return {{p[k][0], p[k][1], p[k][2]}}; }

  /// E~.
  template <class S>
  KOKKOS_INLINE_FUNCTION EnhancedField<S> strains(const EnhancedAmplitudes<S>& a) const {
    EnhancedField<S> field;
    for (int k = 0; k < 3; ++k) {
      field.linear[k] = symmetric_part(outer(axis(k), a.y[k]));
      field.bilinear[k] = a.beta[k];
    }
    return field;
  }

  /// Hooke's stresses of E~.
  template <class S>
  KOKKOS_INLINE_FUNCTION EnhancedField<S> stresses(const LameConstantsOf<P>& m, const EnhancedAmplitudes<S>& a) const {
    EnhancedField<S> field = strains(a);
    for (int k = 0; k < 3; ++k) {
      field.linear[k] = hooke(m, field.linear[k]);
      field.bilinear[k] = (3 * m.lambda + 2 * m.mu) * field.bilinear[k];
    }
    return field;
  }

  /// int phi T dV, T weighted and given point by point: what works on the amplitudes, once `work` has been asked for.
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Mat3<S>& T, const P& weight, const P (&phi)[6], EnhancedField<S>& sums) {
    const S trace_T = trace(T);
    for (int k = 0; k < 3; ++k) {
      const P factor = weight * phi[k];
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) sums.linear[k](i, j) = sums.linear[k](i, j) + factor * T(i, j);
      sums.bilinear[k] = sums.bilinear[k] + (weight * phi[3 + k]) * trace_T;
    }
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION EnhancedAmplitudes<S> work(const EnhancedField<S>& sums) const {
    EnhancedAmplitudes<S> b;
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) {
        b.y[k][i] = sums.linear[k](i, i) * p[k][i];
        for (int j = 0; j < 3; ++j)
          if (j != i) b.y[k][i] = b.y[k][i] + sums.linear[k](i < j ? i : j, i < j ? j : i) * p[k][j];
      }
      b.beta[k] = sums.bilinear[k];
    }
    return b;
  }

  /// The amplitudes at which Hooke's law has no work left: minus D^-1 b.
  template <class S>
  KOKKOS_INLINE_FUNCTION EnhancedAmplitudes<S> relax(const LameConstantsOf<P>& m, const EnhancedAmplitudes<S>& b) const {
    const P factor = -1.0 / m.mu, share = (m.lambda + m.mu) / (m.lambda + 2 * m.mu);
    const P even = -1.0 / (3 * (3 * m.lambda + 2 * m.mu));
    EnhancedAmplitudes<S> a;
    for (int k = 0; k < 3; ++k) {
      const Vec3<P> n = axis(k);
      const S along = share * dot(n, b.y[k]);
      for (int i = 0; i < 3; ++i) a.y[k][i] = factor * (b.y[k][i] - along * n[i]);
      a.beta[k] = even * b.beta[k];
    }
    return a;
  }

  /// The sign of xi, eta, zeta, eta zeta, zeta xi or xi eta at point q.
  KOKKOS_INLINE_FUNCTION static constexpr double sign(int q, int k) {
    const int x = q & 1, y = q >> 1 & 1, z = q >> 2 & 1;
    const int up = k == 0 ? x : k == 1 ? y : k == 2 ? z : k == 3 ? (y == z) : k == 4 ? (z == x) : (x == y);
    return up ? 1.0 : -1.0;
  }

 private:
  static Mat3<double> jacobian(const double (&x)[3][Hex8::num_nodes], const Vec3<double>& xi) {
    double dN[3][Hex8::num_nodes];
    Hex8::gradients(xi, dN);
    Mat3<double> J;
    for (int a = 0; a < Hex8::num_nodes; ++a)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) J(i, j) += x[i][a] * dN[j][a];
    return J;
  }
};

}  // namespace sinew
