/// \file
/// Whether neighbouring elements of a surface have their normals on the same side.
#pragma once

#include "partition/mesh_slice.hpp"

namespace sinew {

/// Edges between two elements that see their nodes go round in opposite ways, and the middle of one of them, in the file's
/// coordinates. Their number is the same on all ranks.
struct OddEdges {
  std::int64_t count = 0;
  Point3 one{};
};

/// Of a mesh of a surface. Two elements that go round alike pass the edge between them in opposite directions; edges of one
/// element, or of more than two, say nothing. Collective.
OddEdges find_odd_edges(MPI_Comm, const MeshSlice&);

}  // namespace sinew
