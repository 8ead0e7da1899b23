/// \file
/// Energy, stresses and moduli of an enhanced hexahedron under the neo-Hookean law, its own strains chosen in closed form.
///
/// In strains the law is W = mu (tr E - ln J) + lambda/2 (ln J)^2. With E = Em + e at a point, Em the mean strain of the element,
/// g = G + 2 Em the metric that it gives the base vectors, A = g^-1 and eps = A e,
///   ln J = ln Jm + tr eps - tr(eps eps) + ...,   Jm = (det g/det G)^(1/2),
/// so that, e having no mean, up to third order in e
///   mean of W = mu (tr Em - theta) + lambda/2 (theta^2 + y),   theta = ln Jm - x = mean of ln J,
///   x = mean of tr(eps eps),   y = mean of (tr eps)^2:
/// the law stands at the mean strain, once an element, and what differs from the mean has the moduli lambda A A + 2 mu' I_A that
/// the law has there, mu' = mu - lambda theta. Third orders cancel where strains are odd in a coordinate, as in bending. x and y
/// are sums over the orthogonal products of the signs (kernels/elements/enhanced_hooke.hpp). The element's own strains in them
/// are those which Hooke's law, with the undeformed moduli, would choose in the metric g,
///   x_k:        plane stress, of the strains in that plane: y = (1 - nu')^2 t^2, x = tr(eps eps) + nu'^2 t^2, t = tr eps,
///               nu' = lambda/(lambda + 2 mu);
///   yz, zx, xy: of constant volume: y = 0, x = tr(eps eps) - t^2/3;
///   xyz:        none,
/// so the energy is one of the nodes' places alone, and forces and tangent are its derivatives. At even strains they are those
/// of the law with own strains in balance, but that these see the undeformed moduli in nu'.
///
/// With w = A e A (contravariant), s = c w + l t A the derivative of c tr(eps eps)/2 + l t^2/2 by e,
///   d/dEm:       -2 sum(eps s),   eps s = c r + l t w,   r = w e A;
///   d^2/de dEm:  -c (A^ik w^jl + A^il w^jk + A^jk w^il + A^jl w^ik) - l (t (A^ik A^jl + A^il A^jk) + 2 A^ij w^kl);
///   d^2/dEm dEm: 2 (A^ik R^jl + A^il R^jk + A^jk R^il + A^jl R^ik) + 2 c (w^ik w^jl + w^il w^jk) + 4 l w^ij w^kl, R = sum eps s,
/// c = 2 mu' (x: 2), and a product theta_i theta_j lambda besides. In the plane of x_k the same holds with the metric in it.
/// Sources: J. Bonet and R. D. Wood (2008), Nonlinear Continuum Mechanics for Finite Element Analysis, section 6.4 (the law);
/// M. A. Puso (2000), Int. J. Numer. Meth. Engng 49, 1029-1064 (one point of quadrature, enhanced strains for what is not even,
/// by moduli there).
#pragma once

#include "kernels/elements/enhanced_moments.hpp"

namespace sinew {

/// A^ik B^jl + A^il B^jk + A^jk B^il + A^jl B^ik for ij = m and kl = n of 11 22 33 23 31 12, or of the plane's 11 22 12.
template <int m, int n, class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION Product<X, Y> four_products(const X (&A)[6], const Y (&B)[6]) {
  using At = EnhancedPlaces;
  constexpr int i = At::row(m), j = At::column(m), k = At::row(n), l = At::column(n);
  constexpr int ik = At::of(i, k), jl = At::of(j, l), il = At::of(i, l), jk = At::of(j, k);
  return A[ik] * B[jl] + A[il] * B[jk] + A[jk] * B[il] + A[jl] * B[ik];
}
template <int m, int n, class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION Product<X, Y> four_products(const X (&A)[3], const Y (&B)[3]) {
  constexpr int i = m == 1, j = m != 0, k = n == 1, l = n != 0;
  constexpr int ik = i == k ? i : 2, jl = j == l ? j : 2, il = i == l ? i : 2, jk = j == k ? j : 2;
  return A[ik] * B[jl] + A[il] * B[jk] + A[jk] * B[il] + A[jl] * B[ik];
}

/// P is the scalar of parameters, S that of the motion.
template <class P, class S>
class EnhancedNeoHooke {
 public:
  using At = EnhancedPlaces;
  using Lame = LameConstantsOf<P>;

