/// \file
/// Groups, messages and clean-up of meshes.
#include "model/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace sinew {

namespace {

/// For every block and cell of one dimension, its new place after a clean-up; block -1 means taken away.
using CellMap = std::vector<std::vector<CellRef>>;

/// Keeps the cells of `block` for which keep[cell] is true.
void keep_cells(CellBlock& block, const std::vector<bool>& keep) {
  const auto n = static_cast<std::size_t>(shape_info(block.shape).num_nodes);
  std::size_t kept = 0;
  for (std::size_t cell = 0; cell < keep.size(); ++cell) {
    if (!keep[cell]) continue;
    if (kept != cell) {
      std::copy_n(block.nodes.begin() + static_cast<std::ptrdiff_t>(cell * n), n,
                  block.nodes.begin() + static_cast<std::ptrdiff_t>(kept * n));
      if (!block.tags.empty()) block.tags[kept] = block.tags[cell];
      if (!block.places.empty()) block.places[kept] = block.places[cell];
    }
    ++kept;
  }
  block.nodes.resize(kept * n);
  if (!block.tags.empty()) block.tags.resize(kept);
  if (!block.places.empty()) block.places.resize(kept);
}

/// Rewrites the groups of a dimension after cells moved; a group lists a cell once.
void remap_groups(Mesh& mesh, int dimension, const CellMap& map) {
  std::vector<std::vector<int>> seen(map.size());  // the last group that listed a cell
  for (std::size_t b = 0; b < map.size(); ++b) seen[b].assign(map[b].size(), -1);
  for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
    auto& group = mesh.groups[g];
    if (group.dimension != dimension) continue;
    std::vector<CellRef> cells;
    cells.reserve(group.cells.size());
    for (const auto& old : group.cells) {
      const auto now = map[static_cast<std::size_t>(old.block)][static_cast<std::size_t>(old.cell)];
      if (now.block < 0) continue;
      auto& last = seen[static_cast<std::size_t>(now.block)][static_cast<std::size_t>(now.cell)];
      if (last == static_cast<int>(g)) continue;
      last = static_cast<int>(g);
      cells.push_back(now);
    }
    group.cells = std::move(cells);
  }
}

/// A hash of a few integers (FNV-1a over 32-bit words, finished with a shift).
struct NodesHash {
  std::size_t operator()(std::span<const int> nodes) const {
    std::uint64_t hash = 1469598103934665603ULL;
    for (const int node : nodes) hash = (hash ^ static_cast<std::uint32_t>(node)) * 1099511628211ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 29));
  }
};

/// Two cells with the same sorted nodes.
struct NodesEqual {
  bool operator()(std::span<const int> a, std::span<const int> b) const { return std::ranges::equal(a, b); }
};

/// For every cell of a block, the first cell with the same set of nodes (itself, if it is the first).
std::vector<int> first_equals(const CellBlock& block) {
  const auto n = static_cast<std::size_t>(shape_info(block.shape).num_nodes);
  const auto count = static_cast<std::size_t>(block.size());
  std::vector<int> sorted = block.nodes;
  std::unordered_map<std::span<const int>, int, NodesHash, NodesEqual> first;
  first.reserve(count);
  std::vector<int> result(count);
  for (std::size_t cell = 0; cell < count; ++cell) {
    const std::span<int> nodes(sorted.data() + cell * n, n);
    std::ranges::sort(nodes);
    result[cell] = first.try_emplace(nodes, static_cast<int>(cell)).first->second;
  }
  return result;
}

/// Takes away the cells of one dimension that touch a point with used[point] == false. Returns how many.
int remove_cells_at_unused(Mesh& mesh, int dimension, const std::vector<bool>& used) {
  auto& blocks = mesh.cells(dimension);
  CellMap map(blocks.size());
  int removed = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    auto& block = blocks[b];
    std::vector<bool> keep(static_cast<std::size_t>(block.size()), true);
    int kept = 0;
    for (int cell = 0; cell < block.size(); ++cell) {
      const bool whole = std::ranges::all_of(block.cell(cell), [&](int node) { return used[static_cast<std::size_t>(node)]; });
      keep[static_cast<std::size_t>(cell)] = whole;
      map[b].push_back(whole ? CellRef{static_cast<int>(b), kept++} : CellRef{-1, 0});
    }
    removed += block.size() - kept;
    keep_cells(block, keep);
  }
  if (removed > 0) remap_groups(mesh, dimension, map);
  return removed;
}

}  // namespace

std::span<const int> CellBlock::cell(int index) const {
  const auto n = static_cast<std::size_t>(shape_info(shape).num_nodes);
  return {nodes.data() + static_cast<std::size_t>(index) * n, n};
}

