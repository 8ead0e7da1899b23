/// \file
/// What those who read and write HDF5 files have in common.
#pragma once

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

/// The innermost entry of HDF5's stack of errors.
inline herr_t keep_hdf5_description(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

/// What HDF5 said of its last error.
inline std::string last_hdf5_error() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_hdf5_description, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

/// Transfers in which all ranks take part.
inline Hdf5Identifier collective_transfer() {
  const hid_t id = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(id, H5FD_MPIO_COLLECTIVE);
  return {id, H5Pclose};
}

/// Opens a file for all ranks. HDF5's own error print is silenced. Files have the oldest format that can hold them, whatever the
/// library's version (from 2.0 on it would make them newer by itself): all programs read it, and series are mended by its rules.
inline hid_t open_hdf5_together(MPI_Comm comm, const char* path, unsigned access) {
  H5dont_atexit();  // after a fault a file stays open: nothing may touch it once MPI has ended
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  hid_t file = -1, errors = -1;
  {
    const Hdf5Identifier driver(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_mpio(driver, comm, MPI_INFO_NULL);
    H5Pset_libver_bounds(driver, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
    file = (access & H5F_ACC_TRUNC) != 0 ? H5Fcreate(path, access, H5P_DEFAULT, driver) : H5Fopen(path, access, driver);
    if (file < 0) errors = H5Eget_current_stack();
  }
  if (errors >= 0) H5Eset_current_stack(errors);  // for last_hdf5_error: closing the driver has cleared them
  return file;
}

}  // namespace sinew
