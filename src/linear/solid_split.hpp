/// \file
/// The unknowns of a KKT matrix with solid bodies, sorted by how they are solved for.
#pragma once

#include "system/kkt_unknowns.hpp"

#include <vector>

namespace sinew {

/// What a rank owns of a KKT matrix, by local numbers: the *bulk*, dofs of solids' nodes in blocks of three; rows of constraints
/// that hold one dof of the bulk and nothing else (of clamped faces), each with that dof, its *pin*; and the *border*: all else,
/// rigid bodies, frames and rows of joints.
struct SolidSplit {
  std::vector<PetscInt> bulk;
  std::vector<std::int64_t> body;  ///< of every three of the bulk
  std::vector<PetscInt> border;
  std::vector<PetscInt> pins;      ///< places in `bulk`
  std::vector<PetscInt> pin_rows;  ///< unknowns, pin by pin
};

/// Looks at the places where A has entries, those whose value is zero as well. Local.
SolidSplit split_by_solids(PetscMat A, const KktUnknowns&);

}  // namespace sinew
