/// \file
/// Trilinear hexahedron on [-1, 1]^3, Gmsh's vertex order:
///   0 (-1,-1,-1)  1 (+1,-1,-1)  2 (+1,+1,-1)  3 (-1,+1,-1)  4 (-1,-1,+1)  5 (+1,-1,+1)  6 (+1,+1,+1)  7 (-1,+1,+1)
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// A shape gives its functions, their gradients, and one quadrature for stiffness and one for mass.
struct Hex8 {
  static constexpr const char* name = "hex8";
  static constexpr int num_nodes = 8;
  static constexpr int num_stiffness_points = 8;  ///< full 2 x 2 x 2
  /// exact for parallelepipeds, and for mass and centre of mass of any hexahedron
  static constexpr int num_mass_points = 8;

  KOKKOS_INLINE_FUNCTION static Vec3<double> centre() { return Vec3<double>{}; }
  /// Where node a lies.
  KOKKOS_INLINE_FUNCTION static Vec3<double> node(int a) { return Vec3<double>{{vertex(a, 0), vertex(a, 1), vertex(a, 2)}}; }

  /// Gauss point q and its weight.
  KOKKOS_INLINE_FUNCTION static Vec3<double> stiffness_point(int q, double& weight) {
    constexpr double g = 0.57735026918962576451;  // 1/sqrt(3)
    weight = 1;
    return Vec3<double>{{q & 1 ? g : -g, q & 2 ? g : -g, q & 4 ? g : -g}};
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> mass_point(int q, double& weight) { return stiffness_point(q, weight); }

  /// Coordinate i of vertex a: -1 or 1.
  KOKKOS_INLINE_FUNCTION static constexpr double vertex(int a, int i) {
    const int bit = i == 0 ? ((a + 1) >> 1) & 1 : (i == 1 ? (a >> 1) & 1 : a >> 2);
    return bit ? 1.0 : -1.0;
  }

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    for (int a = 0; a < num_nodes; ++a)
      N[a] = 0.125 * (1 + vertex(a, 0) * xi[0]) * (1 + vertex(a, 1) * xi[1]) * (1 + vertex(a, 2) * xi[2]);
  }

  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      const double x = 1 + vertex(a, 0) * xi[0], y = 1 + vertex(a, 1) * xi[1], z = 1 + vertex(a, 2) * xi[2];
      dN[0][a] = 0.125 * vertex(a, 0) * y * z;
      dN[1][a] = 0.125 * vertex(a, 1) * x * z;
      dN[2][a] = 0.125 * vertex(a, 2) * x * y;
    }
  }
};

}  // namespace sinew
