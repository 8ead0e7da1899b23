/// \file
/// From the node numbers of a mesh file to points and cells, on all ranks together.
#pragma once

#include "input/gmsh_content.hpp"
#include "partition/mesh_slice.hpp"

namespace sinew {

/// Numbers the points that volume cells use, in the order of the file, and makes the faces and volume cells of the slice; faces
/// that use other points are left out. `content` is this rank's part of the file. Throws InputError on all ranks if a node number
/// is not positive or occurs twice, or an element names a node that is not there: the fault that comes first in the file.
/// Collective.
void resolve_nodes(MPI_Comm comm, GmshContent&& content, MeshSlice& slice);

}  // namespace sinew
