/// \file
/// Strains, stresses and the tangent of an enhanced hexahedron whose energy is Hooke's in Green's strain (the linear one without
/// finite strain), its own strains in balance, in closed form.
///
/// In the axes of the undeformed base vectors, E_ij = (f_i.f_j - G_i.G_j)/2, the strain is a sum of the orthogonal products 1, x,
/// y, z, yz, zx, xy, xyz of the signs at the points (kernels/elements/enhanced_geometry.hpp), each with a coefficient that is a
/// sum of products f_A.f_B. The element's own strains
///   E~ = sum_k x_k sym(p_k y_k^T) + sum_m phi_m beta_m I,    k = 1, 2, 3,   phi_m = yz, zx, xy,
/// p_k the normal of constant xi_k, twelve amplitudes, belong to one product each. What is left when they minimise the energy is,
/// coefficient by coefficient,
///   1, xyz:     Hooke's law;
///   x_k:        no stress on planes normal to p_k: plane stress, lambda* = 2 lambda mu/(lambda + 2 mu), of the three strains in
///               that plane, with the inverse of the base vectors' metric in it;
///   yz, zx, xy: no pressure: -2/3 mu in place of lambda.
/// So int S:dE dV = sum_AB N_AB f_A.df_B with 28 resultants N, and
///   t_A = sum_C N_AC f_C,    K_AB = N_AB I + sum_C f_C (dN_AC/df_B)^T.
/// Damping has the strains that Hooke's law would choose for the rates of the nodes, E~' = -D^-1 L u', and is the derivative of
/// int E':C_d:E'/2 dV by u': lambda_d and mu_d, in plane stress with E'_33 = -nu' E'_rr, nu' = lambda/(lambda + 2 mu),
///   lambda_d* = lambda_d (1 - nu')^2 + 2 mu_d nu'^2,
/// so that its tangent has w = c_q f' + c_v f beside c_q f and costs no more.
/// Sources: J. C. Simo and M. S. Rifai (1990), Int. J. Numer. Meth. Engng 29, 1595-1638; J. C. Simo, F. Armero and R. L. Taylor
/// (1993), Comput. Methods Appl. Mech. Engrg 110, 359-386 (the twelve modes); S. Klinkel and W. Wagner (1997), Int. J. Numer.
/// Meth. Engng 40, 4529-4545 (enhanced Green-Lagrange strains).
#pragma once

#include "kernels/algebra/unrolled.hpp"
#include "kernels/elements/enhanced_geometry.hpp"
#include "kernels/elements/solid_tangent.hpp"

namespace sinew {

/// The coefficients of strains or stresses. In each axis k two others follow, k + 1 and k + 2 modulo 3; shear k is that of those
/// two, twice the tensor's component for strains.
template <class T>
struct EnhancedMoments {
  T mean[6];      ///< of 1: 11 22 33, shears
  T plane[3][3];  ///< of x_k: both normal components but k, shear k
  T mixed[3][4];  ///< of the product of both others: component k, shears k, k + 1, k + 2
  T last[3];      ///< of xyz: the shears
};

/// The strains x.y of two motions, polar: E(f) = strains(f, f)/2. Without `curved` h and H of x are zero.
template <bool curved, class X, class Y>
KOKKOS_FORCEINLINE_FUNCTION EnhancedMoments<Product<X, Y>> enhanced_strains(const Vec3<X> (&x)[7], const Vec3<Y> (&y)[7]) {
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

/// Lame's constants as the coefficients see them.
template <class P>
struct EnhancedConstants {
  P lambda = 0.0, plane_lambda = 0.0, mu = 0.0;

  /// Of a law: in plane stress where `elastic`, Hooke's, has none across the plane.
  KOKKOS_INLINE_FUNCTION static EnhancedConstants make(const LameConstantsOf<P>& m, const LameConstantsOf<P>& elastic) {
    const P across = elastic.lambda / (elastic.lambda + 2 * elastic.mu), rest = 1.0 - across;
    return {m.lambda, m.lambda * (rest * rest) + (2 * m.mu) * (across * across), m.mu};
  }
};

/// The metric of the undeformed base vectors and what Hooke's law has of it: S = mu products E + lambda (inverse.E) inverse.
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
      for (int m = 0; m < 3; ++m)
        for (int n = m; n < 3; ++n) in_plane[k][m][n] = in_plane[k][n][m] = within(plane[k], m, n);
    }
    for (int m = 0; m < 6; ++m)
      for (int n = m; n < 6; ++n) products[m][n] = products[n][m] = raised(m, n);
  }

 private:
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

/// What Hooke's law answers to strains, given one by one.
template <class P, class S>
class EnhancedResponse {
 public:
  /// A strain times mu, lambda and the lambda of plane stress.
  struct Strain {
    S shear, even, in_plane;
  };
  EnhancedMoments<S> stress;

