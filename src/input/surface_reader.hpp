/// \file
/// How the surfaces come in that model files name for rigid bodies.
#pragma once

#include "input/model_reader.hpp"
#include "model/rigid_shape.hpp"

#include <functional>
#include <optional>

namespace sinew {

/// What stands in a file: a surface, and what it encloses.
struct MeshSurface {
  VolumeMoments moments;
  TriangleSurface surface;
};

/// Reads a file, its lengths times `scale`. Called for every surface that the model file names, in its order; without a path
/// where there is no such file, which is said already. Throws InputError.
using SurfaceReader = std::function<MeshSurface(const std::optional<std::filesystem::path>&, double scale)>;

/// A closed surface in an STL file, or the volume cells of a Gmsh mesh; the usual reader.
MeshSurface read_mesh_surface(const std::optional<std::filesystem::path>&, double scale);

/// As above, with another reader of surfaces.
Model read_model_text(const std::string& text, const std::filesystem::path& path, const Catalogue& catalogue,
                      const std::vector<std::string>& overrides, const SurfaceReader& read_surface);

}  // namespace sinew
