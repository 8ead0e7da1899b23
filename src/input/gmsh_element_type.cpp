/// \file
/// Gmsh's element types: which are read, and the names of the others.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "input/gmsh_content.hpp"

namespace sinew {

namespace {

/// The shape that Gmsh's element type becomes.
std::optional<CellShape> shape_of(int type) {
  switch (type) {
    case 1: return CellShape::line2;
    case 2: return CellShape::tri3;
    case 3: return CellShape::quad4;
    case 4: return CellShape::tet4;
    case 5: return CellShape::hex8;
    case 6: return CellShape::prism6;
    case 8: return CellShape::line3;
    case 9: return CellShape::tri6;
    case 10: return CellShape::quad9;
    case 11: return CellShape::tet10;
    case 12: return CellShape::hex27;
    case 13: return CellShape::prism18;
    case 15: return CellShape::point1;
    case 16: return CellShape::quad8;
    case 17: return CellShape::hex20;
    case 18: return CellShape::prism15;
    default: return std::nullopt;
  }
}

/// What a type that is not read is called.
std::string_view name_of(int type) {
  switch (type) {
    case 7: return "5-node pyramid";
    case 14: return "14-node pyramid";
    case 19: return "13-node pyramid";
    case 20: return "9-node triangle (third order, incomplete)";
    case 21: return "10-node triangle (third order)";
    case 26: return "4-node line (third order)";
    case 27: return "5-node line (fourth order)";
    case 29: return "20-node tetrahedron (third order)";
    case 30: return "35-node tetrahedron (fourth order)";
    case 36: return "16-node quadrangle (third order)";
    case 92: return "64-node hexahedron (third order)";
    default: return "";
  }
}

/// Whether a type is a pyramid of order 1 or 2.
bool is_pyramid(int type) { return type == 7 || type == 14 || type == 19; }

}  // namespace

CellShape gmsh_shape(const GmshSource& source, int type) {
  if (const auto shape = shape_of(type)) return *shape;
  const auto name = name_of(type);
  if (name.empty())
    source.fail_at(-1, fmt::format("element type {} is not supported, if the file is not damaged; {}", type, export_again));
  source.fail_at(-1, fmt::format("element type {} ({}) is not supported: {}", type, name,
                                 is_pyramid(type) ? "mesh with tetrahedra, or with hexahedra and prisms"
                                                  : "set Mesh.ElementOrder to 1 or 2 and mesh again"));
}

void turn_round(CellShape shape, GmshElement& element) {
  const auto swap = [&](std::size_t a, std::size_t b) { std::swap(element.nodes[a], element.nodes[b]); };
  switch (shape) {
    case CellShape::line2:
    case CellShape::line3: return swap(0, 1);
    case CellShape::tri6: swap(3, 5); [[fallthrough]];
    case CellShape::tri3: return swap(1, 2);
    case CellShape::quad8:
    case CellShape::quad9: swap(4, 7), swap(5, 6); [[fallthrough]];
    case CellShape::quad4: return swap(1, 3);
    default: return;  // points and volumes have one way to face
  }
}

void add_element(GmshElements& elements, int num_nodes, const GmshElement& element) {
  elements.orders.push_back(element.order);
  elements.tags.push_back(element.tag);
  elements.places.push_back(element.place);
  elements.sets.push_back(element.set);
  elements.nodes.insert(elements.nodes.end(), element.nodes.begin(), element.nodes.begin() + num_nodes);
}

RowRuns FilePart::runs(std::int64_t count, std::int64_t total) const {
  RowRuns runs;
  const std::int64_t length = chunk(total);
  for (std::int64_t first = length * rank; first < count; first += length * size)
    runs.push_back({first, std::min(length, count - first)});
  return runs;
}

int GmshContent::set_of(GmshLabel label) {
  const auto [entry, is_new] = set_index.try_emplace(label, static_cast<int>(sets.size()));
  if (is_new) sets.push_back(label);
  return entry->second;
}

}  // namespace sinew
