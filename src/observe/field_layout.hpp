/// \file
/// Which points and cells stand in fields.h5, in which order, and what each rank knows of them.
#pragma once

#include "model/cell_shape.hpp"
#include "observe/natural_order.hpp"
#include "partition/numbering.hpp"
#include "system/system.hpp"

#include <array>
#include <string>
#include <vector>

namespace sinew {

/// The points of all bodies of a kind: mesh points of solids, nodes of cables and beams, centres of rigid bodies and point
/// masses, surfaces of shapes.
struct PointSet {
  std::string name;  ///< solids, cables, beams, bodies, shapes
  NaturalOrder order;
  std::vector<int> nodes;                  ///< this rank's: local node numbers
  std::vector<Vec3<double>> place;         ///< of each from its node, in the node's axes; empty where all are nodes
  std::vector<double> start;               ///< 3 coordinates each at the beginning
  std::vector<std::int64_t> first;         ///< first point of every body template, of those without any that of the next
  std::vector<std::int64_t> per_instance;  ///< points of one instance, 0 for bodies of other kinds

  bool is_empty() const { return order.total() == 0; }
  bool has(int body) const { return per_instance[static_cast<std::size_t>(body)] > 0; }
  /// Body template and instance of a point.
  NodeHome home(std::int64_t point) const;
};

/// All solid elements of one shape.
struct CellSet {
  std::string name;  ///< hex8, tet4 ...
  CellShape shape = CellShape::tet4;
  NaturalOrder order;
  std::vector<std::int64_t> points;  ///< of this rank's share in natural order, in the order of VTK
  std::vector<int> family, element;  ///< this rank's elements, in the order given to `order`: index among its families, element
};

/// Places where joints or forces take hold of rigid bodies and point masses: a point of `bodies` and its place in body axes, or a
/// place of the ground.
struct JointPlaces {
  static constexpr std::int64_t ground = -1, elsewhere = -2;  ///< in place of a body
  std::int64_t first = 0, total = 0;
  std::vector<std::int64_t> body;
  std::vector<double> place;
};

/// The surfaces of rigid bodies that have a shape: points that each body carries, and triangles between them.
struct ShapeSet {
  PointSet points;                      ///< shapes; places from the centre of mass in body axes
  NaturalOrder order;                   ///< of the triangles
  std::vector<std::int64_t> triangles;  ///< three points each, this rank's share in natural order
};

struct FieldLayout {
  PointSet solids, cables, beams, bodies;
  ShapeSet shapes;
  PointSet slopes;             ///< slope nodes of the cables, numbered like their positions
  std::vector<CellSet> cells;  ///< of solids; shapes that the model has, the same on all ranks
};

/// Collective.
FieldLayout make_field_layout(const Model&, const SolidMeshes&, const Numbering&, const System&);

/// Segments between neighbouring nodes of every cable, or of every beam, this rank's share in natural order (pairs of points).
/// `first`: number of its first segment.
std::vector<std::int64_t> line_segments(const Model&, const PointSet& lines, MPI_Comm, std::int64_t& first, std::int64_t& total);

/// This rank's share of the places of all joints, two for each in the order of the model. What is no body counts as the ground,
/// at the origin.
JointPlaces joint_places(const Model&, const PointSet& bodies, MPI_Comm);

/// The same of what reaches from one place to another and is nothing else: distance joints and forces between two places.
/// `elsewhere`: a cable, a solid, or the ground at the other place.
JointPlaces link_places(const Model&, const PointSet& bodies, MPI_Comm);

}  // namespace sinew
