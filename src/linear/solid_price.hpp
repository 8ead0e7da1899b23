/// \file
/// What factors of the matrices of solids would cost.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// What solids are in a matrix: masses alone are solved for in some ten iterations of incomplete factors whatever the mesh, while
/// their factors have hardly fewer entries than those of stiffness.
enum class SolidsAs { bodies, masses };

/// Do iterations pay for a matrix whose unknowns are noted and that has solids? Operations of an LU factorisation, counted
/// without doing it, against the entries of the matrix: slender bodies and small ones are factorised faster. -sinew_solids
/// iterations or factors says it instead. Collective.
bool iterations_pay(PetscMat A, SolidsAs solids);

}  // namespace sinew
