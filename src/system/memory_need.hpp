/// \file
/// Whether a model can fit into the memory at hand, before anything of it is built.
#pragma once

#include "partition/solid_meshes.hpp"

namespace sinew {

/// Bytes that a system of this model needs at least, all ranks together. Counted are the entries of its tangent matrix while its
/// pattern is handed to PETSc: an element of D unknowns has D^2, each with a row and a column, local (int) and global (PetscInt),
/// and with the number (PetscCount) by which PETSc keeps its place. Elements, vectors, factors come on top: a model that passes
/// may still be too large.
double least_memory(const Model&, const SolidMeshes&);

/// Throws EnvironmentError, with the figures, where a share of the model is larger than the memory of the machine that it falls
/// to. Collective.
void require_memory(MPI_Comm, const Model&, const SolidMeshes&);

}  // namespace sinew
