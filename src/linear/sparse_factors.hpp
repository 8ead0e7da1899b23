/// \file
/// Sparse LU factorisation of many matrices of one pattern on one rank: by KLU of SuiteSparse, by substructures or by MUMPS.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// Makes `pc` an exact solver on KLU that keeps the pivot order of its first factorisation: matrices that follow are refactorised
/// without a search for pivots, in less than a third of the time, and with one where a pivot has become small. Where the pattern
/// would fill KLU's factors (nets), substructures take its place, and MUMPS where parts of them are singular. False, and nothing
/// done, where Sinew was built without KLU. For sequential AIJ matrices whose pattern does not change.
bool use_sparse_factors(PC pc);
/// Was Sinew built with it?
bool has_sparse_factors();

}  // namespace sinew
