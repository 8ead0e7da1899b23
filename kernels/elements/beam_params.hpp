/// \file
/// Parameters of beams (kernels/elements/beam.hpp), and what their viscosity is made of.
///
/// Viscous stress is D de/dt, D symmetric and positive semidefinite: tau C, or of a time constant for each strain
///   D = B^(1/2) C B^(1/2),  B = diag(b),
/// which is b C where all six are b, and diag(b_i C_ii) of a diagonal C. Power s^T D s >= 0 whatever C couples, which of B C
/// or (B C + C B)/2 cannot be said.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/algebra/symmetric.hpp"

namespace sinew {

/// How the time constants of a beam's viscosity are given.
enum class BeamViscosity {
  even,         ///< one for all strains
  by_component  ///< one each for N V2 V3 T M2 M3
};

/// Parameters of a beam of N nodes, whatever its viscosity. P is double, or Lanes where elements are taken in blocks
/// (kernels/sweep/lane_block.hpp).
template <class P, int N>
struct BeamLineParams {
  static constexpr int num_points = N - 1;

  Symmetric<P, 6> stiffness[num_points];  ///< A^T C A at the Gauss points, order N V2 V3 T M2 M3: N, N m, N m^2
  Vec<P, 6> reference[num_points];        ///< (Gamma0, K0) there, of the nodes' line: 1, 1/m
  P metric[num_points] = {};              ///< dS/dxi there, xi from 0 to 1 in the element: m
  Vec3<P> offset[num_points];             ///< c there, for measurements alone: m
  P mass[N] = {};                         ///< of the line that goes with a node, kg
  Symmetric<P, 3> inertia[N];             ///< likewise, about the node, in the section's axes: kg m^2
  P alpha = 0;                            ///< mass-proportional damping, f = -alpha M v, 1/s
};

template <BeamViscosity viscosity, class P, int N>
struct BeamParams;

template <class P, int N>
struct BeamParams<BeamViscosity::even, P, N> : BeamLineParams<P, N> {
  P tau = 0;  ///< viscosity proportional to stiffness, s

  KOKKOS_INLINE_FUNCTION bool is_viscous() const { return differs_from_zero(tau); }
  /// D = viscous_factor() viscous_matrix(q)
  KOKKOS_INLINE_FUNCTION const P& viscous_factor() const { return tau; }
  KOKKOS_INLINE_FUNCTION const Symmetric<P, 6>& viscous_matrix(int q) const { return this->stiffness[q]; }
  /// C e + D rate at Gauss point q.
  template <class S>
  KOKKOS_INLINE_FUNCTION Vec<S, 6> stress(int q, Vec<S, 6> e, const Vec<S, 6>& rate) const {
    for (int i = 0; i < 6; ++i) e[i] += tau * rate[i];
    return this->stiffness[q] * e;
  }
};

template <class P, int N>
struct BeamParams<BeamViscosity::by_component, P, N> : BeamLineParams<P, N> {
  Symmetric<P, 6> viscosity[N - 1];  ///< A^T D A at the Gauss points: N s, N m s, N m^2 s

  KOKKOS_INLINE_FUNCTION static constexpr bool is_viscous() { return true; }
  KOKKOS_INLINE_FUNCTION static constexpr double viscous_factor() { return 1; }
  KOKKOS_INLINE_FUNCTION const Symmetric<P, 6>& viscous_matrix(int q) const { return viscosity[q]; }
  template <class S>
  KOKKOS_INLINE_FUNCTION Vec<S, 6> stress(int q, const Vec<S, 6>& e, const Vec<S, 6>& rate) const {
    return this->stiffness[q] * e + viscosity[q] * rate;
  }
};

/// cq C + cv D at the Gauss points, for tangents.
template <BeamViscosity viscosity, class P, int N>
struct BeamMaterial;

template <class P, int N>
struct BeamMaterial<BeamViscosity::even, P, N> {
  using Params = BeamParams<BeamViscosity::even, P, N>;
  const Params& p;
  P factor;

  KOKKOS_INLINE_FUNCTION BeamMaterial(const Params& params, double cq, double cv) : p(params), factor(cq + cv * params.tau) {}
  /// It times a change of strain.
  KOKKOS_INLINE_FUNCTION Vec<P, 6> times(int q, const Vec3<P>& gamma, const Vec3<P>& kappa) const {
    return p.stiffness[q] * Vec<P, 6>{{factor * gamma[0], factor * gamma[1], factor * gamma[2], factor * kappa[0],
                                       factor * kappa[1], factor * kappa[2]}};
  }
  /// Its part between stretch and shears, times weight and scale.
  KOKKOS_INLINE_FUNCTION Mat3<P> between_places(int q, double weight, const P& scale) const {
    const P all = weight * factor * scale;
    Mat3<P> C;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) C(i, j) = all * p.stiffness[q](i, j);
    return C;
  }
};

template <class P, int N>
struct BeamMaterial<BeamViscosity::by_component, P, N> {
  using Params = BeamParams<BeamViscosity::by_component, P, N>;
  Symmetric<P, 6> sum[N - 1];

  KOKKOS_INLINE_FUNCTION BeamMaterial(const Params& p, double cq, double cv) {
    for (int q = 0; q < N - 1; ++q)
      for (int k = 0; k < 21; ++k) sum[q].data[k] = cq * p.stiffness[q].data[k] + cv * p.viscosity[q].data[k];
  }
  KOKKOS_INLINE_FUNCTION Vec<P, 6> times(int q, const Vec3<P>& gamma, const Vec3<P>& kappa) const {
    return sum[q] * Vec<P, 6>{{gamma[0], gamma[1], gamma[2], kappa[0], kappa[1], kappa[2]}};
  }
  KOKKOS_INLINE_FUNCTION Mat3<P> between_places(int q, double weight, const P& scale) const {
    const P all = weight * scale;
    Mat3<P> C;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) C(i, j) = all * sum[q](i, j);
    return C;
  }
};

/// B^(1/2) C B^(1/2): the viscosity of a section with stiffness C and time constants b, none negative.
inline Mat<double, 6> viscosity_by_component(const Mat<double, 6>& C, const Vec<double, 6>& b) {
  Mat<double, 6> D;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) D(i, j) = math::sqrt(b[i] * b[j]) * C(i, j);
  return D;
}

}  // namespace sinew
