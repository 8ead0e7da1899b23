/// \file
/// The kinds of node that a model is made of. A new one is a name in NodeKind, its manifold in the list behind it, and what
/// elements see of it (kernels/nodes/node_states.hpp).
#pragma once

#include "kernels/nodes/manifold.hpp"

namespace sinew {

/// A place; a body-fixed frame; one number, as the angle of a shaft with all its turns.
enum class NodeKind : int { point, frame, scalar };

/// What is to be known of a kind of node: the constants of its manifold.
struct ManifoldSize {
  int config = 0, dofs = 0, first_turn = -1;
  bool has_vector = false;
};

/// The manifolds of all kinds, in the order of NodeKind.
template <class... Manifolds>
struct ManifoldList {
  KOKKOS_INLINE_FUNCTION static constexpr ManifoldSize size(NodeKind kind) {
    ManifoldSize found;
    int number = 0;
    ((number++ == static_cast<int>(kind)
          ? static_cast<void>(found = {Manifolds::config_size, Manifolds::dofs, Manifolds::first_turn, Manifolds::has_vector})
          : static_cast<void>(0)),
     ...);
    return found;
  }

  /// The most numbers that a node of any kind has.
  static constexpr ManifoldSize largest() {
    ManifoldSize most;
    ((most.config = Manifolds::config_size > most.config ? Manifolds::config_size : most.config), ...);
    ((most.dofs = Manifolds::dofs > most.dofs ? Manifolds::dofs : most.dofs), ...);
    return most;
  }

  template <class Act>
  KOKKOS_INLINE_FUNCTION static void on(NodeKind kind, const Act& act) {
    int number = 0;
    ((number++ == static_cast<int>(kind) ? static_cast<void>(act(Manifolds())) : static_cast<void>(0)), ...);
  }
};
using NodeManifolds = ManifoldList<VectorSpace<3>, Pose, VectorSpace<1>>;

KOKKOS_INLINE_FUNCTION constexpr ManifoldSize manifold_size(NodeKind kind) { return NodeManifolds::size(kind); }
/// Degrees of freedom of a node.
KOKKOS_INLINE_FUNCTION constexpr int dofs_of(NodeKind kind) { return manifold_size(kind).dofs; }
/// The first of the three of them that are a rotation in body axes, -1 where none are.
KOKKOS_INLINE_FUNCTION constexpr int first_turn_of(NodeKind kind) { return manifold_size(kind).first_turn; }

inline constexpr int max_config_size = NodeManifolds::largest().config, max_node_dofs = NodeManifolds::largest().dofs;

/// Calls `act`, a struct with a template operator()(Manifold), for the manifold of a kind.
template <class Act>
KOKKOS_INLINE_FUNCTION void on_manifold(NodeKind kind, const Act& act) {
  NodeManifolds::on(kind, act);
}

/// What joints and forces see of a node with these numbers, as a frame; the frame is at the origin beforehand.
struct PutFrame {
  const double* config;
  Frame<double>* frame;
  template <class M>
  KOKKOS_INLINE_FUNCTION void operator()(M) const {
    M::put_frame(config, *frame);
  }
};
struct PutTwist {
  const double* velocity;
  Twist<double>* twist;
  template <class M>
  KOKKOS_INLINE_FUNCTION void operator()(M) const {
    M::put_twist(velocity, *twist);
  }
};

}  // namespace sinew
