/// \file
/// Cells that a mesh file lists more than once, found across ranks.
#pragma once

#include "partition/mesh_slice.hpp"

namespace sinew {

/// Lists each cell once: of cells with the same shape and the same set of nodes the first one stays and stands for all in every
/// group. Collective.
void merge_twins(MPI_Comm comm, MeshSlice& slice);

/// Numbers the volume cells, shape by shape in the order of the file. Collective.
void number_volumes(MPI_Comm comm, MeshSlice& slice);

}  // namespace sinew
