/// \file
/// Places inside cells of a mesh.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "model/cell_shape.hpp"

#include <limits>
#include <span>
#include <vector>

namespace sinew {

/// A place in the reference cell, and how far outside it lies there: 0 or less within.
struct CellPlace {
  Point3 xi{};
  double excess = std::numeric_limits<double>::infinity();

  /// Coordinates in a mesh file are rounded.
  bool is_inside() const { return excess <= 1e-6; }
};

/// Where the cell with these nodes has the place X: Newton's method for X(xi) = X from the cell's centre. Far outside where it
/// finds nothing, and at once where X is far from all nodes.
CellPlace locate_in_cell(CellShape shape, std::span<const Vec3<double>> nodes, const Vec3<double>& X);

/// The shape functions of a cell in one of its places, and their derivatives by the place X.
struct CellWeights {
  std::vector<double> values;
  std::vector<Vec3<double>> gradients;
};
CellWeights weights_in_cell(CellShape shape, std::span<const Vec3<double>> nodes, const Point3& xi);

}  // namespace sinew