  KOKKOS_FORCEINLINE_FUNCTION explicit EnhancedResponse(const EnhancedMetric<P>& metric) : metric_(metric) {
    mean_ = last_ = 0.0;
    unrolled<6>([&](auto n) __attribute__((always_inline)) { stress.mean[n] = 0.0; });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      plane_[k] = mixed_[k] = stress.last[k] = 0.0;
      unrolled<3>([&](auto n) __attribute__((always_inline)) { stress.plane[k][n] = 0.0; });
      unrolled<4>([&](auto n) __attribute__((always_inline)) { stress.mixed[k][n] = 0.0; });
    });
  }

  template <int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_mean(const Strain& E) {
    unrolled<6>([&](auto n)
                    __attribute__((always_inline)) { stress.mean[n] = stress.mean[n] + metric_.products[m][n] * E.shear; });
    mean_ = mean_ + metric_.inverse[m] * E.even;
  }
  template <int k, int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_plane(const Strain& E) {
    unrolled<3>([&](auto n) __attribute__((always_inline)) {
      stress.plane[k][n] = stress.plane[k][n] + metric_.in_plane[k][m][n] * E.shear;
    });
    plane_[k] = plane_[k] + metric_.plane[k][m] * E.in_plane;
  }
  template <int k, int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_mixed(const Strain& E) {
    unrolled<4>([&](auto n) __attribute__((always_inline)) {
      stress.mixed[k][n] = stress.mixed[k][n] + metric_.products[mixed_place(k, m)][mixed_place(k, n)] * E.shear;
    });
    mixed_[k] = mixed_[k] + metric_.inverse[mixed_place(k, m)] * E.shear;
  }
  template <int m>
  KOKKOS_FORCEINLINE_FUNCTION void add_last(const Strain& E) {
    unrolled<3>([&](auto n) __attribute__((always_inline)) {
      stress.last[n] = stress.last[n] + metric_.products[3 + m][3 + n] * E.shear;
    });
    last_ = last_ + metric_.inverse[3 + m] * E.even;
  }
  /// When all strains are there.
  KOKKOS_FORCEINLINE_FUNCTION void close() {
    unrolled<6>([&](auto n) __attribute__((always_inline)) { stress.mean[n] = stress.mean[n] + metric_.inverse[n] * mean_; });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      unrolled<3>([&](auto n) __attribute__((always_inline)) {
        stress.plane[k][n] = stress.plane[k][n] + metric_.plane[k][n] * plane_[k];
      });
      const S even = (-2.0 / 3) * mixed_[k];
      unrolled<4>([&](auto n) __attribute__((always_inline)) {
        stress.mixed[k][n] = stress.mixed[k][n] + metric_.inverse[mixed_place(k, n)] * even;
      });
      stress.last[k] = stress.last[k] + metric_.inverse[3 + k] * last_;
    });
  }

 private:
  /// Which component of the mean one of a product's coefficient is.
  KOKKOS_INLINE_FUNCTION static constexpr int mixed_place(int k, int m) { return m == 0 ? k : 3 + (k + m - 1) % 3; }

  const EnhancedMetric<P>& metric_;
  S mean_, plane_[3], mixed_[3], last_;
};

/// N_AB of stresses.
template <class T>
struct EnhancedResultants {
  T n[28];

  KOKKOS_INLINE_FUNCTION static constexpr int place(int A, int B) { return A < B ? B * (B + 1) / 2 + A : A * (A + 1) / 2 + B; }
  KOKKOS_FORCEINLINE_FUNCTION const T& operator()(int A, int B) const { return n[place(A, B)]; }

  KOKKOS_FORCEINLINE_FUNCTION void set(const EnhancedMoments<T>& S) {
    constexpr int H = 6;
    T HH = S.mean[0] + S.mean[1] + S.mean[2];
    unrolled<3>([&](auto a) __attribute__((always_inline)) {
      constexpr int b = (a + 1) % 3, c = (a + 2) % 3, ha = 3 + a, hb = 3 + b, hc = 3 + c;
      const T twice = 2.0 * S.mixed[a][1];
      HH = HH + twice;
      n[place(a, a)] = S.mean[a];
      n[place(b, c)] = S.mean[3 + a];
      n[place(ha, ha)] = S.mean[b] + S.mean[c] + twice;
      n[place(a, ha)] = S.plane[b][2] + S.plane[c][2];
      n[place(a, hc)] = S.plane[b][1];
      n[place(a, hb)] = S.plane[c][0];
      const T across = S.mixed[a][0] + S.mixed[b][2] + S.mixed[c][3];
      n[place(a, H)] = across;
      n[place(hb, hc)] = across + S.mean[3 + a];
      n[place(ha, H)] = S.plane[a][0] + S.plane[a][1] + 2.0 * S.last[a];
    });
    n[place(H, H)] = HH;
  }
};

/// Vectors, stresses and resultants of an element: those of the law where its energy is Hooke's, and those of damping. P is the
/// scalar of parameters, S that of the motion.
template <class Law, class P, class S>
class EnhancedHooke {
 public:
  static constexpr int N = Hex8::num_nodes, count = EnhancedVectors::count;
  static constexpr bool curved = Law::finite_strain;
  /// Without finite strain the undeformed vectors, of which h and H are zero, stand in forces and tangents.
  static constexpr int num_deformed = curved ? count : 3;
  using Lame = LameConstantsOf<P>;

