/// \file
/// What may keep a model from coming to rest, in words for the user.
#pragma once

#include "system/system.hpp"

#include <string>

namespace sinew {

/// The first force with friction, of which a state of rest knows nothing; empty: there is none.
std::string first_friction(const Model&);

/// Whose friction does not hold what keeps moving, to be put behind a sentence; empty where there is none.
std::string without_friction(const Model&);

/// The bodies, or the controls whose states, have moved most in the last increment, and what may be wrong with them: the
/// beginning of a sentence. Collective.
std::string what_keeps_moving(const System&, const Numbering&, PetscVec moved);

}  // namespace sinew
