/// \file
/// Strains and stresses of an enhanced hexahedron by the products of signs that they belong to, the metric of its base vectors,
/// and the resultants that work on its vectors (kernels/elements/enhanced_geometry.hpp).
#pragma once

#include "kernels/algebra/unrolled.hpp"
#include "kernels/elements/enhanced_geometry.hpp"

namespace sinew {

/// The coefficients of strains or stresses. In each axis k two others follow, k + 1 and k + 2 modulo 3; shear k is that of those
/// two, twice the tensor's component for strains.
template <class T>
struct EnhancedMoments {
  T mean[6];      ///< of 1: 11 22 33, shears
  T plane[3][3];  ///< of x_k: both normal components but k, shear k
  T mixed[3][4];  ///< of the product of both others: component k, shears k, k + 1, k + 2
  T last[3];      ///< of xyz: the shears

  /// What of `mixed` works on the resultants. Component k of the product of both others is, in strains, the same sum of products
  /// of vectors as a shear of each of the other two products is; the shear of its own product stands alone.
  KOKKOS_FORCEINLINE_FUNCTION T across(int k) const { return mixed[k][0] + mixed[(k + 1) % 3][2] + mixed[(k + 2) % 3][3]; }
  KOKKOS_FORCEINLINE_FUNCTION const T& twist(int k) const { return mixed[k][1]; }

  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    unrolled<6>([&](auto n) __attribute__((always_inline)) { mean[n] = 0.0; });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      last[k] = 0.0;
      unrolled<3>([&](auto n) __attribute__((always_inline)) { plane[k][n] = 0.0; });
      unrolled<4>([&](auto n) __attribute__((always_inline)) { mixed[k][n] = 0.0; });
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const EnhancedMoments& other) {
    unrolled<6>([&](auto n) __attribute__((always_inline)) { mean[n] = mean[n] + other.mean[n]; });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      last[k] = last[k] + other.last[k];
      unrolled<3>([&](auto n) __attribute__((always_inline)) { plane[k][n] = plane[k][n] + other.plane[k][n]; });
      unrolled<4>([&](auto n) __attribute__((always_inline)) { mixed[k][n] = mixed[k][n] + other.mixed[k][n]; });
    });
  }
};

/// Stresses of which only what works on the resultants is there: see EnhancedMoments::across.
template <class T>
struct EnhancedSums {
  T mean[6], plane[3][3], sum[3], shear[3], last[3];
  KOKKOS_FORCEINLINE_FUNCTION const T& across(int k) const { return sum[k]; }
  KOKKOS_FORCEINLINE_FUNCTION const T& twist(int k) const { return shear[k]; }

  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    unrolled<6>([&](auto n) __attribute__((always_inline)) { mean[n] = 0.0; });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      sum[k] = shear[k] = last[k] = 0.0;
      unrolled<3>([&](auto n) __attribute__((always_inline)) { plane[k][n] = 0.0; });
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const EnhancedMoments<T>& other) {
    unrolled<6>([&](auto n) __attribute__((always_inline)) { mean[n] = mean[n] + other.mean[n]; });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      sum[k] = sum[k] + other.across(k);
      shear[k] = shear[k] + other.twist(k);
      last[k] = last[k] + other.last[k];
      unrolled<3>([&](auto n) __attribute__((always_inline)) { plane[k][n] = plane[k][n] + other.plane[k][n]; });
    });
  }
};

