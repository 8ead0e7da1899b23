/// \file
/// The impulses of joints where prescribed velocities jump.
#pragma once

#include "integrate/integrator.hpp"

namespace sinew {

/// Lambda with M (z+ - z-) = -G^T Lambda, z+ the velocity of the state and z- the one before the jump; of redundant joints one
/// set of many. Collective.
VecHandle impulses_of_jump(const DynamicSystem&, const State& after, PetscVec before);

}  // namespace sinew
