#include "partition/mesh_slice.hpp"

#include "input/gmsh_content.hpp"
#include "model/mesh_measure.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"
#include "partition/mesh_nodes.hpp"
#include "partition/mesh_twins.hpp"

#include <algorithm>
#include <tuple>

namespace sinew {

GmshContent read_mesh_content(MPI_Comm comm, const std::filesystem::path& path) {
  GmshContent content;
  std::int64_t place = 0;
  std::string text;
  try {
    content = read_mesh_part(path, {comm_rank(comm), comm_size(comm)});
  } catch (const GmshError& error) {
    place = error.place();
    text = error.what();
  } catch (const InputError& error) {
    text = error.what();
  }
  throw_first(comm, place, text);
  return content;
}

namespace {

/// A volume cell that cannot be computed with.
struct BadPlace {
  std::int64_t key = 0;  ///< of its shape and order
  std::string line;
};

/// Throws InputError on all ranks unless there are volume cells and none is inverted or flat. Collective.
void require_good_cells(MPI_Comm comm, const MeshSlice& slice) {
  if (slice.num_cells == 0) {
    const auto no_cells = slice.dimension == 3 ? no_volume_cells : no_surface_cells;
    throw InputError(no_cells(slice.origin.file, list_groups(slice.groups)));
  }
  std::vector<BadPlace> bad;
  std::int64_t total = 0;
  for (const CellSlice& cells : slice.volumes)
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const auto quality = bad_quality(slice.places(cells, c), cells.shape);
      if (quality && ++total <= static_cast<std::int64_t>(bad_cells_shown))
        bad.push_back({cells.numbers[c],
                       bad_cell_line(describe_cell(slice.origin, cells.places[c], cells.tags[c], cells.shape), *quality)});
    }
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, comm);
  if (total == 0) return;
  std::vector<std::string> lines;
  for (std::size_t next = 0; lines.size() < bad_cells_shown;) {
    const bool has_more = next < bad.size();
    const std::int64_t own = has_more ? bad[next].key : -1;
    std::int64_t key = own;
    const std::string line = first_text(comm, key, has_more ? bad[next].line : "");
    if (line.empty()) break;
    lines.push_back(line);
    if (key == own) ++next;
  }
  throw InputError(bad_cells_text(slice.origin.file, lines, static_cast<std::size_t>(total)));
}

void find_filled_groups(MPI_Comm comm, MeshSlice& slice) {
  slice.is_filled.assign(slice.groups.size(), 0);
  for (const auto* blocks : {&slice.faces, &slice.volumes})
    for (const CellSlice& cells : *blocks)
      for (const int list : cells.group_list)
        for (const int group : slice.group_lists[static_cast<std::size_t>(list)])
          slice.is_filled[static_cast<std::size_t>(group)] = 1;
  MPI_Allreduce(MPI_IN_PLACE, slice.is_filled.data(), static_cast<int>(slice.is_filled.size()), MPI_SIGNED_CHAR, MPI_MAX, comm);
}

}  // namespace

void CellSlice::keep_only(const std::vector<char>& keep) {
  const auto n = static_cast<std::size_t>(num_nodes());
  std::size_t kept = 0;
  for (std::size_t c = 0; c < keep.size(); ++c) {
    if (keep[c] == 0) continue;
    std::tie(orders[kept], tags[kept], places[kept], group_list[kept]) = std::tie(orders[c], tags[c], places[c], group_list[c]);
    for (std::size_t a = 0; a < n; ++a) nodes[kept * n + a] = nodes[c * n + a];
    ++kept;
  }
  for (auto* values : {&orders, &tags, &places}) values->resize(kept);
  group_list.resize(kept);
  nodes.resize(kept * n);
}

int MeshSlice::home(std::int64_t point) const {
  return static_cast<int>(std::upper_bound(first_points.begin(), first_points.end(), point) - first_points.begin()) - 1;
}

std::vector<Point3> MeshSlice::places(const CellSlice& cells, std::size_t cell) const {
  const auto n = static_cast<std::size_t>(cells.num_nodes());
  std::vector<Point3> x;
  x.reserve(n);
  for (std::size_t a = 0; a < n; ++a) x.push_back(near[static_cast<std::size_t>(cells.nodes[cell * n + a])].x);
  return x;
}

int MeshSlice::filled_group(const std::string& name, int of_dimension) const {
  const PhysicalGroup* group = find_group(groups, name, of_dimension);
  if (group == nullptr) return -1;
  const auto index = group - groups.data();
  return is_filled[static_cast<std::size_t>(index)] != 0 ? static_cast<int>(index) : -1;
}

int MeshSlice::place_group(const std::string& name) const {
  int group = -1;
  for (int of_dimension = 2; group < 0 && of_dimension >= 0; --of_dimension) group = filled_group(name, of_dimension);
  return group;
}

bool MeshSlice::is_in(const CellSlice& cells, std::size_t cell, int group) const {
  const auto& list = group_lists[static_cast<std::size_t>(cells.group_list[cell])];
  return std::find(list.begin(), list.end(), group) != list.end();
}

MeshSlice make_mesh_slice(MPI_Comm comm, GmshContent&& content, int dimension) {
  GmshGroups groups = make_groups(content);
  MeshSlice slice;
  slice.dimension = dimension;
  slice.origin = content.origin;
  slice.groups = std::move(groups.groups);
  slice.group_lists = std::move(groups.of_set);
  resolve_nodes(comm, std::move(content), slice);
  merge_twins(comm, slice);
  number_volumes(comm, slice);
  require_good_cells(comm, slice);
  find_filled_groups(comm, slice);
  return slice;
}

MeshSlice read_mesh_slice(MPI_Comm comm, const std::filesystem::path& path, int dimension) {
  return make_mesh_slice(comm, read_mesh_content(comm, path), dimension);
}

}  // namespace sinew
