/// \file
/// Room on a disk that is kept for the last words of a run.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sinew {

/// A file without a name in a directory, as large as asked for: when the disk is full, giving it back makes room. Nothing of it
/// stays when the process ends, however it ends. Where the file system cannot do it there is no reserve.
class DiskReserve {
 public:
  DiskReserve() = default;
  ~DiskReserve() { release(); }
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  void take(const std::filesystem::path& directory, std::int64_t bytes);
  void release();

 private:
  int file_ = -1;
};

}  // namespace sinew
