/// \file
/// Surfaces, curves and points of a mesh that all ranks hold together: the weights of their nodes, and what every rank knows of
/// them.
#pragma once

#include "partition/mesh_slice.hpp"
#include "partition/solid_source.hpp"

namespace sinew {

/// A group and its nodes that this rank holds.
struct SurfaceSlice {
  SurfaceGroup known;
  std::int64_t first = 0;          ///< place of the first of `nodes` among those of the group
  std::vector<SurfaceNode> nodes;  ///< ascending
  std::int64_t first_beside = 0;
  std::vector<SurfaceNode> beside;  ///< nodes by which its frame turns, ascending; see group_turns.hpp
};

/// The group, an index into MeshSlice::groups, called `name`. Collective.
SurfaceSlice make_surface(MPI_Comm comm, const MeshSlice& slice, int group, const std::string& name);

}  // namespace sinew
