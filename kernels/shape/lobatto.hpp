/// \file
/// A line of N nodes at the Lobatto points of [0, 1]: Lagrange polynomials, Lobatto's weights, and the N - 1 Gauss points.
/// Source: Abramowitz and Stegun (1964), tables 25.4 and 25.6.
#pragma once

#include "kernels/portability.hpp"

namespace sinew {

template <int N>
struct LobattoLine {
  static_assert(N >= 2 && N <= 4, "lines have two to four nodes");
  static constexpr int num_nodes = N;
  static constexpr int num_points = N - 1;  ///< of Gauss

  /// Place of node a, from 0 to 1.
  KOKKOS_INLINE_FUNCTION static constexpr double node(int a) {
    if (a == 0) return 0.0;
    if (a == N - 1) return 1.0;
    if (N == 3) return 0.5;
    return a == 1 ? 0.27639320225002103 : 0.72360679774997897;  // (1 -+ 1/sqrt 5)/2
  }
  /// Its weight; all weights are 1 together.
  KOKKOS_INLINE_FUNCTION static constexpr double node_weight(int a) {
    const bool is_end = a == 0 || a == N - 1;
    if (N == 2) return 0.5;
    if (N == 3) return is_end ? 1.0 / 6 : 4.0 / 6;
    return is_end ? 1.0 / 12 : 5.0 / 12;
  }

  /// Gauss point q and its weight.
  KOKKOS_INLINE_FUNCTION static constexpr double point(int q) {
    if (N == 2) return 0.5;
    if (N == 3) return q == 0 ? 0.21132486540518711775 : 0.78867513459481288225;     // (1 -+ 1/sqrt 3)/2
    return q == 0 ? 0.11270166537925831148 : q == 1 ? 0.5 : 0.88729833462074168852;  // (1 -+ sqrt(3/5))/2
  }
  KOKKOS_INLINE_FUNCTION static constexpr double point_weight(int q) {
    if (N == 4) return q == 1 ? 8.0 / 18 : 5.0 / 18;
    return 1.0 / num_points;
  }

  /// l_a(xi), which is 1 at node a and 0 at the others.
  KOKKOS_INLINE_FUNCTION static constexpr double value(int a, double xi) {
    double product = 1;
    for (int b = 0; b < N; ++b)
      if (b != a) product *= (xi - node(b)) / (node(a) - node(b));
    return product;
  }
  /// dl_a/dxi
  KOKKOS_INLINE_FUNCTION static constexpr double slope(int a, double xi) {
    double sum = 0;
    for (int c = 0; c < N; ++c) {
      if (c == a) continue;
      double product = 1 / (node(a) - node(c));
      for (int b = 0; b < N; ++b)
        if (b != a && b != c) product *= (xi - node(b)) / (node(a) - node(b));
      sum += product;
    }
    return sum;
  }
  /// Of the polynomial that is 1 at Gauss point q and 0 at the others.
  KOKKOS_INLINE_FUNCTION static constexpr double point_value(int q, double xi) {
    double product = 1;
    for (int r = 0; r < num_points; ++r)
      if (r != q) product *= (xi - point(r)) / (point(q) - point(r));
    return product;
  }

  /// All l_a and dl_a/dxi at a place.
  struct Shapes {
    double value[N] = {}, slope[N] = {};
  };
  KOKKOS_INLINE_FUNCTION static constexpr Shapes shapes(double xi) {
    Shapes all;
    for (int a = 0; a < N; ++a) {
      all.value[a] = value(a, xi);
      all.slope[a] = slope(a, xi);
    }
    return all;
  }
  /// At the Gauss points: `constexpr typename Line::PointShapes at;` is a table that the compiler has filled.
  struct PointShapes {
    Shapes points[num_points];

    KOKKOS_INLINE_FUNCTION constexpr PointShapes() {
      for (int q = 0; q < num_points; ++q) points[q] = shapes(point(q));
    }
    KOKKOS_INLINE_FUNCTION constexpr const Shapes& operator[](int q) const { return points[q]; }
  };
};

}  // namespace sinew
