/// \file
/// The shapes of mesh cells: how many nodes, in which order, and their shape functions on the reference cell.
///
/// Node order (that of Gmsh, and of the kernels; 0-based): corners first, then mid-edge nodes, then mid-face nodes, then the
/// centre. A pair or a quadruple of corners stands for the node in their middle.
///   line   0 1 | 01
///   tri    0 1 2 counter-clockwise | 01 12 20
///   quad   0 1 2 3 counter-clockwise | 01 12 23 30 | centre
///   tet    0 1 2 counter-clockwise seen from 3 | 01 12 20 03 23 13
///   prism  0 1 2 bottom, counter-clockwise seen from the top; 3 4 5 above them | 01 02 03 12 14 25 34 35 45 | 0143 0253 1254
///   hex    0 1 2 3 bottom, counter-clockwise seen from the top; 4 5 6 7 above them |
///          01 03 04 12 15 23 26 37 45 47 56 67 | 0321 0154 0473 1265 2376 4567 | centre
/// VTK and XDMF order tet10, hex20, hex27, prism15 and prism18 differently: see vtk_order.
///
/// Reference cells: lines, quads and hexes are [-1, 1]^d, node 0 at (-1, -1, -1); tris and tets are the unit simplex with
/// node 0 at the origin, node 1 on axis x, node 2 on axis y, node 3 on axis z; prisms are the unit triangle times [-1, 1].
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

/// A place in space or in a reference cell; unused trailing coordinates are zero.
using Point3 = std::array<double, 3>;

/// What a mesh can be made of. Names give the number of nodes; quad8, hex20 and prism15 are the serendipity cells.
enum class CellShape : std::uint8_t {
  point1,
  line2,
  line3,
  tri3,
  tri6,
  quad4,
  quad8,
  quad9,
  tet4,
  tet10,
  hex8,
  hex20,
  hex27,
  prism6,
  prism15,
  prism18
};

/// How many shapes there are; shapes are numbered 0 .. num_cell_shapes - 1.
inline constexpr int num_cell_shapes = 16;

/// What the reference cell is: [-1, 1]^d (lines and points too), the unit simplex, or the unit triangle times [-1, 1].
enum class ReferenceCell : std::uint8_t { cube, simplex, prism };

/// Constant facts about a shape.
struct CellShapeInfo {
  std::string_view name;  ///< as in the enumeration, "tet10"
  int dimension;          ///< 0 to 3
  int order;              ///< polynomial order, 1 or 2
  int num_nodes;          ///< nodes of a cell
  int num_corners;        ///< the first of them are corners
  ReferenceCell reference = ReferenceCell::cube;
};

/// The facts about `shape`.
const CellShapeInfo& shape_info(CellShape shape);

/// The cell shape of a family of solids, by its name (`hex8-neo-hookean`); nothing for other families.
std::optional<CellShape> shape_of_family(std::string_view name);

/// The same of a family of solids or shells (`shell4`).
std::optional<CellShape> cell_of_family(std::string_view name);

/// The shapes that solids can be made of.
std::span<const CellShape> volume_shapes();

/// Reference coordinates of the nodes, in node order.
std::span<const Point3> reference_nodes(CellShape shape);

/// The order in which VTK and XDMF list the nodes: node a of their cell is node vtk_order(shape)[a] of ours.
std::span<const int> vtk_order(CellShape shape);

/// Shape functions and their derivatives at several points of the reference cell.
struct ShapeTable {
  int num_points = 0;             ///< rows of the table
  int num_nodes = 0;              ///< nodes of the shape
  std::vector<double> weights;    ///< [num_points] quadrature weights (0 where the points are no quadrature rule)
  std::vector<double> values;     ///< [num_points * num_nodes] N_a
  std::vector<Point3> gradients;  ///< [num_points * num_nodes] dN_a/dxi
};

/// At one place of the reference cell.
ShapeTable shape_functions(CellShape shape, const Point3& xi);

/// A quadrature rule that integrates the volume of a (curved) cell of this shape exactly, and N_a over a flat, affine one.
const ShapeTable& quadrature_table(CellShape shape);

/// The places where a cell must not be inverted: its corners and the points of the usual quadrature rules.
const ShapeTable& check_table(CellShape shape);

}  // namespace sinew
