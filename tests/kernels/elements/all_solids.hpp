// The solids that tests run through.
#pragma once

#include "kernels/elements/solids.hpp"
#include "kernels/material/linear_elastic.hpp"
#include "kernels/material/neo_hookean.hpp"
#include "kernels/material/saint_venant_kirchhoff.hpp"

#include <tuple>

namespace sinew {

using Hex8SaintVenant = Hex8Solid<SaintVenantKirchhoff>;
using Hex8Linear = Hex8Solid<LinearElastic>;
using Hex8NeoHookean = Hex8Solid<NeoHookean>;
using PlainHex8SaintVenant = PlainHex8Solid<SaintVenantKirchhoff>;
using PlainHex8Linear = PlainHex8Solid<LinearElastic>;
using PlainHex8NeoHookean = PlainHex8Solid<NeoHookean>;
using Hex20SaintVenant = Hex20Solid<SaintVenantKirchhoff>;
using Hex20Linear = Hex20Solid<LinearElastic>;
using Hex20NeoHookean = Hex20Solid<NeoHookean>;
using Hex27SaintVenant = Hex27Solid<SaintVenantKirchhoff>;
using Hex27Linear = Hex27Solid<LinearElastic>;
using Hex27NeoHookean = Hex27Solid<NeoHookean>;
using Tet4SaintVenant = Tet4Solid<SaintVenantKirchhoff>;
using Tet4Linear = Tet4Solid<LinearElastic>;
using Tet4NeoHookean = Tet4Solid<NeoHookean>;
using Tet10SaintVenant = Tet10Solid<SaintVenantKirchhoff>;
using Tet10Linear = Tet10Solid<LinearElastic>;
using Tet10NeoHookean = Tet10Solid<NeoHookean>;
using Prism6SaintVenant = Prism6Solid<SaintVenantKirchhoff>;
using Prism6Linear = Prism6Solid<LinearElastic>;
using Prism6NeoHookean = Prism6Solid<NeoHookean>;
using Prism15SaintVenant = Prism15Solid<SaintVenantKirchhoff>;
using Prism15Linear = Prism15Solid<LinearElastic>;
using Prism15NeoHookean = Prism15Solid<NeoHookean>;
using Prism18SaintVenant = Prism18Solid<SaintVenantKirchhoff>;
using Prism18Linear = Prism18Solid<LinearElastic>;
using Prism18NeoHookean = Prism18Solid<NeoHookean>;

using FiniteStrainSolids =
    std::tuple<Hex8SaintVenant, Hex8NeoHookean, PlainHex8SaintVenant, PlainHex8NeoHookean, Hex20SaintVenant, Hex20NeoHookean,
               Hex27SaintVenant, Hex27NeoHookean, Tet4SaintVenant, Tet4NeoHookean, Tet10SaintVenant, Tet10NeoHookean,
               Prism6SaintVenant, Prism6NeoHookean, Prism15SaintVenant, Prism15NeoHookean, Prism18SaintVenant, Prism18NeoHookean>;
using AllSolids = std::tuple<Hex8SaintVenant, Hex8Linear, Hex8NeoHookean, PlainHex8SaintVenant, PlainHex8Linear,
                             PlainHex8NeoHookean, Hex20SaintVenant, Hex20Linear, Hex20NeoHookean, Hex27SaintVenant, Hex27Linear,
                             Hex27NeoHookean, Tet4SaintVenant, Tet4Linear, Tet4NeoHookean, Tet10SaintVenant, Tet10Linear,
                             Tet10NeoHookean, Prism6SaintVenant, Prism6Linear, Prism6NeoHookean, Prism15SaintVenant,
                             Prism15Linear, Prism15NeoHookean, Prism18SaintVenant, Prism18Linear, Prism18NeoHookean>;

}  // namespace sinew
