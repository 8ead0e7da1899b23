#include "observe/disk_reserve.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace sinew {

void DiskReserve::take(const std::filesystem::path& directory, std::int64_t bytes) {
  release();
  std::string name = (directory / ".reserve-XXXXXX").string();
  file_ = mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) return;
  unlink(name.c_str());
  if (posix_fallocate(file_, 0, static_cast<off_t>(bytes)) != 0) release();
}

void DiskReserve::release() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

}  // namespace sinew
