/// \file
/// What factors of the matrices of solids would cost.
#pragma once

#include "base/petsc.hpp"

#include <string>

namespace sinew {

/// What solids are in a matrix: masses alone are solved for in some ten iterations of incomplete factors whatever the mesh, while
/// their factors have hardly fewer entries than those of stiffness.
enum class SolidsAs { bodies, masses };

/// Unknowns of the border that have entries in rows of one body: columns of the border's complement, which is full in them.
struct BorderColumns {
  double most = 0;   ///< of the body that has most
  double cubes = 0;  ///< sum of their cubes over the bodies
};

/// Of a matrix whose unknowns are noted. No rank sees the border of others. Collective.
BorderColumns border_columns(PetscMat A);

/// Do iterations pay for a matrix whose unknowns are noted and that has solids? Operations of an LU factorisation, counted
/// without doing it, against the entries of the matrix, what every column of the border costs and what its complement takes:
/// slender bodies, small ones and those with many others attached are factorised faster. Found once a pattern. -sinew_solids
/// iterations or factors says it instead. Collective.
bool iterations_pay(PetscMat A, SolidsAs solids);

/// Why, once that was asked: for people.
std::string price_text(PetscMat A, SolidsAs solids);

}  // namespace sinew
