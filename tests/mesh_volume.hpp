/// \file
/// How much room a mesh takes.
#pragma once

#include "model/mesh.hpp"
#include "model/mesh_measure.hpp"

#include <vector>

namespace sinew::test {

/// Sum of the volumes of all volume cells, in cubed units of the mesh; inverted cells count negative.
inline double total_volume(const Mesh& mesh) {
  double volume = 0;
  for (const CellBlock& block : mesh.volumes)
    for (int cell = 0; cell < block.size(); ++cell) {
      std::vector<Point3> nodes;
      for (const int node : block.cell(cell)) nodes.push_back(mesh.points[static_cast<std::size_t>(node)]);
      for (const double share : shape_integrals(nodes, block.shape)) volume += share;
    }
  return volume;
}

}  // namespace sinew::test
