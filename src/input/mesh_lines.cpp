#include "input/mesh_lines.hpp"

#include "base/error.hpp"
#include "input/gmsh_content.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// All lines of a mesh, in the order of the file.
std::vector<CellRef> all_lines(const Mesh& mesh) {
  std::vector<CellRef> cells;
  for (int block = 0; block < static_cast<int>(mesh.edges.size()); ++block)
    for (int cell = 0; cell < mesh.edges[static_cast<std::size_t>(block)].size(); ++cell) cells.push_back({block, cell});
  return cells;
}

/// Says which groups of curves there are, in the place of one that is not there.
[[noreturn]] void refuse_group(const Mesh& mesh, const std::string& group, const std::vector<PhysicalGroup>& curves) {
  std::vector<std::string> names;
  for (const PhysicalGroup& curve : curves) names.push_back(curve.name);
  const std::string hint = suggestion(group, names);
  const std::string more =
      curves.empty() ? "it has none: make a Physical Curve of the line in Gmsh" : "its groups of curves: " + list_groups(curves);
  throw InputError(locate(mesh.origin, -1,
                          fmt::format("there is no physical group of curves \"{}\" ({}{})", group,
                                      hint.starts_with("did") ? hint + "; " : "", more)));
}

}  // namespace

const MeshLines::Curves& MeshLines::curves_of(const std::filesystem::path& path) {
  if (last_ && last_->path == path) return *last_;
  last_.reset();
  GmshContent content = read_mesh_part(path, {});
  Curves curves{path, {}, false};
  for (int s = 0; s < num_cell_shapes; ++s) {
    const int dimension = shape_info(static_cast<CellShape>(s)).dimension;
    if (dimension == 1) continue;
    GmshElements& elements = content.elements[static_cast<std::size_t>(s)];
    curves.has_more = curves.has_more || (dimension > 1 && !elements.tags.empty());
    elements = {};
  }
  curves.mesh = assemble_mesh(std::move(content));
  return last_.emplace(std::move(curves));
}

int MeshLines::find(const std::optional<std::filesystem::path>& path, const std::string& group, LineEnds ends) {
  if (!path) return -1;
  const Key key{*path, group, ends};
  if (const auto known = std::ranges::find(keys_, key); known != keys_.end()) return static_cast<int>(known - keys_.begin());
  const Curves& file = curves_of(*path);
  const Mesh& mesh = file.mesh;
  std::vector<PhysicalGroup> curves;
  std::ranges::copy_if(mesh.groups, std::back_inserter(curves), [](const PhysicalGroup& one) { return one.dimension == 1; });
  const PhysicalGroup* found = group.empty() && curves.size() == 1 ? &curves[0] : nullptr;
  if (!group.empty() && !(found = find_group(curves, group))) refuse_group(mesh, group, curves);
  if (!found && !curves.empty())
    throw InputError(
        locate(mesh.origin, -1,
               "it has several groups of curves (name one beside the mesh, as group: NAME, of " + list_groups(curves) + ")"));
  if (!found && (file.has_more || !mesh.groups.empty()))
    throw InputError(locate(mesh.origin, -1,
                            mesh.edges.empty() ? "it has no line elements (mesh a curve: `gmsh -1`)"
                                               : "its line elements are in no physical group, and it has other elements as well: "
                                                 "which are meant? (make a Physical Curve of the line in Gmsh)"));
  add(found ? order_path(mesh, found->cells, "group \"" + found->name + "\"", ends)
            : order_path(mesh, all_lines(mesh), "the line of the mesh", ends));
  keys_.push_back(key);
  return size() - 1;
}

}  // namespace sinew
