/// \file
/// Solid element: quadratic tetrahedron, linear elasticity.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/linear_elastic.hpp"
#include "kernels/shape/tet10.hpp"

namespace sinew {

using Tet10Linear = Solid<Tet10, LinearElastic>;

}  // namespace sinew
