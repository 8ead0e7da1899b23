/// \file
/// Compressible neo-Hookean: W = mu/2 (tr(F^T F) - 3) - mu ln J + lambda/2 (ln J)^2, J = det F (Bonet and Wood 2008, section
/// 6.4). At small strains Hooke's law with the same lambda and mu.
#pragma once

#include "kernels/material/isotropic.hpp"

namespace sinew {

struct NeoHookean {
  static constexpr const char* name = "neo-hookean";
  static constexpr bool finite_strain = true;
  static constexpr bool constant_mu = false;
  static constexpr bool isotropic_rest = true;
  static constexpr bool follows_body = false;
  static constexpr EnergyForm energy_form = EnergyForm::neo_hooke;
  template <class P>
  using ParamsOf = LameConstantsOf<P>;
  using Params = ParamsOf<double>;

  /// P = mu (F - F^-T) + lambda ln J F^-T. Not a number where J <= 0.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> stress(const LameConstantsOf<P>& m, const Mat3<S>& H) {
    const Mat3<S> F = deformation_gradient(H);
    const S det = determinant(F);
    using math::log;
    const S factor = m.lambda * log(det) - m.mu;
    return m.mu * F + factor * transpose(inverse(F, det));
  }

  /// lambda F^-T_iJ F^-T_kL + (mu - lambda ln J) F^-T_iL F^-T_kJ + mu delta_ik delta_JL.
  template <class P>
  KOKKOS_INLINE_FUNCTION static Moduli<P> moduli(const LameConstantsOf<P>& m, const Mat3<P>& H) {
    const Mat3<P> F = deformation_gradient(H);
    const P det = determinant(F);
    using math::log;
    return {m.lambda, m.mu - m.lambda * log(det), transpose(inverse(F, det)), m.mu * identity<P, 3>(), Mat3<P>{}};
  }

  /// With tr(F^T F) - 3 = 2 tr(E).
  KOKKOS_INLINE_FUNCTION static double energy(const Params& m, const Mat3<double>& H) {
    const double log_det = math::log(determinant(deformation_gradient(H)));
    return m.mu * (trace(green_strain(H)) - log_det) + 0.5 * m.lambda * log_det * log_det;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> strain(const Mat3<S>& H) {
    return green_strain(H);
  }

  /// With C = I + 2 E and ln J = 1/2 ln det C: S = mu (I - C^-1) + lambda ln J C^-1, A = C^-1, mu - lambda ln J in place of mu.
  /// Not a number where det C <= 0.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static StrainModuli<S> strain_moduli(const LameConstantsOf<P>& m, const Mat3<S>& E) {
    const Mat3<S> C = deformation_gradient(S(2.0) * E);
    const S det = determinant(C);
    using math::log;
    StrainModuli<S> moduli;
    moduli.lambda = m.lambda;
    moduli.mu = m.mu - (0.5 * m.lambda) * log(det);
    moduli.A = inverse(C, det);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) moduli.S(i, j) = -(moduli.mu * moduli.A(i, j));
      moduli.S(i, i) = m.mu + moduli.S(i, i);
    }
    return moduli;
  }

  KOKKOS_INLINE_FUNCTION static double energy_of_strain(const Params& m, const Mat3<double>& E) {
    const double log_det = 0.5 * math::log(determinant(deformation_gradient(2.0 * E)));
    return m.mu * (trace(E) - log_det) + 0.5 * m.lambda * log_det * log_det;
  }
};

}  // namespace sinew
