#include "partition/mesh_source.hpp"

#include "base/error.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"
#include "partition/group_turns.hpp"

#include <fmt/format.h>

namespace sinew {

MeshSource::MeshSource(MPI_Comm comm, MeshSlice slice, const Model& model, const BodyItem& body, const UsedGroups& groups)
    : slice_(std::move(slice)), first_point_(slice_.first_points[static_cast<std::size_t>(comm_rank(comm))]) {
  find_materials(comm, model, body);
  for (const std::string& name : groups.places) {
    const int group = slice_.place_group(name);
    surfaces_.push_back(make_surface(comm, slice_, group, name));
    const bool is_surface = slice_.groups[static_cast<std::size_t>(group)].dimension == 2;
    if (slice_.dimension == 3 && !is_surface) add_turns(comm, slice_, surfaces_.back());
  }
  std::string inner;
  for (const std::string& name : groups.loaded) {
    loaded_.emplace_back();
    if (slice_.dimension == 2)
      find_cells(slice_.filled_group(name, 2), loaded_.back());
    else if (!find_faces(comm, slice_, slice_.filled_group(name, 2), loaded_.back()))
      inner += (inner.empty() ? "'" : ", '") + name + "'";
  }
  throw_together(comm, [&] {
    if (!inner.empty())
      throw InputError(
          fmt::format("{}: error: faces of {} lie between elements of '{}', not on its outside: a pressure there has "
                      "no direction; load a group of outer faces",
                      model.source.locate(body.mark), inner, body.name.text()));
  });
  slice_.faces.clear();
  for (CellSlice& cells : slice_.volumes) cells.orders = cells.tags = cells.places = {};
}

/// Later entries of the model file overrule earlier ones.
void MeshSource::find_materials(MPI_Comm comm, const Model& model, const BodyItem& body) {
  const std::vector<SolidMaterial>& entries = body.body().meshed()->materials;
  std::vector<int> groups;
  for (const SolidMaterial& m : entries) groups.push_back(slice_.filled_group(m.group, slice_.dimension));
  bool lacks_some = false;
  std::vector<int> is_used(entries.size(), 0);
  for (std::size_t b = 0; b < slice_.volumes.size(); ++b)
    for (std::size_t c = 0; c < slice_.volumes[b].size(); ++c) {
      int last = -1;
      for (std::size_t m = 0; m < entries.size(); ++m)
        if (entries[m].group.empty() || slice_.is_in(slice_.volumes[b], c, groups[m])) last = static_cast<int>(m);
      lacks_some = lacks_some || last < 0;
      if (last >= 0) is_used[static_cast<std::size_t>(last)] = 1;
      cells_.push_back(
          {static_cast<int>(b), static_cast<int>(c), last < 0 ? -1 : entries[static_cast<std::size_t>(last)].material});
    }
  MPI_Allreduce(MPI_IN_PLACE, is_used.data(), static_cast<int>(is_used.size()), MPI_INT, MPI_MAX, comm);
  for (std::size_t m = 0; m < entries.size(); ++m)
    if (is_used[m] == 0) overruled_.push_back(entries[m].group);
  throw_together(comm, [&] {
    if (lacks_some)
      throw InputError(fmt::format("{}: error: '{}' has elements without a material; name their {} groups ({})",
                                   model.source.locate(body.mark), body.name.text(), slice_.dimension == 2 ? "surface" : "volume",
                                   list_groups(slice_.groups)));
  });
}

/// The cells of a surface mesh that are loaded: their outside is where their normals point.
void MeshSource::find_cells(int group, std::vector<SolidFace>& faces) const {
  for (const CellSlice& cells : slice_.volumes)
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!slice_.is_in(cells, c, group)) continue;
      SolidFace face{cells.orders[c], cells.shape, 1, {}, slice_.places(cells, c)};
      for (std::size_t a = 0; a < face.x.size(); ++a)
        face.nodes.push_back(slice_.near[static_cast<std::size_t>(cells.nodes[c * face.x.size() + a])].number);
      faces.push_back(std::move(face));
    }
}

Span MeshSource::surface_nodes(int g) const {
  const SurfaceSlice& surface = surfaces_[static_cast<std::size_t>(g)];
  return {surface.first, static_cast<std::int64_t>(surface.nodes.size())};
}

Span MeshSource::nodes_beside(int g) const {
  const SurfaceSlice& surface = surfaces_[static_cast<std::size_t>(g)];
  return {surface.first_beside, static_cast<std::int64_t>(surface.beside.size())};
}

SurfaceNode MeshSource::node_beside(int g, std::int64_t i) const {
  const SurfaceSlice& surface = surfaces_[static_cast<std::size_t>(g)];
  return surface.beside[static_cast<std::size_t>(i - surface.first_beside)];
}

SolidCell MeshSource::cell(std::int64_t c) const {
  const CellPlace place = cells_[static_cast<std::size_t>(c)];
  const CellSlice& block = slice_.volumes[static_cast<std::size_t>(place.block)];
  const auto n = static_cast<std::size_t>(block.num_nodes()), i = static_cast<std::size_t>(place.cell);
  SolidCell cell{block.numbers[i], block.shape, {}, slice_.places(block, i), place.material};
  for (std::size_t a = 0; a < n; ++a) cell.nodes.push_back(slice_.near[static_cast<std::size_t>(block.nodes[i * n + a])].number);
  return cell;
}

SurfaceNode MeshSource::surface_node(int g, std::int64_t i) const {
  const SurfaceSlice& surface = surfaces_[static_cast<std::size_t>(g)];
  return surface.nodes[static_cast<std::size_t>(i - surface.first)];
}

}  // namespace sinew
