/// \file
/// Sections of format 2.2. An element in several physical groups is written once for each of them.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "input/gmsh_content.hpp"

namespace sinew {

namespace {

/// Reads the tags of an element and gives its physical group, 0 if it is in none.
int read_physical_tag(GmshSource& source, int num_tags) {
  int physical = 0;
  for (int i = 0; i < num_tags; ++i) {  // physical, elementary, then the partitions
    const int tag = source.read_int("a tag of an element");
    if (i == 0) physical = std::abs(tag == std::numeric_limits<int>::min() ? 0 : tag);
  }
  return physical;
}

/// Reads the rest of an element, whose number, type and number of tags are known; keeps it if it is of this part.
void read_element(GmshSource& source, GmshContent& content, CellShape shape, int num_tags, GmshElement element) {
  const GmshLabel label{shape_info(shape).dimension, read_physical_tag(source, num_tags)};
  element.set = content.set_of(label);
  if (label.second != 0) content.physical_tags.try_emplace(label, std::vector<int>{label.second});
  const int num_nodes = shape_info(shape).num_nodes;
  auto& elements = content.elements[static_cast<std::size_t>(shape)];
  element.order = elements.total++;
  if (!content.part.keeps(element.order, content.num_elements))
    return source.skip_numbers(num_nodes, 4, "the number of an element's node");
  for (std::size_t a = 0; a < static_cast<std::size_t>(num_nodes); ++a)
    element.nodes[a] = source.read_int("the number of an element's node");
  add_element(elements, num_nodes, element);
}

/// Reads how many tags an element has.
int read_num_tags(GmshSource& source) {
  const int num_tags = source.read_int("an element's number of tags");
  if (num_tags < 0) source.fail_at(-1, fmt::format("an element has {} tags: the file is damaged; {}", num_tags, export_again));
  return num_tags;
}

}  // namespace

void read_nodes_22(GmshSource& source, GmshContent& content, bool parametric) {
  const auto count = content.num_nodes = source.read_text_count("the number of nodes", 8, 28);
  const auto from = content.part.begin(count), to = content.part.end(count);
  content.points.reserve(static_cast<std::size_t>(to - from));
  content.node_tags.reserve(static_cast<std::size_t>(to - from));
  content.node_places.reserve(static_cast<std::size_t>(to - from));
  for (std::int64_t i = 0; i < count; ++i) {
    const bool is_kept = i >= from && i < to;
    if (is_kept) {
      content.node_places.push_back(source.place());
      content.node_tags.push_back(source.read_int("a node's number"));
      for (double& x : content.points.emplace_back()) x = source.read_coordinate("a node's coordinate (a finite number)");
    } else {
      source.skip_numbers(1, 4, "a node's number");
      source.skip_numbers(3, 8, "a node's coordinate (a finite number)");
    }
    if (!parametric) continue;
    const int dimension = source.read_int("the dimension of a node's entity");
    source.read_int("the number of a node's entity");
    const int num_parameters = dimension == 1 ? 1 : dimension == 2 ? 2 : 0;
    for (int k = 0; k < num_parameters; ++k) source.read_real("a node's parameter");
  }
  source.close_section(parametric ? "ParametricNodes" : "Nodes");
}

void read_elements_22(GmshSource& source, GmshContent& content) {
  const auto count = content.num_elements = source.read_text_count("the number of elements", 6, 8);
  if (!source.binary()) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto place = source.place();
      const int tag = source.read_int("an element's number");
      const auto shape = gmsh_shape(source, source.read_int("an element's type"));
      read_element(source, content, shape, read_num_tags(source), {.tag = tag, .place = place});
    }
  }
  for (std::int64_t i = 0; source.binary() && i < count;) {
    const auto shape = gmsh_shape(source, source.read_int("an element's type"));
    const int in_block = source.read_int("how many elements follow");
    if (in_block < 1 || in_block > count - i) {
      source.fail_at(
          -1, fmt::format("{} elements follow, but {} are left: the file is damaged; {}", in_block, count - i, export_again));
    }
    const int num_tags = read_num_tags(source);
    for (int k = 0; k < in_block; ++k, ++i) {
      const auto place = source.place();
      const int tag = source.read_int("an element's number");
      read_element(source, content, shape, num_tags, {.tag = tag, .place = place});
    }
  }
  source.close_section("Elements");
}

}  // namespace sinew
