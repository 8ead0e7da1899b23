/// \file
/// Quadratic tetrahedron, Gmsh's vertex order: vertices 0..3 as tet4, then the middles of the edges
///   4 (0,1)  5 (1,2)  6 (0,2)  7 (0,3)  8 (2,3)  9 (1,3).
#pragma once

#include "kernels/shape/tet4.hpp"

namespace sinew {

struct Tet10 {
  static constexpr const char* name = "tet10";
  static constexpr int num_nodes = 10;
  static constexpr int num_stiffness_points = 4;  ///< exact for straight edges and linear elasticity
  static constexpr int num_mass_points = 14;      ///< degree 5: exact for straight edges

  KOKKOS_INLINE_FUNCTION static Vec3<double> centre() { return Vec3<double>{{0.25, 0.25, 0.25}}; }
  /// Where node a lies.
  KOKKOS_INLINE_FUNCTION static Vec3<double> node(int a) {
    return a < 4 ? Tet4::node(a) : 0.5 * (Tet4::node(edge(a - 4, 0)) + Tet4::node(edge(a - 4, 1)));
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> stiffness_point(int q, double& weight) {
    weight = 1.0 / 24;
    return tetrahedron_point_of_degree_2(q);
  }

  /// The 14 points of degree 5, all weights positive (Walkington 2000, Quadrature on simplices of arbitrary dimension).
  KOKKOS_INLINE_FUNCTION static Vec3<double> mass_point(int q, double& weight) {
    if (q < 8) {
      const double a = q < 4 ? 0.31088591926330060980 : 0.092735250310891226402;
      weight = (q < 4 ? 0.11268792571801585080 : 0.073493043116361949544) / 6;
      const double b = 1 - 3 * a;
      const int k = q % 4;
      return Vec3<double>{{k == 1 ? b : a, k == 2 ? b : a, k == 3 ? b : a}};
    }
    weight = 0.042546020777081466438 / 6;
    constexpr double a = 0.045503704125649649492, b = 0.5 - a;
    const int k = q - 8;  // the two vertices of edge k are the heavy ones
    const int first = edge(k, 0), second = edge(k, 1);
    return Vec3<double>{{first == 1 || second == 1 ? b : a, first == 2 || second == 2 ? b : a, second == 3 ? b : a}};
  }

  /// Vertex at the given end (0 or 1) of edge k = 0..5; node 4 + k lies in its middle. Two bits an edge, for tables would lie in
  /// a device's memory: 0 1 0 0 2 1 and 1 2 2 3 3 3.
  KOKKOS_INLINE_FUNCTION static constexpr int edge(int k, int end) {
    return (end == 0 ? 0b01'10'00'00'01'00 : 0b11'11'11'10'10'01) >> 2 * k & 3;
  }

  KOKKOS_INLINE_FUNCTION static void values(const Vec3<double>& xi, double (&N)[num_nodes]) {
    const double b[4] = {1 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
    for (int a = 0; a < 4; ++a) N[a] = b[a] * (2 * b[a] - 1);
    for (int k = 0; k < 6; ++k) N[4 + k] = 4 * b[edge(k, 0)] * b[edge(k, 1)];
  }
  KOKKOS_INLINE_FUNCTION static double value(const Vec3<double>& xi, int a) {
    if (a >= 4) return 4 * barycentric(xi, edge(a - 4, 0)) * barycentric(xi, edge(a - 4, 1));
    const double b = barycentric(xi, a);
    return b * (2 * b - 1);
  }

  /// dN[i][a] = dN_a/dxi_i.
  KOKKOS_INLINE_FUNCTION static void gradients(const Vec3<double>& xi, double (&dN)[3][num_nodes]) {
    const double b[4] = {1 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
    double db[3][4];  // of the barycentric coordinates
    Tet4::gradients(xi, db);
    for (int i = 0; i < 3; ++i) {
      for (int a = 0; a < 4; ++a) dN[i][a] = (4 * b[a] - 1) * db[i][a];
      for (int k = 0; k < 6; ++k) {
        const int v = edge(k, 0), w = edge(k, 1);
        dN[i][4 + k] = 4 * (b[v] * db[i][w] + b[w] * db[i][v]);
      }
    }
  }

  /// Gradients are linear: a point's are those at the vertices, weighted by its barycentric coordinates, of which one is large
  /// and three are alike.
  template <class S>
  class PointGradients {
   public:
    KOKKOS_INLINE_FUNCTION explicit PointGradients(const S (&u)[3][num_nodes]) {
      const double small = tetrahedron_point_of_degree_2(0)[0], large = tetrahedron_point_of_degree_2(1)[0];
      for (int i = 0; i < 3; ++i) {
        S by[4][4];  // by[k][j] = du_i/db_j at vertex k, b the barycentric coordinates
        for (int k = 0; k < 4; ++k) by[k][k] = 3.0 * u[i][k];
        for (int e = 0; e < 6; ++e) {
          const int v = edge(e, 0), w = edge(e, 1);
          const S middle = 4.0 * u[i][4 + e];
          by[v][w] = middle - u[i][w];
          by[w][v] = middle - u[i][v];
        }
        for (int j = 0; j < 3; ++j) {
          S sum = by[0][j + 1] - by[0][0];
          vertex_[0](i, j) = (large - small) * sum;
          for (int k = 1; k < 4; ++k) {
            const S slope = by[k][j + 1] - by[k][0];
            sum = sum + slope;
            vertex_[k](i, j) = (large - small) * slope;
          }
          for (int k = 0; k < 4; ++k) vertex_[k](i, j) = vertex_[k](i, j) + small * sum;
        }
      }
    }
    /// D(i, k) = du_i/dxi_k at point q, which lies near vertex q.
    KOKKOS_INLINE_FUNCTION const Mat3<S>& at(int q) const { return vertex_[q]; }

   private:
    Mat3<S> vertex_[4];
  };
};

}  // namespace sinew
