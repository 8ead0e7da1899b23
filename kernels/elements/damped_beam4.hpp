/// \file
/// The beam of 4 nodes an element that is damped by component of strain.
#pragma once

#include "kernels/elements/beam.hpp"

namespace sinew {

using DampedBeam4 = Beam<4, BeamViscosity::by_component>;

}  // namespace sinew
