/// \file
/// What factors of the matrices of solids would cost.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// Do iterations pay for a matrix whose unknowns are noted and that has solids? Operations of an LU factorisation, counted
/// without doing it, against the entries of the matrix: slender bodies and small ones are factorised faster. -sinew_solids
/// iterations or factors says it instead. Collective.
bool iterations_pay(PetscMat A);

}  // namespace sinew
