/// \file
/// Parts of a mesh that do not hang together: no chain of cells that share nodes leads from one to the other.
#pragma once

#include "partition/mesh_slice.hpp"

namespace sinew {

/// One of them.
struct MeshPart {
  double cells = 0;
  Point3 middle{};  ///< the mean of its cells' nodes, in the file's coordinates
};

/// How many there are, and the largest of them, the largest first.
struct MeshParts {
  std::int64_t count = 0;
  std::vector<MeshPart> largest;
};

/// Of the volume cells. Every rank joins its own cells; the smallest number of a point that a part has travels from rank to rank
/// until it is the same in all of it. Collective.
MeshParts find_mesh_parts(MPI_Comm, const MeshSlice&);

/// What is to be said of them: `3 parts that share no node: 640 elements about (0, 0, 1), ...`; empty where there is one.
std::string describe(const MeshParts&);

}  // namespace sinew
