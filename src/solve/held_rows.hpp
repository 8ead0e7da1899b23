/// \file
/// How firmly redundant constraints hold where the matrix is one of stiffness.
#pragma once

#include "system/system.hpp"

namespace sinew {

/// Redundant rows are held by a regularisation R in proportion to the masses (see System::regularise), which says nothing where
/// the rest of the matrix A is a stiffness: beside members that are far stiffer than heavy they would be soft springs.
///   R_r := min(R_r, delta (sum g^2 s^2)^2 / sum g^2 s^4 |A_jj|)            g: the row's entries, s: the sizes of its dofs
/// a small part of what the rows' own members give way; delta = 1e-6. Does nothing where nothing is redundant. Collective.
void hold_beside_stiffness(const System&, PetscMat A);

}  // namespace sinew
