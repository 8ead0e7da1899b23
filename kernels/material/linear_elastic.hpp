/// \file
/// Linear elasticity at small displacement gradients: P = lambda tr(e) I + 2 mu e, e = 1/2 (H + H^T). A turned body is strained.
#pragma once

#include "kernels/material/isotropic.hpp"

namespace sinew {

struct LinearElastic {
  static constexpr const char* name = "linear-elastic";
  static constexpr bool finite_strain = false;
  static constexpr bool constant_mu = true;
  static constexpr bool isotropic_rest = true;
  static constexpr bool follows_body = false;
  static constexpr EnergyForm energy_form = EnergyForm::hooke;
  template <class P>
  using ParamsOf = LameConstantsOf<P>;
  using Params = ParamsOf<double>;

  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> stress(const LameConstantsOf<P>& m, const Mat3<S>& H) {
    return hooke(m, symmetric_part(H));
  }

  template <class P>
  KOKKOS_INLINE_FUNCTION static Moduli<P> moduli(const LameConstantsOf<P>& m, const Mat3<P>& /*H*/) {
    const Mat3<P> I = identity<P, 3>();
    return {m.lambda, m.mu, I, m.mu * I, Mat3<P>{}};
  }

  KOKKOS_INLINE_FUNCTION static double energy(const Params& m, const Mat3<double>& H) { return energy_of_strain(m, strain(H)); }
  KOKKOS_INLINE_FUNCTION static double energy_of_strain(const Params& m, const Mat3<double>& e) { return hooke_energy(m, e); }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> strain(const Mat3<S>& H) {
    return symmetric_part(H);
  }
};

}  // namespace sinew
