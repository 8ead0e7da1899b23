/// \file
/// Solid element: trilinear hexahedron, linear elasticity.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/linear_elastic.hpp"
#include "kernels/shape/hex8.hpp"

namespace sinew {

using Hex8Linear = Solid<Hex8, LinearElastic>;

}  // namespace sinew
