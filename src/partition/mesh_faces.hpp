/// \file
/// The faces of surface groups of a mesh that all ranks hold together, and which side of them is outside.
#pragma once

#include "partition/mesh_slice.hpp"
#include "partition/solid_source.hpp"

namespace sinew {

/// Sets `faces` to those of a group, an index into MeshSlice::groups, that this rank holds. Surfaces in files may go round either
/// way: a face is compared with the volume cell behind it, wherever that is. False, the same on all ranks, where one does not lie
/// at exactly one cell. Collective.
bool find_faces(MPI_Comm comm, const MeshSlice& slice, int group, std::vector<SolidFace>& faces);

}  // namespace sinew