  EnhancedMetric<P> metric;
  Vec3<S> f[count];              ///< of the deformed body
  Vec3<S> rate[count];           ///< where there is damping
  EnhancedMoments<S> strain;     ///< of the nodes
  EnhancedResultants<S> forces;  ///< N_AB of the mean stress, Pa

  /// From displacements and, where `damping` is not null, velocities; `axis`: the columns of J_0.
  [[gnu::flatten]] KOKKOS_INLINE_FUNCTION void set(const EnhancedGeometry<P>& geometry, const Vec3<P> (&axis)[3], const Lame& law,
                                                   const Lame* damping, const S (&u)[3][N], const S (&v)[3][N]) {
    metric.set(axis);
    Vec3<S> d[count];
    geometry.gather(u, d);
    // E(f) = strains((f_0 + f)/2, f - f_0): small strains keep their digits.
    for (int A = 0; A < count; ++A)
      for (int i = 0; i < 3; ++i) f[A][i] = (A < 3 ? S(axis[A < 3 ? A : 0][i]) : S(0.0)) + (curved ? 0.5 : 0.0) * d[A][i];
    if constexpr (Law::is_quadratic) strain = enhanced_strains<curved>(f, d);
    for (int A = 0; curved && A < count; ++A)
      for (int i = 0; i < 3; ++i) f[A][i] = f[A][i] + 0.5 * d[A][i];
    if (damping != nullptr) {
      geometry.gather(v, rate);
      forces.set(response(Constants::make(law, law), Constants::make(*damping, law), enhanced_strains<curved>(f, rate)));
    } else {
      forces.set(response(Constants::make(law, law)));
    }
  }

  /// t_A = sum_B N_AB f_B, times `factor`.
  KOKKOS_FORCEINLINE_FUNCTION void tractions(const P& factor, Vec3<S> (&t)[count]) const {
    for (int A = 0; A < count; ++A)
      for (int i = 0; i < 3; ++i) {
        S sum = forces(A, 0) * f[0][i];
        for (int B = 1; B < num_deformed; ++B) sum = sum + forces(A, B) * f[B][i];
        t[A][i] = factor * sum;
      }
  }

  /// Of the law, per volume, J/m^3, where there is no damping.
  KOKKOS_INLINE_FUNCTION S energy_density(const Lame& law) const {
    const EnhancedMoments<S> T = response(Constants::make(law, law));
    S sum = 0.0;
    for (int n = 0; n < 6; ++n) sum = sum + T.mean[n] * strain.mean[n];
    for (int k = 0; k < 3; ++k) {
      for (int n = 0; n < 3; ++n) sum = sum + T.plane[k][n] * strain.plane[k][n];
      for (int n = 0; n < 4; ++n) sum = sum + T.mixed[k][n] * strain.mixed[k][n];
      sum = sum + T.last[k] * strain.last[k];
    }
    return 0.5 * sum;
  }

 private:
  using Strain = typename EnhancedResponse<P, S>::Strain;
  using Constants = EnhancedConstants<P>;

  /// The stresses of the law.
  KOKKOS_FORCEINLINE_FUNCTION EnhancedMoments<S> response(const Constants& m) const {
    return response_to([&](const S& E, const S&) { return Strain{m.mu * E, m.lambda * E, m.plane_lambda * E}; }, strain);
  }
  /// Those of the law and of damping.
  KOKKOS_FORCEINLINE_FUNCTION EnhancedMoments<S> response(const Constants& m, const Constants& d,
                                                          const EnhancedMoments<S>& rates) const {
    const auto weigh = [&](const S& E, const S& R) {
      if constexpr (Law::is_quadratic)
        return Strain{m.mu * E + d.mu * R, m.lambda * E + d.lambda * R, m.plane_lambda * E + d.plane_lambda * R};
      else
        return Strain{d.mu * R, d.lambda * R, d.plane_lambda * R};
    };
    return response_to(weigh, rates);
  }
  template <class Weigh>
  KOKKOS_FORCEINLINE_FUNCTION EnhancedMoments<S> response_to(const Weigh& weigh, const EnhancedMoments<S>& rates) const {
    EnhancedResponse<P, S> response(metric);
    unrolled<6>([&](auto m)
                    __attribute__((always_inline)) { response.template add_mean<m>(weigh(strain.mean[m], rates.mean[m])); });
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      unrolled<3>([&](auto m) __attribute__((always_inline)) {
        response.template add_plane<k, m>(weigh(strain.plane[k][m], rates.plane[k][m]));
      });
      unrolled<4>([&](auto m) __attribute__((always_inline)) {
        response.template add_mixed<k, m>(weigh(strain.mixed[k][m], rates.mixed[k][m]));
      });
      response.template add_last<k>(weigh(strain.last[k], rates.last[k]));
    });
    response.close();
    return response.stress;
  }
};

}  // namespace sinew
