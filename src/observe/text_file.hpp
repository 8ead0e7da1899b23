/// \file
/// A text file that rank 0 writes, flushed after every row; a fault there is thrown on all ranks.
#pragma once

#include "base/error.hpp"
#include "system/archive.hpp"

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace sinew {

/// Throws EnvironmentError on all ranks if rank 0 has a text. Collective (a broadcast).
void throw_from_first_rank(MPI_Comm comm, const std::string& text);

/// What becomes of a file that is there already: another takes its place, or it goes on where a checkpoint has left it.
enum class Existing { replaced, continued };

/// Rows of text on disk. A row that the disk does not take leaves no part of itself: the file is as it was before.
class TextFile {
 public:
  /// Creates or empties the file, or opens it: `persist` then says where it goes on. Throws EnvironmentError. Collective.
  TextFile(MPI_Comm comm, std::filesystem::path path, Existing existing = Existing::replaced);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// Writes a text (that of rank 0) and hands it to the operating system, with the file's last lines behind it: the next text
  /// takes their place and brings its own. Throws EnvironmentError (disk full, say). Collective.
  void write(const std::string& text, const std::string& last_lines = {});
  /// Where the next text goes, and what stands before it; taken back: from the next text on the file ends there, until then
  /// nothing of it is lost. Throws InputError where the file is shorter than that, or something else stands there. Collective.
  void persist(Archive&);
  const std::filesystem::path& path() const { return path_; }
  bool is_writer() const { return is_writer_; }

 private:
  void restore();
  std::uint32_t sum_of_end() const;

  MPI_Comm comm_;
  bool is_writer_;
  std::filesystem::path path_;
  int file_ = -1;           ///< descriptor
  long end_ = 0;            ///< where the next text goes
  bool is_new_ = false;     ///< there was no such file
  bool goes_back_ = false;  ///< what lies behind is no part of this run
  std::string last_lines_;  ///< what stands there now
};

}  // namespace sinew
