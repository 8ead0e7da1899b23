#include "observe/hdf5_file.hpp"

#include "base/error.hpp"
#include "base/hdf5.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>

namespace sinew {

namespace {

/// HDF5 keeps no longer ones in files that all its versions read.
constexpr std::size_t longest_attribute = 60000;

Hdf5Identifier link_with_groups() {
  const hid_t id = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(id, 1);
  return {id, H5Pclose};
}

/// The group, made if need be.
Hdf5Identifier open_group(hid_t file, const std::string& name) {
  if (name == "/" || name == ".") return {H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose};
  const hid_t id = H5Gopen2(file, name.c_str(), H5P_DEFAULT);
  if (id >= 0) return {id, H5Gclose};
  H5Eclear2(H5E_DEFAULT);
  const Hdf5Identifier links = link_with_groups();
  return {H5Gcreate2(file, name.c_str(), links, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
}

/// A list of names has room for twice as many where it is full, in a new place: 16 bytes a name of eight digits.
constexpr std::size_t bytes_of_doubled_name = 32;
/// Of a list that is made anew, at most: 107 to 135 as measured with 100 to 9000 names.
constexpr std::size_t bytes_of_new_name = 160;
/// The head of a file and its list of names while that is empty: 800 as measured, in a block of the file system.
constexpr std::int64_t bytes_of_new_file = 4096;

/// Bytes that every rank may make a file long (`ulimit -f`). Collective.
std::int64_t longest_file(MPI_Comm comm) {
  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(any);
  std::int64_t longest = is_limited ? static_cast<std::int64_t>(limit.rlim_cur) : any;
  MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_INT64_T, MPI_MIN, comm);
  return longest;
}

bool has_stuck_file = false;

template <class T>
hid_t type_of() {
  return std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : sizeof(T) == 4 ? H5T_NATIVE_INT32 : H5T_NATIVE_INT64;
}

/// The attribute of a published group that leads to the one before.
constexpr const char* reference_name = "previous";

/// Groups of a series by their names.
std::string numbered(std::size_t k) { return fmt::format("{:08}", k); }

/// Of an iteration over links, by name: stops it at one whose number is not its place in the list.
herr_t count_in_turn(hid_t, const char* name, const H5L_info_t*, void* count) {
  auto& found = *static_cast<std::size_t*>(count);
  return name == numbered(found++) ? 0 : -1;
}

}  // namespace

Hdf5File::Hdf5File(MPI_Comm comm, std::filesystem::path path, Existing existing, Hdf5Layout layout)
    : comm_(comm), path_(std::move(path)), longest_(longest_file(comm)) {
  const bool is_new = existing == Existing::replaced;
  file_ = open_hdf5_together(comm_, path_.c_str(), is_new ? H5F_ACC_TRUNC : H5F_ACC_RDWR, layout);
  if (!is_new)
    throw_if_any(comm_, file_ >= 0
                            ? std::string()
                            : fmt::format("{} cannot be continued ({}): let the run go on in a directory of its own, with -o",
                                          path_.string(), last_hdf5_error()));
  if (file_ < 0) keep_fault("creating it");
  throw_faults();
  if (is_new) write_head();
}

/// What a new file begins with HDF5 keeps to itself until the file is flushed or closed. It is written at once: whatever fails on
/// a full disk afterwards, of this file or another, this one can be closed.
void Hdf5File::write_head() {
  try {
    throw_from_first_rank(comm_, comm_rank(comm_) == 0 ? room_fault(bytes_of_new_file) : std::string());
  } catch (const EnvironmentError&) {
    has_stuck_file = true;
    throw;
  }
  flush();
}

/// Closing flushes, and what could not be flushed before can block other ranks.
Hdf5File::~Hdf5File() {
  if (pending_ >= 0 && fault_.empty()) H5Gclose(pending_);
  if (file_ >= 0 && fault_.empty() && H5Fclose(file_) < 0) has_stuck_file = true;
}

bool Hdf5File::any_is_stuck() { return has_stuck_file; }

/// Why there is no room for so much more; empty if there is. Quotas are felt where the file system can set space aside. Room
/// behind the end of a file does not make it longer: of the limit of its size the file system need not say anything then (ext4
/// does not).
std::string Hdf5File::room_fault(std::int64_t bytes) const {
  const auto refusal = [this](const std::string& why) { return fmt::format("writing {} failed: {}", path_.string(), why); };
  std::error_code fault;
  const auto end = static_cast<std::int64_t>(std::filesystem::file_size(path_, fault));
  if (fault) return refusal(fault.message());
  if (end + bytes > longest_)
    return refusal(fmt::format("{} (`ulimit -f`: no file may have more than {} bytes)", std::strerror(EFBIG), longest_));
#ifdef __linux__
  const int file = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file >= 0) {
    const int code = fallocate(file, FALLOC_FL_KEEP_SIZE, end, bytes) == 0 ? 0 : errno;
    close(file);
    if (code == 0) return {};
    if (code == ENOSPC || code == EDQUOT || code == EFBIG) return refusal(std::strerror(code));
  }
#endif
  struct statvfs disk {};
  if (statvfs(path_.c_str(), &disk) != 0) return refusal(std::strerror(errno));
  const double room = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  return room < static_cast<double>(bytes) ? refusal(std::strerror(ENOSPC)) : std::string();
}

/// What HDF5 keeps to itself until a file is flushed is reserved as well: a file that cannot be flushed cannot be closed either,
/// and MPI's end, which closes it, takes the program with it.
void Hdf5File::reserve(std::int64_t bytes) {
  constexpr std::int64_t tables = 1 << 17;
  const auto names = static_cast<std::int64_t>(bytes_of_doubled_name * num_published_);
  throw_from_first_rank(comm_, comm_rank(comm_) == 0 ? room_fault(bytes + tables + names) : std::string());
}

void Hdf5File::keep_fault(const std::string& what) {
  if (fault_.empty()) fault_ = fmt::format("{} failed: {}", what, last_hdf5_error());
  H5Eclear2(H5E_DEFAULT);
}

/// One rank's fault is everybody's.
void Hdf5File::throw_faults() {
  int count = fault_.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, comm_);
  if (count == 0) return;
  const std::string mine = std::exchange(fault_, "unusable");
  has_stuck_file = has_stuck_file || file_ >= 0;
  try {
    throw_if_any(comm_, mine);
  } catch (const InputError& texts) {
    throw EnvironmentError(
        fmt::format("writing {} failed (is the disk full, or the directory protected?): {}", path_.string(), texts.what()));
  }
}

