/// \file
/// Star forests (PetscSF): numbers of roots, which ranks own, and their copies at leaves on whatever rank.
#pragma once

#include "base/petsc.hpp"

#include <petscsf.h>

#include <vector>

namespace sinew {

using StarForest = PetscHandle<PetscSF, PetscSFDestroy>;

/// The root of a leaf: the rank that owns it, and its number there. PETSc's own struct has no name, and CUDA's compiler breaks
/// down on vectors of it.
struct LeafRoot {
  PetscInt rank = 0, index = 0;
};

/// The forest of so many roots here and of the leaves with these roots. Collective.
StarForest make_star_forest(MPI_Comm, PetscInt num_roots, const std::vector<LeafRoot>& leaves);
/// The same with roots that are numbered throughout all ranks, as the entries of a vector of this layout are. Collective.
StarForest make_star_forest(MPI_Comm, PetscLayout, const std::vector<PetscInt>& leaves);

/// The root of every leaf.
std::vector<LeafRoot> roots_of_leaves(PetscSF);

/// Leaves get the numbers (of this MPI type) of their roots. Collective.
void copy_to_leaves(PetscSF, MPI_Datatype, const void* roots, void* leaves);

}  // namespace sinew
