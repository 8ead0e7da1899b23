/// \file
/// Solid element: trilinear hexahedron, St. Venant-Kirchhoff law.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/saint_venant_kirchhoff.hpp"
#include "kernels/shape/hex8.hpp"

namespace sinew {

using Hex8SaintVenant = Solid<Hex8, SaintVenantKirchhoff>;

}  // namespace sinew
