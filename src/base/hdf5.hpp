/// \file
/// What those who read and write HDF5 files have in common.
#pragma once

#include "base/hdf5_layout.hpp"

#include <hdf5.h>

#include <string>

namespace sinew {

/// Closes an identifier at the end of a scope.
class Hdf5Identifier {
 public:
  Hdf5Identifier(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Hdf5Identifier() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Identifier(const Hdf5Identifier&) = delete;
  Hdf5Identifier& operator=(const Hdf5Identifier&) = delete;
  operator hid_t() const { return id_; }  // NOLINT: it stands for the identifier

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// To be called before all else: HDF5's own error print is silenced, and files that a fault left open are not touched once MPI
/// has ended.
void settle_hdf5();

/// What HDF5 said of its last error, which is then forgotten.
std::string last_hdf5_error();

/// Transfers in which all ranks take part, of a file that they have opened together.
Hdf5Identifier collective_transfer(MPI_Comm comm);

/// Opens or makes (H5F_ACC_TRUNC) a file for all ranks. Collective.
hid_t open_hdf5_together(MPI_Comm comm, const char* path, unsigned access, Hdf5Layout layout = Hdf5Layout::oldest);

/// Does every group on the way to a place exist, and the place?
bool hdf5_has(hid_t file, const std::string& place);

/// The text `name` of a group: an attribute, or a dataset where it is too long for one. False where there is none.
bool read_hdf5_text(hid_t file, const std::string& group, const std::string& name, std::string& text);

/// The number `name` of a group, an attribute. False where there is none.
bool read_hdf5_number(hid_t file, const std::string& group, const std::string& name, double& number);

/// Whether two names of formats, "sinew mesh 1", are the same but for their last word, the version.
bool is_same_kind_of_format(const std::string& one, const std::string& other);

}  // namespace sinew
