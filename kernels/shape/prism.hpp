/// \file
/// Triangular prisms: the unit triangle (xi, eta) times -1 <= zeta <= 1, Gmsh's vertex order: vertices 0 (0,0), 1 (1,0), 2 (0,1)
/// at zeta = -1, 3 4 5 above them (prism6), then the middles of the edges
///   6 (0,1)  7 (0,2)  8 (0,3)  9 (1,2)  10 (1,4)  11 (2,5)  12 (3,4)  13 (3,5)  14 (4,5)
/// (prism15), then of the upright faces 15 (0,1,4,3), 16 (0,2,5,3), 17 (1,2,5,4) (prism18).
///
/// Every node lies at a node of the quadratic triangle (corners 0 1 2, middles 3 (0,1), 4 (1,2), 5 (0,2)) and at a height of -1,
/// 0 or 1; prism6 and prism18 are products of functions of the two.
#pragma once

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

  /// Barycentric coordinate k of the triangle, and its slopes along xi and eta.
  KOKKOS_INLINE_FUNCTION static double barycentric(const Vec3<double>& xi, int k) {
    return k == 0 ? 1 - xi[0] - xi[1] : k == 1 ? xi[0] : xi[1];
  }
  KOKKOS_INLINE_FUNCTION static constexpr double slope(int k, int i) { return k == 0 ? -1.0 : k == i + 1 ? 1.0 : 0.0; }
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
    return 0.5 * barycentric(xi, a % 3) * (1 + height(a) * xi[2]);
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      for (int i = 0; i < 2; ++i) dN[i][a] = 0.5 * slope(a % 3, i) * (1 + height(a) * xi[2]);
      dN[2][a] = 0.5 * height(a) * barycentric(xi, a % 3);
    }
  }
};

/// The quadrature of both: six points of degree 4 of the triangle (Strang and Fix 1973, An Analysis of the Finite Element
/// Method) times three of Gauss: no motion but a rigid one is without energy; exact for right and slanted prisms.
struct QuadraticPrism : TriangularPrism {
  static constexpr int num_stiffness_points = 18;
  static constexpr int num_mass_points = 18;

  KOKKOS_INLINE_FUNCTION static Vec3<double> stiffness_point(int q, double& weight) {
    const int k = q % 3, level = q / 6 - 1;
    const bool is_outer = q % 6 >= 3;  // near a corner, the others near the middle of an edge
    const double a = is_outer ? 0.09157621350977074346 : 0.44594849091596488632;
    weight = (is_outer ? 0.10995174365532186764 : 0.22338158967801146570) / 2 * (level == 0 ? 8.0 / 9 : 5.0 / 9);
    return Vec3<double>{{k == 1 ? 1 - 2 * a : a, k == 2 ? 1 - 2 * a : a, level * 0.77459666924148337704}};  // sqrt(3/5)
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> mass_point(int q, double& weight) { return stiffness_point(q, weight); }

 protected:
  /// The quadratic function of node t of the triangle, and its slope along xi (i = 0) or eta.
  KOKKOS_INLINE_FUNCTION static double over_triangle(const Vec3<double>& xi, int t) {
    if (t >= 3) return 4 * barycentric(xi, first_end(t)) * barycentric(xi, second_end(t));
    const double b = barycentric(xi, t);
    return b * (2 * b - 1);
  }
  KOKKOS_INLINE_FUNCTION static double over_triangle_slope(const Vec3<double>& xi, int t, int i) {
    if (t < 3) return (4 * barycentric(xi, t) - 1) * slope(t, i);
    const int v = first_end(t), w = second_end(t);
    return 4 * (barycentric(xi, v) * slope(w, i) + barycentric(xi, w) * slope(v, i));
  }
  /// The corners between which node t = 3, 4, 5 of the triangle lies.
  KOKKOS_INLINE_FUNCTION static constexpr int first_end(int t) { return t == 4 ? 1 : 0; }
  KOKKOS_INLINE_FUNCTION static constexpr int second_end(int t) { return t == 3 ? 1 : 2; }
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
    return over_triangle(xi, triangle_node(a)) * along(xi[2], height(a));
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      const int t = triangle_node(a), h = height(a);
      for (int i = 0; i < 2; ++i) dN[i][a] = over_triangle_slope(xi, t, i) * along(xi[2], h);
      dN[2][a] = over_triangle(xi, t) * (h == 0 ? -2 * xi[2] : xi[2] + 0.5 * h);
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
    if (t >= 3) return 0.5 * over_triangle(xi, t) * (1 + z);
    const double L = barycentric(xi, t);
    return h == 0 ? L * (1 - xi[2] * xi[2]) : 0.5 * L * (1 + z) * (2 * L - 2 + z);
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      const int t = triangle_node(a), h = height(a);
      const double z = h * xi[2];
      if (t >= 3) {
        for (int i = 0; i < 2; ++i) dN[i][a] = 0.5 * over_triangle_slope(xi, t, i) * (1 + z);
        dN[2][a] = 0.5 * h * over_triangle(xi, t);
        continue;
      }
      const double L = barycentric(xi, t);
      const double by_L = h == 0 ? 1 - xi[2] * xi[2] : 0.5 * (1 + z) * (4 * L - 2 + z);
      for (int i = 0; i < 2; ++i) dN[i][a] = by_L * slope(t, i);
      dN[2][a] = h == 0 ? -2 * L * xi[2] : 0.5 * h * L * (2 * L - 1 + 2 * z);
    }
  }
};

}  // namespace sinew
