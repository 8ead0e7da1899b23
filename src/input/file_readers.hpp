/// \file
/// How the files come in that a model file names and that all ranks read together: surfaces of rigid bodies, and tables.
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

/// Each is called for every file that the model file names, in its order; without a path where there is no such file, which is
/// said already. They throw InputError.
struct FileReaders {
  /// Its lengths times `scale`.
  std::function<MeshSurface(const std::optional<std::filesystem::path>&, double scale)> surface;
  /// All of its text.
  std::function<std::string(const std::optional<std::filesystem::path>&)> text;
};

/// The usual readers: a closed surface in an STL file, or the volume cells of a mesh; a text of 64 MiB at most.
MeshSurface read_mesh_surface(const std::optional<std::filesystem::path>&, double scale);
std::string read_text_file(const std::optional<std::filesystem::path>&);

/// As read_model_text, with other readers.
Model read_model_text(const std::string& text, const std::filesystem::path& path, const Catalogue& catalogue,
                      const std::vector<std::string>& overrides, const FileReaders& readers);

}  // namespace sinew
