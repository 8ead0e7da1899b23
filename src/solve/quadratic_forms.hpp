/// \file
/// Products y^T A x, and the terms that they are made of.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// y^T A x. Collective.
double product(PetscMat A, PetscVec y, PetscVec x);

/// sum |A_ii| x_i^2: what x^T A x is made of, root by root. `diagonal`: absolute values of that of A. Collective.
double terms_of(PetscVec diagonal, PetscVec x);

}  // namespace sinew
