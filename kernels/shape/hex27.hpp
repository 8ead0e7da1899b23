/// \file
/// Hexahedra of second order on [-1, 1]^3, Gmsh's vertex order: vertices 0..7 as hex8, then the middles of the edges
///   8 (0,1)  9 (0,3)  10 (0,4)  11 (1,2)  12 (1,5)  13 (2,3)  14 (2,6)  15 (3,7)  16 (4,5)  17 (4,7)  18 (5,6)  19 (6,7)
/// (hex20), then of the faces 20 zeta = -1, 21 eta = -1, 22 xi = -1, 23 xi = +1, 24 eta = +1, 25 zeta = +1, and 26 of the cell
/// (hex27).
#pragma once

#include "kernels/shape/summed_gradients.hpp"

namespace sinew {

namespace detail {

/// 0, 1, 2 for places -1, 0, 1 of 27 nodes, two bits a node.
KOKKOS_INLINE_FUNCTION constexpr unsigned long long packed_places(const char* places) {
  unsigned long long packed = 0;
  for (int a = 0; a < 27; ++a)
    packed |= static_cast<unsigned long long>(places[a] == '-' ? 0 : places[a] == '0' ? 1 : 2) << 2 * a;
  return packed;
}

}  // namespace detail

/// Where the nodes of both lie, and the points of their quadratures.
struct QuadraticHexahedron {
  static constexpr int num_stiffness_points = 27;  ///< 3 x 3 x 3 Gauss: no motion but a rigid one is without energy
  static constexpr int num_mass_points = 27;       ///< the same; exact for parallelepipeds

  KOKKOS_INLINE_FUNCTION static Vec3<double> centre() { return Vec3<double>{}; }
  KOKKOS_INLINE_FUNCTION static Vec3<double> node(int a) {
    return Vec3<double>{{1.0 * place(a, 0), 1.0 * place(a, 1), 1.0 * place(a, 2)}};
  }

  /// Coordinate i of node a: -1, 0 or 1; vertices, edges, faces, centre. Packed, for tables would lie in a device's memory.
  KOKKOS_INLINE_FUNCTION static constexpr int place(int a, int i) {
    constexpr unsigned long long x = detail::packed_places("-++--++-0--++0+-0-+000-+000");
    constexpr unsigned long long y = detail::packed_places("--++--++-0-0-+++-00+0-00+00");
    constexpr unsigned long long z = detail::packed_places("----++++--0-0-00++++-0000+0");
    return static_cast<int>((i == 0 ? x : i == 1 ? y : z) >> 2 * a & 3) - 1;
  }

  KOKKOS_INLINE_FUNCTION static Vec3<double> stiffness_point(int q, double& weight) {
    const int i[3] = {q % 3, q / 3 % 3, q / 9};
    Vec3<double> xi;
    weight = 1;
    for (int k = 0; k < 3; ++k) {
      xi[k] = (i[k] - 1) * 0.77459666924148337704;  // sqrt(3/5)
      weight *= i[k] == 1 ? 8.0 / 9 : 5.0 / 9;
    }
    return xi;
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> mass_point(int q, double& weight) { return stiffness_point(q, weight); }
};

/// Products of parabolas.
struct Hex27 : QuadraticHexahedron {
  static constexpr const char* name = "hex27";
  static constexpr int num_nodes = 27;
  template <class S>
  using PointGradients = SummedGradients<Hex27, S>;

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) N[a] = value(xi, a);
  }
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) {
    return parabola(xi[0], place(a, 0)) * parabola(xi[1], place(a, 1)) * parabola(xi[2], place(a, 2));
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      double f[3], slope[3];
      for (int i = 0; i < 3; ++i) {
        f[i] = parabola(xi[i], place(a, i));
        slope[i] = parabola_slope(xi[i], place(a, i));
      }
      dN[0][a] = slope[0] * f[1] * f[2];
      dN[1][a] = f[0] * slope[1] * f[2];
      dN[2][a] = f[0] * f[1] * slope[2];
    }
  }

 private:
  /// One at `node` (-1, 0 or 1), zero at the others.
  KOKKOS_INLINE_FUNCTION static double parabola(double x, int node) { return node == 0 ? 1 - x * x : 0.5 * x * (x + node); }
  KOKKOS_INLINE_FUNCTION static double parabola_slope(double x, int node) { return node == 0 ? -2 * x : x + 0.5 * node; }
};

/// Serendipity: no nodes inside faces and cell. Source: Zienkiewicz and Taylor, The Finite Element Method, volume 1.
struct Hex20 : QuadraticHexahedron {
  static constexpr const char* name = "hex20";
  static constexpr int num_nodes = 20;
  template <class S>
  using PointGradients = SummedGradients<Hex20, S>;

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) N[a] = value(xi, a);
  }
  /// At corners 1/8 prod (1 + xi_i) (sum xi_i - 2) with xi_i in the direction of the corner, on edges 1/4 (1 - xi_i^2) prod (1 +
  /// xi_j).
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) {
    double product = a < 8 ? 0.125 : 0.25, sum = -2;
    for (int i = 0; i < 3; ++i) {
      product *= factor(xi[i], place(a, i));
      sum += xi[i] * place(a, i);
    }
    return a < 8 ? product * sum : product;
  }
  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      double f[3], slope[3], sum = -2;
      for (int i = 0; i < 3; ++i) {
        f[i] = factor(xi[i], place(a, i));
        slope[i] = place(a, i) == 0 ? -2 * xi[i] : place(a, i);
        sum += xi[i] * place(a, i);
      }
      for (int i = 0; i < 3; ++i) {
        const double others = f[(i + 1) % 3] * f[(i + 2) % 3];
        dN[i][a] = a < 8 ? 0.125 * others * (slope[i] * sum + f[i] * place(a, i)) : 0.25 * others * slope[i];
      }
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION static double factor(double x, int node) { return node == 0 ? 1 - x * x : 1 + x * node; }
};

}  // namespace sinew
