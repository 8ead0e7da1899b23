/// \file
/// The faces of volume cells.
#pragma once

#include "model/cell_shape.hpp"

#include <vector>

namespace sinew {

/// A face of a volume cell: its shape, and its nodes among those of the cell, in the order of that shape seen from outside.
struct CellFace {
  CellShape shape = CellShape::tri3;
  std::vector<int> nodes;
};

/// The faces of a volume shape, those of a hexahedron across -x, +x, -y, +y, -z, +z of its reference cell.
const std::vector<CellFace>& cell_faces(CellShape shape);

}  // namespace sinew
