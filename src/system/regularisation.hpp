/// \file
/// What stands on a matrix's diagonal beside its equations, noted in the matrix itself for those who solve with it.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// Rows that say the same but for a sigma below this (`NullSpace`, `SigmaCount`) are near a singular position, some 1e-3 of the
/// extent: as measured on four-bars with steps of 1 to 14 ms, that far from it steps go on as if there were none, and the closer
/// they end the more of what Newton's method and rounding have left of gaps shows in the motion.
constexpr double near_singular = 1e-6;

/// Notes that `r` has been subtracted from the diagonal of A (null: nothing), a vector of A's rows that A then shares.
/// Collective.
void note_regularisation(PetscMat A, PetscVec r);

/// What was noted, or null. Local.
PetscVec noted_regularisation(PetscMat A);

/// Squares the stored entries of a matrix (sequential or MPI AIJ). Local.
void square_entries(PetscMat A);

}  // namespace sinew
