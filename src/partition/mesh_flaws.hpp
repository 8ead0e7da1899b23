/// \file
/// Where elements of a mesh meet in a way that can be computed with and is seldom meant.
#pragma once

#include "partition/mesh_slice.hpp"

namespace sinew {

/// How many such places there are, the same on all ranks, and the middle of one of them, in the file's coordinates.
struct MeshFlaws {
  std::int64_t count = 0;
  Point3 one{};
};

/// Edges of a surface between two elements that see their nodes go round in opposite ways. Two elements that go round alike pass
/// the edge between them in opposite directions; edges of one element, or of more than two, say nothing. Collective.
MeshFlaws find_odd_edges(MPI_Comm, const MeshSlice&);

/// Quadrilaterals of hexahedra or prisms on which triangles of others lie, as where a part of hexahedra was joined to one of
/// tetrahedra: both have the corners, and between these they move apart, so that not even a constant stress passes. Collective.
MeshFlaws find_glued_faces(MPI_Comm, const MeshSlice&);

}  // namespace sinew
