/// \file
/// How the motion of a place follows from nodes.
#pragma once

#include "kernels/nodes/node_kind.hpp"

#include <cstdint>

namespace sinew {

/// Fixed in space; a weighted sum of points (one of them, or the ends of a cable's element); x + R s of a frame; or the angle of
/// a shaft.
struct PlaceProbe {
  enum class Kind { ground, points, frame, scalar };
  Kind kind = Kind::ground;
  int num_nodes = 0;
  std::int64_t natural[4] = {-1, -1, -1, -1};  ///< numbers of the nodes
  int node[4] = {-1, -1, -1, -1};              ///< the same on this rank, where they are known
  double weight[4] = {};                       ///< of points: cubic Hermite functions
  Vec3<double> place;                          ///< s in the node's axes; of the ground, global
  Vec3<double> start;                          ///< initial position

  /// Degrees of freedom of each of the nodes.
  int node_dofs() const {
    return manifold_size(kind == Kind::frame ? NodeKind::frame : kind == Kind::scalar ? NodeKind::scalar : NodeKind::point).dofs;
  }
};

}  // namespace sinew
