/// \file
/// Compressible neo-Hookean: W = mu/2 (tr(F^T F) - 3) - mu ln J + lambda/2 (ln J)^2, J = det F (Bonet and Wood 2008, section
/// 6.4). At small strains Hooke's law with the same lambda and mu.
#pragma once

#include "kernels/material/isotropic.hpp"

namespace sinew {

struct NeoHookean {
  static constexpr const char* name = "neo-hookean";
  static constexpr bool finite_strain = true;
  using Params = LameConstants;

  /// P = mu (F - F^-T) + lambda ln J F^-T. Not a number where J <= 0.
  template <class T>
  KOKKOS_INLINE_FUNCTION static Mat3<T> stress(const Params& m, const Mat3<T>& H) {
    const Mat3<T> F = deformation_gradient(H);
    const T det = determinant(F);
    using math::log;
    const T factor = m.lambda * log(det) - m.mu;
    return m.mu * F + factor * transpose(inverse(F, det));
  }

  /// lambda F^-T_iJ F^-T_kL + (mu - lambda ln J) F^-T_iL F^-T_kJ + mu delta_ik delta_JL.
  KOKKOS_INLINE_FUNCTION static void moduli(const Params& m, const Mat3<double>& H, Mat3<double> (&A)[3][3]) {
    const Mat3<double> F = deformation_gradient(H);
    const double det = determinant(F);
    const Mat3<double> G = transpose(inverse(F, det));
    isotropic_moduli(m.lambda, m.mu - m.lambda * math::log(det), G, Mat3<double>{}, Mat3<double>{}, m.mu * identity<double, 3>(),
                     A);
  }

  /// With tr(F^T F) - 3 = 2 tr(E).
  KOKKOS_INLINE_FUNCTION static double energy(const Params& m, const Mat3<double>& H) {
    const double log_det = math::log(determinant(deformation_gradient(H)));
    return m.mu * (trace(green_strain(H)) - log_det) + 0.5 * m.lambda * log_det * log_det;
  }
};

}  // namespace sinew
