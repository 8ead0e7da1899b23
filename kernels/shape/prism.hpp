/// \file
/// Triangular prisms: the unit triangle (xi, eta) times -1 <= zeta <= 1, Gmsh's vertex order: vertices 0 (0,0), 1 (1,0), 2 (0,1)
/// at zeta = -1, 3 4 5 above them (prism6), then the middles of the edges
///   6 (0,1)  7 (0,2)  8 (0,3)  9 (1,2)  10 (1,4)  11 (2,5)  12 (3,4)  13 (3,5)  14 (4,5)
/// (prism15), then of the upright faces 15 (0,1,4,3), 16 (0,2,5,3), 17 (1,2,5,4) (prism18).
///
/// Every node lies at a node of the quadratic triangle (corners 0 1 2, middles 3 (0,1), 4 (1,2), 5 (0,2)) and at a height of -1,
/// 0 or 1; prism6 and prism18 are products of functions of the two.
#pragma once

#include "kernels/shape/faces.hpp"
#include "kernels/shape/summed_gradients.hpp"

namespace sinew {

namespace detail {

/// Digits 0 to 7, three bits each.
KOKKOS_INLINE_FUNCTION constexpr unsigned long long packed_digits(const char* digits) {
  unsigned long long packed = 0;
  for (int a = 0; digits[a] != 0; ++a) packed |= static_cast<unsigned long long>(digits[a] - '0') << 3 * a;
  return packed;
}

}  // namespace detail

/// Where the nodes of all three lie.
struct TriangularPrism {
  KOKKOS_INLINE_FUNCTION static Vec3<double> centre() { return Vec3<double>{{1.0 / 3, 1.0 / 3, 0}}; }
  KOKKOS_INLINE_FUNCTION static Vec3<double> node(int a) {
    const int t = triangle_node(a);
    const double xi = t == 1 ? 1 : t == 3 || t == 4 ? 0.5 : 0, eta = t == 2 ? 1 : t == 4 || t == 5 ? 0.5 : 0;
    return Vec3<double>{{xi, eta, 1.0 * height(a)}};
  }

  /// Node of the quadratic triangle under node a. Packed, for tables would lie in a device's memory.
  KOKKOS_INLINE_FUNCTION static constexpr int triangle_node(int a) {
    constexpr unsigned long long nodes = detail::packed_digits("012012350412354354");
    return static_cast<int>(nodes >> 3 * a & 7);
  }
  /// zeta of node a: -1, 0 or 1.
  KOKKOS_INLINE_FUNCTION static constexpr int height(int a) {
    constexpr unsigned long long heights = detail::packed_digits("000222001011222111");
    return static_cast<int>(heights >> 3 * a & 7) - 1;
  }
};

/// The functions of a triangle, tri3 or tri6, at the xi and eta of a point, and their slopes.
template <class Triangle>
struct OverTriangle {
  double N[Triangle::num_nodes], dN[2][Triangle::num_nodes];
  KOKKOS_INLINE_FUNCTION explicit OverTriangle(const Vec3<double>& xi) { Triangle::evaluate({xi[0], xi[1], 0}, N, dN); }
};

/// Products of linear functions.
struct Prism6 : TriangularPrism {
  static constexpr const char* name = "prism6";
  static constexpr int num_nodes = 6;
  static constexpr int num_stiffness_points = 6;  ///< three of degree 2 times two of degree 3
  /// exact for right and slanted prisms, and for mass and centre of mass of all
  static constexpr int num_mass_points = 6;
  template <class S>
  using PointGradients = SummedGradients<Prism6, S>;

  KOKKOS_INLINE_FUNCTION static Vec3<double> stiffness_point(int q, double& weight) {
    constexpr double g = 0.57735026918962576451;  // 1/sqrt(3)
    weight = 1.0 / 6;
    const int k = q % 3;
    return Vec3<double>{{k == 1 ? 2.0 / 3 : 1.0 / 6, k == 2 ? 2.0 / 3 : 1.0 / 6, q < 3 ? -g : g}};
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> mass_point(int q, double& weight) { return stiffness_point(q, weight); }

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) N[a] = value(xi, a);
  }
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) {
    return 0.5 * OverTriangle<Tri3>(xi).N[a % 3] * (1 + height(a) * xi[2]);
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    const OverTriangle<Tri3> triangle(xi);
    for (int a = 0; a < num_nodes; ++a) {
      for (int i = 0; i < 2; ++i) dN[i][a] = 0.5 * triangle.dN[i][a % 3] * (1 + height(a) * xi[2]);
      dN[2][a] = 0.5 * height(a) * triangle.N[a % 3];
    }
  }
};

