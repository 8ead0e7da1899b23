/// \file
/// The beam of 2 nodes an element.
#pragma once

#include "kernels/elements/beam.hpp"

namespace sinew {

using Beam2 = Beam<2>;

}  // namespace sinew
