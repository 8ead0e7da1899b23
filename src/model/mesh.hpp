/// \file
/// A finite element mesh as plain data: points, cells by dimension and shape, and named groups of cells.
///
/// It is what a mesh file or a generated box becomes, on the one rank that reads it; no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/cell_shape.hpp"

namespace sinew {

/// All cells of one shape.
struct CellBlock {
  CellShape shape = CellShape::point1;  ///< shape and node order of every cell of the block
  std::vector<int> nodes;               ///< [size * num_nodes] indices into Mesh::points
  std::vector<std::int64_t> tags;       ///< [size] the cells' numbers in the file (1-based order in a generated mesh)
  std::vector<std::int64_t> places;     ///< [size] line (text) or byte (binary) of the cell in the file; empty if generated

  /// Number of cells.
  int size() const { return static_cast<int>(nodes.size() / static_cast<std::size_t>(shape_info(shape).num_nodes)); }

  /// The nodes of cell `index`, 0 <= index < size().
  std::span<const int> cell(int index) const;
};

/// A cell: number of its block among the blocks of its dimension, and its number in that block.
struct CellRef {
  int block = 0;
  int cell = 0;

  /// Equal when block and cell are.
  bool operator==(const CellRef&) const = default;
};

/// A named set of cells of one dimension. Groups may overlap; within a group a cell occurs once.
struct PhysicalGroup {
  std::string name;            ///< the name in the file, or "surface_7" where a group has only its number 7
  int dimension = 0;           ///< 0 points, 1 curves, 2 surfaces, 3 volumes
  int tag = 0;                 ///< its number in the file (the smallest, if several numbers share the name)
  std::vector<CellRef> cells;  ///< in the order of the file; may be empty: declared in the file, but without cells
};

/// Where a mesh came from, for messages.
struct MeshOrigin {
  std::string file;     ///< path as the user gave it; "box" for a generated one
  bool binary = false;  ///< places are byte offsets instead of line numbers
  bool stored = false;  ///< a file that `sinew mesh` made, in which places are not told of (they are negative)
};

/// A message about a mesh file and a place in it (none if negative): "rod.msh:312: ...", "rod.msh: byte 4711: ...".
std::string locate(const MeshOrigin& origin, std::int64_t place, std::string_view message);

/// Points, cells and groups. Every index is valid, every coordinate finite, no point is unused, no cell is listed twice.
struct Mesh {
  MeshOrigin origin;
  std::vector<Point3> points;         ///< coordinates, in the file's unit of length
  std::vector<CellBlock> vertices;    ///< dimension 0
  std::vector<CellBlock> edges;       ///< dimension 1
  std::vector<CellBlock> faces;       ///< dimension 2
  std::vector<CellBlock> volumes;     ///< dimension 3; at most one block a shape, in every dimension
  std::vector<PhysicalGroup> groups;  ///< by falling dimension, then by number; (dimension, name) is unique

  /// The blocks of a dimension, 0 <= dimension <= 3.
  const std::vector<CellBlock>& cells(int dimension) const;

  /// The blocks of a dimension, 0 <= dimension <= 3.
  std::vector<CellBlock>& cells(int dimension);
};

/// The group called `name`, of groups by falling dimension: of that dimension, or of the highest where dimension is -1. nullptr
/// if there is none.
const PhysicalGroup* find_group(std::span<const PhysicalGroup> groups, std::string_view name, int dimension = -1);

/// The same among the groups of a mesh.
const PhysicalGroup* find_group(const Mesh& mesh, std::string_view name, int dimension = -1);

/// The names of all groups with their kind, for messages: "steel" (volume), "skin" (surface). Of those that `is_filled`, where it
/// is given, says no of, what they lack.
std::string list_groups(std::span<const PhysicalGroup> groups, const std::vector<char>* is_filled = nullptr);

/// The points that the cells of a group use, ascending, each once.
std::vector<int> group_nodes(const Mesh& mesh, const PhysicalGroup& group);

/// How many cells of a dimension the mesh has.
int count_cells(const Mesh& mesh, int dimension);

/// A cell for messages: "rod.msh:312: element 17 (tet10)" or "rod.msh: byte 4711: element 17 (tet10)".
std::string describe_cell(const Mesh& mesh, int dimension, CellRef cell);

/// The same of a cell by its place (none if negative), number and shape.
std::string describe_cell(const MeshOrigin& origin, std::int64_t place, std::int64_t tag, CellShape shape);

/// What a clean-up took away.
struct RemovedCounts {
  int points = 0;
  int cells = 0;
};

/// Takes away the points that no cell of `dimension` or higher uses, and the lower cells that touch one of them (also from
/// the groups): with 3, what is left hangs on volumes; with 0, only points that no cell uses go. Order is kept.
RemovedCounts remove_loose_points(Mesh& mesh, int dimension);

/// Lists each cell once: of cells with the same shape and the same set of nodes the first one stays and stands for all in
/// every group. Format 2.2 writes a cell once for each of its groups. Returns the number of cells taken away.
int merge_double_cells(Mesh& mesh);

}  // namespace sinew
