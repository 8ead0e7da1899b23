/// \file
/// What elements see of their nodes and put on them: of nodes of one kind, and of mixed lists.
#pragma once

#include "kernels/nodes/node_kind.hpp"

namespace sinew {

/// States of N nodes of one kind. Points: x and v. Frames: frame and twist. Scalars: x and v, numbers.
template <class S, NodeKind kind, int N>
struct NodeStates;
template <class S, int N>
struct NodeStates<S, NodeKind::point, N> {
  Vec3<S> x[N];
  Vec3<S> v[N];
};
template <class S, int N>
struct NodeStates<S, NodeKind::frame, N> {
  Frame<S> frame[N];
  Twist<S> twist[N];
};
template <class S, int N>
struct NodeStates<S, NodeKind::scalar, N> {
  S x[N] = {};
  S v[N] = {};
};

/// The generalised forces on them.
template <class S, NodeKind kind, int N>
struct NodeForces;
template <class S, int N>
struct NodeForces<S, NodeKind::point, N> {
  Vec3<S> f[N];
};
template <class S, int N>
struct NodeForces<S, NodeKind::frame, N> {
  Wrench<S> f[N];
};
template <class S, int N>
struct NodeForces<S, NodeKind::scalar, N> {
  S f[N] = {};
};

/// The same of a list of nodes of any kinds, one after the other: node_at<k>(states) is that of node k, a NodeStates<S, its kind,
/// 1>.
template <class S, NodeKind... kinds>
struct MixedStates {};
template <class S, NodeKind first_kind, NodeKind... kinds>
struct MixedStates<S, first_kind, kinds...> {
  NodeStates<S, first_kind, 1> first;
  MixedStates<S, kinds...> others;
};
template <class S, NodeKind... kinds>
struct MixedForces {};
template <class S, NodeKind first_kind, NodeKind... kinds>
struct MixedForces<S, first_kind, kinds...> {
  NodeForces<S, first_kind, 1> first;
  MixedForces<S, kinds...> others;
};
template <int k, class List>
KOKKOS_INLINE_FUNCTION auto& node_at(List& list) {
  if constexpr (k == 0)
    return list.first;
  else
    return node_at<k - 1>(list.others);
}

/// The nodes of an element: N of one kind.
template <NodeKind every_kind, int N>
struct UniformNodes {
  static constexpr int count = N, dofs = N * dofs_of(every_kind);
  static constexpr bool has_turns = first_turn_of(every_kind) >= 0;
  KOKKOS_INLINE_FUNCTION static constexpr NodeKind kind(int /*node*/) { return every_kind; }
  KOKKOS_INLINE_FUNCTION static constexpr int first_dof(int node) { return node * dofs_of(every_kind); }
  template <class S>
  using States = NodeStates<S, every_kind, N>;
  template <class S>
  using Forces = NodeForces<S, every_kind, N>;
};

/// The nodes of an element: a list of kinds.
template <NodeKind... kinds>
struct MixedNodes {
  static constexpr int count = sizeof...(kinds), dofs = (dofs_of(kinds) + ...);
  static constexpr bool has_turns = ((first_turn_of(kinds) >= 0) || ...);
  KOKKOS_INLINE_FUNCTION static constexpr NodeKind kind(int node) {
    constexpr NodeKind all[] = {kinds...};
    return all[node];
  }
  KOKKOS_INLINE_FUNCTION static constexpr int first_dof(int node) {
    int first = 0;
    for (int k = 0; k < node; ++k) first += dofs_of(kind(k));
    return first;
  }
  template <class S>
  using States = MixedStates<S, kinds...>;
  template <class S>
  using Forces = MixedForces<S, kinds...>;
};

template <class S, class List>
class OpenStates;
template <class S, class List>
class OpenForces;

/// The nodes of an element whose number is known at run time: a list of any kinds, then as many as there are of one more kind.
/// States and forces are those of kernels/open_nodes.hpp.
template <NodeKind further, NodeKind... kinds>
struct OpenNodes {
  static constexpr bool is_open = true;
  static constexpr int num_first = sizeof...(kinds);  ///< nodes that every element has
  static constexpr bool has_turns = first_turn_of(further) >= 0 || ((first_turn_of(kinds) >= 0) || ...);
  KOKKOS_INLINE_FUNCTION static constexpr NodeKind kind(int node) {
    constexpr NodeKind all[] = {kinds..., further};
    return all[node < num_first ? node : num_first];
  }
  /// The first degree of freedom of a node; of the number of nodes how many there are.
  KOKKOS_INLINE_FUNCTION static constexpr int first_dof(int node) {
    int first = 0;
    for (int k = 0; k < node && k < num_first; ++k) first += dofs_of(kind(k));
    return node <= num_first ? first : first + (node - num_first) * dofs_of(further);
  }
  template <class S>
  using States = OpenStates<S, OpenNodes>;
  template <class S>
  using Forces = OpenForces<S, OpenNodes>;
};

/// The nodes of element E: its list, or `num_nodes` of its `node_kind`.
template <class E>
struct NodesOfElement {
  using type = UniformNodes<E::node_kind, E::num_nodes>;
};
template <class E>
requires requires { typename E::NodeList; }
struct NodesOfElement<E> {
  using type = typename E::NodeList;
};
template <class E>
using NodesOf = typename NodesOfElement<E>::type;

/// The number of its nodes is known at run time.
template <class E>
concept HasOpenList = requires {
  requires NodesOf<E>::is_open;
};

/// Whether all nodes of element E are of that kind, as many as there ever are.
template <class E>
constexpr bool is_over(NodeKind kind) {
  if constexpr (!HasOpenList<E>) {
    for (int k = 0; k < NodesOf<E>::count; ++k)
      if (NodesOf<E>::kind(k) != kind) return false;
    return true;
  }
  return false;
}

}  // namespace sinew