/// The strains x.y of two motions, polar: E(f) = strains(f, f)/2. Without `curved` h and H of x are zero. Where both move in one
/// direction alone their vectors may have one component.
template <bool curved, class X, class Y, int n>
KOKKOS_FORCEINLINE_FUNCTION EnhancedMoments<Product<X, Y>> enhanced_strains(const Vec<X, n> (&x)[7], const Vec<Y, n> (&y)[7]) {
  const auto both = [&](int i, int j) { return curved ? dot(x[i], y[j]) + dot(x[j], y[i]) : dot(x[i], y[j]); };
  EnhancedMoments<Product<X, Y>> E;
  unrolled<3>([&](auto a) __attribute__((always_inline)) {
    constexpr int b = (a + 1) % 3, c = (a + 2) % 3, ha = 3 + a, hb = 3 + b, hc = 3 + c, H = 6;
    E.mean[a] = dot(x[a], y[a]);
    E.mean[3 + a] = dot(x[b], y[c]) + dot(x[c], y[b]);
    E.plane[a][0] = both(b, hc);
    E.plane[a][1] = both(c, hb);
    E.plane[a][2] = both(b, hb) + both(c, hc);
    E.mixed[a][0] = both(a, H);
    E.mixed[a][1] = 0.0;
    E.mixed[a][2] = both(c, H);
    E.mixed[a][3] = both(b, H);
    E.last[a] = 0.0;
    if constexpr (curved) {
      const auto twice = dot(x[ha], y[H]) + dot(x[H], y[ha]), HH = dot(x[H], y[H]);
      E.mean[a] = E.mean[a] + (dot(x[hb], y[hb]) + dot(x[hc], y[hc]) + HH);
      const auto bc = both(hb, hc);
      E.mean[3 + a] = E.mean[3 + a] + bc;
      E.plane[a][0] = E.plane[a][0] + twice;
      E.plane[a][1] = E.plane[a][1] + twice;
      E.mixed[a][0] = E.mixed[a][0] + bc;
      E.mixed[a][1] = 2 * (dot(x[ha], y[ha]) + HH);
      E.mixed[a][2] = E.mixed[a][2] + both(ha, hb);
      E.mixed[a][3] = E.mixed[a][3] + both(ha, hc);
      E.last[a] = 2 * twice;
    }
  });
  return E;
}

/// Where the strains of a product's coefficient stand among the six components.
struct EnhancedPlaces {
  /// Of i and j in 11 22 33 23 31 12.
  KOKKOS_INLINE_FUNCTION static constexpr int of(int i, int j) { return i == j ? i : 6 - i - j; }
  KOKKOS_INLINE_FUNCTION static constexpr int row(int m) { return m < 3 ? m : (m + 1) % 3; }
  KOKKOS_INLINE_FUNCTION static constexpr int column(int m) { return m < 3 ? m : (m + 2) % 3; }
  KOKKOS_INLINE_FUNCTION static constexpr int plane(int k, int m) { return m == 2 ? 3 + k : (k + 1 + m) % 3; }
  KOKKOS_INLINE_FUNCTION static constexpr int mixed(int k, int m) { return m == 0 ? k : 3 + (k + m - 1) % 3; }
};

/// The inverse of a symmetric tensor, 11 22 33 23 31 12, and its determinant.
template <class P>
KOKKOS_FORCEINLINE_FUNCTION P symmetric_inverse(const P (&g)[6], P (&inverse)[6]) {
  unrolled<3>([&](auto k) __attribute__((always_inline)) {
    constexpr int b = (k + 1) % 3, c = (k + 2) % 3;
    inverse[k] = g[b] * g[c] - g[3 + k] * g[3 + k];
    inverse[3 + k] = g[3 + b] * g[3 + c] - g[k] * g[3 + k];
  });
  const P det = g[0] * inverse[0] + g[5] * inverse[5] + g[4] * inverse[4], share = 1.0 / det;
  for (int m = 0; m < 6; ++m) inverse[m] = share * inverse[m];
  return det;
}

/// The metric of base vectors and what Hooke's law has of it: S = mu products E + lambda (inverse.E) inverse.
template <class P>
struct EnhancedMetric {
  P inverse[6];         ///< G^-1: 11 22 33, then 23 31 12
  P products[6][6];     ///< G^ik G^jl + G^il G^jk, ij and kl numbered so
  P plane[3][3];        ///< the inverse of G without row and column k: k + 1 and k + 2, then both
  P in_plane[3][3][3];  ///< its products

