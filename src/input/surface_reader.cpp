#include "input/surface_reader.hpp"

#include "base/error.hpp"
#include "input/gmsh.hpp"
#include "input/stl.hpp"
#include "model/mesh_measure.hpp"

#include <algorithm>
#include <cctype>

namespace sinew {

namespace {

TriangleSurface read_surface(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending != ".msh") return read_stl(path);
  const Mesh mesh = read_gmsh(path);
  require_solid_mesh(mesh);
  return mesh_surface(mesh);
}

}  // namespace

MeshSurface read_mesh_surface(const std::optional<std::filesystem::path>& path, double scale) {
  MeshSurface read;
  if (!path) return read;
  read.surface = read_surface(*path);
  for (Vec3<double>& x : read.surface.points) x = scale * x;
  read.moments = surface_moments(read.surface);
  return read;
}

}  // namespace sinew
