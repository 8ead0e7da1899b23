/// \file
/// Lengths, areas and volumes of meshes, and the search for cells that cannot be computed with.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/mesh.hpp"

namespace sinew {

/// The consistent weights of the nodes of a group, w_a = sum over cells of the integral of N_a over the cell.
struct NodeWeights {
  std::vector<int> nodes;       ///< ascending, as group_nodes gives them
  std::vector<double> weights;  ///< [nodes] length, area or volume by the group's dimension (1 a point for points). They may
                                ///< be zero or negative: corners of tri6 get 0, of a flat quad8 -1/12 of its area
  double total = 0;             ///< their sum: the group's length, area, volume or number of points
};

/// The integrals of the shape functions of a cell over it; their sum is its length, area or volume (1 for a point). Nodes in node
/// order.
std::vector<double> shape_integrals(std::span<const Point3> nodes, CellShape shape);

/// The integrals of the shape functions times the place. Nodes in node order.
std::vector<Point3> shape_moments(std::span<const Point3> nodes, CellShape shape);

/// Weights of a group of any dimension; for a surface they spread a force or average a motion over its area.
NodeWeights node_weights(const Mesh& mesh, const PhysicalGroup& group);

/// The smallest det J / (|J_1| |J_2| |J_3|) of a volume cell, or n . (J_1 x J_2) / (|J_1| |J_2|) of a surface cell with mean
/// normal n, over the rows of a table of its shape: 0 flat, < 0 inverted. Nodes
/// in node order.
double worst_quality(std::span<const Point3> nodes, const ShapeTable& table);

/// A volume cell whose map from the reference cell is not one-to-one.
struct BadCell {
  CellRef cell;        ///< among Mesh::volumes
  double quality = 0;  ///< `worst_quality` over its corners and quadrature points, or that of a place between them
};

/// The worst relative Jacobian of a volume cell, at its corners, quadrature points and between them; nothing if it can be
/// computed with. Nodes in node order.
std::optional<double> bad_quality(std::span<const Point3> nodes, CellShape shape);

/// All volume cells with a zero or negative Jacobian at a corner, a quadrature point or between them (relative to its columns,
/// 1e-10).
std::vector<BadCell> find_bad_cells(const Mesh& mesh);

/// What is said of a mesh without volume cells, and of one without surface cells. `groups`: as list_groups gives them.
std::string no_volume_cells(const std::string& file, const std::string& groups);
std::string no_surface_cells(const std::string& file, const std::string& groups);

/// How many cells are named of those that cannot be computed with.
inline constexpr std::size_t bad_cells_shown = 5;

/// A line about such a cell. `cell`: as describe_cell gives it.
std::string bad_cell_line(const std::string& cell, double quality);

/// What is said of a mesh with `total` such cells, of which `lines` tell some.
std::string bad_cells_text(const std::string& file, const std::vector<std::string>& lines, std::size_t total);

/// Throws InputError unless the mesh has volume cells and none of them is inverted or flat. Names the first few offenders
/// with their place in the file, and the remedy.
void require_solid_mesh(const Mesh& mesh);

}  // namespace sinew
