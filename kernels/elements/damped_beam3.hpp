/// \file
/// The beam of 3 nodes an element that is damped by component of strain.
#pragma once

#include "kernels/elements/beam.hpp"

namespace sinew {

using DampedBeam3 = Beam<3, BeamViscosity::by_component>;

}  // namespace sinew
