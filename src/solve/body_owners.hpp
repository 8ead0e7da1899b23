/// \file
/// Which bodies unknowns belong to, for messages about motions.
#pragma once

#include "partition/numbering.hpp"
#include "system/system.hpp"

#include <string>

namespace sinew {

/// The names of the bodies that have the largest numbers of a dof vector (at least a third of the largest): `'bob', 'rod'`, of
/// many the first ones. The same on all ranks. Collective.
std::string bodies_with_largest(const System&, const Numbering&, PetscVec dofs);

}  // namespace sinew
