/// \file
/// The directory that a run leaves its files in.
#pragma once

#include "observe/directory_lock.hpp"
#include "observe/text_file.hpp"

#include <mpi.h>

#include <cstddef>
#include <filesystem>
#include <string>

namespace sinew {

#ifdef OPEN_MPI
/// Open MPI ends the process where a file's path, as it is given, has more than some 235 letters: those of a directory, with room
/// for the names of files in it.
inline constexpr std::size_t longest_path = 210;
#else
inline constexpr std::size_t longest_path = 4000;
#endif

/// A directory that an earlier run left (it holds a run.json of Sinew) is replaced: the files of that run are removed, others
/// stay. Any other directory that is not empty is refused, and one that another run writes into. Nothing is touched before
/// `create`. That of a run that goes on from a checkpoint in it stays as it is.
class OutputDirectory {
 public:
  /// Looks, and touches nothing. Throws InputError where the path is a file or someone else's directory, EnvironmentError where
  /// it cannot be written. Collective.
  OutputDirectory(MPI_Comm comm, std::filesystem::path path, Existing existing = Existing::replaced);

  /// Makes the directory, keeps other runs out of it as long as this object lives, and empties it of an earlier run that does not
  /// go on. To be called
  /// once the input is known to be right. Throws EnvironmentError, and InputError where another run was faster. Collective.
  void create();
  /// A line for the user where an earlier run is replaced; empty otherwise.
  const std::string& notice() const { return notice_; }
  const std::filesystem::path& path() const { return path_; }
  /// What becomes of the files of an earlier run.
  Existing existing() const { return existing_; }
  /// The path of a file in it.
  std::filesystem::path operator/(const std::string& file) const { return path_ / file; }

 private:
  MPI_Comm comm_;
  std::filesystem::path path_;
  Existing existing_;
  std::string notice_;
  DirectoryLock lock_;  ///< of rank 0
};

}  // namespace sinew
