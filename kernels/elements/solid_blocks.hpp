/// \file
/// What solids do with the blocks of their tangents, whatever these are made of: the mass beside them, and the last node's.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/algebra/unrolled.hpp"
#include "kernels/algebra/vec.hpp"

namespace sinew {

/// Of how many nodes of a solid the blocks are summed over the points of the quadrature. Shape functions add up to one, so the
/// blocks of a row or of a column add up to zero: where points are many, those of the last node follow from the others.
template <class Shape>
inline constexpr int nodes_with_blocks = Shape::num_nodes - (Shape::num_stiffness_points < Shape::num_nodes - 1 ? 0 : 1);

/// m[a][b] = factor rho int N_a N_b dV for a <= b, kg; `point_mass`: rho dV at the points of the quadrature for mass.
template <class Shape, class P>
KOKKOS_INLINE_FUNCTION void solid_mass_products(const P (&point_mass)[Shape::num_mass_points], const P& factor,
                                                P (&m)[Shape::num_nodes][Shape::num_nodes]) {
  constexpr int N = Shape::num_nodes, Q = Shape::num_mass_points;
  P scaled[Q];
  double values[Q][N];
  for (int q = 0; q < Q; ++q) {
    double weight;
    Shape::values(Shape::mass_point(q, weight), values[q]);
    scaled[q] = factor * point_mass[q];
  }
  unrolled<N>([&](auto a) {
    constexpr int first = decltype(a)::value;
    P row[N - first];  // in registers
    unrolled<N - first>([&](auto c) __attribute__((always_inline)) { row[c] = 0.0; });
    for (int q = 0; q < Q; ++q) {
      const P left = values[q][a] * scaled[q];
      unrolled<N - first>([&](auto c) __attribute__((always_inline)) { row[c] = row[c] + values[q][first + c] * left; });
    }
    for (int c = 0; c < N - first; ++c) m[a][first + c] = row[c];
  });
}

/// Hands the blocks of `parts` (SolidTangent, or what has its `blocks`) and mass_factor times the mass to put(a, b, block).
template <class Shape, bool damped, class P, class Stiffness, class Parts, class Put>
KOKKOS_INLINE_FUNCTION void put_solid_blocks(const P (&point_mass)[Shape::num_mass_points], const Stiffness& k,
                                             const Parts& parts, const P& mass_factor, Put& put) {
  constexpr int N = Shape::num_nodes, n = nodes_with_blocks<Shape>, last = N - 1;
  constexpr bool closes = n == last;
  alignas(64) P m[N][N];  // GCC 12 for Zen 3 takes it to be aligned in any case, and lays it out so that it is not
  const bool has_mass = differs_from_zero(mass_factor);
  if (has_mass) solid_mass_products<Shape>(point_mass, mass_factor, m);
  const auto put_with_mass = [&](int a, int b, Mat3<P>& K) {
    for (int i = 0; has_mass && i < 3; ++i) K(i, i) += a < b ? m[a][b] : m[b][a];
    put(a, b, K);
  };
  Mat3<P> row[closes ? N : 1], column[closes && damped ? N : 1];  // minus the sums of blocks: (a, last) and (last, a)
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      Mat3<P> K_ab, K_ba;
      parts.blocks(k, a, b, K_ab, K_ba);
      if constexpr (closes) {
        row[a] = row[a] - K_ab;
        if (b > a) row[b] = row[b] - K_ba;
      }
      if constexpr (closes && damped) {
        column[b] = column[b] - K_ab;
        if (b > a) column[a] = column[a] - K_ba;
      }
      put_with_mass(a, b, K_ab);
      if (b > a) put_with_mass(b, a, K_ba);
    }
    if constexpr (closes) {
      row[last] = row[last] - row[a];
      Mat3<P> closing = transpose(row[a]);
      if constexpr (damped) closing = column[a];
      put_with_mass(a, last, row[a]);
      put_with_mass(last, a, closing);
    }
    if constexpr (requires { put.complete_row(a); }) put.complete_row(a);
  }
  if constexpr (closes) put_with_mass(last, last, row[last]);
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
    if constexpr (requires { put.complete_row(a); })
      if (b == N - 1) put.complete_row(a);
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
