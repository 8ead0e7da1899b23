/// \file
/// Linear elasticity at small displacement gradients: P = lambda tr(e) I + 2 mu e, e = 1/2 (H + H^T). A turned body is strained.
#pragma once

#include "kernels/material/isotropic.hpp"

namespace sinew {

struct LinearElastic {
  static constexpr const char* name = "linear-elastic";
  static constexpr bool finite_strain = false;
  using Params = LameConstants;

  template <class T>
  KOKKOS_INLINE_FUNCTION static Mat3<T> stress(const Params& m, const Mat3<T>& H) {
    return hooke(m, symmetric_part(H));
  }

  KOKKOS_INLINE_FUNCTION static void moduli(const Params& m, const Mat3<double>& /*H*/, Mat3<double> (&A)[3][3]) {
    const Mat3<double> I = identity<double, 3>();
    isotropic_moduli(m.lambda, m.mu, I, I, I, Mat3<double>{}, A);
  }

  KOKKOS_INLINE_FUNCTION static double energy(const Params& m, const Mat3<double>& H) {
    const Mat3<double> e = symmetric_part(H);
    return 0.5 * m.lambda * trace(e) * trace(e) + m.mu * contract(e, e);
  }
};

}  // namespace sinew
