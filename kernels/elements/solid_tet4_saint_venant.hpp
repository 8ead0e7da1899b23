/// \file
/// Solid element: linear tetrahedron, St. Venant-Kirchhoff law.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/saint_venant_kirchhoff.hpp"
#include "kernels/shape/tet4.hpp"

namespace sinew {

using Tet4SaintVenant = Solid<Tet4, SaintVenantKirchhoff>;

}  // namespace sinew
