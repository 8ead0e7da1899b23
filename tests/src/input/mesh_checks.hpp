/// \file
/// Figures of meshes that tests compare.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "model/mesh_measure.hpp"

namespace sinew::test {

/// The group's length, area, volume or number of points; -1 if there is no such group.
inline double size_of(const Mesh& mesh, const std::string& name, int dimension = -1) {
  const auto* group = find_group(mesh, name, dimension);
  return group == nullptr ? -1 : node_weights(mesh, *group).total;
}

/// Where the straight cell with the corners of `cell` has the place `xi` of its reference cell.
inline Point3 straight_place(const Mesh& mesh, CellShape shape, std::span<const int> cell, const Point3& xi) {
  const auto& facts = shape_info(shape);
  const auto corners = reference_nodes(shape).first(static_cast<std::size_t>(facts.num_corners));
  Point3 place{};
  for (std::size_t c = 0; c < corners.size(); ++c) {
    double N = 1;  // the (multi)linear shape function of corner c
    if (facts.reference == ReferenceCell::simplex) {
      N = c == 0 ? 1 - xi[0] - xi[1] - xi[2] : xi[c - 1];
    } else if (facts.reference == ReferenceCell::prism) {
      N = (c % 3 == 0 ? 1 - xi[0] - xi[1] : xi[c % 3 - 1]) * (1 + xi[2] * corners[c][2]) / 2;
    } else {
      for (std::size_t k = 0; k < static_cast<std::size_t>(facts.dimension); ++k) N *= (1 + xi[k] * corners[c][k]) / 2;
    }
    for (std::size_t k = 0; k < 3; ++k) place[k] += N * mesh.points[static_cast<std::size_t>(cell[c])][k];
  }
  return place;
}

/// The largest distance between a node and the place that its cell's corners give it: 0 for straight cells in the right
/// node order.
inline double misplacement(const Mesh& mesh) {
  double largest = 0;
  for (int dimension = 1; dimension <= 3; ++dimension) {
    for (const auto& block : mesh.cells(dimension)) {
      const auto where = reference_nodes(block.shape);
      for (int i = 0; i < block.size(); ++i) {
        const auto cell = block.cell(i);
        for (std::size_t a = 0; a < cell.size(); ++a) {
          const auto expected = straight_place(mesh, block.shape, cell, where[a]);
          const auto& found = mesh.points[static_cast<std::size_t>(cell[a])];
          for (std::size_t k = 0; k < 3; ++k) largest = std::max(largest, std::abs(expected[k] - found[k]));
        }
      }
    }
  }
  return largest;
}

}  // namespace sinew::test
