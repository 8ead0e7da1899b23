/// \file
/// An HDF5 file that all ranks read together.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

/// What is missing or cannot be read is an InputError that names the file, the same on all ranks. All functions are collective.
class Hdf5Reader {
 public:
  /// Opens the file. `format`: what its attribute of that name must be; another one of the same kind, but for its last word, is
  /// of another version. `kind`: what such a file is called.
  Hdf5Reader(MPI_Comm comm, std::filesystem::path path, const std::string& format, const std::string& kind);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Attributes of a group.
  std::string text(const std::string& group, const std::string& name) const;
  double number(const std::string& group, const std::string& name) const;
  /// Rows of a dataset; 0 where there is none of that name.
  std::int64_t num_rows(const std::string& dataset) const;
  /// Rows `first` to `first + count - 1`, this rank's share, of a dataset that has `total` rows of `width` numbers.
  std::vector<double> numbers(const std::string& dataset, std::int64_t first, std::int64_t count, std::int64_t total,
                              int width) const;
  std::vector<std::int64_t> integers(const std::string& dataset, std::int64_t first, std::int64_t count,
                                     std::int64_t total) const;
  /// Throws: the file is not what it should be. The same text on all ranks.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  template <class T>
  std::vector<T> rows(const std::string& dataset, std::int64_t first, std::int64_t count, std::int64_t total, int width) const;
  void require(bool is_well, const std::string& why) const;
  std::string look(const std::string& format) const;

  MPI_Comm comm_;
  std::filesystem::path path_;
  std::string kind_;
  std::int64_t file_ = -1;  ///< hid_t
};

}  // namespace sinew
