/// \file
/// Moves of a model that lead through what it should touch.
#pragma once

#include "system/system.hpp"

namespace sinew {

/// Is something pressed deeper on the straight way from one configuration to another than at its ends, as it cannot be unless it
/// goes through? Newton's method sees the ends alone, and would draw a rope through the drum that it falls on. `rest`:
/// velocities. Collective.
bool passes_through(const System&, const Configuration& from, const Configuration& to, PetscVec rest);

}  // namespace sinew
