/// \file
/// The faces of volume cells: shape functions over two reference coordinates, with quadratures that integrate pressure exactly.
/// Node order is that of src/model/cell_shape.hpp: corners counter-clockwise, the middles of the edges 01 12 20 or 01 12 23 30,
/// the centre. Triangles lie in the unit simplex, quadrilaterals in [-1, 1]^2.
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// A point of a quadrature over a face.
struct FacePoint {
  double x = 0, y = 0, weight = 0;
};

/// A face gives N[a] and dN[i][a] = dN_a/dxi_i at a point. N_a x,1 x x,2 is of degree 1 + 0 on tri3 and 2 + 2 on tri6, in every
/// direction of degree 1 + 1 on quad4 and 2 + 3 on quad8 and quad9: what the rules integrate.
struct Tri3 {
  static constexpr const char* name = "tri3";
  static constexpr int num_nodes = 3, num_points = 1;

  KOKKOS_INLINE_FUNCTION static FacePoint point(int /*q*/) { return {1.0 / 3, 1.0 / 3, 0.5}; }
  KOKKOS_INLINE_FUNCTION static void evaluate(const FacePoint& p, double (&N)[num_nodes], double (&dN)[2][num_nodes]) {
    N[0] = 1 - p.x - p.y;
    N[1] = p.x;
    N[2] = p.y;
    for (int i = 0; i < 2; ++i) {
      dN[i][0] = -1;
      dN[i][1] = i == 0 ? 1 : 0;
      dN[i][2] = i == 1 ? 1 : 0;
    }
  }
};

/// Functions of the barycentric coordinates L: L (2 L - 1) at corners, 4 L L' on edges. The six points of degree 4 are those of
/// Dunavant (1985), Int. J. Numer. Meth. Engng 21, 1129-1148.
struct Tri6 {
  static constexpr const char* name = "tri6";
  static constexpr int num_nodes = 6, num_points = 6;

  KOKKOS_INLINE_FUNCTION static FacePoint point(int q) {
    constexpr double a[2] = {0.44594849091596488632, 0.09157621350977074346};
    constexpr double w[2] = {0.11169079483900573285, 0.05497587182766093382};
    const int ring = q / 3, k = q % 3;
    const double b = 1 - 2 * a[ring];
    return {k == 1 ? b : a[ring], k == 2 ? b : a[ring], w[ring]};
  }
  KOKKOS_INLINE_FUNCTION static void evaluate(const FacePoint& p, double (&N)[num_nodes], double (&dN)[2][num_nodes]) {
    const double L[3] = {1 - p.x - p.y, p.x, p.y}, slope[2][3] = {{-1, 1, 0}, {-1, 0, 1}};
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      N[k] = L[k] * (2 * L[k] - 1);
      N[3 + k] = 4 * L[k] * L[next];
      for (int i = 0; i < 2; ++i) {
        dN[i][k] = (4 * L[k] - 1) * slope[i][k];
        dN[i][3 + k] = 4 * (slope[i][k] * L[next] + L[k] * slope[i][next]);
      }
    }
  }
};

/// Where node a of a quadrilateral lies.
KOKKOS_INLINE_FUNCTION constexpr int quadrilateral_place(int a, int i) {
  const int x[9] = {-1, 1, 1, -1, 0, 1, 0, -1, 0}, y[9] = {-1, -1, 1, 1, -1, 0, 1, 0, 0};
  return i == 0 ? x[a] : y[a];
}

/// Point q of the product rule of three Gauss points.
KOKKOS_INLINE_FUNCTION FacePoint quadrilateral_point(int q) {
  constexpr double g = 0.77459666924148337704;  // sqrt(3/5)
  const int i = q % 3, j = q / 3;
  const double w[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  return {(i - 1) * g, (j - 1) * g, w[i] * w[j]};
}

struct Quad4 {
  static constexpr const char* name = "quad4";
  static constexpr int num_nodes = 4, num_points = 4;

  KOKKOS_INLINE_FUNCTION static FacePoint point(int q) {
    constexpr double g = 0.57735026918962576451;  // 1/sqrt(3)
    return {q & 1 ? g : -g, q & 2 ? g : -g, 1};
  }
  KOKKOS_INLINE_FUNCTION static void evaluate(const FacePoint& p, double (&N)[num_nodes], double (&dN)[2][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      const double sx = quadrilateral_place(a, 0), sy = quadrilateral_place(a, 1);
      const double x = 0.5 * (1 + sx * p.x), y = 0.5 * (1 + sy * p.y);
      N[a] = x * y;
      dN[0][a] = 0.5 * sx * y;
      dN[1][a] = 0.5 * sy * x;
    }
  }
};

/// Serendipity: (1 + x)(1 + y)(x + y - 1)/4 at corners, (1 - x^2)(1 + y)/2 on edges, x and y counted towards the node.
struct Quad8 {
  static constexpr const char* name = "quad8";
  static constexpr int num_nodes = 8, num_points = 9;

  KOKKOS_INLINE_FUNCTION static FacePoint point(int q) { return quadrilateral_point(q); }
  KOKKOS_INLINE_FUNCTION static void evaluate(const FacePoint& p, double (&N)[num_nodes], double (&dN)[2][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      const double sx = quadrilateral_place(a, 0), sy = quadrilateral_place(a, 1);
      const double x = sx * p.x, y = sy * p.y;
      if (a < 4) {
        N[a] = 0.25 * (1 + x) * (1 + y) * (x + y - 1);
        dN[0][a] = 0.25 * sx * (1 + y) * (2 * x + y);
        dN[1][a] = 0.25 * sy * (1 + x) * (x + 2 * y);
      } else if (a % 2 == 0) {
        N[a] = 0.5 * (1 - p.x * p.x) * (1 + y);
        dN[0][a] = -p.x * (1 + y);
        dN[1][a] = 0.5 * (1 - p.x * p.x) * sy;
      } else {
        N[a] = 0.5 * (1 + x) * (1 - p.y * p.y);
        dN[0][a] = 0.5 * sx * (1 - p.y * p.y);
        dN[1][a] = -(1 + x) * p.y;
      }
    }
  }
};

/// Products of the three quadratic functions of an interval.
struct Quad9 {
  static constexpr const char* name = "quad9";
  static constexpr int num_nodes = 9, num_points = 9;

  KOKKOS_INLINE_FUNCTION static FacePoint point(int q) { return quadrilateral_point(q); }
  KOKKOS_INLINE_FUNCTION static void evaluate(const FacePoint& p, double (&N)[num_nodes], double (&dN)[2][num_nodes]) {
    for (int a = 0; a < num_nodes; ++a) {
      const int sx = quadrilateral_place(a, 0), sy = quadrilateral_place(a, 1);
      const double x = value(p.x, sx), y = value(p.y, sy);
      N[a] = x * y;
      dN[0][a] = slope(p.x, sx) * y;
      dN[1][a] = x * slope(p.y, sy);
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION static double value(double x, int s) { return s == 0 ? 1 - x * x : 0.5 * x * (x + s); }
  KOKKOS_INLINE_FUNCTION static double slope(double x, int s) { return s == 0 ? -2 * x : x + 0.5 * s; }
};

}  // namespace sinew
