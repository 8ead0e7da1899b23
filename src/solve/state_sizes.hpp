/// \file
/// By what changes of first-order states are measured where no time passes.
#pragma once

#include "system/dynamic_system.hpp"

namespace sinew {

/// In the states of a dof vector: the size that the model gives, 1 where it gives none, and |s| of `states`, as integrators weigh
/// their errors (FirstOrderStates::size). The other entries stay as they are. Local.
void set_state_sizes(const Layout&, PetscVec states, PetscVec sizes);

/// max |change| / size over the states, 0 where there are none. Collective.
double relative_change(const Layout&, PetscVec change, PetscVec states);

}  // namespace sinew
