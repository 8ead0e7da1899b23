/// \file
/// A mesh file that all ranks read together: each holds its share of points, cells and surfaces, none the whole.
#pragma once

#include "model/mesh.hpp"

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

struct GmshContent;

/// The cells of one shape that this rank holds, in the order of the file. All vectors but `nodes` have an entry for each cell.
struct CellSlice {
  CellShape shape = CellShape::point1;
  std::vector<std::int64_t> orders;   ///< place in the file's order of the shape, the same on any number of ranks
  std::vector<std::int64_t> tags;     ///< numbers in the file
  std::vector<std::int64_t> places;   ///< lines or bytes
  std::vector<int> group_list;        ///< index into MeshSlice::group_lists
  std::vector<int> nodes;             ///< [size * num_nodes] indices into MeshSlice::near
  std::vector<std::int64_t> numbers;  ///< of volume cells: number among those of the whole mesh, shape by shape

  std::size_t size() const { return orders.size(); }
  int num_nodes() const { return shape_info(shape).num_nodes; }
  /// Takes away the cells for which keep[i] is zero.
  void keep_only(const std::vector<char>& keep);
};

/// A point that cells of this rank use, wherever it lives.
struct NearPoint {
  int number = -1;  ///< in the order of the file, of the points that volume cells use; -1 if none does
  Point3 x{};
};

/// This rank's share of a mesh: what a Mesh is after remove_loose_points(mesh, 3), with the same numbers. Of a mesh of a surface
/// (dimension 2) its triangles and quadrilaterals stand where the volume cells do. Lines and points are kept with the faces.
struct MeshSlice {
  int dimension = 3;  ///< of the cells: 3 or 2
  MeshOrigin origin;
  std::vector<PhysicalGroup> groups;          ///< all of the file by falling dimension, then by number, without their cells
  std::vector<char> is_filled;                ///< whether a group has cells, on any rank
  std::vector<std::int64_t> left_out;         ///< cells of a group that touch points which no volume cell uses; not in `faces`
  std::vector<std::vector<int>> group_lists;  ///< indices into `groups`, of what cells belong to
  std::int64_t num_points = 0;                ///< of the whole mesh
  std::int64_t num_cells = 0;                 ///< volume cells of the whole mesh
  std::vector<std::int64_t> first_points;     ///< [ranks + 1] first point that each rank holds
  std::vector<Point3> points;                 ///< held here
  std::vector<NearPoint> near;
  std::vector<CellSlice> faces;    ///< by shape
  std::vector<CellSlice> volumes;  ///< by shape, all shapes that any rank has

  /// The rank that holds a point.
  int home(std::int64_t point) const;
  /// The coordinates of the nodes of a cell.
  std::vector<Point3> places(const CellSlice& cells, std::size_t cell) const;
  /// The group of that name and dimension, -1 if there is none or it has no cells.
  int filled_group(const std::string& name, int dimension) const;
  /// The group that a place of that name is, -1 if none has cells: a surface, or else a curve, or else a point.
  int place_group(const std::string& name) const;
  /// Whether a cell is in a group.
  bool is_in(const CellSlice& cells, std::size_t cell, int group) const;
};

/// Reads a mesh file, of Gmsh or a stored one: every rank its part of the nodes and elements. Throws InputError on all ranks,
/// with file and line or byte, if the file cannot be read or is damaged: the fault that comes first in it. Collective.
GmshContent read_mesh_content(MPI_Comm comm, const std::filesystem::path& path);

/// What the ranks have read becomes a slice. Throws InputError on all ranks if node numbers do not fit, or if there are no cells
/// of the dimension, 3 or 2, or some that cannot be computed with. Collective.
MeshSlice make_mesh_slice(MPI_Comm comm, GmshContent&& content, int dimension);

/// Both in one. Collective.
MeshSlice read_mesh_slice(MPI_Comm comm, const std::filesystem::path& path, int dimension = 3);

}  // namespace sinew
