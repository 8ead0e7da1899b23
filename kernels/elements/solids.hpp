/// \file
/// The solid elements that every law of kernels/material is registered with (`sinew_register_law` in kernels/CMakeLists.txt).
#pragma once

#include "kernels/elements/solid_enhanced.hpp"
#include "kernels/shape/hex27.hpp"
#include "kernels/shape/prism.hpp"
#include "kernels/shape/tet10.hpp"

namespace sinew {

/// The trilinear hexahedron without enhanced strains, by a name of its own.
struct PlainHex8 : Hex8 {
  static constexpr const char* name = "hex8-displacement";
};

template <class Law>
using Hex8Solid = EnhancedSolid<Law>;
template <class Law>
using PlainHex8Solid = Solid<PlainHex8, Law>;
template <class Law>
using Hex20Solid = Solid<Hex20, Law>;
template <class Law>
using Hex27Solid = Solid<Hex27, Law>;
template <class Law>
using Tet4Solid = Solid<Tet4, Law>;
template <class Law>
using Tet10Solid = Solid<Tet10, Law>;
template <class Law>
using Prism6Solid = Solid<Prism6, Law>;
template <class Law>
using Prism15Solid = Solid<Prism15, Law>;
template <class Law>
using Prism18Solid = Solid<Prism18, Law>;

}  // namespace sinew
