/// \file
/// A text file that rank 0 writes, flushed after every row; a fault there is thrown on all ranks.
#pragma once

#include "base/error.hpp"

#include <mpi.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace sinew {

/// Throws EnvironmentError on all ranks if rank 0 has a text. Collective (a broadcast).
void throw_from_first_rank(MPI_Comm comm, const std::string& text);

/// Rows of text on disk.
class TextFile {
 public:
  /// Creates or empties the file. Throws EnvironmentError. Collective.
  TextFile(MPI_Comm comm, std::filesystem::path path);
  /// Writes a text (that of rank 0) and hands it to the operating system. Throws EnvironmentError (disk full, say). Collective.
  void write(const std::string& text);
  const std::filesystem::path& path() const { return path_; }
  bool is_writer() const { return is_writer_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  MPI_Comm comm_;
  bool is_writer_;
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace sinew
