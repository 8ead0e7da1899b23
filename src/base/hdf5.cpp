#include "base/hdf5.hpp"

namespace sinew {

namespace {

/// The innermost entry of HDF5's stack of errors.
herr_t keep_description(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

// the versions that have the call
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
constexpr bool can_do_without_lock = true;
void ask_for_no_lock(hid_t access) { H5Pset_file_locking(access, false, true); }
#else
constexpr bool can_do_without_lock = false;
void ask_for_no_lock(hid_t) {}
#endif

/// A rank alone needs no driver of MPI's, which hands a file to the disk whenever it is flushed, for the other ranks' sake. As
/// that one does, it locks no file, so that they can be read while a run goes on.
bool is_alone(MPI_Comm comm) {
  int num_ranks = 0;
  MPI_Comm_size(comm, &num_ranks);
  return can_do_without_lock && num_ranks == 1;
}

void set_driver(hid_t access, MPI_Comm comm) {
  if (is_alone(comm))
    ask_for_no_lock(access);
  else
    H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
}

/// Without the zeros that an empty text or one of fixed length ends in.
void trim(std::string& text) { text.erase(text.find_last_not_of('\0') + 1); }

/// A text too long for an attribute.
bool read_long_text(hid_t file, const std::string& group, const std::string& name, std::string& text) {
  const std::string place = group == "/" ? group + name : group + '/' + name;
  if (H5Lexists(file, place.c_str(), H5P_DEFAULT) <= 0) return false;
  const Hdf5Identifier dataset(H5Dopen2(file, place.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Identifier type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || H5Sget_simple_extent_npoints(space) != 1) return false;
  text.assign(H5Tget_size(type), '\0');
  return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0;
}

}  // namespace

void settle_hdf5() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string last_hdf5_error() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_description, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

Hdf5Identifier collective_transfer(MPI_Comm comm) {
  const hid_t id = H5Pcreate(H5P_DATASET_XFER);
  if (!is_alone(comm)) H5Pset_dxpl_mpio(id, H5FD_MPIO_COLLECTIVE);
  return {id, H5Pclose};
}

hid_t open_hdf5_together(MPI_Comm comm, const char* path, unsigned access, Hdf5Layout layout) {
  settle_hdf5();
  hid_t file = -1, errors = -1;
  {
    const Hdf5Identifier driver(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    set_driver(driver, comm);
    H5Pset_libver_bounds(driver, layout == Hdf5Layout::oldest ? H5F_LIBVER_EARLIEST : H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    file = (access & H5F_ACC_TRUNC) != 0 ? H5Fcreate(path, access, H5P_DEFAULT, driver) : H5Fopen(path, access, driver);
    if (file < 0) errors = H5Eget_current_stack();
  }
  if (errors >= 0) H5Eset_current_stack(errors);  // for last_hdf5_error: closing the driver has cleared them
  return file;
}

bool hdf5_has(hid_t file, const std::string& place) {
  if (place == "/") return true;
  for (std::size_t at = place.find('/', 1);; at = place.find('/', at + 1)) {
    if (H5Lexists(file, place.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
    if (at == std::string::npos) return true;
  }
}

bool read_hdf5_text(hid_t file, const std::string& group, const std::string& name, std::string& text) {
  if (H5Aexists_by_name(file, group.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return read_long_text(file, group, name, text);
  const Hdf5Identifier attribute(H5Aopen_by_name(file, group.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Identifier type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || H5Sget_simple_extent_npoints(space) != 1) return false;
  text.assign(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return false;
  trim(text);
  return true;
}

bool read_hdf5_number(hid_t file, const std::string& group, const std::string& name, double& number) {
  if (H5Aexists_by_name(file, group.c_str(), name.c_str(), H5P_DEFAULT) <= 0) return false;
  const Hdf5Identifier attribute(H5Aopen_by_name(file, group.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const Hdf5Identifier space(H5Aget_space(attribute), H5Sclose);
  return H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_DOUBLE, &number) >= 0;
}

bool is_same_kind_of_format(const std::string& one, const std::string& other) {
  return one.substr(0, one.rfind(' ')) == other.substr(0, other.rfind(' '));
}

}  // namespace sinew
