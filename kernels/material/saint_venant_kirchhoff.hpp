/// \file
/// St. Venant-Kirchhoff: S = lambda tr(E) I + 2 mu E, large displacements and rotations, moderate strains.
#pragma once

#include "kernels/material/isotropic.hpp"

namespace sinew {

struct SaintVenantKirchhoff {
  static constexpr const char* name = "st-venant-kirchhoff";
  static constexpr bool finite_strain = true;
  using Params = LameConstants;

  /// P = F S.
  template <class T>
  KOKKOS_INLINE_FUNCTION static Mat3<T> stress(const Params& m, const Mat3<T>& H) {
    return deformation_gradient(H) * hooke(m, green_strain(H));
  }

  KOKKOS_INLINE_FUNCTION static void moduli(const Params& m, const Mat3<double>& H, Mat3<double> (&A)[3][3]) {
    const Mat3<double> F = deformation_gradient(H);
    isotropic_moduli(m.lambda, m.mu, F, F * transpose(F), identity<double, 3>(), hooke(m, green_strain(H)), A);
  }

  /// lambda/2 tr(E)^2 + mu E:E.
  KOKKOS_INLINE_FUNCTION static double energy(const Params& m, const Mat3<double>& H) {
    const Mat3<double> E = green_strain(H);
    return 0.5 * m.lambda * trace(E) * trace(E) + m.mu * contract(E, E);
  }
};

}  // namespace sinew
