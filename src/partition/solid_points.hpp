/// \file
/// Points inside solids: in which cell of all ranks one lies, and the frames of those that joints and forces take hold of.
#pragma once

#include "partition/solid_meshes.hpp"

#include <limits>

namespace sinew {

/// A cell that a place may lie in, as ranks compare them: by how far the place lies outside, then by the nodes, so that any
/// number of ranks chooses the same of several that share it.
struct CellCandidate {
  double excess = std::numeric_limits<double>::infinity();
  std::int64_t nodes[27] = {};  ///< ascending

  bool operator<(const CellCandidate& other) const;
};

/// The rank with the least of the ranks' candidates; -1 where none of them has the place. Collective.
int rank_of_first(MPI_Comm, const CellCandidate& mine);

/// Finds the points of a body that need a frame, in its mesh. Throws InputError on all ranks. Collective.
void locate_points(MPI_Comm, const Model&, int body, const SolidSource&, SolidMesh&);

/// Finds where the nodes lie that the model names by their numbers. Throws InputError on all ranks. Collective.
void locate_nodes(MPI_Comm, const Model&, int body, const SolidSource&, SolidMesh&);

}  // namespace sinew
