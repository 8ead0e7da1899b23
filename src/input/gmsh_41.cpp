/// \file
/// Sections of format 4.1. Elements belong to entities, and entities to any number of physical groups.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "input/gmsh_content.hpp"

namespace sinew {

namespace {

/// Reads the dimension of an entity, 0 to 3.
int read_dimension(GmshSource& source) {
  const int dimension = source.read_int("an entity's dimension");
  if (dimension < 0 || dimension > 3) {
    source.fail_at(-1, fmt::format("an entity has dimension {}: the file is damaged; {}", dimension, export_again));
  }
  return dimension;
}

/// Reads one entity of $Entities.
void read_entity(GmshSource& source, GmshContent& content, int dimension) {
  const int tag = source.read_int("an entity's number");
  const int num_bounds = dimension == 0 ? 3 : 6;
  for (int i = 0; i < num_bounds; ++i) source.read_real("a bound of an entity");
  const auto num_physical = source.read_count("an entity's number of physical groups", 2, 4);
  auto& physical = content.physical_tags[{dimension, tag}];
  std::array<int, 2> as_it_is_and_turned{};  // a group of each, 0: none
  for (std::int64_t i = 0; i < num_physical; ++i) {
    const int group = source.read_int("a physical group's number");  // negative: turned round
    if (group == std::numeric_limits<int>::min()) continue;
    physical.push_back(std::abs(group));
    as_it_is_and_turned[group < 0 ? 1 : 0] = std::abs(group);
  }
  if (const auto [as_it_is, turned] = as_it_is_and_turned; turned != 0 && (dimension == 1 || dimension == 2)) {
    if (as_it_is != 0)
      source.fail_at(-1, fmt::format("{} {} is in the physical group {} as it is and in {} turned round (a negative number), but "
                                     "its elements face one way: take it with the same sign in both",
                                     dimension == 1 ? "curve" : "surface", tag, as_it_is, turned));
    content.turned.insert({dimension, tag});
  }
  if (dimension == 0) return;
  const auto num_bounding = source.read_count("an entity's number of bounding entities", 2, 4);
  for (std::int64_t i = 0; i < num_bounding; ++i) source.read_int("a bounding entity's number");
}

/// Reads the last two numbers of a section's head, the range of tags, which may be anything.
void skip_range(GmshSource& source) {
  source.read_long("the smallest number in the section");
  source.read_long("the largest number in the section");
}

/// Fails unless the blocks of a section hold as many items as its head says.
void check_total(const GmshSource& source, std::int64_t found, std::int64_t announced, std::string_view items) {
  if (found == announced) return;
  source.fail_at(-1, fmt::format("the blocks hold {} {}, the head of the section says {}: the file is damaged; {}", found, items,
                                 announced, export_again));
}

/// A run of the nodes of a block: how many are passed over before it, how many it has, how many follow.
struct Run {
  std::int64_t before, count, after;
};

/// The nodes of a block that are kept; `first` is the block's first node.
Run kept_nodes(const GmshContent& content, std::int64_t first, std::int64_t count) {
  const auto from = std::clamp<std::int64_t>(content.part.begin(content.num_nodes) - first, 0, count);
  const auto to = std::clamp<std::int64_t>(content.part.end(content.num_nodes) - first, from, count);
  return {from, to - from, count - to};
}

/// Reads the nodes of a block: all numbers, then all coordinates.
void read_node_block(GmshSource& source, GmshContent& content, const Run& run, int num_parameters) {
  constexpr std::string_view number = "a node's number (1 or larger)", coordinate = "a node's coordinate (a finite number)";
  source.skip_numbers(run.before, 8, number);
  for (std::int64_t i = 0; i < run.count; ++i) {
    content.node_places.push_back(source.place());
    content.node_tags.push_back(source.read_long(number, 1));
  }
  source.skip_numbers(run.after, 8, number);
  const int width = 3 + num_parameters;
  source.skip_numbers(run.before * width, 8, coordinate);
  for (std::int64_t i = 0; i < run.count; ++i) {
    auto& point = content.points.emplace_back();
    for (double& x : point) x = source.read_coordinate(coordinate);
    for (int k = 0; k < num_parameters; ++k) source.read_real("a node's parameter");
  }
  source.skip_numbers(run.after * width, 8, coordinate);
}

/// Passes over elements; where a text file ends in one, it is told as if it had been read.
void skip_elements(GmshSource& source, int num_nodes, std::int64_t count) {
  constexpr std::string_view number = "an element's number", node = "the number of an element's node";
  if (source.binary()) return source.skip_numbers(count * (num_nodes + 1), 8, number);
  for (std::int64_t i = 0; i < count; ++i) {
    source.skip_numbers(1, 8, number);
    source.skip_numbers(num_nodes, 8, node);
  }
}

/// Reads the elements of a block, all of one shape and of one set.
void read_element_block(GmshSource& source, GmshContent& content, CellShape shape, int set, std::int64_t count) {
  const bool is_turned = content.turned.contains(content.sets[static_cast<std::size_t>(set)]);
  const int num_nodes = shape_info(shape).num_nodes;
  auto& elements = content.elements[static_cast<std::size_t>(shape)];
  const auto chunk = content.part.chunk(content.num_elements);
  GmshElement element{.set = set};
  for (std::int64_t i = 0; i < count;) {
    const auto run = std::min(count - i, chunk - elements.total % chunk);
    i += run;
    if (!content.part.keeps(elements.total, content.num_elements)) {
      skip_elements(source, num_nodes, run);
      elements.total += run;
      continue;
    }
    for (const auto end = elements.total + run; elements.total < end; ++elements.total) {
      element.order = elements.total;
      element.place = source.place();
      element.tag = source.read_long("an element's number");
      for (std::size_t a = 0; a < static_cast<std::size_t>(num_nodes); ++a)
        element.nodes[a] = source.read_long("the number of an element's node");
      if (is_turned) turn_round(shape, element);
      add_element(elements, num_nodes, element);
    }
  }
}

}  // namespace

void read_entities_41(GmshSource& source, GmshContent& content) {
  std::array<std::int64_t, 4> counts{};
  for (auto& count : counts) count = source.read_count("the number of entities", 8, 36);
  for (int dimension = 0; dimension <= 3; ++dimension) {
    for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) read_entity(source, content, dimension);
  }
  source.close_section("Entities");
}

