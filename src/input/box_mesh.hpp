/// \file
/// Generated meshes of rectangular boxes.
#pragma once

#include <array>

#include "model/mesh.hpp"

namespace sinew {

/// A box from the origin to `size`, cut into equal elements.
struct BoxSpec {
  std::array<double, 3> size{1, 1, 1};   ///< edge lengths along x, y, z; positive
  std::array<int, 3> elements{1, 1, 1};  ///< elements along x, y, z; at least 1
  int order = 1;                         ///< 1: hex8; 2 is not offered yet
};

/// The mesh of a box: hex8 cells, quad4 faces that look outward, surface groups "x-", "x+", "y-", "y+", "z-", "z+" and the
/// volume group "volume". Points and cells are numbered along x first, then y, then z. Throws InputError on impossible
/// sizes, numbers of elements and orders; the message has no file, which the caller adds.
Mesh make_box(const BoxSpec& spec);

}  // namespace sinew
