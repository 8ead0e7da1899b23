/// \file
/// The regular mesh of a plate, by number: nothing is stored, so that every rank can make its own part.
#pragma once

#include "model/cell_shape.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// A rectangle from the origin along x and y, cut into equal rectangles, or each of these into two triangles. Points and cells
/// are numbered along x first. Its groups are the edges x-, x+, y-, y+, `boundary` (all four),
/// the corners x-y-, x+y-, x-y+, x+y+, and `surface`.
class PlateGrid {
 public:
  /// `shape`: quad4 or tri3.
  PlateGrid(const std::array<double, 2>& size, const std::array<int, 2>& elements, CellShape shape);

  CellShape shape() const { return shape_; }
  int num_points() const { return (elements_[0] + 1) * (elements_[1] + 1); }
  std::int64_t num_cells() const;
  Point3 point(int n) const;
  /// The nodes of a cell, counter-clockwise seen from z.
  std::vector<int> cell(std::int64_t c) const;

  /// A point of a group and the integral of its shape function over the edge or surface; 1 of a corner.
  struct WeightedPoint {
    int number = -1;
    double weight = 0;
  };
  /// The points of a group, ascending; empty where there is none of that name.
  std::vector<WeightedPoint> group(const std::string& name) const;
  /// Dimension of a group, -1 where there is none of that name.
  static int group_dimension(const std::string& name);

 private:
  int number(int i, int j) const { return i + (elements_[0] + 1) * j; }

  std::array<double, 2> size_;
  std::array<int, 2> elements_;
  CellShape shape_;
};

/// The names of a plate's groups, and the same for messages.
const std::vector<std::string>& plate_groups();
std::string list_plate_groups();

}  // namespace sinew
