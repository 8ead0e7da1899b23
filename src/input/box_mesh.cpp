/// \file
/// Generated meshes of rectangular boxes.
#include "input/box_mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace sinew {

namespace {

/// Three whole numbers along x, y, z.
using Triple = std::array<int, 3>;

/// Throws InputError unless a mesh can be made of `spec`.
void check(const BoxSpec& spec) {
  constexpr std::array<char, 3> axes{'x', 'y', 'z'};
  double points = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(spec.size[k] > 0) || !std::isfinite(spec.size[k])) {
      throw InputError(fmt::format("box: size along {} is {}, expected a positive length", axes[k], spec.size[k]));
    }
    if (spec.elements[k] < 1) {
      throw InputError(fmt::format("box: {} elements along {}, expected at least 1", spec.elements[k], axes[k]));
    }
    points *= spec.elements[k] + 1.0;
  }
  if (spec.order == 2) {
    throw InputError("box: order 2 is not offered yet: use order 1, or mesh the box with Gmsh (Mesh.ElementOrder = 2)");
  }
  if (spec.order != 1) throw InputError(fmt::format("box: order {}, expected 1", spec.order));
  if (8 * points > std::numeric_limits<int>::max()) {
    throw InputError(fmt::format("box: {:.3g} points are too many; use fewer elements", points));
  }
}

/// The number of the point (i, j, k) of the box.
int point_number(const Triple& elements, const Triple& at) {
  return at[0] + (elements[0] + 1) * (at[1] + (elements[1] + 1) * at[2]);
}

/// Calls visit(i, j, k) for 0 <= i < count[0] ..., i fastest.
template <class Visit>
void for_each_index(const Triple& count, Visit visit) {
  for (int k = 0; k < count[2]; ++k) {
    for (int j = 0; j < count[1]; ++j) {
      for (int i = 0; i < count[0]; ++i) visit(Triple{i, j, k});
    }
  }
}

/// Appends the faces of one side to `block` and makes the side's group.
PhysicalGroup add_side(CellBlock& block, const Triple& elements, std::size_t axis, bool upper) {
  constexpr std::array<const char*, 6> names{"x-", "x+", "y-", "y+", "z-", "z+"};
  const std::size_t side = 2 * axis + (upper ? 1 : 0);
  const std::size_t u = (axis + 1) % 3;
  const std::size_t v = (axis + 2) % 3;  // u x v points along the axis
  Triple count = elements;
  count[axis] = 1;
  PhysicalGroup group{names[side], 2, static_cast<int>(side) + 1, {}};
  for_each_index(count, [&](Triple at) {
    at[axis] = upper ? elements[axis] : 0;
    const auto corner = [&](int du, int dv) {
      Triple p = at;
      p[u] += du;
      p[v] += dv;
      return point_number(elements, p);
    };
    group.cells.push_back({0, block.size()});
    block.tags.push_back(block.size() + 1);
    if (upper)
      block.nodes.insert(block.nodes.end(), {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)});
    else
      block.nodes.insert(block.nodes.end(), {corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)});
  });
  return group;
}

/// All hexahedra of the box.
CellBlock make_hexahedra(const Triple& elements) {
  CellBlock block{CellShape::hex8, {}, {}, {}};
  for_each_index(elements, [&](const Triple& at) {
    for (int z = 0; z < 2; ++z) {
      for (const auto& [x, y] : {std::array{0, 0}, std::array{1, 0}, std::array{1, 1}, std::array{0, 1}}) {
        block.nodes.push_back(point_number(elements, {at[0] + x, at[1] + y, at[2] + z}));
      }
    }
    block.tags.push_back(block.size());
  });
  return block;
}

}  // namespace

Mesh make_box(const BoxSpec& spec) {
  check(spec);
  Mesh mesh;
  mesh.origin.file = "box";
  const auto& n = spec.elements;
  for_each_index({n[0] + 1, n[1] + 1, n[2] + 1}, [&](const Triple& at) {
    Point3 point{};
    for (std::size_t k = 0; k < 3; ++k) point[k] = at[k] == n[k] ? spec.size[k] : spec.size[k] * at[k] / n[k];
    mesh.points.push_back(point);
  });
  mesh.volumes.push_back(make_hexahedra(n));
  PhysicalGroup volume{"volume", 3, 1, {}};
  for (int cell = 0; cell < mesh.volumes[0].size(); ++cell) volume.cells.push_back({0, cell});
  mesh.groups.push_back(std::move(volume));
  CellBlock faces{CellShape::quad4, {}, {}, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const bool upper : {false, true}) mesh.groups.push_back(add_side(faces, n, axis, upper));
  }
  mesh.faces.push_back(std::move(faces));
  return mesh;
}

}  // namespace sinew
