/// \file
/// Gmsh files of bent boxes of hexahedra, for tests.
#pragma once

#include "model/cell_faces.hpp"
#include "tests/src/input/mesh_files.hpp"

#include <cmath>
#include <functional>
#include <set>

namespace sinew::test {

/// A box of n hexahedra along each of three parameters from 0 to 1, carried to places; its sides are the groups u-, u+, v-, v+,
/// w-, w+. `closes`: u = 1 is u = 0, as in a ring. Every other face goes round the wrong way, as files may have it.
inline FileMesh bent_box(CellShape shape, const std::array<int, 3>& n, bool closes,
                         const std::function<std::array<double, 3>(double, double, double)>& place) {
  const int order = shape_info(shape).order;
  const int volume_type = shape == CellShape::hex8 ? 5 : shape == CellShape::hex20 ? 17 : 12;
  const int face_type = shape == CellShape::hex8 ? 3 : shape == CellShape::hex20 ? 16 : 10;
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
  const auto reference = reference_nodes(shape);
  int count = 0;
  for (int c = 0; c < n[0] * n[1] * n[2]; ++c) {
    const std::array<int, 3> first{c % n[0], c / n[0] % n[1], c / n[0] / n[1]};
    std::vector<int> tags;
    for (const Point3& xi : reference) {
      std::array<int, 3> at{};
      for (std::size_t k = 0; k < 3; ++k) at[k] = order * first[k] + static_cast<int>(std::lround(order * (xi[k] + 1) / 2));
      tags.push_back(number(at));
    }
    mesh.elements.push_back({volume_type, 3, 1, tags});
    for (std::size_t side = 0; side < 6; ++side) {
      const std::size_t axis = side / 2;
      if (first[axis] != (side % 2 == 0 ? 0 : n[axis] - 1) || (closes && axis == 0)) continue;
      std::vector<int> nodes;
      for (const int a : cell_faces(shape)[side].nodes) nodes.push_back(tags[static_cast<std::size_t>(a)]);
      if (++count % 2 == 0) {  // 0 3 2 1 | 30 23 12 01 | centre
        std::swap(nodes[1], nodes[3]);
        if (order == 2) {
          std::swap(nodes[4], nodes[7]);
          std::swap(nodes[5], nodes[6]);
        }
      }
      mesh.elements.push_back({face_type, 2, static_cast<int>(side) + 1, nodes});
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
