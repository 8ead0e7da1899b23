/// \file
/// Solid element: trilinear hexahedron, neo-Hookean law.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/neo_hookean.hpp"
#include "kernels/shape/hex8.hpp"

namespace sinew {

using Hex8NeoHookean = Solid<Hex8, NeoHookean>;

}  // namespace sinew
