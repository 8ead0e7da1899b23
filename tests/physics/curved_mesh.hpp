/// \file
/// Gmsh files of bent boxes of hexahedra and prisms, for tests.
#pragma once

#include "model/cell_faces.hpp"
#include "tests/src/input/mesh_files.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <stdexcept>

namespace sinew::test {

/// Gmsh's number of a shape.
inline int gmsh_type(CellShape shape) {
  switch (shape) {
    case CellShape::tri3: return 2;
    case CellShape::tri6: return 9;
    case CellShape::quad4: return 3;
    case CellShape::quad8: return 16;
    case CellShape::quad9: return 10;
    case CellShape::hex8: return 5;
    case CellShape::hex20: return 17;
    case CellShape::hex27: return 12;
    case CellShape::prism6: return 6;
    case CellShape::prism15: return 18;
    case CellShape::prism18: return 13;
    default: throw std::logic_error("no such cells in bent boxes");
  }
}

/// The nodes of a face the other way round.
inline std::vector<int> turned_face(std::vector<int> nodes, int num_corners) {
  const auto n = static_cast<std::size_t>(num_corners);
  std::reverse(nodes.begin() + 1, nodes.begin() + num_corners);  // 0 1 2 3 | 01 12 23 30 becomes 0 3 2 1 | 30 23 12 01
  if (nodes.size() >= 2 * n) std::reverse(nodes.begin() + num_corners, nodes.begin() + 2 * num_corners);
  return nodes;
}

/// The two prisms that a hexahedron's place is cut into: the places in it, from -1 to 1, of a prism's nodes.
inline std::vector<std::vector<Point3>> two_prisms(CellShape shape) {
  std::vector<std::vector<Point3>> both;
  for (const auto& [x1, y1, x2, y2] : {std::array<double, 4>{1, -1, 1, 1}, std::array<double, 4>{1, 1, -1, 1}}) {
    both.emplace_back();
    for (const Point3& r : reference_nodes(shape))
      both.back().push_back({-1 + r[0] * (x1 + 1) + r[1] * (x2 + 1), -1 + r[0] * (y1 + 1) + r[1] * (y2 + 1), r[2]});
  }
  return both;
}

/// A box of n cells along each of three parameters from 0 to 1, carried to places; its sides are the groups u-, u+, v-, v+, w-,
/// w+. `shape`: hexahedra, or prisms, two for a cell, between them every other cell one of the hexahedra that fit them if
/// `mixed`. `closes`: u = 1 is u = 0, as in a ring. Every other face goes round the wrong way, as files may have it.
inline FileMesh bent_box(CellShape shape, const std::array<int, 3>& n, bool closes,
                         const std::function<std::array<double, 3>(double, double, double)>& place, bool mixed = false) {
  const int order = shape_info(shape).order;
  FileMesh mesh;
  std::set<int> known;
  std::array<int, 3> steps{};
  for (std::size_t k = 0; k < 3; ++k) steps[k] = order * n[k];
  const auto number = [&](std::array<int, 3> at) {
    if (closes) at[0] %= steps[0];
    const int tag = 1 + at[0] + (steps[0] + 1) * (at[1] + (steps[1] + 1) * at[2]);
    if (known.insert(tag).second)
      mesh.nodes.push_back({tag, place(1.0 * at[0] / steps[0], 1.0 * at[1] / steps[1], 1.0 * at[2] / steps[2])});
    return tag;
  };
  int count = 0;
  /// One cell in the place that begins at `first`, its nodes at `places` from -1 to 1 there.
  const auto add = [&](CellShape of, const std::array<int, 3>& first, std::span<const Point3> places) {
    std::vector<std::array<int, 3>> grid;
    std::vector<int> tags;
    for (const Point3& xi : places) {
      grid.emplace_back();
      for (std::size_t k = 0; k < 3; ++k)
        grid.back()[k] = order * first[k] + static_cast<int>(std::lround(order * (xi[k] + 1) / 2));
      tags.push_back(number(grid.back()));
    }
    mesh.elements.push_back({gmsh_type(of), 3, 1, tags});
    for (const CellFace& face : cell_faces(of))
      for (std::size_t side = closes ? 2 : 0; side < 6; ++side) {
        const int level = side % 2 == 0 ? 0 : steps[side / 2];
        const auto is_there = [&](int a) { return grid[static_cast<std::size_t>(a)][side / 2] == level; };
        if (!std::all_of(face.nodes.begin(), face.nodes.end(), is_there)) continue;
        std::vector<int> nodes;
        for (const int a : face.nodes) nodes.push_back(tags[static_cast<std::size_t>(a)]);
        if (++count % 2 == 0) nodes = turned_face(nodes, shape_info(face.shape).num_corners);
        mesh.elements.push_back({gmsh_type(face.shape), 2, static_cast<int>(side) + 1, nodes});
      }
  };
  const bool is_cut = shape_info(shape).reference == ReferenceCell::prism;
  const CellShape whole = shape == CellShape::prism6    ? CellShape::hex8
                          : shape == CellShape::prism15 ? CellShape::hex20
                          : shape == CellShape::prism18 ? CellShape::hex27
                                                        : shape;
  for (int c = 0; c < n[0] * n[1] * n[2]; ++c) {
    const std::array<int, 3> first{c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
    // Columns along w are of one kind: prisms have triangles below and above.
    if (!is_cut || (mixed && (first[0] + first[1]) % 2 == 1)) {
      add(whole, first, reference_nodes(whole));
    } else {
      for (const auto& prism : two_prisms(shape)) add(shape, first, prism);
    }
  }
  mesh.physicals[{3, 1}] = {1};
  mesh.names.push_back({{3, 1}, "body"});
  const char* names[] = {"u-", "u+", "v-", "v+", "w-", "w+"};
  for (int side = 0; side < 6; ++side) {
    if (closes && side < 2) continue;
    mesh.physicals[{2, side + 1}] = {side + 2};
    mesh.names.push_back({{2, side + 2}, names[side]});
  }
  return mesh;
}

/// A ring of inner radius a and outer radius b along z: u round the axis, v along it, w outwards.
inline FileMesh ring(CellShape shape, const std::array<int, 3>& n, double a, double b, double length) {
  return bent_box(shape, n, true, [=](double u, double v, double w) {
    const double r = a + (b - a) * w, angle = 2 * std::acos(-1.0) * u;
    return std::array<double, 3>{r * std::cos(angle), r * std::sin(angle), length * v};
  });
}

}  // namespace sinew::test
