/// \file
/// St. Venant-Kirchhoff: S = lambda tr(E) I + 2 mu E, large displacements and rotations, moderate strains.
#pragma once

#include "kernels/material/isotropic.hpp"

namespace sinew {

struct SaintVenantKirchhoff {
  static constexpr const char* name = "st-venant-kirchhoff";
  static constexpr bool finite_strain = true;
  static constexpr bool constant_mu = true;
  static constexpr bool isotropic_rest = false;
  static constexpr bool follows_body = true;
  static constexpr EnergyForm energy_form = EnergyForm::hooke;
  template <class P>
  using ParamsOf = LameConstantsOf<P>;
  using Params = ParamsOf<double>;

  /// P = F S.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> stress(const LameConstantsOf<P>& m, const Mat3<S>& H) {
    return deformation_gradient(H) * hooke(m, green_strain(H));
  }

  /// lambda F_iJ F_kL + mu (F_iL F_kJ + (F F^T)_ik delta_JL) + delta_ik S_JL.
  template <class P>
  KOKKOS_INLINE_FUNCTION static Moduli<P> moduli(const LameConstantsOf<P>& m, const Mat3<P>& H) {
    const Mat3<P> F = deformation_gradient(H);
    return {m.lambda, m.mu, F, m.mu * (F * transpose(F)), hooke(m, green_strain(H))};
  }

  /// lambda/2 tr(E)^2 + mu E:E.
  KOKKOS_INLINE_FUNCTION static double energy(const Params& m, const Mat3<double>& H) { return energy_of_strain(m, strain(H)); }
  KOKKOS_INLINE_FUNCTION static double energy_of_strain(const Params& m, const Mat3<double>& E) { return hooke_energy(m, E); }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> strain(const Mat3<S>& H) {
    return green_strain(H);
  }
};

}  // namespace sinew
