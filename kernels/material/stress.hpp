/// \file
/// Stress measures for output. Six components in the order xx, yy, zz, xy, yz, xz.
#pragma once

#include "kernels/material/isotropic.hpp"

namespace sinew {

/// Cauchy stress P F^T/det F from the first Piola stress, Pa.
KOKKOS_INLINE_FUNCTION Mat3<double> cauchy_stress(const Mat3<double>& P, const Mat3<double>& F) {
  return (1 / determinant(F)) * (P * transpose(F));
}

/// The six different components of a symmetric tensor.
KOKKOS_INLINE_FUNCTION void six_components(const Mat3<double>& T, double (&s)[6]) {
  for (int i = 0; i < 3; ++i) s[i] = T(i, i);
  s[3] = T(0, 1);
  s[4] = T(1, 2);
  s[5] = T(0, 2);
}

/// Equivalent stress of von Mises, sqrt(3/2 dev:dev), Pa.
KOKKOS_INLINE_FUNCTION double von_mises(const double (&s)[6]) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return math::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

}  // namespace sinew
