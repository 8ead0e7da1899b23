/// \file
/// Writes small Gmsh files for tests, in every format that is read, without Gmsh.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/paths.hpp"

namespace sinew::test {

/// A variant of the Gmsh format.
struct GmshFormat {
  bool old = false;     ///< 2.2 instead of 4.1
  bool binary = false;  ///< binary instead of text
};

/// The four variants.
inline constexpr std::array<GmshFormat, 4> all_gmsh_formats{{{false, false}, {false, true}, {true, false}, {true, true}}};

/// What a file is to hold, in Gmsh's terms.
struct FileMesh {
  /// An element: Gmsh's type, its entity (of the type's dimension) and its node numbers.
  struct Element {
    int type;
    int dimension;
    int entity;
    std::vector<int> nodes;
  };
  std::vector<std::pair<int, std::array<double, 3>>> nodes;        ///< node number, coordinates
  std::vector<Element> elements;                                   ///< numbered from 1 in this order
  std::map<std::pair<int, int>, std::vector<int>> physicals;       ///< (dimension, entity) -> physical groups
  std::vector<std::pair<std::pair<int, int>, std::string>> names;  ///< (dimension, physical group) -> name
};

/// Collects the numbers of a file, as text or as little-endian bytes.
class NumberWriter {
 public:
  explicit NumberWriter(bool binary) : binary_(binary) { out_.precision(17); }

  /// A line of text.
  void line(const std::string& text) { out_ << text << '\n'; }

  /// A number as it is stored in a binary file: int, std::int64_t or double.
  template <class T>
  NumberWriter& operator<<(T value) {
    if (binary_)
      out_.write(reinterpret_cast<const char*>(&value), sizeof value);
    else
      out_ << value << ' ';
    return *this;
  }

  /// Ends a line of numbers in a text file.
  void end_line() {
    if (!binary_) out_ << '\n';
  }

  /// All that was written.
  std::string str() const { return out_.str(); }

 private:
  std::ostringstream out_;
  bool binary_;
};

/// The sections $Nodes and $Elements of format 2.2.
inline void write_sections_22(NumberWriter& out, const FileMesh& mesh, bool binary) {
  out.line("$Nodes");
  out.line(std::to_string(mesh.nodes.size()));
  for (const auto& [tag, x] : mesh.nodes) {
    out << tag << x[0] << x[1] << x[2];
    out.end_line();
  }
  out.line("$EndNodes");
  std::vector<std::pair<int, const FileMesh::Element*>> written;  // with a physical group each
  for (const auto& element : mesh.elements) {
    const auto groups = mesh.physicals.find({element.dimension, element.entity});
    if (groups == mesh.physicals.end() || groups->second.empty())
      written.push_back({0, &element});
    else
      for (const int group : groups->second) written.push_back({group, &element});
  }
  out.line("$Elements");
  out.line(std::to_string(written.size()));
  int tag = 0;
  for (const auto& [group, element] : written) {
    if (binary)
      out << element->type << 1 << 2 << ++tag << group << element->entity;
    else
      out << ++tag << element->type << 2 << group << element->entity;
    for (const int node : element->nodes) out << node;
    out.end_line();
  }
  out.line("$EndElements");
}

/// The section $Entities of format 4.1.
inline void write_entities_41(NumberWriter& out, const FileMesh& mesh) {
  std::array<std::map<int, std::vector<int>>, 4> entities;
  for (const auto& element : mesh.elements) entities[static_cast<std::size_t>(element.dimension)][element.entity];
  for (const auto& [label, groups] : mesh.physicals) entities[static_cast<std::size_t>(label.first)][label.second] = groups;
  out.line("$Entities");
  for (const auto& of_dimension : entities) out << static_cast<std::int64_t>(of_dimension.size());
  out.end_line();
  for (std::size_t dimension = 0; dimension < 4; ++dimension) {
    for (const auto& [tag, groups] : entities[dimension]) {
      out << tag;
      for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) out << 0.5;
      out << static_cast<std::int64_t>(groups.size());
      for (const int group : groups) out << group;
      if (dimension > 0) out << std::int64_t{2} << 1 << -2;
      out.end_line();
    }
  }
  out.line("$EndEntities");
}

/// The sections $Nodes (in two blocks) and $Elements (a block each) of format 4.1.
inline void write_sections_41(NumberWriter& out, const FileMesh& mesh) {
  const auto size = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  out.line("$Nodes");
  out << std::int64_t{2} << size(mesh.nodes) << std::int64_t{1} << std::int64_t{100000};
  out.end_line();
  const std::size_t half = mesh.nodes.size() / 2;
  for (const auto& [first, last] : {std::pair{std::size_t{0}, half}, std::pair{half, mesh.nodes.size()}}) {
    const int parametric = first == 0 ? 0 : 1;  // the second block carries two parameters a node
    out << 2 << 1 << parametric << static_cast<std::int64_t>(last - first);
    out.end_line();
    for (std::size_t i = first; i < last; ++i) out << static_cast<std::int64_t>(mesh.nodes[i].first), out.end_line();
    for (std::size_t i = first; i < last; ++i) {
      for (const double x : mesh.nodes[i].second) out << x;
      if (parametric == 1) out << 0.25 << 0.75;
      out.end_line();
    }
  }
  out.line("$EndNodes");
  out.line("$Elements");
  out << size(mesh.elements) << size(mesh.elements) << std::int64_t{1} << size(mesh.elements);
  out.end_line();
  std::int64_t tag = 0;
  for (const auto& element : mesh.elements) {
    out << element.dimension << element.entity << element.type << std::int64_t{1};
    out.end_line();
    out << ++tag;
    for (const int node : element.nodes) out << static_cast<std::int64_t>(node);
    out.end_line();
  }
  out.line("$EndElements");
}

