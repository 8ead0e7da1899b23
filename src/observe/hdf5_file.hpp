/// \file
/// An HDF5 file that all ranks write together.
#pragma once

#include "base/hdf5_layout.hpp"
#include "base/row_run.hpp"
#include "observe/text_file.hpp"

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

/// A full disk in the middle of a collective write leaves HDF5 (and ranks that wait for each other) in no state to go on, and so
/// does a file at its limit of size: call `reserve` before writing. Other faults are remembered and thrown by `flush` (and by the
/// constructor) on all ranks together as EnvironmentError; the library's own error print is silenced. All functions are
/// collective.
class Hdf5File {
 public:
  /// Creates the file, replacing an older one, and writes its head; or opens the older one, and throws InputError where that
  /// cannot be.
  Hdf5File(MPI_Comm comm, std::filesystem::path path, Existing existing = Existing::replaced,
           Hdf5Layout layout = Hdf5Layout::oldest);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  /// Attributes of a group (`/` is the file); the group is made if it is not there.
  void set_text(const std::string& group, const std::string& name, const std::string& text);
  void set_number(const std::string& group, const std::string& name, double value);
  /// A dataset of `total` rows of `width` numbers, of which this rank gives those from `first` on. Missing groups of the path are
  /// made; nothing is written where there are no rows.
  void write(const std::string& name, const std::vector<double>& values, std::int64_t first, std::int64_t total, int width);
  void write(const std::string& name, const std::vector<std::int64_t>& values, std::int64_t first, std::int64_t total, int width);
  /// The same where this rank gives several runs of rows, which stand one behind the other in `values`.
  void write(const std::string& name, const std::vector<double>& values, const RowRuns& mine, std::int64_t total, int width);
  void write(const std::string& name, const std::vector<std::int32_t>& values, const RowRuns& mine, std::int64_t total,
             int width);
  void write(const std::string& name, const std::vector<std::int64_t>& values, const RowRuns& mine, std::int64_t total,
             int width);
  /// What follows under this group, which must not be there yet, belongs together: the file has all of it or nothing, also of a
  /// program that is killed. Paths that begin with the group's name lead into it.
  void begin(const std::string& group);
  /// All of the group is there: hands it to the file system, then its name. Its attribute `previous` is a reference to the group
  /// published before. Throws as `flush` does.
  void publish();
  /// Address in the file of the group published last, 0 before the first.
  std::int64_t last_published() const { return last_published_; }
  /// Of the groups 00000000, 00000001 ... published in a group the first so many stay, of which the last lies at the address
  /// given. A program that is killed leaves the list of names in any state: it is then made anew from the references. Throws
  /// InputError where those lead nowhere (the file is as it was then), else as `flush` does.
  void keep_first(const std::string& group, std::size_t count, std::int64_t last);
  /// Asks the file system for room behind the file's end, and the limits of size of all ranks (`ulimit -f`, as they were when the
  /// file was opened). Throws EnvironmentError where there is not enough; the file is as it was then.
  void reserve(std::int64_t bytes);
  /// Hands everything to the file system, then throws if anything went wrong on any rank.
  void flush();
  /// Could a file of this process not be written or not be closed, so that it stays open? HDF5 would write it once more when MPI
  /// ends, and not survive that: such a process ends without MPI_Finalize.
  static bool any_is_stuck();

 private:
  template <class T>
  void write_rows(const std::string& name, const std::vector<T>& values, const RowRuns& mine, std::int64_t total, int width);
  void write_head();
  std::int64_t home_of(std::string& name) const;
  bool has_just(const std::string& group, std::size_t count) const;
  void relink(const std::string& group, std::size_t count, std::int64_t last);
  void keep_fault(const std::string& what);
  void throw_faults();
  std::string room_fault(std::int64_t bytes) const;

  MPI_Comm comm_;
  std::filesystem::path path_;
  std::int64_t file_ = -1;     ///< hid_t
  std::int64_t pending_ = -1;  ///< hid_t of the group that has no name yet
  std::string pending_name_;
  std::int64_t last_published_ = 0;
  std::size_t num_published_ = 0;  ///< groups, all in one list
  std::int64_t longest_ = 0;       ///< bytes that every rank may make the file long
  std::string fault_;
};

}  // namespace sinew
