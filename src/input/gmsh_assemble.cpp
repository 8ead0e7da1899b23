/// \file
/// From what a Gmsh file says to a Mesh.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "input/gmsh_content.hpp"
#include "input/stored_mesh.hpp"

namespace sinew {

namespace {

/// Throws a fault of the file.
[[noreturn]] void fail_at(const MeshOrigin& origin, std::int64_t place, const std::string& message) {
  throw InputError(locate(origin, place, message));
}

/// What helps against a damaged file.
std::string_view remedy(const MeshOrigin& origin) { return origin.stored ? store_again : export_again; }

/// Looks up points by node number: by a table where the numbers are dense, by a hash where they are sparse.
class NodeIndex {
 public:
  /// Fails if a number is not positive or occurs twice.
  explicit NodeIndex(const GmshContent& content) {
    const auto& tags = content.node_tags;
    const std::int64_t largest = tags.empty() ? 0 : *std::ranges::max_element(tags);
    const bool dense = largest < static_cast<std::int64_t>(8 * tags.size() + 1024);
    if (dense)
      table_.assign(static_cast<std::size_t>(std::max<std::int64_t>(largest, 0)) + 1, -1);
    else
      hash_.reserve(tags.size());
    for (std::size_t i = 0; i < tags.size(); ++i) {
      if (tags[i] < 1) fail_at(content.origin, content.node_places[i], bad_node_number(content.origin, tags[i], 0));
      int& entry = dense ? table_[static_cast<std::size_t>(tags[i])] : hash_.try_emplace(tags[i], -1).first->second;
      if (entry >= 0) {
        fail_at(content.origin, content.node_places[i],
                bad_node_number(content.origin, tags[i], content.node_places[static_cast<std::size_t>(entry)]));
      }
      entry = static_cast<int>(i);
    }
  }

  /// The point with this node number, -1 if there is none.
  int find(std::int64_t tag) const {
    if (!table_.empty())
      return tag >= 0 && tag < static_cast<std::int64_t>(table_.size()) ? table_[static_cast<std::size_t>(tag)] : -1;
    const auto found = hash_.find(tag);
    return found == hash_.end() ? -1 : found->second;
  }

 private:
  std::vector<int> table_;
  std::unordered_map<std::int64_t, int> hash_;
};

/// The elements of one shape with resolved node numbers.
CellBlock make_block(const MeshOrigin& origin, CellShape shape, GmshElements& elements, const NodeIndex& index) {
  CellBlock block{shape, {}, std::move(elements.tags), std::move(elements.places)};
  const auto n = static_cast<std::size_t>(shape_info(shape).num_nodes);
  block.nodes.reserve(elements.nodes.size());
  for (std::size_t i = 0; i < elements.nodes.size(); ++i) {
    const int point = index.find(elements.nodes[i]);
    if (point < 0) {
      fail_at(origin, block.places[i / n], missing_node(origin, shape, block.tags[i / n], elements.nodes[i]));
    }
    block.nodes.push_back(point);
  }
  return block;
}

/// Makes the groups: those with a name (even if empty), then those that elements are in.
class GroupTable {
 public:
  GroupTable(std::vector<PhysicalGroup>& groups, const GmshContent& content) : groups_(groups), content_(content) {
    for (const auto& [label, name] : content.names) taken_.insert({label.first, name});
    for (const auto& [label, name] : content.names) group_of(label);
  }

  /// The groups that the elements of a set are in; physical tags with the same name are one group.
  std::vector<int> groups_of(GmshLabel set) {
    std::vector<int> result;
    const auto physical = content_.physical_tags.find(set);
    if (physical == content_.physical_tags.end()) return result;
    for (const int tag : physical->second) {
      const auto group = static_cast<int>(group_of({set.first, tag}));
      if (std::ranges::find(result, group) == result.end()) result.push_back(group);
    }
    return result;
  }

