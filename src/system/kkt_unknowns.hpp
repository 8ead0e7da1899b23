/// \file
/// What a solver of KKT systems may know of a matrix beside its numbers, noted in the matrix itself.
#pragma once

#include "base/petsc.hpp"

#include <any>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

/// Iterations or factors for the solids of a matrix, and what was counted to choose.
struct SolidPrice {
  bool iterations_pay = false;
  double operations = 0;  ///< of factors, of the rank that has most
  double entries = 0;     ///< of the matrix, likewise
  double columns = 0;     ///< of the border, of the body that has most
};

/// The unknowns of a KKT matrix on one rank: dofs in blocks, one for every node or first-order state, then rows of constraints.
struct KktUnknowns {
  std::vector<PetscInt> block_of_dof;           ///< rising
  std::vector<std::array<double, 3>> initial_position;  ///< of every block, m; partitions are found from it
  /// The solid body that a block is a node of, by a number that means the same on all ranks, -1 for other blocks. Empty where the
  /// model has no solids.
  std::vector<std::int64_t> solid;
  bool has_solids = false;  ///< the model, on whatever rank
  /// Where the blocks are in the configuration that the numbers belong to, where there are solids: a body's rigid motions are of
  /// this place.
  mutable std::vector<std::array<double, 3>> current_position;
  /// What a solver keeps of the pattern for the next one of its kind. All matrices that have noted this object have one pattern.
  mutable std::any analysis;
  /// What was found of the pattern where there are solids, and where the numbers are those of masses alone.
  mutable std::optional<SolidPrice> price, price_of_masses;
};

/// Notes in a matrix what its unknowns are, for those who solve with it.
void note_unknowns(PetscMat A, std::shared_ptr<const KktUnknowns>);

/// What was noted, or null. Local.
std::shared_ptr<const KktUnknowns> noted_unknowns(PetscMat A);

}  // namespace sinew
