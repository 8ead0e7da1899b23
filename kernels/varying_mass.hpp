/// \file
/// Elements whose mass depends on where they are: M(q) v, and the forces that Lagrange's equations have beside M(q) v'.
#pragma once

#include "kernels/directional.hpp"

namespace sinew {

/// The struct has mass_at(p, states, M) in place of mass(p, M).
template <class E>
concept HasVaryingMass = !HasOpenList<E> && requires(const ParamsOf<E>& p, const typename NodesOf<E>::template States<double>& s,
                                                     Mat<double, NodesOf<E>::dofs, NodesOf<E>::dofs>& M) {
  E::mass_at(p, s, M);
};

/// Velocities in the order of an element's degrees of freedom.
template <class S, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void flatten_velocities(const NodeStates<S, kind, N>& s, S* out) {
  for (int k = 0; k < N; ++k) {
    if constexpr (kind == NodeKind::scalar) {
      out[k] = s.v[k];
    } else {
      for (int c = 0; c < 3; ++c) {
        if constexpr (kind == NodeKind::point) {
          out[3 * k + c] = s.v[k][c];
        } else {
          out[6 * k + c] = s.twist[k].v[c];
          out[6 * k + 3 + c] = s.twist[k].omega[c];
        }
      }
    }
  }
}
template <class S, NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void flatten_velocities(const MixedStates<S, kinds...>& s, S* out) {
  if constexpr (sizeof...(kinds) > 0) {
    flatten_velocities(s.first, out);
    flatten_velocities(s.others, out + MixedNodes<kinds...>::first_dof(1));
  }
}

/// States moved along d, one number a degree of freedom: x + eps d, R (I + eps d~). Velocities are zero, for no mass depends on
/// them.
template <class S, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void move_states(const NodeStates<S, kind, N>& s, const S* d, NodeStates<Dual<S>, kind, N>& moved) {
  for (int k = 0; k < N; ++k) {
    if constexpr (kind == NodeKind::scalar) {
      moved.x[k] = Dual<S>(s.x[k], d[k]);
    } else if constexpr (kind == NodeKind::point) {
      for (int c = 0; c < 3; ++c) moved.x[k][c] = Dual<S>(s.x[k][c], d[3 * k + c]);
    } else {
      const S* own = d + 6 * k;
      moved.frame[k] = perturbed(s.frame[k], Vec3<S>{{own[0], own[1], own[2]}}, Vec3<S>{{own[3], own[4], own[5]}});
    }
  }
}
template <class S, NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void move_states(const MixedStates<S, kinds...>& s, const S* d, MixedStates<Dual<S>, kinds...>& moved) {
  if constexpr (sizeof...(kinds) > 0) {
    move_states(s.first, d, moved.first);
    move_states(s.others, d + MixedNodes<kinds...>::first_dof(1), moved.others);
  }
}

/// What a rotation's velocities in body axes add to Lagrange's equations (they are no derivatives of coordinates): the moment
/// -omega x L, L the angular momentum. `p`: M v.
template <class S, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void add_turning(const NodeStates<S, kind, N>& s, const S* p, S* force) {
  if constexpr (kind == NodeKind::frame)
    for (int k = 0; k < N; ++k) {
      const int turn = 6 * k + 3;
      const Vec3<S> moment = cross(s.twist[k].omega, Vec3<S>{{p[turn], p[turn + 1], p[turn + 2]}});
      for (int c = 0; c < 3; ++c) force[turn + c] -= moment[c];
    }
}
template <class S, NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void add_turning(const MixedStates<S, kinds...>& s, const S* p, S* force) {
  if constexpr (sizeof...(kinds) > 0) {
    constexpr int next = MixedNodes<kinds...>::first_dof(1);
    add_turning(s.first, p, force);
    add_turning(s.others, p + next, force + next);
  }
}

/// Adds numbers in the order of the degrees of freedom to the forces on the nodes.
template <class S, NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void add_components(const S* components, NodeForces<S, kind, N>& f) {
  for (int k = 0; k < N; ++k) {
    if constexpr (kind == NodeKind::scalar) {
      f.f[k] += components[k];
    } else {
      for (int c = 0; c < 3; ++c) {
        if constexpr (kind == NodeKind::point) {
          f.f[k][c] += components[3 * k + c];
        } else {
          f.f[k].force[c] += components[6 * k + c];
          f.f[k].moment[c] += components[6 * k + 3 + c];
        }
      }
    }
  }
}
template <class S, NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void add_components(const S* components, MixedForces<S, kinds...>& f) {
  if constexpr (sizeof...(kinds) > 0) {
    add_components(components, f.first);
    add_components(components + MixedNodes<kinds...>::first_dof(1), f.others);
  }
}

/// out = M(q) v, v the velocities of the states.
template <class E, class S>
KOKKOS_INLINE_FUNCTION void varying_mass_times(const ParamsOf<E>& p, const typename NodesOf<E>::template States<S>& s, S* out) {
  constexpr int D = NodesOf<E>::dofs;
  Mat<S, D, D> M;
  E::mass_at(p, s, M);
  S v[D];
  flatten_velocities(s, v);
  for (int i = 0; i < D; ++i) {
    out[i] = S(0.0);
    for (int j = 0; j < D; ++j) out[i] += M(i, j) * v[j];
  }
}

/// M(q), and in the dual parts its change along d, one number a degree of freedom.
template <class E, class S>
KOKKOS_INLINE_FUNCTION void mass_along(const ParamsOf<E>& p, const typename NodesOf<E>::template States<S>& s, const S* d,
                                       Mat<Dual<S>, NodesOf<E>::dofs, NodesOf<E>::dofs>& M) {
  typename NodesOf<E>::template States<Dual<S>> moved;
  move_states(s, d, moved);
  E::mass_at(p, moved, M);
}
template <class E, class S>
KOKKOS_INLINE_FUNCTION void mass_along_dof(const ParamsOf<E>& p, const typename NodesOf<E>::template States<S>& s, int dof,
                                           Mat<Dual<S>, NodesOf<E>::dofs, NodesOf<E>::dofs>& M) {
  S direction[NodesOf<E>::dofs];
  for (int i = 0; i < NodesOf<E>::dofs; ++i) direction[i] = S(i == dof ? 1.0 : 0.0);
  mass_along<E, S>(p, s, direction, M);
}

/// Adds what of d/dt (dT/dv) - dT/dq, T = 1/2 v^T M(q) v, holds no acceleration, as a force:
///   -(dM/dq . v) v + 1/2 v^T (dM/dq) v, and of rotations -omega x (M v) besides.
/// Derivatives are along the directions of the degrees of freedom; exact, by dual numbers. Source: the Lagrange equations in
/// quasi-velocities (G. Hamel, Die Lagrange-Eulerschen Gleichungen der Mechanik, 1904) on R^3 x SO(3).
template <class E, class S>
KOKKOS_INLINE_FUNCTION void add_inertia_forces(const ParamsOf<E>& p, const typename NodesOf<E>::template States<S>& s,
                                               typename NodesOf<E>::template Forces<S>& f) {
  constexpr int D = NodesOf<E>::dofs;
  S v[D], momentum[D], force[D];
  flatten_velocities(s, v);
  {
    Mat<Dual<S>, D, D> M;
    mass_along<E, S>(p, s, v, M);
    for (int i = 0; i < D; ++i) {
      momentum[i] = force[i] = S(0.0);
      for (int j = 0; j < D; ++j) {
        momentum[i] += M(i, j).value * v[j];
        force[i] -= M(i, j).grad * v[j];
      }
    }
  }
  for (int k = 0; k < D; ++k) {
    Mat<Dual<S>, D, D> M;
    mass_along_dof<E, S>(p, s, k, M);
    S twice(0.0);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) twice += v[i] * M(i, j).grad * v[j];
    force[k] += 0.5 * twice;
  }
  add_turning(s, momentum, force);
  add_components(force, f);
}

/// J += factor d(M(q) v)/dq at fixed v, the velocities of the states.
template <class E>
KOKKOS_INLINE_FUNCTION void add_mass_change(const ParamsOf<E>& p, const typename NodesOf<E>::template States<double>& s,
                                            double factor, Mat<double, NodesOf<E>::dofs, NodesOf<E>::dofs>& J) {
  constexpr int D = NodesOf<E>::dofs;
  double v[D];
  flatten_velocities(s, v);
  for (int k = 0; k < D; ++k) {
    Mat<Dual<double>, D, D> M;
    mass_along_dof<E, double>(p, s, k, M);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) J(i, k) += factor * M(i, j).grad * v[j];
  }
}

}  // namespace sinew