/// The bytes of a Gmsh file.
inline std::string gmsh_bytes(const FileMesh& mesh, GmshFormat format) {
  NumberWriter out(format.binary);
  out.line("$MeshFormat");
  out.line(std::string(format.old ? "2.2 " : "4.1 ") + (format.binary ? "1" : "0") + " 8");
  if (format.binary) {
    out << 1;
    out.line("");
  }
  out.line("$EndMeshFormat");
  if (!mesh.names.empty()) {
    out.line("$PhysicalNames");
    out.line(std::to_string(mesh.names.size()));
    for (const auto& [label, name] : mesh.names) {
      out.line(std::to_string(label.first) + " " + std::to_string(label.second) + " \"" + name + "\"");
    }
    out.line("$EndPhysicalNames");
  }
  if (format.old) {
    write_sections_22(out, mesh, format.binary);
  } else {
    write_entities_41(out, mesh);
    write_sections_41(out, mesh);
  }
  return out.str();
}

/// Empty if `text` holds `part`, otherwise `text`: for checks that show what was found.
inline std::string text_without(const std::string& text, const std::string& part) {
  return text.find(part) == std::string::npos ? (text.empty() ? "(no message)" : text) : "";
}

/// Writes `bytes` to a file of that name in the scratch directory and gives its path.
inline std::filesystem::path write_scratch(const std::string& name, const std::string& bytes) {
  std::filesystem::path path = scratch_path(name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// Two tetrahedra that make the pyramid with the unit square as base (in z = 0, split from (0,0) to (1,1)) and the apex
/// (0, 0, 1): volume 1/3. Surface groups "base" (number 1) and "skin" (2, the base and the side x = 0) overlap, as do the
/// volume groups "body" (1) and "half" (2); curve group 5 (the edge from (0,0,0) to (1,0,0)) and point group 6 have no name.
/// Node numbers are sparse. Order 2 adds straight mid-edge nodes.
inline FileMesh pyramid(int order) {
  FileMesh mesh;
  mesh.nodes = {{7, {0, 0, 0}}, {10, {1, 0, 0}}, {20, {1, 1, 0}}, {30, {0, 1, 0}}, {40, {0, 0, 1}}, {99, {5, 5, 5}}};
  mesh.elements = {{15, 0, 1, {7}},        {1, 1, 1, {7, 10}},         {2, 2, 1, {7, 20, 10}},    {2, 2, 1, {7, 30, 20}},
                   {2, 2, 2, {7, 40, 30}}, {4, 3, 1, {7, 10, 20, 40}}, {4, 3, 2, {7, 20, 30, 40}}};
  mesh.physicals = {{{0, 1}, {6}}, {{1, 1}, {5}}, {{2, 1}, {1, 2}}, {{2, 2}, {2}}, {{3, 1}, {1, 2}}, {{3, 2}, {1}}};
  mesh.names = {{{2, 1}, "base"}, {{2, 2}, "skin"}, {{3, 1}, "body"}, {{3, 2}, "half"}, {{2, 9}, "nobody"}};
  if (order == 1) return mesh;
  std::map<int, std::array<double, 3>> x(mesh.nodes.begin(), mesh.nodes.end());
  std::map<std::pair<int, int>, int> middle;
  int next = 100;
  const auto mid = [&](int a, int b) {
    const auto [entry, is_new] = middle.try_emplace(std::minmax(a, b), next);
    if (is_new) {
      std::array<double, 3> at{};
      for (std::size_t k = 0; k < 3; ++k) at[k] = (x[a][k] + x[b][k]) / 2;
      mesh.nodes.push_back({next++, at});
    }
    return entry->second;
  };
  const std::map<int, std::pair<int, std::vector<std::pair<std::size_t, std::size_t>>>> second{
      {1, {8, {{0, 1}}}}, {2, {9, {{0, 1}, {1, 2}, {2, 0}}}}, {4, {11, {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}}}}};
  for (auto& element : mesh.elements) {
    const auto found = second.find(element.type);
    if (found == second.end()) continue;
    element.type = found->second.first;
    for (const auto& [a, b] : found->second.second) element.nodes.push_back(mid(element.nodes[a], element.nodes[b]));
  }
  return mesh;
}

}  // namespace sinew::test
