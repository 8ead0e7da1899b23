/// \file
/// Linear tetrahedron with vertices 0 (0,0,0), 1 (1,0,0), 2 (0,1,0), 3 (0,0,1).
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// The four points of degree 2 of a tetrahedron of volume 1/6; weight 1/24 each.
KOKKOS_INLINE_FUNCTION Vec3<double> tetrahedron_point_of_degree_2(int q) {
  constexpr double a = 0.13819660112501051518, b = 0.58541019662496845446;  // (5 - sqrt 5)/20, (5 + 3 sqrt 5)/20
  return Vec3<double>{{q == 1 ? b : a, q == 2 ? b : a, q == 3 ? b : a}};
}

/// Barycentric coordinate k at a point.
KOKKOS_INLINE_FUNCTION double barycentric(const Vec3<double>& xi, int k) {
  return k == 0 ? 1 - xi[0] - xi[1] - xi[2] : k == 1 ? xi[0] : k == 2 ? xi[1] : xi[2];
}

struct Tet4 {
  static constexpr const char* name = "tet4";
  static constexpr int num_nodes = 4;
  static constexpr int num_stiffness_points = 1;  ///< the strain is constant
  static constexpr int num_mass_points = 4;       ///< exact

  KOKKOS_INLINE_FUNCTION static Vec3<double> centre() { return Vec3<double>{{0.25, 0.25, 0.25}}; }
  /// Where node a lies.
  KOKKOS_INLINE_FUNCTION static Vec3<double> node(int a) {
    return Vec3<double>{{a == 1 ? 1.0 : 0.0, a == 2 ? 1.0 : 0.0, a == 3 ? 1.0 : 0.0}};
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> stiffness_point(int /*q*/, double& weight) {
    weight = 1.0 / 6;
    return centre();
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> mass_point(int q, double& weight) {
    weight = 1.0 / 24;
    return tetrahedron_point_of_degree_2(q);
  }

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    N[0] = 1 - xi[0] - xi[1] - xi[2];
    for (int i = 0; i < 3; ++i) N[i + 1] = xi[i];
  }
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) { return barycentric(xi, a); }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& /*xi*/, double (&dN)[3][num_nodes]) {
    for (int i = 0; i < 3; ++i) {
      dN[i][0] = -1;
      for (int a = 1; a < 4; ++a) dN[i][a] = a == i + 1 ? 1 : 0;
    }
  }

  template <class S>
  class PointGradients {
   public:
    KOKKOS_INLINE_FUNCTION explicit PointGradients(const S (&u)[3][num_nodes]) {
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) D_(i, k) = u[i][k + 1] - u[i][0];
    }
    /// D(i, k) = du_i/dxi_k, the same everywhere.
    KOKKOS_INLINE_FUNCTION const Mat3<S>& at(int /*q*/) const { return D_; }

   private:
    Mat3<S> D_;
  };
};

}  // namespace sinew
