/// \file
/// What ranks have added to copies of each other's entries.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// Adds the copies in a ghosted vector to the entries of their owners. Collective; nothing to do on one rank.
inline void add_ghosts_to_owners(bool is_parallel, PetscVec v) {
  if (!is_parallel) return;
  petsc(VecGhostUpdateBegin(v, ADD_VALUES, SCATTER_REVERSE));
  petsc(VecGhostUpdateEnd(v, ADD_VALUES, SCATTER_REVERSE));
}

}  // namespace sinew
