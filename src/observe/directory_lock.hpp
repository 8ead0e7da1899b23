/// \file
/// One run at a time writes into a directory.
#pragma once

#include <filesystem>
#include <string>

namespace sinew {

/// The file `run.lock` of a directory, held as long as this object lives. The operating system lets go of it when the process
/// ends, however it ends, so that what a killed run leaves behind stops nobody. Where the file system knows no locks, the host
/// and process named in the file decide. Local: for the rank that writes.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// Takes the lock of a directory that exists. Returns who has it; empty if it is ours now. Throws EnvironmentError.
  std::string take(const std::filesystem::path& directory);

  /// Who writes into the directory at present (`process 4711 on host`); empty if nobody but this process. Touches nothing.
  static std::string holder(const std::filesystem::path& directory);

  static constexpr const char* file_name = "run.lock";

 private:
  int file_ = -1;
  std::filesystem::path path_;
};

}  // namespace sinew
