/// \file
/// Vectors and matrices of the types that PETSc's options name: -vec_type kokkos -mat_type aijkokkos keeps them where Kokkos
/// works.
#pragma once

#include "base/petsc.hpp"

#include <vector>

namespace sinew {

/// A vector of so many numbers on this rank, of the type of -vec_type, else an ordinary one. Uninitialised. Collective.
VecHandle make_vector(MPI_Comm comm, PetscInt owned);

/// One with copies of other ranks' entries behind its own, of these global numbers, of which others are duplicates; it may have
/// no numbers of its own. Collective.
VecHandle make_ghosted_vector(MPI_Comm comm, PetscInt owned, const std::vector<PetscInt>& ghosts);

/// Turns an assembled AIJ matrix into one of -mat_type, in its place; without that option it stays as it is. Collective.
void take_type_of_options(MatHandle& A);

/// Do its numbers lie where Kokkos works, so that sweeps reach them there?
bool is_of_kokkos(PetscVec v);
/// The same of a sequential matrix.
bool is_of_kokkos(PetscMat A);

/// Is an AIJ matrix, of whatever kind, spread over ranks in two blocks each?
bool is_distributed_aij(PetscMat A);

}  // namespace sinew
