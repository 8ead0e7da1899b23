/// \file
/// Cubic Hermite interpolation of a line of length L: r(xi) = H0 r0 + H1 r0' + H2 r1 + H3 r1', with r' = dr/dS, S = L xi, xi in
/// [0, 1].
#pragma once

#include "kernels/portability.hpp"

namespace sinew {

/// The four cubic Hermite functions H = (H0, H1, H2, H3) and their derivatives by S. Templated on the scalar of the length.
struct CubicHermite {
  static constexpr int num_nodes = 4;

  /// H(xi). H0, H2 have no unit, H1, H3 the unit of L.
  KOKKOS_INLINE_FUNCTION static void values(double xi, double L, double (&H)[4]) {
    H[0] = 1 - xi * xi * (3 - 2 * xi);
    H[1] = L * xi * (1 - xi) * (1 - xi);
    H[2] = xi * xi * (3 - 2 * xi);
    H[3] = -L * xi * xi * (1 - xi);
  }

  /// dH/dS(xi); the first and third are opposite.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void slopes(double xi, const T& L, T (&H)[4]) {
    H[2] = 6 * xi * (1 - xi) * (1 / L);
    H[0] = -H[2];
    H[1] = 1 - xi * (4 - 3 * xi);
    H[3] = xi * (3 * xi - 2);
  }

  /// d2H/dS2(xi); the first and third are opposite.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void curvatures(double xi, const T& L, T (&H)[4]) {
    const T inverse = 1 / L;
    H[2] = (6 - 12 * xi) * inverse * inverse;
    H[0] = -H[2];
    H[1] = (6 * xi - 4) * inverse;
    H[3] = (6 * xi - 2) * inverse;
  }

  /// Integral of H over the line: what a uniform load puts on the four nodes.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void integrals(const T& L, T (&H)[4]) {
    H[0] = H[2] = 0.5 * L;
    H[1] = L * L / 12;
    H[3] = -H[1];
  }

  /// Integral of H_i H_j over the line, in closed form.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void products(const T& L, T (&M)[4][4]) {
    const T c = L / 420;
    M[0][0] = M[2][2] = 156 * c;
    M[0][2] = M[2][0] = 54 * c;
    M[1][1] = M[3][3] = 4 * L * L * c;
    M[1][3] = M[3][1] = -3 * L * L * c;
    M[0][1] = M[1][0] = 22 * L * c;
    M[2][3] = M[3][2] = -22 * L * c;
    M[1][2] = M[2][1] = 13 * L * c;
    M[0][3] = M[3][0] = -13 * L * c;
  }
};

}  // namespace sinew
