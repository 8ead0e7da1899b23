/// \file
/// The regular mesh of a box, by number: nothing is stored, so that every rank can make its own part.
#pragma once

#include "model/cell_shape.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// A box from the origin to `size`, cut into equal hexahedra. Points and cells are numbered along x first, then y, then z.
/// Its sides are the surface groups x-, x+, y-, y+, z-, z+; edges and corners are called by the sides that meet there, in the
/// order of the axes: x-y+, x+z-, x-y-z+.
class BoxGrid {
 public:
  /// Throws InputError on impossible sizes and numbers of elements (along x, y, z); the message has no file, which the caller
  /// adds.
  /// `shape`: hex8, hex20 or hex27.
  BoxGrid(const std::array<double, 3>& size, const std::array<int, 3>& elements, CellShape shape);

  int num_points() const;
  std::int64_t num_cells() const;
  Point3 point(int n) const;
  /// The nodes of a cell in the order of its shape.
  std::vector<int> cell(std::int64_t c) const;

  /// 0 to 5 for x-, x+ ... z+; -1 for any other name.
  static int side(const std::string& name);
  /// How many cells lie at a side, and the number of the i-th of them.
  std::int64_t num_side_cells(int side) const;
  std::int64_t side_cell(int side, std::int64_t i) const;
  int num_side_points(int side) const;
  /// The i-th point of a side, ascending.
  int side_point(int side, int i) const;
  /// Integral of the point's shape function over the side, from all faces that meet there. Negative at the corners of hex20.
  double side_weight(int side, int i) const;
  /// Integral of that function times the place less the side's centre.
  Point3 side_moment(int side, int i) const;
  double side_area(int side) const;
  Point3 side_centre(int side) const;
  /// sqrt(sum w |X - centre|^2 / area) over the points of the side.
  double side_gyration_radius(int side) const;

  /// The nodes of the lines of an edge, ends first, one line after the other, or that of a corner; nothing for any other name.
  std::vector<std::vector<int>> outline(const std::string& name) const;
  /// Of the lines of an edge.
  CellShape line_shape() const { return order_ == 1 ? CellShape::line2 : CellShape::line3; }
  /// The cells that have a point as a node, ascending.
  std::vector<std::int64_t> cells_at(int n) const;
  /// Dimension of a group: 3 of `volume`, 2 of a side, 1 of an edge, 0 of a corner; -1 where there is none of that name.
  static int group_dimension(const std::string& name);

 private:
  std::array<int, 3> position(int n) const;
  int number(const std::array<int, 3>& at) const;
  std::array<int, 2> side_position(int side, int i) const;
  bool has_all_points() const { return shape_ != CellShape::hex20; }

  std::array<double, 3> size_;
  std::array<int, 3> elements_;
  CellShape shape_;
  int order_;
  std::array<int, 3> steps_;  ///< between points along an edge of the box
};

/// The names of a box's groups, for messages.
std::string list_box_groups();

}  // namespace sinew
