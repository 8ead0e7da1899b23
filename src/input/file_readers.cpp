#include "input/file_readers.hpp"

#include "base/error.hpp"
#include "input/gmsh.hpp"
#include "input/mesh_lines.hpp"
#include "input/stl.hpp"
#include "input/stored_mesh.hpp"
#include "model/mesh_measure.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace sinew {

namespace {

TriangleSurface read_surface(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending != ".msh" && !looks_like_stored_mesh(path)) return read_stl(path);
  const Mesh mesh = read_gmsh(path);
  require_solid_mesh(mesh);
  return mesh_surface(mesh);
}

/// Tables larger than this are something else.
constexpr std::uintmax_t largest_text = 64u << 20;

}  // namespace

MeshSurface read_mesh_surface(const std::optional<std::filesystem::path>& path, double scale) {
  MeshSurface read;
  if (!path) return read;
  read.surface = read_surface(*path);
  for (Vec3<double>& x : read.surface.points) x = scale * x;
  read.moments = surface_moments(read.surface);
  return read;
}

std::string read_text_file(const std::optional<std::filesystem::path>& path) {
  if (!path) return {};
  std::error_code ignored;
  if (std::filesystem::file_size(*path, ignored) > largest_text)
    throw InputError("'" + path->string() + "' is larger than 64 MiB (a table needs as many rows as its curve has bends)");
  std::ifstream stream(*path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError("'" + path->string() + "' cannot be read (check its permissions)");
  return text.str();
}

FileReaders usual_readers() {
  FileReaders readers{read_mesh_surface, read_text_file};
  readers.line = [lines = std::make_shared<MeshLines>()](const std::optional<std::filesystem::path>& path,
                                                         const std::string& group, LineEnds ends) {
    const int number = lines->find(path, group, ends);
    return number < 0 ? nullptr : lines->at(number);
  };
  return readers;
}

}  // namespace sinew
