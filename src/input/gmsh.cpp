/// \file
/// The frame of a Gmsh file: its head, and which section is read by what.
#include "input/gmsh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "input/gmsh_content.hpp"
#include "input/stored_mesh.hpp"

namespace sinew {

namespace {

/// The formats that are read.
enum class Version { v22, v41 };

/// Skips comments and opens $MeshFormat; fails if this is no Gmsh file, or one of format 1.
void find_format(GmshSource& source) {
  while (true) {
    const auto place = source.at_end() ? -1 : source.place();
    const auto line = source.read_line();
    if (line == "$MeshFormat") return;
    if (line == "$NOD")
      source.fail_at(place, "this is Gmsh's format 1, which is not supported: save with `-format msh41` or `msh22`");
    if (line.size() > 1 && line.front() == '$') {
      source.skip_section(std::string(line.substr(1)));  // what was read goes as more is
      continue;
    }
    source.fail_at(
        place, "not a Gmsh mesh: it should start with $MeshFormat. Export with File > Export to a .msh file, version 4.1 or 2.2");
  }
}

/// Reads the number 1 of a binary file, which shows the byte order.
void check_byte_order(GmshSource& source) {
  source.set_binary(true);
  const auto one = static_cast<std::uint32_t>(source.read_int("the number 1 of a binary file"));
  if (one == 1) return;
  if (one == 0x01000000U) source.fail_at(-1, "written on a machine with another byte order: save it as text (Mesh.Binary = 0)");
  source.fail_at(
      -1,
      fmt::format("expected the number 1 of a binary file, found {}: the file is damaged (a binary file sent as text?)", one));
}

/// Reads $MeshFormat: version, text or binary, size of a number.
Version read_format(GmshSource& source) {
  find_format(source);
  const auto place = source.place();
  const double version = source.read_real("a version number, such as 4.1");
  const int kind = source.read_int("0 (text) or 1 (binary)");
  const int data_size = source.read_int("the size of a number, 8");
  source.read_line();
  const bool is_22 = version >= 2.0 && version < 2.3;
  if (!is_22 && version != 4.1) {
    source.fail_at(place, fmt::format("version {} is not supported: save as version 4.1 or 2.2 (`gmsh -format msh41`)", version));
  }
  if (kind != 0 && kind != 1) source.fail_at(place, fmt::format("file type {}, expected 0 (text) or 1 (binary)", kind));
  if (kind == 1 && data_size != 8) {
    source.fail_at(place, fmt::format("numbers of {} bytes, expected 8: save it as text (Mesh.Binary = 0)", data_size));
  }
  if (kind == 1) check_byte_order(source);
  source.close_section("MeshFormat");
  return is_22 ? Version::v22 : Version::v41;
}

/// Takes a number off the front of `line`; fails at `place` if there is none.
int take_int(const GmshSource& source, std::int64_t place, std::string_view& line) {
  int value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc{})
    source.fail_at(place, "expected a line like: 2 1 \"name\" (dimension, number, name of a physical group)");
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return value;
}

/// Reads $PhysicalNames, which is text in binary files too.
void read_names(GmshSource& source, GmshContent& content) {
  const auto count = source.read_text_count("the number of physical names", 5, 5);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = source.place();
    auto line = source.read_line();
    const int dimension = take_int(source, place, line);
    const int tag = take_int(source, place, line);
    if (dimension < 0 || dimension > 3)
      source.fail_at(place, fmt::format("a physical group of dimension {}, expected 0 to 3", dimension));
    if (line.size() < 2 || line.front() != '"' || line.back() != '"') {
      source.fail_at(place, "expected a name in quotes behind dimension and number of a physical group");
    }
    const auto name = line.substr(1, line.size() - 2);
    if (!name.empty()) content.names.insert_or_assign({dimension, tag}, std::string(name));
  }
  source.close_section("PhysicalNames");
}

/// Which of the needed sections were there.
struct Seen {
  bool nodes = false;
  bool elements = false;
};

/// Fails if a section comes a second time.
void mark(const GmshSource& source, std::string_view name, bool& seen) {
  if (seen) source.fail_at(-1, fmt::format("a second ${} section: the file is damaged; {}", name, export_again));
  seen = true;
}

/// Reads or skips the section `name`, which was just opened.
void read_section(GmshSource& source, GmshContent& content, Version version, const std::string& name, Seen& seen) {
  const bool old = version == Version::v22;
  if (name == "PhysicalNames") {
    read_names(source, content);
  } else if (name == "Entities" && !old) {
    read_entities_41(source, content);
  } else if (name == "Nodes" || (name == "ParametricNodes" && old)) {
    mark(source, name, seen.nodes);
    old ? read_nodes_22(source, content, name == "ParametricNodes") : read_nodes_41(source, content);
  } else if (name == "Elements") {
    mark(source, name, seen.elements);
    old ? read_elements_22(source, content) : read_elements_41(source, content);
  } else if (name == "PartitionedEntities") {
    source.fail_at(-1, "the mesh is partitioned; Sinew does that itself: undo it (Mesh > Unpartition) and save again");
  } else {
    source.skip_section(name);
  }
}

/// Reads a file of Gmsh.
GmshContent read_gmsh_part(GmshSource& source, FilePart part) {
  const auto version = read_format(source);
  GmshContent content;
  content.origin = {source.name(), source.binary()};
  content.part = part;
  Seen seen;
  while (!source.at_end()) read_section(source, content, version, source.open_section(), seen);
  if (!seen.nodes) source.fail_at(-1, fmt::format("no $Nodes section: the file is truncated; {}", export_again));
  if (!seen.elements) source.fail_at(-1, fmt::format("no $Elements section: mesh the geometry (gmsh -3), then {}", export_again));
  return content;
}

}  // namespace

GmshContent read_mesh_part(const std::filesystem::path& path, FilePart part) {
  if (looks_like_stored_mesh(path)) return read_stored_part(path, part);
  GmshSource source(path);
  return read_gmsh_part(source, part);
}

Mesh read_gmsh(const std::filesystem::path& path) { return assemble_mesh(read_mesh_part(path, {})); }

}  // namespace sinew
