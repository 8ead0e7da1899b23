#include "input/stored_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/hdf5.hpp"
#include "model/number_range.hpp"

namespace sinew {

namespace {

namespace fs = std::filesystem;

/// Elements and nodes are numbered by 32 bits, as in a file of Gmsh (GmshSource::read_count).
constexpr std::int64_t most_rows = std::numeric_limits<std::int32_t>::max();

bool begins_as_hdf5(const fs::path& path) {
  constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);  // HDF5 File Format Specification, II.A
  std::array<char, signature.size()> start{};
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return false;
  std::ifstream stream(path, std::ios::binary);
  stream.read(start.data(), start.size());
  return stream && std::string_view(start.data(), start.size()) == signature;
}

/// What cannot be opened as a stored mesh, as far as it can be told without HDF5; empty: it may be.
std::string look(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(path, code)) return "there is no such mesh file; relative paths start at the model file's directory";
  if (!fs::is_regular_file(path, code)) return "is not a file; a mesh was expected";
  if (!std::ifstream(path)) return "cannot be opened; check its permissions";
  if (!begins_as_hdf5(path))
    return "this is no HDF5 file, or its beginning is damaged: make it with `sinew mesh`, or name a file of Gmsh `.msh`";
  return {};
}

/// A stored mesh that is open for reading.
class StoredFile {
 public:
  explicit StoredFile(const fs::path& path) : name_(path.string()), file_(open(path), H5Fclose) {}

  /// Throws: what is wrong with the file, or with a row of it.
  [[noreturn]] void refuse(const std::string& why, std::int64_t row = 0) const { throw GmshError(name_ + ": " + why, row); }

  /// A text of the file, empty if there is none.
  std::string text(const std::string& name) const {
    std::string text;
    return read_hdf5_text(file_, "/", name, text) ? text : "";
  }

  /// One of the attributes that count.
  std::int64_t count(const std::string& name) const {
    double number = -1;
    if (!read_hdf5_number(file_, "/", name, number)) refuse(fmt::format("the attribute `{}` is missing; {}", name, store_again));
    if (!(number >= 0 && number <= static_cast<double>(most_rows) && number == std::floor(number)))
      refuse(fmt::format("the attribute `{}` is {}, expected a number from 0 to {}; {}", name, number, most_rows, store_again));
    return static_cast<std::int64_t>(number);
  }

  /// How many rows a dataset has, 0 if it is not there.
  std::int64_t num_rows(const std::string& dataset) const {
    if (!hdf5_has(file_, dataset)) return 0;
    const Hdf5Identifier data(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(data), H5Sclose);
    std::array<hsize_t, 2> size{};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 1 || rank > 2) refuse(fmt::format("`{}` cannot be read; {}", dataset, store_again));
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    if (size[0] > static_cast<hsize_t>(most_rows))
      refuse(fmt::format("`{}` has {} rows, more than {}; {}", dataset, size[0], most_rows, store_again));
    return static_cast<std::int64_t>(size[0]);
  }

  /// Reads these rows of a dataset, which has `total` of `width` numbers each, to `target`, one behind the other.
  template <class T>
  void read(const std::string& dataset, const RowRuns& runs, std::int64_t total, int width, T* target) const {
    const auto w = static_cast<hsize_t>(width);
    if (total == 0) return;
    if (!hdf5_has(file_, dataset)) refuse(fmt::format("the dataset `{}` is missing; {}", dataset, store_again));
    const Hdf5Identifier data(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(data), H5Sclose);
    std::array<hsize_t, 2> size{0, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 1 && rank <= 2) H5Sget_simple_extent_dims(space, size.data(), nullptr);
    if (size[0] != static_cast<hsize_t>(total) || size[1] != w)
      refuse(fmt::format("`{}` has {} x {} numbers, expected {} x {}; {}", dataset, size[0], size[1], total, width, store_again));
    if (H5Dget_storage_size(data) == 0) refuse(fmt::format("`{}` was never written; {}", dataset, store_again));
    for (const RowRun& run : runs) {
      if (run.count == 0) continue;
      const std::array<hsize_t, 2> start{static_cast<hsize_t>(run.first), 0}, block{static_cast<hsize_t>(run.count), w};
      const Hdf5Identifier memory(H5Screate_simple(rank, block.data(), nullptr), H5Sclose);
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
      if (H5Dread(data, type_of<T>(), memory, space, H5P_DEFAULT, target) < 0)
        refuse(fmt::format("`{}` cannot be read ({}); {}", dataset, last_hdf5_error(), store_again));
      target += run.count * width;
    }
  }

  /// The same as a list.
  template <class T>
  std::vector<T> rows(const std::string& dataset, const RowRuns& runs, std::int64_t total, int width) const {
    std::vector<T> values(static_cast<std::size_t>(total == 0 ? 0 : sinew::num_rows(runs)) * static_cast<std::size_t>(width));
    read(dataset, runs, total, width, values.data());
    return values;
  }

 private:
  template <class T>
  static hid_t type_of() {
    return std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : sizeof(T) == 4 ? H5T_NATIVE_INT32 : H5T_NATIVE_INT64;
  }

  hid_t open(const fs::path& path) const {
    if (const std::string wrong = look(path); !wrong.empty()) refuse(wrong);
    settle_hdf5();
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) refuse(fmt::format("it cannot be opened as an HDF5 file ({}); {}", last_hdf5_error(), store_again));
    return file;
  }

  std::string name_;
  Hdf5Identifier file_;
};

