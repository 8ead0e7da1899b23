// Series of groups in an HDF5 file whose writing was cut off by a kill.
#include "base/error.hpp"
#include "observe/hdf5_file.hpp"
#include "partition/exchange.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"

#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace sinew;
using namespace sinew::test;

namespace fs = std::filesystem;

namespace {

std::string series_name(std::size_t k) { return "/steps/0000000" + std::to_string(k); }

/// Publishes groups that hold their number, and says where each lies.
std::vector<std::int64_t> write_series(Hdf5File& file, std::size_t begin, std::size_t end) {
  std::vector<std::int64_t> places;
  for (std::size_t k = begin; k < end; ++k) {
    file.begin(series_name(k));
    file.write(series_name(k) + "/values", std::vector<double>{0, static_cast<double>(k), 3}, 0, 1, 3);
    file.publish();
    places.push_back(file.last_published());
  }
  return places;
}

/// What the groups of a series hold, in the order of their names; -1 for what cannot be read.
std::vector<double> held_by_series(const fs::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  std::vector<double> held;
  for (std::size_t k = 0; file >= 0 && H5Lexists(file, series_name(k).c_str(), H5P_DEFAULT) > 0; ++k) {
    double values[3] = {0, -1, 0};
    const hid_t data = H5Dopen2(file, (series_name(k) + "/values").c_str(), H5P_DEFAULT);
    H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    held.push_back(values[1]);
    H5Dclose(data);
  }
  H5Fclose(file);
  return held;
}

/// An address that stands in a file.
std::int64_t address_at(const fs::path& path, std::int64_t at) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(at);
  std::int64_t address = 0;
  file.read(reinterpret_cast<char*>(&address), sizeof address);
  return address;
}

/// What a write that did not come to its end leaves there.
void overwrite(const fs::path& path, std::int64_t at, std::int64_t bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(at);
  file.write(reinterpret_cast<const char*>(&bytes), sizeof bytes);
}

std::int64_t address_of(const fs::path& path, const char* group) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hobj_ref_t place = 0;
  H5Rcreate(&place, file, group, H5R_OBJECT, -1);
  H5Fclose(file);
  return static_cast<std::int64_t>(place);
}

}  // namespace

/// Offsets: "HDF5 File Format Specification", version 0 of the superblock, version 1 of B-trees and object headers.
TEST_CASE("a series whose list of names was torn by a kill goes on from what was kept", "[mpi]") {
  const fs::path path = scratch_path("torn-series.h5");
  for (const char* torn : {"nothing", "end of file", "heap", "tree", "symbols"}) {
    INFO("torn: " << torn);
    std::vector<std::int64_t> places;
    {
      Hdf5File file(MPI_COMM_WORLD, path);
      places = write_series(file, 0, 6);
    }
    if (comm_rank(MPI_COMM_WORLD) == 0) {
      const std::int64_t list = address_of(path, "/steps"), tree = address_at(path, list + 24),
                         heap = address_at(path, list + 32);
      const std::string what = torn;
      if (what == "end of file") overwrite(path, 40, places[4]);
      if (what == "heap") overwrite(path, heap, -1);
      if (what == "tree") overwrite(path, tree, -1);
      if (what == "symbols") overwrite(path, address_at(path, tree + 32), -1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    {
      Hdf5File file(MPI_COMM_WORLD, path, Existing::continued);
      file.keep_first("/steps", 4, places[3]);
      CHECK(file.last_published() == places[3]);
      write_series(file, 4, 7);
    }
    {
      Hdf5File file(MPI_COMM_WORLD, path, Existing::continued);  // the new list is one like any other
      file.keep_first("/steps", 5, 0);
    }
    if (comm_rank(MPI_COMM_WORLD) == 0) CHECK(held_by_series(path) == std::vector<double>{0, 1, 2, 3, 4});
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_CASE("a torn series whose kept groups cannot be found is refused and left as it is", "[mpi]") {
  const fs::path path = scratch_path("lost-series.h5");
  std::vector<std::int64_t> places;
  {
    Hdf5File file(MPI_COMM_WORLD, path);
    places = write_series(file, 0, 6);
  }
  if (comm_rank(MPI_COMM_WORLD) == 0) overwrite(path, address_at(path, address_of(path, "/steps") + 32), -1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const std::int64_t last : {std::int64_t{0}, places[2], places[4], std::int64_t{100}}) {
    INFO("last: " << last);
    Hdf5File file(MPI_COMM_WORLD, path, Existing::continued);
    CHECK_THROWS_AS(file.keep_first("/steps", 4, last), InputError);
  }
}
