#include "partition/mesh_warnings.hpp"

#include "base/reduction.hpp"
#include "kernels/algebra/vec.hpp"
#include "model/cell_faces.hpp"
#include "partition/mesh_flaws.hpp"
#include "partition/mesh_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace sinew {

namespace {

/// Two shapes of the mesh's volumes whose faces have the same corners and different nodes, `hex20 and prism18`; empty: none.
/// Collective.
std::string unlike_cells(MPI_Comm comm, const MeshSlice& slice) {
  std::array<int, num_cell_shapes> is_there{};
  for (const CellSlice& cells : slice.volumes) is_there[static_cast<std::size_t>(cells.shape)] = cells.size() > 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, is_there.data(), num_cell_shapes, MPI_INT, MPI_MAX, comm);
  const auto differ = [](CellShape one, CellShape other) {
    for (const CellFace& a : cell_faces(one))
      for (const CellFace& b : cell_faces(other))
        if (a.shape != b.shape && shape_info(a.shape).num_corners == shape_info(b.shape).num_corners) return true;
    return false;
  };
  if (slice.dimension != 3) return {};
  const auto has = [&](CellShape shape) { return is_there[static_cast<std::size_t>(shape)] != 0; };
  for (const CellShape one : volume_shapes())
    for (const CellShape other : volume_shapes())
      if (one < other && has(one) && has(other) && differ(one, other))
        return fmt::format("{} and {}", shape_info(one).name, shape_info(other).name);
  return {};
}

/// How many of the mesh's volumes are tetrahedra and prisms of first order, and how many there are. Collective.
std::array<std::int64_t, 2> count_simple_cells(MPI_Comm comm, const MeshSlice& slice) {
  std::array<std::int64_t, 2> counts{};
  for (const CellSlice& cells : slice.volumes) {
    if (cells.shape == CellShape::tet4 || cells.shape == CellShape::prism6) counts[0] += static_cast<std::int64_t>(cells.size());
    counts[1] += static_cast<std::int64_t>(cells.size());
  }
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), 2, MPI_INT64_T, MPI_SUM, comm);
  return counts;
}

/// How far the corners of a quadrilateral are from the plane in their middle, h . n/4 with h = x1 - x2 + x3 - x4.
double warp(const std::vector<Point3>& x) {
  const auto at = [&](std::size_t k) { return Vec3<double>{{x[k][0], x[k][1], x[k][2]}}; };
  const Vec3<double> h = at(0) - at(1) + at(2) - at(3), n = cross(at(2) - at(0), at(3) - at(1));
  const double area = norm(n);
  return area > 0 ? std::abs(dot(h, n)) / (4 * area) : 0.0;
}

}  // namespace

std::vector<std::string> mesh_warnings(MPI_Comm comm, const MeshSlice& slice, const std::string& of) {
  std::vector<std::string> warnings;
  if (const std::string parts = describe(find_mesh_parts(comm, slice)); !parts.empty())
    warnings.push_back(
        fmt::format("{} falls into {} (if they shall hang together, let them share nodes: in Gmsh "
                    "`Coherence` before meshing, `Coherence Mesh` after it; else make a body of each)",
                    of, parts));
  if (const std::string unlike = unlike_cells(comm, slice); !unlike.empty())
    warnings.push_back(fmt::format(
        "{} has elements of {}: where these meet their faces have nodes that the other side does "
        "not know, and come apart there (in Gmsh one `Mesh.ElementOrder`, and `Mesh.SecondOrderIncomplete` for all or for none)",
        of, unlike));
  if (const MeshFlaws glued = find_glued_faces(comm, slice); glued.count > 0)
    warnings.push_back(fmt::format(
        "{} joins triangles to {} of its quadrilaterals, one at ({:.3g}, {:.3g}, {:.3g}): between their corners the two sides "
        "move "
        "apart, and stresses near there are wrong at any fineness (take tetrahedra alone, or hexahedra and prisms that meet in "
        "quadrilaterals)",
        of, glued.count, glued.one[0], glued.one[1], glued.one[2]));
  constexpr double many = 0.1;
  if (const auto [simple, all] = count_simple_cells(comm, slice); static_cast<double>(simple) > many * static_cast<double>(all))
    warnings.push_back(fmt::format(
        "{} has {} tetrahedra or prisms of first order among its {} elements: they are too stiff in bending unless many "
        "lie across what bends (in Gmsh `Mesh.ElementOrder = 2`)",
        of, simple, all));
  return warnings;
}

/// Bending of a warped quadrilateral stretches it. As measured on a thin strip that is twisted by a right angle (docs/elements/
/// shell.md), meshed by 12 x 2 and 24 x 4 quadrilaterals: with a warp of .45 of the thickness it is 6 % too stiff, of 1.5
/// times 31 %, of 6 times 470 %; by triangles 3 %.
std::string warp_warning(MPI_Comm comm, const MeshSlice& slice, double thickness, const std::string& of) {
  constexpr double noticeable = 0.5, many = 0.1;
  double largest = 0;
  std::array<std::int64_t, 2> counts{};  // warped ones, all elements
  for (const CellSlice& cells : slice.volumes)
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      ++counts[1];
      if (cells.shape != CellShape::quad4) continue;
      const double here = warp(slice.places(cells, cell)) / thickness;
      largest = std::max(largest, here);
      if (here > noticeable) ++counts[0];
    }
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), 2, MPI_INT64_T, MPI_SUM, comm);
  largest = largest_of_all(comm, largest);
  if (static_cast<double>(counts[0]) <= many * static_cast<double>(counts[1])) return {};
  return fmt::format(
      "{}: {} of its {} elements are quadrilaterals whose corners leave their plane by more than half the thickness, by up "
      "to {:.2g} times: such elements are too stiff against bending (take triangles, in Gmsh without `Recombine`, or finer ones)",
      of, counts[0], counts[1], largest);
}

}  // namespace sinew
