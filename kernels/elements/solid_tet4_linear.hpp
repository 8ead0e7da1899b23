/// \file
/// Solid element: linear tetrahedron, linear elasticity.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/linear_elastic.hpp"
#include "kernels/shape/tet4.hpp"

namespace sinew {

using Tet4Linear = Solid<Tet4, LinearElastic>;

}  // namespace sinew
