/// \file
/// Lines that are curves of meshes: cells of dimension 1, put in order.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "model/bodies.hpp"
#include "model/mesh.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

/// Whether a line has two ends or comes back to where it starts.
enum class LineEnds { open, closed };

/// A line through places, one element from each to the next, or, of a mesh, one for each cell: cells of second order have a place
/// in their middle, which the line passes. No two neighbouring places coincide, and nowhere does the line turn right round. A
/// mesh's is in its axes, m.
class LinePath {
 public:
  /// `corners`: where each element begins among the places, and behind these where the last one ends: at the last place of an
  /// open line, behind it of a closed one, which does not list its first place again.
  LinePath(std::vector<Vec3<double>> places, std::vector<int> corners, LineEnds ends);
  /// The same where every place is the end of an element.
  static LinePath through(std::vector<Vec3<double>> places, LineEnds ends);

  bool is_closed() const { return ends_ == LineEnds::closed; }
  int num_elements() const { return static_cast<int>(corners_.size()) - 1; }
  const std::vector<Vec3<double>>& places() const { return places_; }
  const std::vector<int>& corners() const { return corners_; }

  /// Where elements k - 1 and k meet, 0 <= k <= num_elements().
  const Vec3<double>& corner(int k) const { return place(corners_[static_cast<std::size_t>(k)]); }
  /// Unit tangent there: of the parabola through the nearest place on each side, at an end through the nearest three.
  Vec3<double> tangent(int k) const;
  /// Length of an element that cannot be stretched where it lies: without a place in its middle its chord. With one the length L
  /// by which the cubic between its ends, of unit tangents t_0 and t_1 there, is not stretched in its middle either,
  /// |3/2 (x_1 - x_0)/L - (t_0 + t_1)/4| = 1; on a circle that is 3 R sin(x)/(1 + cos(x)/2), x half the angle of the element.
  double element_length(int k) const;
  /// The sum of those.
  double length() const { return starts_.back(); }
  /// The part of the length before element k.
  double part_before(int k) const { return starts_[static_cast<std::size_t>(k)] / length(); }
  /// The place at a part of the length, 0 to 1; found by halving.
  CableStation station(double part) const;
  /// The mean of the corners.
  Vec3<double> middle() const;
  /// The angle by which the line through the places turns at an inner one of an open line, rad.
  double turn(std::size_t place) const;

 private:
  const Vec3<double>& place(int k) const;

  std::vector<Vec3<double>> places_;
  std::vector<int> corners_;
  std::vector<double> starts_;  // lengths before the elements, and of all
  LineEnds ends_;
};

/// Puts cells of dimension 1 in order, from end to end or once round. The first cell of the list gives the direction, and a
/// closed line begins with it. Takes time in proportion to the number of points and cells. Throws InputError, with file, line or
/// byte and number of a cell, where they are no such line: a branch, several pieces, other ends than wanted, a cell without
/// length or doubled, a line that turns right round. `what` names the cells: `group "rope"`.
LinePath order_path(const Mesh& mesh, std::span<const CellRef> cells, const std::string& what, LineEnds ends);

}  // namespace sinew
