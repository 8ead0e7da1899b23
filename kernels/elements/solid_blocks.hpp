/// \file
/// What solids do with the blocks of their tangents, whatever these are made of: the mass beside them, and the last node's.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/algebra/vec.hpp"

namespace sinew {

/// m[a][b] = factor rho int N_a N_b dV for a <= b, kg; `point_mass`: rho dV at the points of the quadrature for mass.
template <class Shape, class P>
KOKKOS_INLINE_FUNCTION void solid_mass_products(const P (&point_mass)[Shape::num_mass_points], const P& factor,
                                                P (&m)[Shape::num_nodes][Shape::num_nodes]) {
  constexpr int N = Shape::num_nodes;
  for (int a = 0; a < N; ++a)
    for (int b = a; b < N; ++b) m[a][b] = 0.0;
  for (int q = 0; q < Shape::num_mass_points; ++q) {
    double weight, values[N];
    Shape::values(Shape::mass_point(q, weight), values);
    const P scaled = factor * point_mass[q];
    for (int a = 0; a < N; ++a) {
      const P left = scaled * values[a];
      for (int b = a; b < N; ++b) m[a][b] = m[a][b] + left * values[b];
    }
  }
}

/// Hands the blocks of `parts` (SolidTangent, or what has its `blocks`) and mass_factor times the mass to put(a, b, block).
template <class Shape, bool damped, class P, class Stiffness, class Parts, class Put>
KOKKOS_INLINE_FUNCTION void put_solid_blocks(const P (&point_mass)[Shape::num_mass_points], const Stiffness& k,
                                             const Parts& parts, const P& mass_factor, Put& put) {
  constexpr int N = Shape::num_nodes, last = N - 1;
  alignas(64) P m[N][N];  // GCC 12 for Zen 3 takes it to be aligned in any case, and lays it out so that it is not
  const bool has_mass = differs_from_zero(mass_factor);
  if (has_mass) solid_mass_products<Shape>(point_mass, mass_factor, m);
  const auto put_with_mass = [&](int a, int b, Mat3<P>& K) {
    for (int i = 0; has_mass && i < 3; ++i) K(i, i) += a < b ? m[a][b] : m[b][a];
    put(a, b, K);
  };
  // Shape functions add up to one: so the blocks of a row or a column of the stiffness add up to zero.
  Mat3<P> row[N], column[damped ? N : 1];  // minus the sums over the other nodes: the blocks (a, last) and (last, a)
  for (int a = 0; a < last; ++a) {
    for (int b = a; b < last; ++b) {
      Mat3<P> K_ab, K_ba;
      parts.blocks(k, a, b, K_ab, K_ba);
      row[a] = row[a] - K_ab;
      if (b > a) row[b] = row[b] - K_ba;
      if constexpr (damped) {
        column[b] = column[b] - K_ab;
        if (b > a) column[a] = column[a] - K_ba;
      }
      put_with_mass(a, b, K_ab);
      if (b > a) put_with_mass(b, a, K_ba);
    }
    row[last] = row[last] - row[a];
    Mat3<P> closing = transpose(row[a]);
    if constexpr (damped) closing = column[a];
    put_with_mass(a, last, row[a]);
    put_with_mass(last, a, closing);
  }
  put_with_mass(last, last, row[last]);
}

/// The same of `parts` that hand out the blocks K_ab of a symmetric tangent with a <= b themselves.
template <class Shape, class P, class Parts, class Put>
KOKKOS_INLINE_FUNCTION void put_symmetric_blocks(const P (&point_mass)[Shape::num_mass_points], const Parts& parts,
                                                 const P& mass_factor, Put& put) {
  constexpr int N = Shape::num_nodes;
  alignas(64) P m[N][N];  // as above
  const bool has_mass = differs_from_zero(mass_factor);
  if (has_mass) solid_mass_products<Shape>(point_mass, mass_factor, m);
  parts.put_upper([&](int a, int b, Mat3<P>& K) __attribute__((always_inline)) {
    for (int i = 0; has_mass && i < 3; ++i) K(i, i) += m[a][b];
    put(a, b, K);
    if (b > a) put(b, a, transpose(K));
  });
}

/// Adds -(cq df/dq + cv df/dv) of solid E to J, by its `tangent_blocks`.
template <class E, class Params, class States, class P, int D>
KOKKOS_INLINE_FUNCTION void add_solid_tangent(const Params& p, const States& z, double cq, double cv, Mat<P, D, D>& J) {
  const auto add = [&J](int a, int b, const Mat3<P>& K) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(3 * a + i, 3 * b + j) += K(i, j);
  };
  E::tangent_blocks(p, z, cq, cv, 0.0, add);
}

}  // namespace sinew