 private:
  /// The group of a physical tag, made at first use.
  std::size_t group_of(GmshLabel label) {
    if (const auto known = by_label_.find(label); known != by_label_.end()) return known->second;
    const auto name = name_of(label);
    const auto [entry, is_new] = by_name_.try_emplace({label.first, name}, groups_.size());
    if (is_new) groups_.push_back({name, label.first, label.second, {}});
    return by_label_[label] = entry->second;
  }

  /// The name in the file, or one made of kind and number that no other group has.
  std::string name_of(GmshLabel label) const {
    constexpr std::array<const char*, 4> kinds{"point", "curve", "surface", "volume"};
    if (const auto given = content_.names.find(label); given != content_.names.end()) return given->second;
    auto name = fmt::format("{}_{}", kinds[static_cast<std::size_t>(label.first)], label.second);
    while (taken_.contains({label.first, name})) name += '_';
    return name;
  }

  std::vector<PhysicalGroup>& groups_;
  const GmshContent& content_;
  std::set<std::pair<int, std::string>> taken_;
  std::map<GmshLabel, std::size_t> by_label_;
  std::map<std::pair<int, std::string>, std::size_t> by_name_;
};

/// Enters the cells of a block into the groups of their sets.
void enter_cells(Mesh& mesh, const std::vector<int>& sets, int block, const std::vector<std::vector<int>>& groups_of_set) {
  for (std::size_t cell = 0; cell < sets.size(); ++cell) {
    for (const auto group : groups_of_set[static_cast<std::size_t>(sets[cell])]) {
      mesh.groups[static_cast<std::size_t>(group)].cells.push_back({block, static_cast<int>(cell)});
    }
  }
}

}  // namespace

std::string bad_node_number(const MeshOrigin& origin, std::int64_t tag, std::int64_t first) {
  if (tag < 1) return fmt::format("node number {}, but they start at 1; {}", tag, remedy(origin));
  const std::string where = origin.stored ? "" : fmt::format(", first at {} {}", origin.binary ? "byte" : "line", first);
  return fmt::format("node {} is defined twice{}; {}", tag, where, remedy(origin));
}

std::string missing_node(const MeshOrigin& origin, CellShape shape, std::int64_t tag, std::int64_t node) {
  return fmt::format("element {} ({}) names node {}, which is not among the file's nodes; {}", tag, shape_info(shape).name, node,
                     remedy(origin));
}

GmshGroups make_groups(const GmshContent& content) {
  std::vector<PhysicalGroup> groups;
  GroupTable table(groups, content);
  GmshGroups result;
  for (const auto& set : content.sets) result.of_set.push_back(table.groups_of(set));
  std::vector<int> order(groups.size()), place(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int i, int j) {
    const PhysicalGroup &a = groups[static_cast<std::size_t>(i)], &b = groups[static_cast<std::size_t>(j)];
    return a.dimension != b.dimension ? a.dimension > b.dimension : a.tag < b.tag;
  });
  for (const int i : order) {
    place[static_cast<std::size_t>(i)] = static_cast<int>(result.groups.size());
    result.groups.push_back(std::move(groups[static_cast<std::size_t>(i)]));
  }
  for (auto& list : result.of_set) {
    for (int& group : list) group = place[static_cast<std::size_t>(group)];
  }
  return result;
}

Mesh assemble_mesh(GmshContent&& content) {
  Mesh mesh;
  mesh.origin = content.origin;
  const NodeIndex index(content);
  auto groups = make_groups(content);
  mesh.groups = std::move(groups.groups);
  for (int s = 0; s < num_cell_shapes; ++s) {
    const auto shape = static_cast<CellShape>(s);
    auto& elements = content.elements[static_cast<std::size_t>(s)];
    if (elements.tags.empty()) continue;
    auto& blocks = mesh.cells(shape_info(shape).dimension);
    blocks.push_back(make_block(content.origin, shape, elements, index));
    enter_cells(mesh, elements.sets, static_cast<int>(blocks.size()) - 1, groups.of_set);
  }
  mesh.points = std::move(content.points);
  merge_double_cells(mesh);
  remove_loose_points(mesh, 0);
  return mesh;
}

}  // namespace sinew
