/// \file
/// Models so far from the origin that the digits of their coordinates are used up by the distance.
#pragma once

#include "system/system.hpp"

#include <string>

namespace sinew {

/// A warning where the initial coordinates leave less than half of their digits for the model's own extent: `file: warning: ...`;
/// empty otherwise. Throws InputError where they leave none. Collective.
std::string far_origin_warning(const System&);

}  // namespace sinew
