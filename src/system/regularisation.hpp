/// \file
/// What stands on a matrix's diagonal beside its equations, noted in the matrix itself for those who solve with it.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// Notes that `r` has been subtracted from the diagonal of A (null: nothing), a vector of A's rows that A then shares.
/// Collective.
void note_regularisation(PetscMat A, PetscVec r);

/// What was noted, or null. Local.
PetscVec noted_regularisation(PetscMat A);

/// Squares the stored entries of a matrix (sequential or MPI AIJ). Local.
void square_entries(PetscMat A);

}  // namespace sinew
