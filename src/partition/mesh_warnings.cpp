#include "partition/mesh_warnings.hpp"

#include "model/cell_faces.hpp"
#include "partition/mesh_parts.hpp"

#include <fmt/format.h>

#include <array>

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
  return warnings;
}

}  // namespace sinew
