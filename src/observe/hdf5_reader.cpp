#include "observe/hdf5_reader.hpp"

#include "base/error.hpp"
#include "base/hdf5.hpp"
#include "base/reduction.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace sinew {

/// What is wrong with the file, as one rank sees it: before others wait for what it cannot tell.
std::string Hdf5Reader::look(const std::string& format) const {
  std::error_code code;
  const auto status = std::filesystem::status(path_, code);
  if (!std::filesystem::exists(status)) return "there is no such file (check the path)";
  if (!std::filesystem::is_regular_file(status)) return fmt::format("this is no file (name a {})", kind_);
  if (H5Fis_hdf5(path_.c_str()) <= 0) return fmt::format("this is no {}: it is not an HDF5 file, or cannot be read", kind_);
  const Hdf5Identifier file(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file < 0)
    return fmt::format("the {} cannot be opened, it is damaged or was not written to its end ({}): take another one", kind_,
                       last_hdf5_error());
  std::string found;
  if (!read_hdf5_text(file, "/", "format", found) || !is_same_kind_of_format(found, format))
    return fmt::format("this is no {} of Sinew", kind_);
  if (found != format)
    return fmt::format("this {} is of another version of Sinew (`{}`, this one reads `{}`): go on with that version", kind_,
                       found, format);
  return {};
}

Hdf5Reader::Hdf5Reader(MPI_Comm comm, std::filesystem::path path, const std::string& format, const std::string& kind)
    : comm_(comm), path_(std::move(path)), kind_(kind) {
  settle_hdf5();
  std::string wrong;
  if (comm_rank(comm_) == 0) wrong = look(format);
  throw_if_any(comm_, wrong.empty() ? wrong : fmt::format("{}: error: {}", path_.string(), wrong));
  file_ = open_hdf5_together(comm_, path_.c_str(), H5F_ACC_RDONLY);
  require(file_ >= 0, "the file cannot be opened");
}

Hdf5Reader::~Hdf5Reader() {
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Reader::refuse(const std::string& why) const { throw InputError(fmt::format("{}: error: {}", path_.string(), why)); }

void Hdf5Reader::require(bool is_well, const std::string& why) const {
  H5Eclear2(H5E_DEFAULT);
  if (!is_so_on_all(comm_, is_well)) refuse(why);
}

std::string Hdf5Reader::text(const std::string& group, const std::string& name) const {
  std::string text;
  require(hdf5_has(file_, group) && read_hdf5_text(file_, group, name, text),
          fmt::format("the {} lacks `{}/{}`: it is damaged, or not of this version of Sinew", kind_, group, name));
  return text;
}

double Hdf5Reader::number(const std::string& group, const std::string& name) const {
  double number = 0;
  require(hdf5_has(file_, group) && read_hdf5_number(file_, group, name, number),
          fmt::format("the {} lacks `{}/{}`: it is damaged, or not of this version of Sinew", kind_, group, name));
  return number;
}

std::int64_t Hdf5Reader::num_rows(const std::string& dataset) const {
  hsize_t size[2] = {0, 0};
  if (hdf5_has(file_, dataset)) {
    const Hdf5Identifier data(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(data), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 1 && rank <= 2) H5Sget_simple_extent_dims(space, size, nullptr);
  }
  H5Eclear2(H5E_DEFAULT);
  return static_cast<std::int64_t>(size[0]);
}

template <class T>
std::vector<T> Hdf5Reader::rows(const std::string& dataset, std::int64_t first, std::int64_t count, std::int64_t total,
                                int width) const {
  const auto w = static_cast<std::size_t>(width);
  std::vector<T> values(static_cast<std::size_t>(count) * w);
  if (total == 0) return values;
  const bool is_there = hdf5_has(file_, dataset);
  require(is_there, fmt::format("the {} lacks `{}`: it is damaged, or not of this version of Sinew", kind_, dataset));
  const Hdf5Identifier data(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(data), H5Sclose);
  hsize_t size[2] = {0, 1};
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank >= 1 && rank <= 2) H5Sget_simple_extent_dims(space, size, nullptr);
  require(size[0] == static_cast<hsize_t>(total) && size[1] == w,
          fmt::format("`{}` has {} x {} numbers, and the model needs {} x {}: this {} is of another model", dataset, size[0],
                      size[1], total, width, kind_));
  const hsize_t start[2] = {static_cast<hsize_t>(first), 0}, block[2] = {static_cast<hsize_t>(count), w};
  const Hdf5Identifier memory(H5Screate_simple(rank, block, nullptr), H5Sclose), transfer = collective_transfer(comm_);
  if (count > 0) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
  } else {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  const hid_t type = std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  require(H5Dread(data, type, memory, space, transfer, values.data()) >= 0,
          fmt::format("`{}` cannot be read: the {} is damaged; take another one", dataset, kind_));
  return values;
}

std::vector<double> Hdf5Reader::numbers(const std::string& dataset, std::int64_t first, std::int64_t count, std::int64_t total,
                                        int width) const {
  return rows<double>(dataset, first, count, total, width);
}

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& dataset, std::int64_t first, std::int64_t count,
                                               std::int64_t total) const {
  return rows<std::int64_t>(dataset, first, count, total, 1);
}

}  // namespace sinew
