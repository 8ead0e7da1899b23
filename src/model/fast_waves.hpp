/// \file
/// Waves of time that prescribed steps do not follow.
#pragma once

#include "model/model.hpp"

#include <string>
#include <vector>

namespace sinew {

/// A warning for every expression of a joint, force or control with a wave of less than three prescribed steps a period, with its
/// period: what steps see of it is another, slower wave. `file:line:column: warning: ...`. Of an item with a repeat the first,
/// the middle and the last instance are looked at. None where steps are controlled by error.
std::vector<std::string> fast_wave_warnings(const Model&);

}  // namespace sinew
