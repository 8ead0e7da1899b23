/// \file
/// Lines of cables, rings and beams that are curves of Gmsh meshes. User page: docs/meshes.md.
#pragma once

#include "model/line_path.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// Lines as model files name them, each read once: bodies share them. The curves of the file read last are kept as well, since
/// bodies often take one after the other out of it.
class MeshLines {
 public:
  /// The number of the line that is a physical group of curves in a mesh file, a stored one too; -1 without a path. `group`:
  /// empty for the only one, or for all elements of a file that has lines and no groups. Throws InputError, with file, line or
  /// byte and a remedy, where the file cannot be read or the elements are no such line. Serial.
  int find(const std::optional<std::filesystem::path>& path, const std::string& group, LineEnds ends);

  /// Takes in a line that was read elsewhere, as the next one.
  void add(LinePath line) { lines_.push_back(std::make_shared<const LinePath>(std::move(line))); }

  int size() const { return static_cast<int>(lines_.size()); }
  const std::shared_ptr<const LinePath>& at(int number) const { return lines_[static_cast<std::size_t>(number)]; }

 private:
  /// Which line it is.
  struct Key {
    std::filesystem::path path;
    std::string group;
    LineEnds ends;
    bool operator==(const Key&) const = default;
  };
  /// The curves of a file.
  struct Curves {
    std::filesystem::path path;
    Mesh mesh;              ///< its points, lines and groups of lines
    bool has_more = false;  ///< the file has surfaces or volumes as well
  };
  const Curves& curves_of(const std::filesystem::path& path);

  std::vector<Key> keys_;
  std::vector<std::shared_ptr<const LinePath>> lines_;
  std::optional<Curves> last_;
};

}  // namespace sinew
