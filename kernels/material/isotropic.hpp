/// \file
/// What an isotropic material law is made of. A law is a struct of static functions of the displacement gradient H = du/dX (F = I
/// + H):
///   static constexpr const char* name;  static constexpr bool finite_strain;     // false: not frame invariant
///   struct or alias Params;                                                      // doubles only
///   template <class S> static Mat3<S> stress(const Params&, const Mat3<S>& H);   // first Piola P, Pa
/// static void moduli(const Params&, const Mat3<double>& H, Mat3<double> (&A)[3][3]);   // A[i][k](J, L) = dP_iJ/dF_kL; may fill
///
///                                                                                // i <= k only: A[k][i] is the transpose
///   static double energy(const Params&, const Mat3<double>& H);                  // per reference volume, J/m^3
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// Lame's constants, Pa.
struct LameConstants {
  double lambda = 0;
  double mu = 0;

  /// From Young's modulus (Pa) and Poisson's ratio, -1 < nu < 1/2.
  static LameConstants from_youngs(double E, double nu) { return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))}; }
};

/// F = I + H.
template <class S>
KOKKOS_INLINE_FUNCTION Mat3<S> deformation_gradient(const Mat3<S>& H) {
  Mat3<S> F = H;
  for (int i = 0; i < 3; ++i) F(i, i) = F(i, i) + 1.0;
  return F;
}

template <class S>
KOKKOS_INLINE_FUNCTION S trace(const Mat3<S>& A) {
  return A(0, 0) + A(1, 1) + A(2, 2);
}

/// 1/2 (A + A^T)
template <class S>
KOKKOS_INLINE_FUNCTION Mat3<S> symmetric_part(const Mat3<S>& A) {
  Mat3<S> E;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) E(i, j) = 0.5 * (A(i, j) + A(j, i));
  return E;
}

/// A : B
template <class S>
KOKKOS_INLINE_FUNCTION S contract(const Mat3<S>& A, const Mat3<S>& B) {
  S s = A(0, 0) * B(0, 0);
  for (int k = 1; k < 9; ++k) s = s + A(k / 3, k % 3) * B(k / 3, k % 3);
  return s;
}

/// Green-Lagrange strain E = 1/2 (H + H^T + H^T H); formed from H, so that small strains keep their digits.
template <class S>
KOKKOS_INLINE_FUNCTION Mat3<S> green_strain(const Mat3<S>& H) {
  Mat3<S> E = symmetric_part(H);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) E(i, j) = E(i, j) + 0.5 * (H(0, i) * H(0, j) + H(1, i) * H(1, j) + H(2, i) * H(2, j));
  return E;
}

/// lambda tr(E) I + 2 mu E.
template <class S>
KOKKOS_INLINE_FUNCTION Mat3<S> hooke(const LameConstants& m, const Mat3<S>& E) {
  const S pressure = m.lambda * trace(E);
  Mat3<S> T;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) T(i, j) = (2 * m.mu) * E(i, j);
    T(i, i) = T(i, i) + pressure;
  }
  return T;
}

/// Sets A[i][k](J, L) = lambda F_iJ F_kL + mu (F_iL F_kJ + (F F^T)_ik G_JL) + delta_ik S_JL for i <= k: the moduli of every
/// isotropic law used here, with its own F, symmetric F F^T and G.
KOKKOS_INLINE_FUNCTION void isotropic_moduli(double lambda, double mu, const Mat3<double>& F, const Mat3<double>& FFt,
                                             const Mat3<double>& G, const Mat3<double>& S, Mat3<double> (&A)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k)
      for (int J = 0; J < 3; ++J)
        for (int L = 0; L < 3; ++L)
          A[i][k](J, L) = lambda * F(i, J) * F(k, L) + mu * (F(i, L) * F(k, J) + FFt(i, k) * G(J, L)) + (i == k ? S(J, L) : 0.0);
}

}  // namespace sinew
