/// \file
/// Rows of constraints between what a rank eliminates by itself and hubs, which it does not.
#pragma once

#include "base/petsc.hpp"

#include <vector>

namespace sinew {

/// A rank's rows of a distributed KKT matrix, dofs first.
struct HubCut {
  PetscMat diagonal = nullptr, off_diagonal = nullptr;
  const std::vector<PetscInt>& block_of_dof;
  const std::vector<char>& is_boundary;  ///< of its own unknowns: dofs that are not eliminated here, hubs among them, and rows
  const std::vector<PetscInt>& hub;      ///< of its own dofs: a number of the hub that one is part of, -1 of others
  const std::vector<PetscInt>& hub_of_ghost;  ///< likewise of the columns of `off_diagonal`
};

/// Which rows of `is_boundary` = 0 may be eliminated as if hubs stood still (by unknown). The interior [J G^T; G 0] is regular
/// then if J is positive definite and G, without the columns of hubs, has full rank. That is so of all rows of what hangs
/// together in the interior, if it is jointed to one hub and not to the ground: forces of joints that balanced each other there
/// would have no resultant on the hub either, and would be redundant in the whole model. Of what is jointed to two hubs, or to
/// one and the ground, rows are taken as long as they are independent, or none where it is large. Rows to the ground touch one
/// block alone. Local.
std::vector<char> independent_hub_rows(const HubCut&);

}  // namespace sinew
