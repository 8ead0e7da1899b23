#include "observe/publish_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace sinew {

namespace {

namespace fs = std::filesystem;

/// Hands a file or directory to the disk; file systems that cannot do so have done what they can.
void synchronise(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace

std::string publish_file(const fs::path& part, const fs::path& file) {
  synchronise(part);
  std::error_code code;
  fs::rename(part, file, code);
  synchronise(file.has_parent_path() ? file.parent_path() : fs::path("."));
  return code ? fmt::format("cannot write {}: {}", file.string(), code.message()) : std::string();
}

}  // namespace sinew
