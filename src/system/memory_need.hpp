/// \file
/// Whether a model can fit into the memory at hand, before anything of it is built.
#pragma once

#include "partition/solid_meshes.hpp"

namespace sinew {

/// Bytes that a run of this model needs at least, all ranks together. Counted are the entries of its tangent matrix, with the
/// slots of elements that are summed into them, and those of its factors, which are no fewer. Vectors, the elements themselves,
/// fill, other matrices come on top: a model that passes may still be too large.
double least_memory(const Model&, const SolidMeshes&);

/// Throws EnvironmentError, with the figures, where a share of the model is larger than the memory of the machine that it falls
/// to. Collective.
void require_memory(MPI_Comm, const Model&, const SolidMeshes&);

}  // namespace sinew
