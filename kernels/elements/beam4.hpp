/// \file
/// The beam of 4 nodes an element.
#pragma once

#include "kernels/elements/beam.hpp"

namespace sinew {

using Beam4 = Beam<4>;

}  // namespace sinew
