/// \file
/// Models that their joints hold altogether.
#pragma once

#include "system/system.hpp"

namespace sinew {

/// Do the constraints allow any motion? By the part of a random motion that they leave, in the norm of kinetic energy, which
/// needs no count of redundant rows. First-order states count as motions. Collective.
bool can_move(const System&, const Configuration& q);

/// Are there nonholonomic constraints, on whichever rank? Collective.
bool is_nonholonomic(const System&);

/// Throws InputError, naming a joint's line, where nothing can: `what` (modes, load factors) does not exist then. Collective.
void require_motion(const System&, const Configuration& q, const std::string& what);

}  // namespace sinew
