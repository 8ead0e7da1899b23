/// \file
/// The beam of 3 nodes an element.
#pragma once

#include "kernels/elements/beam.hpp"

namespace sinew {

using Beam3 = Beam<3>;

}  // namespace sinew
