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

#include "kernels/elements/enhanced_moments.hpp"

namespace sinew {

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
    stress.clear();
    mean_ = last_ = 0.0;
    for (int k = 0; k < 3; ++k) plane_[k] = mixed_[k] = 0.0;
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
      stress.mixed[k][n] =
          stress.mixed[k][n] + metric_.products[EnhancedPlaces::mixed(k, m)][EnhancedPlaces::mixed(k, n)] * E.shear;
    });
    mixed_[k] = mixed_[k] + metric_.inverse[EnhancedPlaces::mixed(k, m)] * E.shear;
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
        stress.mixed[k][n] = stress.mixed[k][n] + metric_.inverse[EnhancedPlaces::mixed(k, n)] * even;
      });
      stress.last[k] = stress.last[k] + metric_.inverse[3 + k] * last_;
    });
  }

 private:
  const EnhancedMetric<P>& metric_;
  S mean_, plane_[3], mixed_[3], last_;
};

/// Gives a response all strains of an element: weigh(E, R), of strains and of those of another motion, one by one.
template <class Response, class S, class Weigh>
KOKKOS_FORCEINLINE_FUNCTION void respond(Response& response, const EnhancedMoments<S>& E, const EnhancedMoments<S>& R,
                                         const Weigh& weigh) {
  unrolled<6>([&](auto m) __attribute__((always_inline)) { response.template add_mean<m>(weigh(E.mean[m], R.mean[m])); });
  unrolled<3>([&](auto k) __attribute__((always_inline)) {
    unrolled<3>([&](auto m)
                    __attribute__((always_inline)) { response.template add_plane<k, m>(weigh(E.plane[k][m], R.plane[k][m])); });
    unrolled<4>([&](auto m)
                    __attribute__((always_inline)) { response.template add_mixed<k, m>(weigh(E.mixed[k][m], R.mixed[k][m])); });
    response.template add_last<k>(weigh(E.last[k], R.last[k]));
  });
  response.close();
}

}  // namespace sinew
