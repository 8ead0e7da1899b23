/// \file
/// The shell of 4 nodes an element.
#pragma once

#include "kernels/elements/shell.hpp"

namespace sinew {

using Shell4 = Shell<4>;

}  // namespace sinew