  EnhancedMetric<S> metric;    ///< g
  EnhancedMoments<S> stress;   ///< dU/dE, Pa
  EnhancedMoments<S> slope;    ///< dtheta/dE
  S mu;                        ///< mu', Pa
  P across;                    ///< nu'
  S w_mixed[3][6], w_last[6];  ///< A e A
  S w_plane[3][3];             ///< in the plane
  S t_mixed[3], t_last, t_plane[3];
  S full_x[6], full_y[6];          ///< sums of eps s of mixed and last: c = 2; l = 1, c = 0
  S plane_x[3][3], plane_y[3][3];  ///< of the planes, one by one
  S energy;                        ///< U, J/m^3

  /// `G`: the undeformed metric.
  [[gnu::flatten]] KOKKOS_INLINE_FUNCTION void set(const P (&G)[6], const EnhancedMoments<S>& E, const Lame& law) {
    P inverse[6];
    const P volume = symmetric_inverse(G, inverse);
    S g[6];
    for (int m = 0; m < 6; ++m) g[m] = G[m] + (m < 3 ? 2.0 : 1.0) * E.mean[m];
    const S deformed = metric.set(g);
    across = law.lambda / (law.lambda + 2.0 * law.mu);
    for (int m = 0; m < 6; ++m) full_x[m] = full_y[m] = 0.0;
    S x = 0.0, y = 0.0;
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      add_mixed<k>(E.mixed[k], x);
      add_plane<k>(E.plane[k], x, y);
    });
    add_last(E.last, x, y);
    using math::log;
    const S theta = 0.5 * log((1.0 / volume) * deformed) - x;
    mu = law.mu - law.lambda * theta;
    close(law, inverse);
    S trace = inverse[0] * E.mean[0];
    for (int m = 1; m < 6; ++m) trace = trace + inverse[m] * E.mean[m];
    energy = law.mu * (trace - theta) + (0.5 * law.lambda) * (theta * theta + y);
  }

 private:
  /// sum = AeA from its components at `place`, twice.
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void add_mixed(const S (&e)[4], S& x) {
    S(&w)[6] = w_mixed[k];
    unrolled<6>([&](auto n) __attribute__((always_inline)) {
      S sum = metric.products[At::mixed(k, 0)][n] * e[0];
      unrolled<3>([&](auto m) __attribute__((always_inline)) { sum = sum + metric.products[At::mixed(k, m + 1)][n] * e[m + 1]; });
      w[n] = 0.5 * sum;
    });
    S t = metric.inverse[At::mixed(k, 0)] * e[0];
    for (int m = 1; m < 4; ++m) t = t + metric.inverse[At::mixed(k, m)] * e[m];
    t_mixed[k] = t;
    const S third = (2.0 / 3) * t;
    S square = 0.0;
    unrolled<4>([&](auto m) __attribute__((always_inline)) {
      constexpr int n = At::mixed(k, m);
      square = square + e[m] * w[n];
      slope.mixed[k][m] = third * metric.inverse[n] - 2.0 * w[n];
    });
    x = x + (square - 0.5 * third * t);
    S full[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    unrolled<4>([&](auto m) __attribute__((always_inline)) { full[At::mixed(k, m)] = e[m]; });
    add_square<1 << k>(full, w);
    for (int n = 0; n < 6; ++n) full_x[n] = full_x[n] - third * w[n];
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_last(const S (&e)[3], S& x, S& y) {
    S(&w)[6] = w_last;
    unrolled<6>([&](auto n) __attribute__((always_inline)) {
      w[n] = 0.5 * (metric.products[3][n] * e[0] + metric.products[4][n] * e[1] + metric.products[5][n] * e[2]);
    });
    const S t = metric.inverse[3] * e[0] + metric.inverse[4] * e[1] + metric.inverse[5] * e[2];
    t_last = t;
    x = x + (e[0] * w[3] + e[1] * w[4] + e[2] * w[5]);
    y = y + t * t;
    for (int m = 0; m < 3; ++m) {
      slope.last[m] = -2.0 * w[3 + m];
      stress.last[m] = t * metric.inverse[3 + m];
    }
    const S full[6] = {0.0, 0.0, 0.0, e[0], e[1], e[2]};
    add_square<0>(full, w);
    for (int n = 0; n < 6; ++n) full_y[n] = full_y[n] + t * w[n];
  }

  /// Adds 2 r = 2 w e A. `normals`: of e's components 11, 22, 33 those that are not zero, as bits; shears are twice the tensor's.
  template <int normals>
  KOKKOS_FORCEINLINE_FUNCTION void add_square(const S (&e)[6], const S (&w)[6]) {
    S mixed[3][3];  // 2 e_k. A^.j
    unrolled<9>([&](auto n) __attribute__((always_inline)) {
      constexpr int k = n / 3, j = n % 3, a = (k + 1) % 3, b = (k + 2) % 3;
      S sum = e[At::of(k, a)] * metric.inverse[At::of(a, j)] + e[At::of(k, b)] * metric.inverse[At::of(b, j)];
      if constexpr ((normals >> k & 1) != 0) sum = sum + (2.0 * e[k]) * metric.inverse[At::of(k, j)];
      mixed[k][j] = sum;
    });
    unrolled<6>([&](auto n) __attribute__((always_inline)) {
      constexpr int i = At::row(n), j = At::column(n);
      full_x[n] = full_x[n] + (w[At::of(i, 0)] * mixed[0][j] + w[At::of(i, 1)] * mixed[1][j] + w[At::of(i, 2)] * mixed[2][j]);
    });
  }

  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void add_plane(const S (&e)[3], S& x, S& y) {
    const S(&A)[3] = metric.plane[k];
    S(&w)[3] = w_plane[k];
    const P rest = 1.0 - across, share = rest * rest, squared = across * across;
    for (int n = 0; n < 3; ++n)
      w[n] = 0.5 * (metric.in_plane[k][n][0] * e[0] + metric.in_plane[k][n][1] * e[1] + metric.in_plane[k][n][2] * e[2]);
    const S t = A[0] * e[0] + A[1] * e[1] + A[2] * e[2];
    t_plane[k] = t;
    x = x + (e[0] * w[0] + e[1] * w[1] + e[2] * w[2] + squared * (t * t));
    y = y + share * (t * t);
    const S own = (2.0 * squared) * t, even = share * t;
    // 2 e A, row by row.
    const S e11 = 2.0 * e[0], e22 = 2.0 * e[1];
    const S m11 = e11 * A[0] + e[2] * A[2], m12 = e11 * A[2] + e[2] * A[1];
    const S m21 = e[2] * A[0] + e22 * A[2], m22 = e[2] * A[2] + e22 * A[1];
    plane_x[k][0] = w[0] * m11 + w[2] * m21 + own * w[0];
    plane_x[k][1] = w[2] * m12 + w[1] * m22 + own * w[1];
    plane_x[k][2] = w[0] * m12 + w[2] * m22 + own * w[2];
    for (int n = 0; n < 3; ++n) {
      plane_y[k][n] = even * w[n];
      slope.plane[k][n] = -(2.0 * w[n] + own * A[n]);
      stress.plane[k][n] = even * A[n];
    }
  }

  /// Stresses and dtheta/dE from their parts.
  KOKKOS_FORCEINLINE_FUNCTION void close(const Lame& law, const P (&inverse)[6]) {
    S rest[6];
    for (int n = 0; n < 6; ++n) {
      slope.mean[n] = full_x[n];
      rest[n] = full_y[n];
    }
    unrolled<9>([&](auto e) __attribute__((always_inline)) {
      constexpr int k = e / 3, m = e % 3, n = At::plane(k, m);
      slope.mean[n] = slope.mean[n] + plane_x[k][m];
      rest[n] = rest[n] + plane_y[k][m];
    });
    for (int n = 0; n < 6; ++n) {
      slope.mean[n] = metric.inverse[n] + 2.0 * slope.mean[n];
      stress.mean[n] = law.mu * inverse[n] - mu * slope.mean[n] - (2.0 * law.lambda) * rest[n];
    }
    for (int k = 0; k < 3; ++k) {
      for (int n = 0; n < 3; ++n) stress.plane[k][n] = law.lambda * stress.plane[k][n] - mu * slope.plane[k][n];
      for (int n = 0; n < 4; ++n) stress.mixed[k][n] = -(mu * slope.mixed[k][n]);
      stress.last[k] = law.lambda * stress.last[k] - mu * slope.last[k];
    }
  }
};

/// The second derivatives of U by the strains, without lambda dtheta/dE dtheta/dE. Of yz, zx, xy by the sums that
/// EnhancedMoments::across names, then the shears of their own.
template <class P>
class EnhancedNeoHookeModuli {
 public:
  P mean[6][6];
  P plane[3][3][3], sum[3][3], sum_shear[3][3], shear[3], last[3][3];  ///< of strains of one product; shears by the second place
  P plane_mean[3][3][3];                                               ///< of one and a mean one; of the three in the plane
  P sum_mean[3][6], shear_mean[3][6], last_mean[3][6];

  [[gnu::flatten]] KOKKOS_INLINE_FUNCTION void set(const EnhancedNeoHooke<P, P>& state, const LameConstantsOf<P>& law) {
    const P mu = state.mu, rest = 1.0 - state.across;
    const P in_plane = law.lambda * (rest * rest) + (2.0 * mu) * (state.across * state.across), third = (-2.0 / 3) * mu;
    unrolled<6>([&](auto n) __attribute__((always_inline)) { set_mean_row<n>(state, law, third); });
    unrolled<3>([&](auto k) __attribute__((always_inline)) { set_plane<k>(state, law, in_plane); });
    unrolled<6>([&](auto n) __attribute__((always_inline)) {
      unrolled<n>([&](auto m) __attribute__((always_inline)) { mean[m][n] = mean[n][m]; });
    });
    for (int k = 0; k < 3; ++k) {
      for (int m = 0; m < 3; ++m) sum[k][m] = 0.0;
      for (int m = 0; m < 6; ++m) sum_mean[k][m] = 0.0;
    }
    unrolled<3>([&](auto k) __attribute__((always_inline)) { add_mixed<k>(state, third); });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      set_cross<3 + k>(state.metric, mu, law.lambda, state.w_last, state.t_last, last_mean[k]);
      unrolled<3>([&](auto n) __attribute__((always_inline)) {
        last[k][n] =
            mu * state.metric.products[3 + k][3 + n] + law.lambda * (state.metric.inverse[3 + k] * state.metric.inverse[3 + n]);
      });
    });
  }

 private:
  using At = EnhancedPlaces;

  /// The lower triangle, without the planes' share.
  template <int n>
  KOKKOS_FORCEINLINE_FUNCTION void set_mean_row(const EnhancedNeoHooke<P, P>& state, const LameConstantsOf<P>& law,
                                                const P& third) {
    const P& mu = state.mu;
    P R[6];
    for (int m = 0; m < 6; ++m) R[m] = 2.0 * (mu * state.full_x[m] + law.lambda * state.full_y[m]);
    unrolled<n + 1>([&](auto m) __attribute__((always_inline)) {
      P squares = four_products<n, m>(state.w_last, state.w_last);
      P pressures = state.w_mixed[0][n] * state.w_mixed[0][m];
      for (int k = 0; k < 3; ++k) squares = squares + four_products<n, m>(state.w_mixed[k], state.w_mixed[k]);
      for (int k = 1; k < 3; ++k) pressures = pressures + state.w_mixed[k][n] * state.w_mixed[k][m];
      mean[n][m] = mu * (state.metric.products[n][m] + 2.0 * squares) + four_products<n, m>(state.metric.inverse, R) +
                   4.0 * (third * pressures + law.lambda * (state.w_last[n] * state.w_last[m]));
    });
  }
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void set_plane(const EnhancedNeoHooke<P, P>& state, const LameConstantsOf<P>& law, const P& l) {
    const P& mu = state.mu;
    const P(&A)[3] = state.metric.plane[k];
    const P(&w)[3] = state.w_plane[k];
    const P lt = l * state.t_plane[k], twice = 2.0 * mu;
    P R[3];
    for (int m = 0; m < 3; ++m) R[m] = 2.0 * (mu * state.plane_x[k][m] + law.lambda * state.plane_y[k][m]);
    unrolled<3>([&](auto n) __attribute__((always_inline)) {
      unrolled<3>([&](auto m) __attribute__((always_inline)) {
        const P AA = state.metric.in_plane[k][n][m];
        plane[k][n][m] = mu * AA + l * (A[n] * A[m]);
        plane_mean[k][n][m] = -(twice * four_products<n, m>(A, w) + lt * AA + (2.0 * l) * (A[n] * w[m]));
        constexpr int row = At::plane(k, n), column = At::plane(k, m);
        if constexpr (column <= row)
          mean[row][column] =
              mean[row][column] + (twice * four_products<n, m>(w, w) + four_products<n, m>(A, R) + (4.0 * l) * (w[n] * w[m]));
      });
    });
  }
  /// The sum that component m of the product without k belongs to.
  KOKKOS_INLINE_FUNCTION static constexpr int sum_of(int k, int m) { return m == 0 ? k : m == 2 ? (k + 2) % 3 : (k + 1) % 3; }

  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void add_mixed(const EnhancedNeoHooke<P, P>& state, const P& third) {
    const auto between = [&](int m, int n) {
      const int row = At::mixed(k, m), column = At::mixed(k, n);
      return state.mu * state.metric.products[row][column] + third * (state.metric.inverse[row] * state.metric.inverse[column]);
    };
    unrolled<4>([&](auto m) __attribute__((always_inline)) {
      P row[6];
      set_cross<At::mixed(k, m)>(state.metric, state.mu, third, state.w_mixed[k], state.t_mixed[k], row);
      constexpr int place = sum_of(k, m);
      if constexpr (m == 1) {
        shear[k] = between(1, 1);
        unrolled<6>([&](auto n) __attribute__((always_inline)) { shear_mean[k][n] = row[n]; });
      } else {
        sum_shear[place][k] = between(m, 1);
        unrolled<6>([&](auto n) __attribute__((always_inline)) { sum_mean[place][n] = sum_mean[place][n] + row[n]; });
        unrolled<4>([&](auto n) __attribute__((always_inline)) {
          if constexpr (n != 1) sum[place][sum_of(k, n)] = sum[place][sum_of(k, n)] + between(m, n);
        });
      }
    });
  }
  template <int n>
  KOKKOS_FORCEINLINE_FUNCTION static void set_cross(const EnhancedMetric<P>& metric, const P& mu, const P& l, const P (&w)[6],
                                                    const P& t, P (&row)[6]) {
    const P twice = 2.0 * mu, lt = l * t, even = (2.0 * l) * metric.inverse[n];
    unrolled<6>([&](auto m) __attribute__((always_inline)) {
      row[m] = -(twice * four_products<n, m>(metric.inverse, w) + lt * metric.products[n][m] + even * w[m]);
    });
  }
};

