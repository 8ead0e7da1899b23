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

/// Sets the states of N nodes of one kind with direction j of their degrees of freedom seeded: q along cq T e_j, v along cv e_j.
/// None is where j is none of theirs. `T`: of every node; null means the unit matrix.
template <int N>
KOKKOS_INLINE_FUNCTION void seed_states(const NodeStates<double, NodeKind::point, N>& s, const Mat3<double>* /*T*/, int j,
                                        double cq, double cv, NodeStates<Dual1, NodeKind::point, N>& d) {
  for (int k = 0; k < N; ++k)
    for (int c = 0; c < 3; ++c) {
      const bool here = j == 3 * k + c;
      d.x[k][c] = Dual1(s.x[k][c], here ? cq : 0.0);
      d.v[k][c] = Dual1(s.v[k][c], here ? cv : 0.0);
    }
}
template <int N>
KOKKOS_INLINE_FUNCTION void seed_states(const NodeStates<double, NodeKind::scalar, N>& s, const Mat3<double>* /*T*/, int j,
                                        double cq, double cv, NodeStates<Dual1, NodeKind::scalar, N>& d) {
  for (int k = 0; k < N; ++k) {
    d.x[k] = Dual1(s.x[k], j == k ? cq : 0.0);
    d.v[k] = Dual1(s.v[k], j == k ? cv : 0.0);
  }
}
template <int N>
KOKKOS_INLINE_FUNCTION void seed_states(const NodeStates<double, NodeKind::frame, N>& s, const Mat3<double>* T, int j, double cq,
                                        double cv, NodeStates<Dual1, NodeKind::frame, N>& d) {
  constexpr int width = dofs_of(NodeKind::frame);
  for (int k = 0; k < N; ++k) {
    const int i = j - width * k;  // among the node's own
    Vec3<double> dx, dtheta;
    for (int c = 0; c < 3; ++c) {  // compared, for what is found by a number known at run time a device keeps in memory
      if (c == i) dx[c] = cq;
      if (c + 3 != i) continue;
      if (T == nullptr)
        dtheta[c] = cq;
      else
        dtheta = cq * column(T[k], c);
    }
    d.frame[k] = perturbed(s.frame[k], dx, dtheta);
    for (int c = 0; c < 3; ++c) {
      d.twist[k].v[c] = Dual1(s.twist[k].v[c], c == i ? cv : 0.0);
      d.twist[k].omega[c] = Dual1(s.twist[k].omega[c], c + 3 == i ? cv : 0.0);
    }
  }
}
/// Likewise of a mixed list.
template <NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void seed_states(const MixedStates<double, kinds...>& s, const Mat3<double>* T, int j, double cq,
                                        double cv, MixedStates<Dual1, kinds...>& d) {
  if constexpr (sizeof...(kinds) > 0) {
    seed_states(s.first, T, j, cq, cv, d.first);
    seed_states(s.others, T == nullptr ? nullptr : T + 1, j - MixedNodes<kinds...>::first_dof(1), cq, cv, d.others);
  }
}

/// The states of the nodes of an element, a list such as UniformNodes, seeded so.
template <class Nodes>
KOKKOS_INLINE_FUNCTION typename Nodes::template States<Dual1> seeded_states(const typename Nodes::template States<double>& s,
                                                                            const Mat3<double>* T, int j, double cq, double cv) {
  typename Nodes::template States<Dual1> d;
  seed_states(s, T, j, cq, cv, d);
  return d;
}
template <NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION NodeStates<Dual1, kind, N> seeded_states(const NodeStates<double, kind, N>& s, const Mat3<double>* T,
                                                                int j, double cq, double cv) {
  return seeded_states<UniformNodes<kind, N>>(s, T, j, cq, cv);
}

/// An element's generalised forces in the order of its degrees of freedom.
template <class S, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void flatten(const NodeForces<S, kind, N>& f, S* out) {
  for (int k = 0; k < N; ++k) {
    if constexpr (kind == NodeKind::scalar) {
      out[k] = f.f[k];
    } else {
      for (int c = 0; c < 3; ++c) {
        if constexpr (kind == NodeKind::point) {
          out[3 * k + c] = f.f[k][c];
        } else {
          out[6 * k + c] = f.f[k].force[c];
          out[6 * k + 3 + c] = f.f[k].moment[c];
        }
      }
    }
  }
}
template <class S, NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void flatten(const MixedForces<S, kinds...>& f, S* out) {
  if constexpr (sizeof...(kinds) > 0) {
    flatten(f.first, out);
    flatten(f.others, out + MixedNodes<kinds...>::first_dof(1));
  }
}

/// Hands column j of -(cq df/dq T + cv df/dv) to put(i, entry): a directional derivative of a function that adds the forces of
/// states, force(states, f). `T` as in seed_states.
template <class Nodes, class Force, class Put>
KOKKOS_INLINE_FUNCTION void put_dual_column(const Force& force, const typename Nodes::template States<double>& states,
                                            const Mat3<double>* T, int j, double cq, double cv, const Put& put) {
  typename Nodes::template Forces<Dual1> f;
  force(seeded_states<Nodes>(states, T, j, cq, cv), f);
  Dual1 components[Nodes::dofs];
  flatten(f, components);
  for (int i = 0; i < Nodes::dofs; ++i) put(i, -components[i].grad);
}

/// Adds all of its columns.
template <class Nodes, class Force>
KOKKOS_INLINE_FUNCTION void add_dual_tangent(const Force& force, const typename Nodes::template States<double>& states,
                                             const Mat3<double>* T, double cq, double cv, Mat<double, Nodes::dofs>& J) {
  for (int j = 0; j < Nodes::dofs; ++j)
    put_dual_column<Nodes>(force, states, T, j, cq, cv, [&](int i, double entry) { J(i, j) += entry; });
}

/// Likewise of an element's `force`.
template <class E, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void add_dual_tangent(const typename E::Params& p, const Environment& env, const double* signals,
                                             const NodeStates<double, kind, N>& states, const Mat3<double>* T, double cq,
                                             double cv, Mat<double, N * dofs_of(kind)>& J) {
  add_dual_tangent<UniformNodes<kind, N>>(
      [&](const NodeStates<Dual1, kind, N>& seeded, NodeForces<Dual1, kind, N>& f) { E::force(p, env, signals, seeded, f); },
      states, T, cq, cv, J);
}

}  // namespace sinew