/// The quadrature of both: the six points of tri6 times three of Gauss: no motion but a rigid one is without energy; exact for
/// right and slanted prisms.
struct QuadraticPrism : TriangularPrism {
  static constexpr int num_stiffness_points = 18;
  static constexpr int num_mass_points = 18;

  KOKKOS_INLINE_FUNCTION static Vec3<double> stiffness_point(int q, double& weight) {
    const FacePoint p = Tri6::point(q % 6);
    const int level = q / 6 - 1;
    weight = p.weight * (level == 0 ? 8.0 / 9 : 5.0 / 9);
    return Vec3<double>{{p.x, p.y, level * 0.77459666924148337704}};  // sqrt(3/5)
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> mass_point(int q, double& weight) { return stiffness_point(q, weight); }
};

/// Products of parabolas.
struct Prism18 : QuadraticPrism {
  static constexpr const char* name = "prism18";
  static constexpr int num_nodes = 18;
  template <class S>
  using PointGradients = SummedGradients<Prism18, S>;

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) N[a] = value(xi, a);
  }
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) {
    return OverTriangle<Tri6>(xi).N[triangle_node(a)] * along(xi[2], height(a));
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    const OverTriangle<Tri6> triangle(xi);
    for (int a = 0; a < num_nodes; ++a) {
      const int t = triangle_node(a), h = height(a);
      for (int i = 0; i < 2; ++i) dN[i][a] = triangle.dN[i][t] * along(xi[2], h);
      dN[2][a] = triangle.N[t] * (h == 0 ? -2 * xi[2] : xi[2] + 0.5 * h);
    }
  }

 private:
  /// One at height h, zero at the two others.
  KOKKOS_INLINE_FUNCTION static double along(double z, int h) { return h == 0 ? 1 - z * z : 0.5 * z * (z + h); }
};

/// Serendipity: no nodes inside faces. Source: Zienkiewicz and Taylor, The Finite Element Method, volume 1.
struct Prism15 : QuadraticPrism {
  static constexpr const char* name = "prism15";
  static constexpr int num_nodes = 15;
  template <class S>
  using PointGradients = SummedGradients<Prism15, S>;

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) N[a] = value(xi, a);
  }
  /// With L the barycentric coordinate and z = zeta in the direction of the node: at corners L/2 (1 + z) (2 L - 2 + z), on
  /// upright edges L (1 - zeta^2), on the others 2 L_v L_w (1 + z).
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) {
    const int t = triangle_node(a), h = height(a);
    const double z = h * xi[2];
    if (t >= 3) return 0.5 * OverTriangle<Tri6>(xi).N[t] * (1 + z);
    const double L = OverTriangle<Tri3>(xi).N[t];
    return h == 0 ? L * (1 - xi[2] * xi[2]) : 0.5 * L * (1 + z) * (2 * L - 2 + z);
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    const OverTriangle<Tri3> linear(xi);
    const OverTriangle<Tri6> quadratic(xi);
    for (int a = 0; a < num_nodes; ++a) {
      const int t = triangle_node(a), h = height(a);
      const double z = h * xi[2];
      if (t >= 3) {
        for (int i = 0; i < 2; ++i) dN[i][a] = 0.5 * quadratic.dN[i][t] * (1 + z);
        dN[2][a] = 0.5 * h * quadratic.N[t];
        continue;
      }
      const double L = linear.N[t];
      const double by_L = h == 0 ? 1 - xi[2] * xi[2] : 0.5 * (1 + z) * (4 * L - 2 + z);
      for (int i = 0; i < 2; ++i) dN[i][a] = by_L * linear.dN[i][t];
      dN[2][a] = h == 0 ? -2 * L * xi[2] : 0.5 * h * L * (2 * L - 1 + 2 * z);
    }
  }
};

}  // namespace sinew