/// Fails unless the file is a stored mesh of this version.
void require_format(const StoredFile& file) {
  const std::string found = file.text("format");
  if (!is_same_kind_of_format(found, stored_mesh_format))
    file.refuse(fmt::format("this HDF5 file is no mesh that `sinew mesh` has made ({}): make one of the file of Gmsh",
                            found.empty() ? "it has no attribute `format`" : "its format is `" + found + '`'));
  if (found != stored_mesh_format)
    file.refuse(
        fmt::format("the mesh was stored by another version of Sinew (`{}`, this one reads `{}`): make it anew with "
                    "`sinew mesh`",
                    found, stored_mesh_format));
}

/// Fails unless a dimension that stands in a row is one.
void require_dimension(const StoredFile& file, const char* dataset, std::size_t row, int dimension) {
  if (dimension >= 0 && dimension <= 3) return;
  file.refuse(fmt::format("`{}`: row {} has dimension {}, expected 0 to 3; {}", dataset, row, dimension, store_again),
              static_cast<std::int64_t>(row));
}

/// All rows of a short table of whole numbers.
std::vector<int> table(const StoredFile& file, const char* dataset, const char* count, int width) {
  const std::int64_t total = file.count(count);
  return file.rows<int>(dataset, {{0, total}}, total, width);
}

/// What is the same for every part: sets, what groups they are in, names.
void read_groups(const StoredFile& file, GmshContent& content) {
  const std::vector<int> sets = table(file, "sets", num_stored_sets, 2);
  for (std::size_t row = 0; 2 * row < sets.size(); ++row) {
    require_dimension(file, "sets", row, sets[2 * row]);
    if (content.set_of({sets[2 * row], sets[2 * row + 1]}) != static_cast<int>(row))
      file.refuse(fmt::format("`sets`: row {} is there twice; {}", row, store_again));
  }
  const std::vector<int> members = table(file, "memberships", num_stored_memberships, 3);
  for (std::size_t row = 0; 3 * row < members.size(); ++row) {
    require_dimension(file, "memberships", row, members[3 * row]);
    content.physical_tags[{members[3 * row], members[3 * row + 1]}].push_back(members[3 * row + 2]);
  }
  const std::vector<int> groups = table(file, "groups", num_stored_groups, 2);
  if (groups.empty()) return;
  std::istringstream lines(file.text("group_names"));
  std::string name;
  for (std::size_t row = 0; 2 * row < groups.size(); ++row) {
    require_dimension(file, "groups", row, groups[2 * row]);
    if (!std::getline(lines, name) || name.empty())
      file.refuse(fmt::format("`group_names` has no name for row {} of `groups`; {}", row, store_again));
    content.names.insert_or_assign({groups[2 * row], groups[2 * row + 1]}, name);
  }
}