  KOKKOS_FORCEINLINE_FUNCTION void set(const Vec3<P> (&axis)[3]) {
    Vec3<P> normal[3];  // rows of J_0^-1 times its determinant
    for (int k = 0; k < 3; ++k) normal[k] = cross(axis[(k + 1) % 3], axis[(k + 2) % 3]);
    const P volume = dot(axis[0], normal[0]), share = 1.0 / (volume * volume);
    for (int k = 0; k < 3; ++k) {
      const int b = (k + 1) % 3, c = (k + 2) % 3;
      const P area = dot(normal[k], normal[k]), part = 1.0 / area;
      inverse[k] = share * area;
      inverse[3 + k] = share * dot(normal[b], normal[c]);
      plane[k][0] = part * dot(axis[c], axis[c]);
      plane[k][1] = part * dot(axis[b], axis[b]);
      plane[k][2] = -(part * dot(axis[b], axis[c]));
    }
    multiply();
  }
  /// From the metric itself, 11 22 33 23 31 12; gives its determinant.
  KOKKOS_FORCEINLINE_FUNCTION P set(const P (&g)[6]) {
    const P det = symmetric_inverse(g, inverse);
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      constexpr int b = (k + 1) % 3, c = (k + 2) % 3;
      const P part = 1.0 / (det * inverse[k]);
      plane[k][0] = part * g[c];
      plane[k][1] = part * g[b];
      plane[k][2] = -(part * g[3 + k]);
    });
    multiply();
    return det;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void multiply() {
    for (int k = 0; k < 3; ++k)
      for (int m = 0; m < 3; ++m)
        for (int n = m; n < 3; ++n) in_plane[k][m][n] = in_plane[k][n][m] = within(plane[k], m, n);
    for (int m = 0; m < 6; ++m)
      for (int n = m; n < 6; ++n) products[m][n] = products[n][m] = raised(m, n);
  }
  KOKKOS_FORCEINLINE_FUNCTION const P& raising(int i, int j) const { return inverse[i == j ? i : 6 - i - j]; }
  KOKKOS_FORCEINLINE_FUNCTION P raised(int m, int n) const {
    const int i = m < 3 ? m : (m + 1) % 3, j = m < 3 ? m : (m + 2) % 3, k = n < 3 ? n : (n + 1) % 3, l = n < 3 ? n : (n + 2) % 3;
    return raising(i, k) * raising(j, l) + raising(i, l) * raising(j, k);
  }
  KOKKOS_FORCEINLINE_FUNCTION static P within(const P (&g)[3], int m, int n) {
    const int i = m == 1 ? 1 : 0, j = m == 0 ? 0 : 1, k = n == 1 ? 1 : 0, l = n == 0 ? 0 : 1;
    return g[i == k ? i : 2] * g[j == l ? j : 2] + g[i == l ? i : 2] * g[j == k ? j : 2];
  }
};

/// N_AB of stresses.
template <class T>
struct EnhancedResultants {
  T n[28];

  KOKKOS_INLINE_FUNCTION static constexpr int place(int A, int B) { return A < B ? B * (B + 1) / 2 + A : A * (A + 1) / 2 + B; }
  KOKKOS_FORCEINLINE_FUNCTION const T& operator()(int A, int B) const { return n[place(A, B)]; }

  /// Of EnhancedMoments, or of EnhancedSums.
  template <class Stresses>
  KOKKOS_FORCEINLINE_FUNCTION void set(const Stresses& S) {
    constexpr int H = 6;
    T HH = S.mean[0] + S.mean[1] + S.mean[2];
    unrolled<3>([&](auto a) __attribute__((always_inline)) {
      constexpr int b = (a + 1) % 3, c = (a + 2) % 3, ha = 3 + a, hb = 3 + b, hc = 3 + c;
      const T twice = 2.0 * S.twist(a);
      HH = HH + twice;
      n[place(a, a)] = S.mean[a];
      n[place(b, c)] = S.mean[3 + a];
      n[place(ha, ha)] = S.mean[b] + S.mean[c] + twice;
      n[place(a, ha)] = S.plane[b][2] + S.plane[c][2];
      n[place(a, hc)] = S.plane[b][1];
      n[place(a, hb)] = S.plane[c][0];
      const T across = S.across(a);
      n[place(a, H)] = across;
      n[place(hb, hc)] = across + S.mean[3 + a];
      n[place(ha, H)] = S.plane[a][0] + S.plane[a][1] + 2.0 * S.last[a];
    });
    n[place(H, H)] = HH;
  }
};

}  // namespace sinew