void read_nodes_41(GmshSource& source, GmshContent& content) {
  const auto num_blocks = source.read_count("the number of node blocks", 8, 20);
  content.num_nodes = source.read_count("the number of nodes", 8, 32);
  skip_range(source);
  const auto kept = static_cast<std::size_t>(content.part.end(content.num_nodes) - content.part.begin(content.num_nodes));
  content.points.reserve(kept);
  content.node_tags.reserve(kept);
  content.node_places.reserve(kept);
  std::int64_t found = 0;
  for (std::int64_t block = 0; block < num_blocks; ++block) {
    const int dimension = read_dimension(source);
    source.read_int("an entity's number");
    const int num_parameters = source.read_int("0 or 1 (parametric nodes)") != 0 ? dimension : 0;
    const auto count = source.read_count("the number of nodes in a block", 8, 32);
    read_node_block(source, content, kept_nodes(content, found, count), num_parameters);
    found += count;
  }
  check_total(source, found, content.num_nodes, "nodes");
  source.close_section("Nodes");
}

void read_elements_41(GmshSource& source, GmshContent& content) {
  const auto num_blocks = source.read_count("the number of element blocks", 8, 20);
  content.num_elements = source.read_count("the number of elements", 4, 16);
  skip_range(source);
  std::int64_t found = 0;
  for (std::int64_t block = 0; block < num_blocks; ++block) {
    const int dimension = read_dimension(source);
    const int set = content.set_of({dimension, source.read_int("an entity's number")});
    const auto shape = gmsh_shape(source, source.read_int("an element type"));
    const auto& facts = shape_info(shape);
    if (facts.dimension != dimension) {
      source.fail_at(-1, fmt::format("{} elements in an entity of dimension {}: the file is damaged; {}", facts.name, dimension,
                                     export_again));
    }
    const auto count = source.read_count("the number of elements in a block", 4, 8 * (facts.num_nodes + 1));
    read_element_block(source, content, shape, set, count);
    found += count;
  }
  check_total(source, found, content.num_elements, "elements");
  source.close_section("Elements");
}

}  // namespace sinew