void read_nodes(const StoredFile& file, GmshContent& content) {
  const std::int64_t total = content.num_nodes, first = content.part.begin(total);
  const RowRuns mine{{first, content.part.end(total) - first}};
  content.node_tags = file.rows<std::int64_t>("nodes/numbers", mine, total, 1);
  content.points.resize(content.node_tags.size());
  file.read("nodes/coordinates", mine, total, 3, content.points.empty() ? nullptr : content.points[0].data());
  for (std::size_t i = 0; i < content.points.size(); ++i)
    for (const double x : content.points[i]) {
      if (is_computable(x)) continue;
      const std::int64_t row = first + static_cast<std::int64_t>(i);
      file.refuse(fmt::format("`nodes/coordinates`: row {} (node {}) holds {}, expected a finite number; {}", row,
                              content.node_tags[i], x, store_again),
                  row);
    }
  content.node_places.assign(content.node_tags.size(), -1);
}

/// Fails unless the elements are of sets that there are, of their dimension.
void require_sets(const StoredFile& file, const GmshContent& content, CellShape shape) {
  const GmshElements& elements = content.elements[static_cast<std::size_t>(shape)];
  const auto& facts = shape_info(shape);
  for (std::size_t i = 0; i < elements.sets.size(); ++i) {
    const int set = elements.sets[i];
    const bool is_there = set >= 0 && set < static_cast<int>(content.sets.size());
    if (is_there && content.sets[static_cast<std::size_t>(set)].first == facts.dimension) continue;
    file.refuse(
        fmt::format("`{}/sets`: element {} ({}) is of set {}, {}; {}", stored_elements(shape), elements.tags[i], facts.name, set,
                    is_there ? "which is of another dimension" : fmt::format("of {}", content.sets.size()), store_again),
        content.num_nodes + elements.orders[i]);
  }
}

void read_elements(const StoredFile& file, GmshContent& content, CellShape shape) {
  const int num_nodes = shape_info(shape).num_nodes;
  GmshElements& elements = content.elements[static_cast<std::size_t>(shape)];
  const std::string group = stored_elements(shape);
  const RowRuns mine = content.part.runs(elements.total, content.num_elements);
  elements.tags = file.rows<std::int64_t>(group + "/numbers", mine, elements.total, 1);
  elements.nodes = file.rows<std::int64_t>(group + "/nodes", mine, elements.total, num_nodes);
  elements.sets = file.rows<int>(group + "/sets", mine, elements.total, 1);
  elements.orders.reserve(elements.tags.size());
  for (const RowRun& run : mine)
    for (std::int64_t i = 0; i < run.count; ++i) elements.orders.push_back(run.first + i);
  elements.places.assign(elements.tags.size(), -1);
  require_sets(file, content, shape);
}

}  // namespace

std::string stored_elements(CellShape shape) { return fmt::format("elements/{}", shape_info(shape).name); }

bool looks_like_stored_mesh(const fs::path& path) { return path.extension() == ".h5" || begins_as_hdf5(path); }

bool is_stored_mesh(const fs::path& path) {
  try {
    const std::string format = begins_as_hdf5(path) ? StoredFile(path).text("format") : "";
    return is_same_kind_of_format(format, stored_mesh_format);
  } catch (const InputError&) {
    return false;
  }
}

GmshContent read_stored_part(const fs::path& path, FilePart part) {
  const StoredFile file(path);
  require_format(file);
  GmshContent content;
  content.origin = {path.string(), false, true};
  content.part = part;
  content.num_nodes = file.count(num_stored_nodes);
  content.num_elements = file.count(num_stored_elements);
  std::int64_t found = 0;
  for (int s = 0; s < num_cell_shapes; ++s)
    found += content.elements[static_cast<std::size_t>(s)].total =
        file.num_rows(stored_elements(static_cast<CellShape>(s)) + "/numbers");
  if (found != content.num_elements)
    file.refuse(fmt::format("the shapes have {} elements, `{}` says {}; {}", found, num_stored_elements, content.num_elements,
                            store_again));
  read_groups(file, content);
  read_nodes(file, content);
  for (int s = 0; s < num_cell_shapes; ++s) read_elements(file, content, static_cast<CellShape>(s));
  return content;
}

}  // namespace sinew
