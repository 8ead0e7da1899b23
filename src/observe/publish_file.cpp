#include "observe/publish_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sinew {

namespace {

namespace fs = std::filesystem;

/// Hands a file or directory to the disk; returns errno where it does not get there, for want of space above all. File systems
/// that cannot do so have done what they can.
int synchronise(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const int code = fsync(file) == 0 ? 0 : errno;
  close(file);
  return code == EIO || code == ENOSPC || code == EDQUOT ? code : 0;
}

}  // namespace

std::string publish_file(const fs::path& part, const fs::path& file) {
  std::string reason;
  std::error_code code;
  if (const int fault = synchronise(part); fault != 0) {
    reason = std::strerror(fault);
  } else if (fs::rename(part, file, code); code) {
    reason = code.message();
  } else {
    synchronise(file.has_parent_path() ? file.parent_path() : fs::path("."));
    return {};
  }
  fs::remove(part, code);
  return fmt::format("cannot write {}: {}", file.string(), reason);
}

}  // namespace sinew
