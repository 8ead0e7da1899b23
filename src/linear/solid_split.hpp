/// \file
/// The unknowns of a KKT matrix with solid bodies, sorted by how they are solved for.
#pragma once

#include "system/kkt_unknowns.hpp"

#include <vector>

namespace sinew {

/// What a rank owns of a KKT matrix, by local numbers: rows of constraints that hold one dof of a solid (of clamped faces), to
/// the ground or to dofs of the border that carry it, each with that dof, its *pin*; the *bulk*, solids' nodes that have a free
/// dof, in blocks of three; and the *border*: all else, rigid bodies, frames and rows of joints.
struct SolidSplit {
  std::vector<PetscInt> bulk;
  std::vector<std::int64_t> body;  ///< of every three of the bulk
  std::vector<PetscInt> held;      ///< places in `bulk` that are pins
  std::vector<PetscInt> border;
  std::vector<PetscInt> pins, pin_rows;  ///< unknowns, pair by pair
  std::vector<std::size_t> carried;      ///< pairs whose row has entries at the border as well
};

/// Looks at the places where A has entries, those whose value is zero as well. Collective.
SolidSplit split_by_solids(PetscMat A, const KktUnknowns&);

}  // namespace sinew
