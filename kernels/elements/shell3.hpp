/// \file
/// The shell of 3 nodes an element.
#pragma once

#include "kernels/elements/shell.hpp"

namespace sinew {

using Shell3 = Shell<3>;

}  // namespace sinew
