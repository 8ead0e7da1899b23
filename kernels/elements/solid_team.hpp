/// \file
/// How a team of threads writes the tangent of a solid element, a thread for each pair of nodes: on a device one thread alone
/// would keep the matrix in memory.
#pragma once

#include "kernels/elements/solid_blocks.hpp"

#include <Kokkos_Core.hpp>

namespace sinew {

/// rho int N_a N_b dV, kg.
template <class Shape, class Params>
KOKKOS_INLINE_FUNCTION double mass_product(const Params& p, int a, int b) {
  double sum = 0;
  for (int q = 0; q < Shape::num_mass_points; ++q) {
    double weight;
    const Vec3<double> xi = Shape::mass_point(q, weight);
    sum += p.point_mass[q] * Shape::value(xi, a) * Shape::value(xi, b);
  }
  return sum;
}

/// A point of the quadrature, and the motion there, for a thread with few registers.
template <class Shape>
struct TeamPoint {
  static constexpr int N = Shape::num_nodes;
  double weight;         ///< times det dX/dxi
  Mat3<double> B;        ///< dxi/dX
  Mat3<double> H, rate;  ///< gradients of displacement and velocity, when all nodes have been added
  double dN[3][N];

  template <class Params>
  KOKKOS_INLINE_FUNCTION TeamPoint(const Params& p, int q) {
    const Vec3<double> xi = Shape::stiffness_point(q, weight);
    Shape::gradients(xi, dN);
    Mat3<double> J;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) J(i, j) += p.x[i][a] * dN[j][a];
    const double det = determinant(J);
    B = inverse(J, det);
    weight *= det;
  }

  /// Adds what node a gives to the gradients. Gives grad N_a.
  template <class Params, class States>
  KOKKOS_INLINE_FUNCTION Vec3<double> add_node(const Params& p, const States& z, int a) {
    const Vec3<double> g = transpose_times(B, Vec3<double>{{dN[0][a], dN[1][a], dN[2][a]}});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        H(i, j) += (z.x[a][i] - p.x[i][a]) * g[j];
        rate(i, j) += z.v[a][i] * g[j];
      }
    return g;
  }
};

/// Writes the blocks of `Parts`, which all threads have filled (`SolidTangent`, or what has its `blocks`), and the mass.
template <class Team, class Params, class Stiffness, class Parts>
class SolidTeam {
 public:
  using Shape = typename Parts::ShapeType;
  static constexpr int N = Shape::num_nodes;
  static constexpr int num_summed = nodes_with_blocks<Shape>, last = N - 1;

  /// The matrix is written at `out`, by rows.
  KOKKOS_INLINE_FUNCTION SolidTeam(const Team& team, const Params& p, const Stiffness& k, const Parts& parts, double mass_factor,
                                   double* out)
      : team_(team), p_(p), k_(k), parts_(parts), mass_factor_(mass_factor), out_(out) {}

  KOKKOS_INLINE_FUNCTION void put_blocks() const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team_, num_summed * (num_summed + 1) / 2),
                         [&](const int pair) { put_pair(pair); });
    if constexpr (num_summed == N) return;
    team_.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team_, last), [&](const int a) { close_row(a); });
    team_.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team_), [&]() { close_corner(); });
  }

 private:
  /// The blocks of a pair of nodes that are summed, numbered row by row of the upper triangle.
  KOKKOS_INLINE_FUNCTION void put_pair(int pair) const {
    int a = 0, b = pair;
    for (; b >= num_summed - a; ++a) b -= num_summed - a;
    b += a;
    Mat3<double> K_ab, K_ba;
    parts_.blocks(k_, a, b, K_ab, K_ba);
    if (mass_factor_ != 0) {
      const double m = mass_factor_ * mass_product<Shape>(p_, a, b);
      add_to_diagonal(K_ab, m);
      add_to_diagonal(K_ba, m);
    }
    write(a, b, K_ab);
    if (b > a) write(b, a, K_ba);
  }

  /// Blocks of a row or a column add up to those of the nodal mass, since shape functions add up to one.
  KOKKOS_INLINE_FUNCTION void close_row(int a) const {
    Mat3<double> row, column;
    for (int b = 0; b < last; ++b) {
      subtract(a, b, row);
      subtract(b, a, column);
    }
    add_to_diagonal(row, mass_factor_ * p_.nodal_mass[a]);
    add_to_diagonal(column, mass_factor_ * p_.nodal_mass[a]);
    write(a, last, row);
    write(last, a, column);
  }

  KOKKOS_INLINE_FUNCTION void close_corner() const {
    Mat3<double> corner;
    for (int a = 0; a < last; ++a) subtract(a, last, corner);
    add_to_diagonal(corner, mass_factor_ * p_.nodal_mass[last]);
    write(last, last, corner);
  }

  KOKKOS_INLINE_FUNCTION void write(int a, int b, const Mat3<double>& K) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out_[(3 * a + i) * 3 * N + 3 * b + j] = K(i, j);
  }
  KOKKOS_INLINE_FUNCTION void subtract(int a, int b, Mat3<double>& sum) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum(i, j) -= out_[(3 * a + i) * 3 * N + 3 * b + j];
  }
  KOKKOS_INLINE_FUNCTION static void add_to_diagonal(Mat3<double>& K, double x) {
    for (int i = 0; i < 3; ++i) K(i, i) += x;
  }

  const Team& team_;
  const Params& p_;
  const Stiffness& k_;
  const Parts& parts_;
  double mass_factor_;
  double* out_;
};

}  // namespace sinew
