/// \file
/// Solid element: quadratic tetrahedron, neo-Hookean law.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/neo_hookean.hpp"
#include "kernels/shape/tet10.hpp"

namespace sinew {

using Tet10NeoHookean = Solid<Tet10, NeoHookean>;

}  // namespace sinew
