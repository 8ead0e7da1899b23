/// \file
/// Signs of the eigenvalues of symmetric matrices, counted in their factors.
#pragma once

#include "base/petsc.hpp"

#include <optional>

namespace sinew {

/// The number of negative eigenvalues of (A + A^T)/2, by Sylvester's law from the pivots of its factorisation L D L^T (MUMPS).
/// Empty where it cannot be factorised. Of a KKT matrix [K G^T; G 0] it is the number of rows of G and one more for every
/// direction w with G w = 0 and w^T K w < 0. Collective.
std::optional<PetscInt> negative_eigenvalues(PetscMat A);

}  // namespace sinew
