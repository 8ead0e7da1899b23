/// \file
/// The beam of 2 nodes an element that is damped by component of strain.
#pragma once

#include "kernels/elements/beam.hpp"

namespace sinew {

using DampedBeam2 = Beam<2, BeamViscosity::by_component>;

}  // namespace sinew
