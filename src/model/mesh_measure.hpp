/// \file
/// Lengths, areas and volumes of meshes, and the search for cells that cannot be computed with.
#pragma once

#include <span>
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

/// Weights of a group of any dimension; for a surface they spread a force or average a motion over its area.
NodeWeights node_weights(const Mesh& mesh, const PhysicalGroup& group);

/// Sum of the volumes of all volume cells, in cubed units of the mesh; inverted cells count negative.
double total_volume(const Mesh& mesh);

/// The smallest det J / (|J_1| |J_2| |J_3|) of a volume cell over the rows of a table of its shape: 0 flat, < 0 inverted. Nodes in
/// node order.
double worst_quality(std::span<const Point3> nodes, const ShapeTable& table);

/// A volume cell whose map from the reference cell is not one-to-one.
struct BadCell {
  CellRef cell;        ///< among Mesh::volumes
  double quality = 0;  ///< `worst_quality` over its corners and quadrature points, or that of a place between them
};

/// All volume cells with a zero or negative Jacobian at a corner, a quadrature point or between them (relative to its columns,
/// 1e-10).
std::vector<BadCell> find_bad_cells(const Mesh& mesh);

/// Throws InputError unless the mesh has volume cells and none of them is inverted or flat. Names the first few offenders
/// with their place in the file, and the remedy.
void require_solid_mesh(const Mesh& mesh);

}  // namespace sinew
