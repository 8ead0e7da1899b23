/// \file
/// Solid element: linear tetrahedron, neo-Hookean law.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/neo_hookean.hpp"
#include "kernels/shape/tet4.hpp"

namespace sinew {

using Tet4NeoHookean = Solid<Tet4, NeoHookean>;

}  // namespace sinew
