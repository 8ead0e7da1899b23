/// \file
/// States of an element moved along one of its degrees of freedom by dual numbers, and the tangent that follows from its forces.
#pragma once

#include "kernels/contract.hpp"

namespace sinew {

/// A frame moved along its 6 directions by eps d, to first order in the dual part: x + eps d_x, R (I + eps d_theta~).
template <class T>
KOKKOS_INLINE_FUNCTION Frame<Dual<T>> perturbed(const Frame<T>& f, const Vec3<T>& dx, const Vec3<T>& dtheta) {
  Frame<Dual<T>> p;
  const Mat3<T> dR = f.R * skew(dtheta);
  for (int i = 0; i < 3; ++i) {
    p.x[i] = Dual<T>(f.x[i], dx[i]);
    for (int j = 0; j < 3; ++j) p.R(i, j) = Dual<T>(f.R(i, j), dR(i, j));
  }
  return p;
}

/// Element states with direction j of the degrees of freedom seeded: q along cq T e_j, v along cv e_j. `T`: of every node; null
/// means the unit matrix.
template <NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION NodeStates<Dual1, kind, N> seeded_states(const NodeStates<double, kind, N>& s, const Mat3<double>* T,
                                                                int j, double cq, double cv) {
  NodeStates<Dual1, kind, N> d;
  constexpr int width = dofs_of(kind);
  for (int k = 0; k < N; ++k) {
    const bool here = j / width == k;
    const int i = j % width;
    if constexpr (kind == NodeKind::point) {
      for (int c = 0; c < 3; ++c) {
        d.x[k][c] = Dual1(s.x[k][c], here && c == i ? cq : 0.0);
        d.v[k][c] = Dual1(s.v[k][c], here && c == i ? cv : 0.0);
      }
    } else {
      Vec3<double> dx, dtheta;
      if (here && i < 3) dx[i] = cq;
      if (here && i >= 3) {
        if (T == nullptr)
          dtheta[i - 3] = cq;
        else
          dtheta = cq * column(T[k], i - 3);
      }
      d.frame[k] = perturbed(s.frame[k], dx, dtheta);
      for (int c = 0; c < 3; ++c) {
        d.twist[k].v[c] = Dual1(s.twist[k].v[c], here && c == i ? cv : 0.0);
        d.twist[k].omega[c] = Dual1(s.twist[k].omega[c], here && c + 3 == i ? cv : 0.0);
      }
    }
  }
  return d;
}

/// An element's generalised forces in the order of its degrees of freedom.
template <class S, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void flatten(const NodeForces<S, kind, N>& f, S (&out)[N * dofs_of(kind)]) {
  for (int k = 0; k < N; ++k)
    for (int c = 0; c < 3; ++c) {
      if constexpr (kind == NodeKind::point) {
        out[3 * k + c] = f.f[k][c];
      } else {
        out[6 * k + c] = f.f[k].force[c];
        out[6 * k + 3 + c] = f.f[k].moment[c];
      }
    }
}

/// Adds -(cq df/dq T + cv df/dv) column by column: directional derivatives of a function that adds the forces of states,
/// force(states, f). `T` as in seeded_states.
template <NodeKind kind, int N, class Force>
KOKKOS_INLINE_FUNCTION void add_dual_tangent(const Force& force, const NodeStates<double, kind, N>& states, const Mat3<double>* T,
                                             double cq, double cv, Mat<double, N * dofs_of(kind)>& J) {
  constexpr int D = N * dofs_of(kind);
  for (int j = 0; j < D; ++j) {
    NodeForces<Dual1, kind, N> f;
    force(seeded_states<kind, N>(states, T, j, cq, cv), f);
    Dual1 components[D];
    flatten<Dual1, kind, N>(f, components);
    for (int i = 0; i < D; ++i) J(i, j) -= components[i].grad;
  }
}

/// Likewise of an element's `force`.
template <class E, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void add_dual_tangent(const typename E::Params& p, const Environment& env, const double* signals,
                                             const NodeStates<double, kind, N>& states, const Mat3<double>* T, double cq,
                                             double cv, Mat<double, N * dofs_of(kind)>& J) {
  add_dual_tangent<kind, N>(
      [&](const NodeStates<Dual1, kind, N>& seeded, NodeForces<Dual1, kind, N>& f) { E::force(p, env, signals, seeded, f); },
      states, T, cq, cv, J);
}

}  // namespace sinew
