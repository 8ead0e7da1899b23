/// \file
/// What may keep a model from coming to rest, in words for the user.
#pragma once

#include "model/model.hpp"

#include <string>

namespace sinew {

/// Whose friction does not hold what keeps moving, to be put behind a sentence; empty where there is none.
std::string without_friction(const Model&);

/// What nothing holds of a cable's end that hangs free, likewise; empty where there are no cables.
std::string free_end(const Model&);

}  // namespace sinew
