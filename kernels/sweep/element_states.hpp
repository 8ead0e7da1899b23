/// \file
/// States of elements' nodes as sweeps load them, and what turns derivatives along motions into those along the step's chart.
#pragma once

#include "kernels/sweep/family.hpp"

namespace sinew {

/// Loads the states of N nodes of one kind, of element e those from the k-th on.
template <NodeKind kind, int N>
KOKKOS_INLINE_FUNCTION void load_states(const SweepState& s, const LentTable<int>& nodes, int e, int first,
                                        NodeStates<double, kind, N>& states) {
  for (int k = 0; k < N; ++k) {
    const int node = nodes(e, first + k);
    if constexpr (kind == NodeKind::frame) {
      load_frame(s, node, states.frame[k]);
      if (s.velocity != nullptr) load_twist(s, node, states.twist[k]);
    } else {
      const double* c = s.config + s.nodes.config(node);
      const int dof = s.nodes.dof(node);
      const bool rests = dof < 0 || s.velocity == nullptr;
      if constexpr (kind == NodeKind::scalar) {
        states.x[k] = c[0];
        states.v[k] = rests ? 0.0 : s.velocity[dof];
      } else {
        for (int i = 0; i < 3; ++i) {
          states.x[k][i] = c[i];
          states.v[k][i] = rests ? 0.0 : s.velocity[dof + i];
        }
      }
    }
  }
}
/// Likewise of a mixed list.
template <NodeKind... kinds>
KOKKOS_INLINE_FUNCTION void load_states(const SweepState& s, const LentTable<int>& nodes, int e, int first,
                                        MixedStates<double, kinds...>& states) {
  if constexpr (sizeof...(kinds) > 0) {
    load_states(s, nodes, e, first, states.first);
    load_states(s, nodes, e, first + 1, states.others);
  }
}
/// The states of element e's nodes, a list such as UniformNodes.
template <class Nodes>
KOKKOS_INLINE_FUNCTION typename Nodes::template States<double> load_states(const SweepState& s, const LentTable<int>& nodes,
                                                                           int e) {
  typename Nodes::template States<double> states;
  load_states(s, nodes, e, 0, states);
  return states;
}

/// J T: multiplies the rotational columns of a block over a list of nodes, in its first R rows, by the nodes' tangent operators.
template <class Nodes, int R, class P, int rows>
KOKKOS_INLINE_FUNCTION void times_tangent_operator(Mat<P, rows, Nodes::dofs>& J, const Mat3<P>* T) {
  for (int i = 0; i < R; ++i)
    for (int k = 0; k < Nodes::count; ++k) {
      if (first_turn_of(Nodes::kind(k)) < 0) continue;
      const int turn = Nodes::first_dof(k) + first_turn_of(Nodes::kind(k));
      const Vec3<P> row{{J(i, turn), J(i, turn + 1), J(i, turn + 2)}};
      const Vec3<P> turned = transpose_times(T[k], row);
      for (int c = 0; c < 3; ++c) J(i, turn + c) = turned[c];
    }
}

}  // namespace sinew