const std::vector<CellBlock>& Mesh::cells(int dimension) const {
  return dimension == 3 ? volumes : dimension == 2 ? faces : dimension == 1 ? edges : vertices;
}

std::vector<CellBlock>& Mesh::cells(int dimension) {
  return dimension == 3 ? volumes : dimension == 2 ? faces : dimension == 1 ? edges : vertices;
}

const PhysicalGroup* find_group(std::span<const PhysicalGroup> groups, std::string_view name, int dimension) {
  const auto found = std::ranges::find_if(
      groups, [&](const PhysicalGroup& group) { return group.name == name && (dimension < 0 || group.dimension == dimension); });
  return found == groups.end() ? nullptr : &*found;
}

const PhysicalGroup* find_group(const Mesh& mesh, std::string_view name, int dimension) {
  return find_group(mesh.groups, name, dimension);
}

std::string list_groups(std::span<const PhysicalGroup> groups, const std::vector<char>* is_filled) {
  constexpr std::array<const char*, 4> kinds{"point", "curve", "surface", "volume"};
  std::string text;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const char* const lack = is_filled && (*is_filled)[g] == 0 ? ", none of its elements on the body" : "";
    text += fmt::format("{}\"{}\" ({}{})", text.empty() ? "" : ", ", groups[g].name,
                        kinds[static_cast<std::size_t>(groups[g].dimension)], lack);
  }
  return text.empty() ? "none" : text;
}

std::vector<int> group_nodes(const Mesh& mesh, const PhysicalGroup& group) {
  const auto& blocks = mesh.cells(group.dimension);
  std::vector<int> nodes;
  for (const auto& ref : group.cells) {
    const auto cell = blocks[static_cast<std::size_t>(ref.block)].cell(ref.cell);
    nodes.insert(nodes.end(), cell.begin(), cell.end());
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

int count_cells(const Mesh& mesh, int dimension) {
  int count = 0;
  for (const auto& block : mesh.cells(dimension)) count += block.size();
  return count;
}

std::string locate(const MeshOrigin& origin, std::int64_t place, std::string_view message) {
  std::string text = origin.file;
  if (place >= 0) text += fmt::format(fmt::runtime(origin.binary ? ": byte {}" : ":{}"), place);
  return fmt::format("{}: {}", text, message);
}

std::string describe_cell(const MeshOrigin& origin, std::int64_t place, std::int64_t tag, CellShape shape) {
  return locate(origin, place, fmt::format("element {} ({})", tag, shape_info(shape).name));
}

std::string describe_cell(const Mesh& mesh, int dimension, CellRef cell) {
  const auto& block = mesh.cells(dimension)[static_cast<std::size_t>(cell.block)];
  const auto index = static_cast<std::size_t>(cell.cell);
  const auto tag = index < block.tags.size() ? block.tags[index] : cell.cell + 1;
  return describe_cell(mesh.origin, index < block.places.size() ? block.places[index] : -1, tag, block.shape);
}

RemovedCounts remove_loose_points(Mesh& mesh, int dimension) {
  std::vector<bool> used(mesh.points.size(), false);
  for (int d = dimension; d <= 3; ++d) {
    for (const auto& block : mesh.cells(d)) {
      for (const int node : block.nodes) used[static_cast<std::size_t>(node)] = true;
    }
  }
  RemovedCounts removed;
  std::vector<int> new_index(mesh.points.size(), -1);
  int kept = 0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) new_index[i] = kept++;
  }
  removed.points = static_cast<int>(mesh.points.size()) - kept;
  if (removed.points == 0) return removed;
  for (int d = 0; d < dimension; ++d) removed.cells += remove_cells_at_unused(mesh, d, used);
  for (int d = 0; d <= 3; ++d) {
    for (auto& block : mesh.cells(d)) {
      for (int& node : block.nodes) node = new_index[static_cast<std::size_t>(node)];
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) mesh.points[static_cast<std::size_t>(new_index[i])] = mesh.points[i];
  }
  mesh.points.resize(static_cast<std::size_t>(kept));
  return removed;
}

int merge_double_cells(Mesh& mesh) {
  int merged = 0;
  for (int d = 0; d <= 3; ++d) {
    auto& blocks = mesh.cells(d);
    CellMap map(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto first = first_equals(blocks[b]);
      std::vector<bool> keep(first.size());
      int kept = 0;
      for (std::size_t cell = 0; cell < first.size(); ++cell) {
        keep[cell] = first[cell] == static_cast<int>(cell);
        map[b].push_back(keep[cell] ? CellRef{static_cast<int>(b), kept++} : map[b][static_cast<std::size_t>(first[cell])]);
      }
      merged += static_cast<int>(first.size()) - kept;
      keep_cells(blocks[b], keep);
    }
    remap_groups(mesh, d, map);
  }
  return merged;
}

}  // namespace sinew
