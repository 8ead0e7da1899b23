/// \file
/// How a shell's surface turns: rotations interpolated between its nodes by quaternions, and their curvatures.
///
/// With the nodes' quaternions p_a from node 0 and shape functions N_a a place has p = sum N_a p_a, taken as a rotation whatever
/// its length, and K_i = 2 vec(conj(p) p,i) / |p|^2 along direction i. No node is preferred, and a rigid motion, which turns all
/// p_a alike, changes no K.
#pragma once

#include "kernels/contract.hpp"

namespace sinew {

/// A quaternion of any length.
template <class S>
struct ShellTurn {
  S w = S(0.0);
  Vec3<S> v;

  template <class F>
  KOKKOS_INLINE_FUNCTION void add(const F& factor, const ShellTurn& other) {
    w = w + factor * other.w;
    v += factor * other.v;
  }
  /// conj(this) other
  KOKKOS_INLINE_FUNCTION ShellTurn to(const ShellTurn& other) const {
    return {w * other.w + dot(v, other.v), w * other.v - other.w * v - cross(v, other.v)};
  }
  /// The vector part of its product with u, and the transpose of that.
  KOKKOS_INLINE_FUNCTION Vec3<S> times(const Vec3<S>& u) const { return w * u + cross(v, u); }
  KOKKOS_INLINE_FUNCTION Vec3<S> transpose_times(const Vec3<S>& u) const { return w * u - cross(v, u); }
  KOKKOS_INLINE_FUNCTION S square() const { return w * w + dot(v, v); }
};

/// The nodes' turns from node 0, and a place that the strains are taken at.
template <int N, class S>
struct ShellTurns {
  ShellTurn<S> p[N];

  KOKKOS_INLINE_FUNCTION explicit ShellTurns(const Frame<S> (&frame)[N]) {
    using math::sqrt;
    p[0].w = S(1.0);
    for (int a = 1; a < N; ++a) {
      const Mat3<S> R = transpose(frame[0].R) * frame[a].R;
      const S w = 0.5 * sqrt(1.0 + (R(0, 0) + R(1, 1) + R(2, 2))), factor = 0.25 / w;
      p[a].w = w;
      p[a].v = factor * Vec3<S>{{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)}};
    }
  }
};

/// A place of the surface: how it has turned, and how that changes where the nodes turn.
template <int N, class S>
struct ShellPlace {
  ShellTurn<S> p;           ///< from node 0
  S inverse;                ///< 1/|p|^2
  ShellTurn<S> to_node[N];  ///< conj(p) p_a

  KOKKOS_INLINE_FUNCTION ShellPlace() {}
  KOKKOS_INLINE_FUNCTION ShellPlace(const ShellTurns<N, S>& turns, const double (&shape)[N]) {
    for (int a = 0; a < N; ++a) p.add(shape[a], turns.p[a]);
    inverse = 1.0 / p.square();
    for (int a = 0; a < N; ++a) to_node[a] = p.to(turns.p[a]);
  }
  /// A vector of the axes of node 0 in those of the place, and back.
  KOKKOS_INLINE_FUNCTION Vec3<S> turn_back(const Vec3<S>& u) const {
    const Vec3<S> c = cross(p.v, u);
    return u + (2.0 * inverse) * (cross(p.v, c) - p.w * c);
  }
  KOKKOS_INLINE_FUNCTION Vec3<S> turn(const Vec3<S>& u) const {
    const Vec3<S> c = cross(p.v, u);
    return u + (2.0 * inverse) * (cross(p.v, c) + p.w * c);
  }
  /// What node a's turn u adds to that of the place, and the transpose.
  KOKKOS_INLINE_FUNCTION Vec3<S> share(double shape, int a, const Vec3<S>& u) const {
    return (shape * inverse) * to_node[a].times(u);
  }
  KOKKOS_INLINE_FUNCTION Vec3<S> share_transposed(double shape, int a, const Vec3<S>& u) const {
    return (shape * inverse) * to_node[a].transpose_times(u);
  }
};

/// How a place's turn changes along a direction: K, and how that changes where the nodes turn.
template <int N, class S>
struct ShellAlong {
  ShellTurn<S> p;  ///< p,a
  Vec3<S> curvature;
  ShellTurn<S> to_node[N];  ///< conj(p,a) p_a

  KOKKOS_INLINE_FUNCTION ShellAlong() {}
  template <class P>
  KOKKOS_INLINE_FUNCTION ShellAlong(const ShellTurns<N, S>& turns, const ShellPlace<N, S>& place, const P (&slope)[N][2],
                                    int direction) {
    for (int a = 0; a < N; ++a) p.add(slope[a][direction], turns.p[a]);
    curvature = (2.0 * place.inverse) * place.p.to(p).v;
    for (int a = 0; a < N; ++a) to_node[a] = p.to(turns.p[a]);
  }
  template <class P>
  KOKKOS_INLINE_FUNCTION Vec3<S> share(const ShellPlace<N, S>& place, double shape, const P& slope, int a,
                                       const Vec3<S>& u) const {
    const Vec3<S> sum =
        slope * place.to_node[a].times(u) - shape * to_node[a].times(u) + (shape * dot(place.to_node[a].v, u)) * curvature;
    return place.inverse * sum;
  }
  template <class P>
  KOKKOS_INLINE_FUNCTION Vec3<S> share_transposed(const ShellPlace<N, S>& place, double shape, const P& slope, int a,
                                                  const Vec3<S>& u) const {
    const Vec3<S> sum = slope * place.to_node[a].transpose_times(u) - shape * to_node[a].transpose_times(u) +
                        (shape * dot(curvature, u)) * place.to_node[a].v;
    return place.inverse * sum;
  }
};

}  // namespace sinew
