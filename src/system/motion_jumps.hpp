/// \file
/// Prescribed positions, angles and velocities that jump.
#pragma once

#include "system/system.hpp"

#include <string>
#include <vector>

namespace sinew {

/// A warning for every joint whose prescribed position or angle jumps between two times, with the first time and the height: the
/// velocity is infinite there. Whole turns of an angle are none. `file:line:column: warning: ...`; the same on all ranks. Local.
std::vector<std::string> motion_jump_warnings(const System&, double from, double to);

}  // namespace sinew
