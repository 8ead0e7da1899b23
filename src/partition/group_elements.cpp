#include "partition/group_elements.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

bool is_of_first_order(CellShape shape) { return shape_info(shape).num_nodes == shape_info(shape).num_corners; }

std::string elements(std::int64_t count) { return fmt::format("{} {}", count, count == 1 ? "element" : "elements"); }

/// How many cells of a group this rank holds that fulfil something.
template <class Condition>
std::int64_t count_cells(const MeshSlice& slice, int group, Condition is_counted) {
  std::int64_t count = 0;
  for (const auto* blocks : {&slice.faces, &slice.volumes})
    for (const CellSlice& cells : *blocks)
      for (std::size_t c = 0; c < cells.size(); ++c)
        if (is_counted(cells) && slice.is_in(cells, c, group)) ++count;
  return count;
}

}  // namespace

std::vector<int> groups_called(const MeshSlice& slice, const std::vector<std::string>& names) {
  std::vector<int> groups;
  for (const std::string& name : names) {
    const int group = slice.place_group(name);
    if (group >= 0 && std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return groups;
}

void require_same_order(MPI_Comm comm, const MeshSlice& slice, const std::vector<int>& groups, const std::string& of) {
  if (slice.dimension != 3 || groups.empty()) return;
  std::int64_t of_body = 0;
  for (const CellSlice& cells : slice.volumes)
    if (is_of_first_order(cells.shape)) of_body += static_cast<std::int64_t>(cells.size());
  std::vector<std::int64_t> counts{of_body};
  for (const int group : groups)
    counts.push_back(count_cells(slice, group, [&](const CellSlice& cells) {
      return shape_info(cells.shape).dimension > 0 && is_of_first_order(cells.shape);
    }));
  MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT64_T, MPI_SUM, comm);
  for (std::size_t g = 0; g < groups.size() && counts[0] == 0; ++g)
    if (counts[g + 1] > 0)
      throw InputError(fmt::format(
          "{}: {} of its group '{}' {} of first order and those of the body of second: what takes hold of them would "
          "leave out the nodes in the middle of edges; save both with the same order (in Gmsh one `Mesh.ElementOrder` for all)",
          of, elements(counts[g + 1]), slice.groups[static_cast<std::size_t>(groups[g])].name,
          counts[g + 1] == 1 ? "is" : "are"));
}

std::vector<std::string> left_out_warnings(const MeshSlice& slice, const std::vector<int>& groups, const std::string& of) {
  std::vector<std::string> warnings;
  for (const int group : groups)
    if (const std::int64_t left_out = slice.left_out[static_cast<std::size_t>(group)]; left_out > 0)
      warnings.push_back(fmt::format(
          "{}: {} of its group '{}' {} nodes that no element of the body has: nothing takes hold there (is it of "
          "another part, or of another order?)",
          of, elements(left_out), slice.groups[static_cast<std::size_t>(group)].name, left_out == 1 ? "has" : "have"));
  return warnings;
}

}  // namespace sinew
