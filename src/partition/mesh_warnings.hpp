/// \file
/// What is to be said of a mesh that can be computed with and may not be what was meant.
#pragma once

#include "partition/mesh_slice.hpp"

#include <string>
#include <vector>

namespace sinew {

/// That it falls into parts; that elements of unlike shapes meet, or triangles lie on quadrilaterals; that many are of first
/// order and stiff. `of`: how the sentences begin, `rod.msh: warning: the mesh`. The same on all ranks. Collective.
std::vector<std::string> mesh_warnings(MPI_Comm comm, const MeshSlice& slice, const std::string& of);

/// That many quadrilaterals of a shell of this thickness are warped; empty: they are not. As above.
std::string warp_warning(MPI_Comm comm, const MeshSlice& slice, double thickness, const std::string& of);

}  // namespace sinew
