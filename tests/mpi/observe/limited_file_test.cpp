// HDF5 files that the disk has room for, but not a limit of size.
#include "base/error.hpp"
#include "observe/hdf5_file.hpp"
#include "partition/exchange.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

using namespace sinew;
using namespace sinew::test;

namespace {

/// The longest file that this rank may write, while it lives; what is longer is an error, and ends nothing.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit limit{bytes, former_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &former_);
    std::signal(SIGXFSZ, signal_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit former_{};
  void (*signal_)(int);
};

std::string group_name(int k) { return fmt::format("/steps/{:08}", k); }

/// Publishes groups of as many numbers of this rank, until there is room for no more or there are `most`. Returns how many.
int write_groups(const std::filesystem::path& path, std::size_t numbers, int most) {
  Hdf5File file(MPI_COMM_WORLD, path);
  const auto share = static_cast<std::int64_t>(numbers);
  const std::int64_t first = comm_rank(MPI_COMM_WORLD) * share, total = comm_size(MPI_COMM_WORLD) * share;
  for (int k = 0; k < most; ++k) {
    try {
      file.reserve(8 * total);
    } catch (const EnvironmentError&) {
      return k;
    }
    file.begin(group_name(k));
    file.write(group_name(k) + "/values", std::vector<double>(numbers, k), first, total, 1);
    file.publish();
  }
  return most;
}

int groups_in(const std::filesystem::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  int count = 0;
  while (file >= 0 && H5Lexists(file, group_name(count).c_str(), H5P_DEFAULT) > 0) ++count;
  H5Fclose(file);
  return count;
}

}  // namespace

TEST_CASE("the limit of a file's size on one rank is felt on all of them, before anything is written", "[mpi]") {
  constexpr int most = 200;
  constexpr std::size_t numbers = 1000;
  const std::filesystem::path path = scratch_path("limited.h5");
  const bool is_last = comm_rank(MPI_COMM_WORLD) == comm_size(MPI_COMM_WORLD) - 1;
  int written = 0;
  {
    const FileSizeLimit limit(is_last ? rlim_t{1} << 20 : RLIM_INFINITY);
    written = write_groups(path, numbers, most);
  }
  CHECK(written > 0);
  CHECK(written < most);
  CHECK_FALSE(Hdf5File::any_is_stuck());
  if (comm_rank(MPI_COMM_WORLD) == 0) CHECK(groups_in(path) == written);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_CASE("a new file is closed where the disk takes nothing more", "[mpi]") {
  const std::filesystem::path path = scratch_path("headed.h5");
  {
    std::optional<Hdf5File> file(std::in_place, MPI_COMM_WORLD, path);
    const FileSizeLimit limit(std::filesystem::file_size(path));
    file.reset();
  }
  CHECK_FALSE(Hdf5File::any_is_stuck());
  if (comm_rank(MPI_COMM_WORLD) == 0) CHECK(groups_in(path) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_CASE("room is kept for a list of names that grows to twice its length", "[mpi]") {
  const std::filesystem::path path = scratch_path("long-list.h5");
  constexpr int names = 1408;  // the list is doubled with the 1407th
  std::uintmax_t before = 0, grown = 0;
  Hdf5File file(MPI_COMM_WORLD, path);
  for (int k = 0; k < names; ++k) {
    file.begin(group_name(k));
    file.publish();
    const std::uintmax_t size = std::filesystem::file_size(path);
    grown = std::max(grown, size - before);
    before = size;
    MPI_Barrier(MPI_COMM_WORLD);  // nobody lengthens it while others look
  }
  CHECK(grown > 30 * names);  // as the reserve takes for granted
  CHECK(grown < 32 * names + 4096);
}