/// What these moduli answer to strains, given one by one: as EnhancedResponse. Of strains that are the same in several products
/// the first is taken for all. Not `all` answers: without those that only resultants of h and H have.
template <class P, bool all = true>
class EnhancedNeoHookeResponse {
 public:
  using Strain = P;
  EnhancedSums<P> stress;

  KOKKOS_FORCEINLINE_FUNCTION explicit EnhancedNeoHookeResponse(const EnhancedNeoHookeModuli<P>& moduli) : moduli_(moduli) {
    stress.clear();
  }

  template <int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_mean(const P& E) {
    unrolled<6>([&](auto n) __attribute__((always_inline)) { stress.mean[n] = stress.mean[n] + moduli_.mean[m][n] * E; });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      unrolled<3>([&](auto n) __attribute__((always_inline)) {
        if constexpr (At::plane(k, n) == m)
          unrolled<3>([&](auto l) __attribute__((always_inline)) {
            stress.plane[k][l] = stress.plane[k][l] + moduli_.plane_mean[k][l][n] * E;
          });
      });
      stress.sum[k] = stress.sum[k] + moduli_.sum_mean[k][m] * E;
      if constexpr (all) {
        stress.shear[k] = stress.shear[k] + moduli_.shear_mean[k][m] * E;
        stress.last[k] = stress.last[k] + moduli_.last_mean[k][m] * E;
      }
    });
  }
  template <int k, int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_plane(const P& E) {
    unrolled<3>([&](auto n) __attribute__((always_inline)) {
      constexpr int place = At::plane(k, n);
      stress.plane[k][n] = stress.plane[k][n] + moduli_.plane[k][m][n] * E;
      stress.mean[place] = stress.mean[place] + moduli_.plane_mean[k][m][n] * E;
    });
  }
  template <int k, int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_mixed(const P& E) {
    if constexpr (m == 0) {
      unrolled<3>([&](auto n) __attribute__((always_inline)) {
        stress.sum[n] = stress.sum[n] + moduli_.sum[k][n] * E;
        if constexpr (all) stress.shear[n] = stress.shear[n] + moduli_.sum_shear[k][n] * E;
      });
      unrolled<6>([&](auto n) __attribute__((always_inline)) { stress.mean[n] = stress.mean[n] + moduli_.sum_mean[k][n] * E; });
    }
    if constexpr (m == 1) {
      unrolled<3>([&](auto n) __attribute__((always_inline)) { stress.sum[n] = stress.sum[n] + moduli_.sum_shear[n][k] * E; });
      stress.shear[k] = stress.shear[k] + moduli_.shear[k] * E;
      unrolled<6>([&](auto n) __attribute__((always_inline)) { stress.mean[n] = stress.mean[n] + moduli_.shear_mean[k][n] * E; });
    }
  }
  template <int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_last(const P& E) {
    unrolled<3>([&](auto n) __attribute__((always_inline)) { stress.last[n] = stress.last[n] + moduli_.last[m][n] * E; });
    unrolled<6>([&](auto n) __attribute__((always_inline)) { stress.mean[n] = stress.mean[n] + moduli_.last_mean[m][n] * E; });
  }
  KOKKOS_FORCEINLINE_FUNCTION void close() {}

 private:
  using At = EnhancedPlaces;
  const EnhancedNeoHookeModuli<P>& moduli_;
};

}  // namespace sinew
