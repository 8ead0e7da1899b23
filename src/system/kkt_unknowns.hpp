/// \file
/// What a solver of KKT systems may know of a matrix beside its numbers, noted in the matrix itself.
#pragma once

#include "base/petsc.hpp"

#include <array>
#include <memory>
#include <vector>

namespace sinew {

/// The unknowns of a KKT matrix on one rank: dofs in blocks, one for every node or first-order state, then rows of constraints.
struct KktUnknowns {
  std::vector<PetscInt> block_of_dof;           ///< rising
  std::vector<std::array<double, 3>> position;  ///< of every block, m; where it is about: partitions are found from it
  /// What a solver keeps of the pattern for the next one, who alone knows its type. All matrices that have noted this object have
  /// one pattern.
  mutable std::shared_ptr<const void> analysis;
};

/// Notes in a matrix what its unknowns are, for those who solve with it.
void note_unknowns(PetscMat A, std::shared_ptr<const KktUnknowns>);

/// What was noted, or null. Local.
std::shared_ptr<const KktUnknowns> noted_unknowns(PetscMat A);

}  // namespace sinew