/// What belongs to the group at hand is reached from it, not from the file.
std::int64_t Hdf5File::home_of(std::string& name) const {
  if (pending_ < 0 || name.compare(0, pending_name_.size(), pending_name_) != 0) return file_;
  const std::string rest = name.substr(pending_name_.size());
  if (!rest.empty() && rest.front() != '/') return file_;
  name = rest.empty() ? "." : rest.substr(1);
  return pending_;
}

void Hdf5File::begin(const std::string& group) {
  pending_name_ = group;
  pending_ = H5Gcreate_anon(file_, H5P_DEFAULT, H5P_DEFAULT);
  if (pending_ < 0) keep_fault("the group " + group);
  const Hdf5Identifier space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Identifier previous(H5Acreate2(pending_, reference_name, H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const auto place = static_cast<hobj_ref_t>(last_published_);
  if (H5Awrite(previous, H5T_STD_REF_OBJ, &place) < 0) keep_fault("the attribute previous");
}

/// The name goes out in a flush of its own: in one flush with its group it may reach the file first.
void Hdf5File::publish() {
  flush();
  const Hdf5Identifier group(std::exchange(pending_, -1), H5Gclose), links = link_with_groups();
  if (H5Olink(group, file_, pending_name_.c_str(), links, H5P_DEFAULT) < 0) keep_fault("the group " + pending_name_);
  hobj_ref_t place = 0;
  if (H5Rcreate(&place, group, ".", H5R_OBJECT, -1) < 0) keep_fault("a reference to " + pending_name_);
  last_published_ = static_cast<std::int64_t>(place);
  ++num_published_;
  flush();
}

void Hdf5File::set_text(const std::string& group_name, const std::string& name, const std::string& text) {
  std::string group = group_name;
  const hid_t home = home_of(group);
  const Hdf5Identifier place = open_group(home, group), space(H5Screate(H5S_SCALAR), H5Sclose), type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(1, text.size()));
  H5Tset_cset(type, H5T_CSET_UTF8);
  if (text.size() > longest_attribute) {
    reserve(static_cast<std::int64_t>(text.size()));
    const Hdf5Identifier all(H5Screate(H5S_SCALAR), H5Sclose), transfer = collective_transfer(comm_);
    const Hdf5Identifier dataset(H5Dcreate2(place, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (comm_rank(comm_) > 0) {
      H5Sselect_none(space);
      H5Sselect_none(all);
    }
    if (H5Dwrite(dataset, type, all, space, transfer, text.data()) < 0) keep_fault("the text " + name);
    return;
  }
  const Hdf5Identifier attribute(H5Acreate2(place, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (H5Awrite(attribute, type, text.empty() ? "" : text.data()) < 0) keep_fault("the attribute " + name);
}

void Hdf5File::set_number(const std::string& group_name, const std::string& name, double value) {
  std::string group = group_name;
  const hid_t home = home_of(group);
  const Hdf5Identifier place = open_group(home, group), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Identifier attribute(H5Acreate2(place, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) < 0) keep_fault("the attribute " + name);
}

template <class T>
void Hdf5File::write_rows(const std::string& name, const std::vector<T>& values, const RowRuns& mine, std::int64_t total,
                          int width) {
  if (total == 0) return;
  const auto w = static_cast<hsize_t>(width);
  const hsize_t size[2] = {static_cast<hsize_t>(total), w}, count[2] = {static_cast<hsize_t>(num_rows(mine)), w};
  const int rank = width == 1 ? 1 : 2;
  const Hdf5Identifier links = link_with_groups(), transfer = collective_transfer(comm_);
  const Hdf5Identifier in_file(H5Screate_simple(rank, size, nullptr), H5Sclose),
      in_memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
  std::string place = name;
  const hid_t home = home_of(place), type = type_of<T>();
  const Hdf5Identifier dataset(H5Dcreate2(home, place.c_str(), type, in_file, links, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  H5Sselect_none(in_file);
  for (const RowRun& run : mine) {
    const hsize_t start[2] = {static_cast<hsize_t>(run.first), 0}, block[2] = {static_cast<hsize_t>(run.count), w};
    if (run.count > 0) H5Sselect_hyperslab(in_file, H5S_SELECT_OR, start, nullptr, block, nullptr);
  }
  if (count[0] == 0) H5Sselect_none(in_memory);
  if (H5Dwrite(dataset, type, in_memory, in_file, transfer, values.data()) < 0) keep_fault("the dataset " + name);
}

void Hdf5File::write(const std::string& name, const std::vector<double>& values, std::int64_t first, std::int64_t total,
                     int width) {
  write_rows(name, values, {{first, static_cast<std::int64_t>(values.size()) / width}}, total, width);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int64_t>& values, std::int64_t first, std::int64_t total,
                     int width) {
  write_rows(name, values, {{first, static_cast<std::int64_t>(values.size()) / width}}, total, width);
}

void Hdf5File::write(const std::string& name, const std::vector<double>& values, const RowRuns& mine, std::int64_t total,
                     int width) {
  write_rows(name, values, mine, total, width);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int32_t>& values, const RowRuns& mine, std::int64_t total,
                     int width) {
  write_rows(name, values, mine, total, width);
}

void Hdf5File::write(const std::string& name, const std::vector<std::int64_t>& values, const RowRuns& mine, std::int64_t total,
                     int width) {
  write_rows(name, values, mine, total, width);
}

/// Takes out what comes after the first so many, and looks whether exactly they are left. Other names can only come of a list
/// that was torn: names are given out in turn.
bool Hdf5File::has_just(const std::string& group, std::size_t count) const {
  if (H5Lexists(file_, group.c_str(), H5P_DEFAULT) <= 0) return count == 0;
  const Hdf5Identifier steps(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
  std::size_t found = 0;
  if (H5Literate(steps, H5_INDEX_NAME, H5_ITER_INC, nullptr, count_in_turn, &found) < 0 || found < count) return false;
  while (found > count)
    if (H5Ldelete(steps, numbered(--found).c_str(), H5P_DEFAULT) < 0) return false;
  return true;
}

/// The old list is left where it lies, without a name: nothing of it may be read any more, not even to take it down.
void Hdf5File::relink(const std::string& group, std::size_t count, std::int64_t last) {
  std::vector<hobj_ref_t> places(count);
  auto place = static_cast<hobj_ref_t>(last);
  bool is_whole = true;
  for (std::size_t k = count; is_whole && k-- > 0;) {
    places[k] = place;
    const Hdf5Identifier step(H5Rdereference2(file_, H5P_DEFAULT, H5R_OBJECT, &place), H5Oclose);
    const Hdf5Identifier previous(H5Aopen(step, reference_name, H5P_DEFAULT), H5Aclose);
    is_whole = H5Aread(previous, H5T_STD_REF_OBJ, &place) >= 0;
  }
  throw_if_any(comm_,
               is_whole && place == 0
                   ? std::string()
                   : fmt::format("{} cannot be continued (its steps are not those of the checkpoint): let the run go on in "
                                 "a directory of its own, with -o",
                                 path_.string()));
  reserve(static_cast<std::int64_t>(bytes_of_new_name * count));
  const Hdf5Identifier fresh(H5Gcreate_anon(file_, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  bool is_linked = fresh >= 0;
  for (std::size_t k = 0; is_linked && k < count; ++k) {
    const Hdf5Identifier step(H5Rdereference2(file_, H5P_DEFAULT, H5R_OBJECT, &places[k]), H5Oclose);
    is_linked = H5Olink(step, fresh, numbered(k).c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
  }
  if (!is_linked) keep_fault("making the list of steps anew");
  flush();
  const Hdf5Identifier torn(H5Oopen(file_, group.c_str(), H5P_DEFAULT), H5Oclose);
  if (H5Oincr_refcount(torn) < 0 || H5Ldelete(file_, group.c_str(), H5P_DEFAULT) < 0 ||
      H5Olink(fresh, file_, group.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
    keep_fault("the group " + group);
}

void Hdf5File::keep_first(const std::string& group, std::size_t count, std::int64_t last) {
  const bool is_sound = has_just(group, count);
  H5Eclear2(H5E_DEFAULT);
  if (!is_sound) relink(group, count, last);
  last_published_ = last;
  num_published_ = count;
  flush();
}

void Hdf5File::flush() {
  if (H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0) keep_fault("flushing");
  throw_faults();
}

}  // namespace sinew
