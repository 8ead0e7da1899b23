/// \file
/// How the files come in that a model file names and that all ranks read together: surfaces of rigid bodies, tables, and lines.
#pragma once

#include "input/model_reader.hpp"
#include "model/line_path.hpp"
#include "model/rigid_shape.hpp"

#include <functional>
#include <memory>
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
  /// The curve of a mesh that is a physical group, or the only one; see MeshLines. Null without a path.
  std::function<std::shared_ptr<const LinePath>(const std::optional<std::filesystem::path>&, const std::string& group, LineEnds)>
      line{};
};

/// Those that read here: `read_mesh_surface`, `read_text_file`, and lines that are kept as long as the readers are.
FileReaders usual_readers();

/// The usual readers: a closed surface in an STL file, or the volume cells of a mesh; a text of 64 MiB at most.
MeshSurface read_mesh_surface(const std::optional<std::filesystem::path>&, double scale);
std::string read_text_file(const std::optional<std::filesystem::path>&);

/// As read_model_text, with other readers.
Model read_model_text(const std::string& text, const std::filesystem::path& path, const Catalogue& catalogue,
                      const std::vector<std::string>& overrides, const FileReaders& readers);

}  // namespace sinew
