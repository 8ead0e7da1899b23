/// \file
/// Trilinear hexahedron on [-1, 1]^3, Gmsh's vertex order:
///   0 (-1,-1,-1)  1 (+1,-1,-1)  2 (+1,+1,-1)  3 (-1,+1,-1)  4 (-1,-1,+1)  5 (+1,-1,+1)  6 (+1,+1,+1)  7 (-1,+1,+1)
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// A shape gives its functions (all, or one), their gradients, and one quadrature for stiffness and one for mass. PointGradients
/// gives the gradients by xi of three fields at the points of the former, in fewer operations than sums over the nodes would.
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
    for (int a = 0; a < num_nodes; ++a) N[a] = value(xi, a);
  }
  /// That of node a alone.
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) {
    return 0.125 * (1 + vertex(a, 0) * xi[0]) * (1 + vertex(a, 1) * xi[1]) * (1 + vertex(a, 2) * xi[2]);
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

  /// By the coefficients of u = c0 + cx xi + cy eta + cz zeta + cxy xi eta + cyz eta zeta + czx zeta xi + cxyz xi eta zeta.
  template <class S>
  class PointGradients {
   public:
    KOKKOS_INLINE_FUNCTION explicit PointGradients(const S (&u)[3][num_nodes]) {
      for (int i = 0; i < 3; ++i) {
        const S(&v)[num_nodes] = u[i];
        // Differences and sums along xi, at four pairs of eta and zeta.
        const S d00 = v[1] - v[0], d10 = v[2] - v[3], d01 = v[5] - v[4], d11 = v[6] - v[7];
        const S s00 = v[1] + v[0], s10 = v[2] + v[3], s01 = v[5] + v[4], s11 = v[6] + v[7];
        const S low = d10 + d00, high = d11 + d01, low_twist = d10 - d00, high_twist = d11 - d01;
        const S low_slope = s10 - s00, high_slope = s11 - s01;
        x_[i] = 0.125 * (high + low);
        zx_[i] = 0.125 * (high - low);
        xy_[i] = 0.125 * (high_twist + low_twist);
        xyz_[i] = 0.125 * (high_twist - low_twist);
        y_[i] = 0.125 * (high_slope + low_slope);
        yz_[i] = 0.125 * (high_slope - low_slope);
        z_[i] = 0.125 * ((s11 + s01) - (s10 + s00));
      }
    }

    /// D(i, k) = du_i/dxi_k at point q.
    KOKKOS_INLINE_FUNCTION Mat3<S> at(int q) const {
      double weight;
      const Vec3<double> xi = stiffness_point(q, weight);
      const double x = xi[0], y = xi[1], z = xi[2], xy = x * y, yz = y * z, zx = z * x;
      Mat3<S> D;
      for (int i = 0; i < 3; ++i) {
        D(i, 0) = x_[i] + y * xy_[i] + z * zx_[i] + yz * xyz_[i];
        D(i, 1) = y_[i] + x * xy_[i] + z * yz_[i] + zx * xyz_[i];
        D(i, 2) = z_[i] + y * yz_[i] + x * zx_[i] + xy * xyz_[i];
      }
      return D;
    }

   private:
    S x_[3], y_[3], z_[3], xy_[3], yz_[3], zx_[3], xyz_[3];
  };
};

}  // namespace sinew
