/// \file
/// What an isotropic material law is made of. A law is a struct of static functions of the displacement gradient H = du/dX (F = I
/// + H); P is the scalar of its parameters, S that of the motion:
///   static constexpr const char* name;  static constexpr bool finite_strain;     // false: N is I below
///   template <class P> struct or alias ParamsOf;  using Params = ParamsOf<double>;   // P only
///   template <class P, class S> static Mat3<S> stress(const ParamsOf<P>&, const Mat3<S>& H);   // first Piola P, Pa
///   template <class P> static Moduli<P> moduli(const ParamsOf<P>&, const Mat3<P>& H);          // dP/dF
///   static constexpr bool constant_mu;      // Moduli::mu is that of the parameters wherever the body is strained
///   static constexpr bool isotropic_rest;   // Moduli::B is the parameters' mu times I, and Moduli::S is zero
///   static constexpr bool follows_body;     // Moduli::N is F
///   static double energy(const Params&, const Mat3<double>& H);                  // per reference volume, J/m^3
/// Enhanced elements (kernels/elements/enhanced_modes.hpp) need the law as a function of the strain E as well:
///   template <class S> static Mat3<S> strain(const Mat3<S>& H);
///   static constexpr EnergyForm energy_form;   // if that is `other`:
///   template <class P, class S> static StrainModuli<S> strain_moduli(const ParamsOf<P>&, const Mat3<S>& E);
///   static double energy_of_strain(const Params&, const Mat3<double>& E);
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// What enhanced elements know of an energy: it is Hooke's, S = lambda tr(E) I + 2 mu E; or mu (tr E - ln J) + lambda/2 (ln J)^2;
/// or nothing, and they iterate.
enum class EnergyForm { hooke, neo_hooke, other };

/// Lame's constants, Pa.
template <class P>
struct LameConstantsOf {
  P lambda = 0.0;
  P mu = 0.0;

  /// From Young's modulus (Pa) and Poisson's ratio, -1 < nu < 1/2.
  static LameConstantsOf from_youngs(double E, double nu) { return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))}; }
};
using LameConstants = LameConstantsOf<double>;

/// dP/dF of an isotropic law in factors, all in Pa but N, with symmetric B and S:
///   dP_iJ/dF_kL = lambda N_iJ N_kL + mu N_iL N_kJ + B_ik delta_JL + delta_ik S_JL.
template <class P>
struct Moduli {
  P lambda = 0.0, mu = 0.0;
  Mat3<P> N, B, S;
};

/// The second Piola stress S = dW/dE and dS/dE = lambda A A + 2 mu I_A, I_A : X = A sym(X) A, with a symmetric A; all in Pa but
/// A.
template <class T>
struct StrainModuli {
  T lambda = 0.0, mu = 0.0;
  Mat3<T> A, S;
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
template <class P, class S>
KOKKOS_INLINE_FUNCTION Mat3<S> hooke(const LameConstantsOf<P>& m, const Mat3<S>& E) {
  const S pressure = m.lambda * trace(E);
  Mat3<S> T;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) T(i, j) = (2 * m.mu) * E(i, j);
    T(i, i) = T(i, i) + pressure;
  }
  return T;
}

/// lambda/2 tr(E)^2 + mu E:E.
KOKKOS_INLINE_FUNCTION double hooke_energy(const LameConstants& m, const Mat3<double>& E) {
  return 0.5 * m.lambda * trace(E) * trace(E) + m.mu * contract(E, E);
}

}  // namespace sinew
