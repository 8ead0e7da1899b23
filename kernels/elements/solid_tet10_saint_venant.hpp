/// \file
/// Solid element: quadratic tetrahedron, St. Venant-Kirchhoff law.
#pragma once

#include "kernels/elements/solid.hpp"
#include "kernels/material/saint_venant_kirchhoff.hpp"
#include "kernels/shape/tet10.hpp"

namespace sinew {

using Tet10SaintVenant = Solid<Tet10, SaintVenantKirchhoff>;

}  // namespace sinew
