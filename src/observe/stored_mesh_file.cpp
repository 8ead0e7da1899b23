#include "observe/stored_mesh_file.hpp"

#include "base/build_info.hpp"
#include "base/stop_signal.hpp"
#include "input/stored_mesh.hpp"
#include "observe/hdf5_file.hpp"
#include "observe/output_directory.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <string>

namespace sinew {

namespace {

namespace fs = std::filesystem;

fs::path directory_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// Whole numbers of rows that the ranks share, in as few bytes as they fit into on all. Collective.
void write_integers(MPI_Comm comm, Hdf5File& file, const std::string& name, const std::vector<std::int64_t>& values,
                    const RowRuns& mine, std::int64_t total, int width) {
  heed_signals(comm);
  using Narrow = std::numeric_limits<std::int32_t>;
  int is_wide = std::any_of(values.begin(), values.end(), [](std::int64_t v) { return v > Narrow::max() || v < Narrow::min(); });
  MPI_Allreduce(MPI_IN_PLACE, &is_wide, 1, MPI_INT, MPI_MAX, comm);
  if (is_wide != 0) return file.write(name, values, mine, total, width);
  std::vector<std::int32_t> narrow(values.size());
  std::transform(values.begin(), values.end(), narrow.begin(), [](std::int64_t v) { return static_cast<std::int32_t>(v); });
  file.write(name, narrow, mine, total, width);
}

/// Bytes that all of it can take.
std::int64_t most_bytes(const GmshContent& content) {
  std::int64_t numbers = 4 * content.num_nodes + 2 * static_cast<std::int64_t>(content.sets.size());
  for (int s = 0; s < num_cell_shapes; ++s)
    numbers += (2 + shape_info(static_cast<CellShape>(s)).num_nodes) * content.elements[static_cast<std::size_t>(s)].total;
  for (const auto& [set, tags] : content.physical_tags) numbers += 3 * static_cast<std::int64_t>(tags.size());
  std::int64_t bytes = 8 * numbers;
  for (const auto& [label, name] : content.names) bytes += static_cast<std::int64_t>(name.size()) + 1 + 2 * 8;
  return bytes;
}

/// A table that all ranks have, of which the first writes all rows.
void write_table(MPI_Comm comm, Hdf5File& file, const char* name, const char* count, std::vector<int> values, int width) {
  const auto total = static_cast<std::int64_t>(values.size()) / width;
  const bool is_first = comm_rank(comm) == 0;
  file.set_number("/", count, static_cast<double>(total));
  if (!is_first) values.clear();
  file.write(name, values, {{0, is_first ? total : 0}}, total, width);
}

void write_groups(MPI_Comm comm, Hdf5File& file, const GmshContent& content) {
  std::vector<int> sets, members, groups;
  std::string names;
  for (const auto& [dimension, number] : content.sets) sets.insert(sets.end(), {dimension, number});
  for (const auto& [set, tags] : content.physical_tags)
    for (const int tag : tags) members.insert(members.end(), {set.first, set.second, tag});
  for (const auto& [label, name] : content.names) {
    groups.insert(groups.end(), {label.first, label.second});
    names += name + '\n';
  }
  write_table(comm, file, "sets", num_stored_sets, std::move(sets), 2);
  write_table(comm, file, "memberships", num_stored_memberships, std::move(members), 3);
  write_table(comm, file, "groups", num_stored_groups, std::move(groups), 2);
  if (!names.empty()) file.set_text("/", "group_names", names);
}

void write_nodes(MPI_Comm comm, Hdf5File& file, const GmshContent& content) {
  const std::int64_t total = content.num_nodes, first = content.part.begin(total);
  const RowRuns mine{{first, content.part.end(total) - first}};
  write_integers(comm, file, "nodes/numbers", content.node_tags, mine, total, 1);
  std::vector<double> x;
  x.reserve(3 * content.points.size());
  for (const Point3& point : content.points) x.insert(x.end(), point.begin(), point.end());
  file.write("nodes/coordinates", x, mine, total, 3);
}

void write_elements(MPI_Comm comm, Hdf5File& file, const GmshContent& content, CellShape shape) {
  const GmshElements& elements = content.elements[static_cast<std::size_t>(shape)];
  const RowRuns mine = content.part.runs(elements.total, content.num_elements);
  const std::string group = stored_elements(shape);
  if (elements.total == 0) return;
  write_integers(comm, file, group + "/numbers", elements.tags, mine, elements.total, 1);
  write_integers(comm, file, group + "/nodes", elements.nodes, mine, elements.total, shape_info(shape).num_nodes);
  heed_signals(comm);
  file.write(group + "/sets", elements.sets, mine, elements.total, 1);
}

/// What the user must change for a mesh to be put there; empty: nothing.
std::string input_fault(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  const std::size_t length = unfinished_mesh(path).native().size();
  if (length > longest_path)
    return fmt::format("the path {} has {} letters, more than this MPI opens files with ({}); choose a shorter one with -o",
                       path.string(), length, longest_path);
  if (!fs::is_directory(directory_of(path), code))
    return fmt::format("{}: there is no directory {}; make it, or choose another with -o", path.string(),
                       directory_of(path).string());
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status)) return fmt::format("{} is there and is not a file; choose another with -o", path.string());
  if (is_stored_mesh(path)) return {};
  return fmt::format("{} is there and `sinew mesh` has not made it; choose another with -o, or remove it", path.string());
}

}  // namespace

fs::path unfinished_mesh(const fs::path& path) { return path.string() + ".unfinished"; }

void require_place_of_mesh(MPI_Comm comm, const fs::path& path) {
  const bool is_first = comm_rank(comm) == 0;
  throw_if_any(comm, is_first ? input_fault(path) : std::string());
  const bool may_write = !is_first || access(directory_of(path).c_str(), W_OK | X_OK) == 0;
  throw_from_first_rank(
      comm, may_write ? std::string()
                      : fmt::format("cannot write {}: no permission to write in {}", path.string(), directory_of(path).string()));
}

void write_stored_mesh(MPI_Comm comm, const GmshContent& content, const fs::path& path) {
  Hdf5File file(comm, path, Existing::replaced, Hdf5Layout::checked);
  file.reserve(most_bytes(content));
  file.set_text("/", "format", stored_mesh_format);
  file.set_text("/", "version", std::string(build_info().version));
  file.set_text("/", "source", fs::path(content.origin.file).filename().string());
  file.set_number("/", num_stored_nodes, static_cast<double>(content.num_nodes));
  file.set_number("/", num_stored_elements, static_cast<double>(content.num_elements));
  write_groups(comm, file, content);
  write_nodes(comm, file, content);
  for (int s = 0; s < num_cell_shapes; ++s) write_elements(comm, file, content, static_cast<CellShape>(s));
  file.flush();
}

}  // namespace sinew
