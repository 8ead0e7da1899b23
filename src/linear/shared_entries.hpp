/// \file
/// Which leaf of an elimination tree brings in the entries between two unknowns of the interface.
#pragma once

#include "linear/elimination_tree.hpp"

#include <optional>
#include <vector>

namespace sinew {

/// An entry between two unknowns that are counted in a list of them.
struct SharedEntry {
  int row, column;
  PetscInt value;  ///< where it is among the values of A
};

struct SharedEntries {
  std::vector<std::vector<SharedEntry>> of_leaf;  ///< counted in the leaf's boundary
  std::vector<SharedEntry> kept;                  ///< counted in the unknowns that are kept
};

/// Every entry goes to one leaf: that of a dof which the tree eliminates. Nothing where a leaf does not touch both its unknowns:
/// then the matrix is not of the kind that can be divided so. The tree must know its unknowns yet.
std::optional<SharedEntries> share_entries(const SparseRows& A, const EliminationTree&, PetscInt num_dofs);

}  // namespace sinew
