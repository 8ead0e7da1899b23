#include "observe/hdf5_file.hpp"

#include "tests/catch.hpp"
#include "tests/paths.hpp"

#include <hdf5.h>

#include <filesystem>

using namespace sinew;
using namespace sinew::test;

namespace fs = std::filesystem;

namespace {

/// What a program finds that reads the file as the one that writes it would leave it if it were killed now. -1: unreadable, 0: no
/// such dataset, 1: it is whole.
int found_in_copy(const fs::path& file, const std::string& group, const std::string& dataset) {
  const fs::path copy = file.string() + ".copy";
  fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
  const hid_t id = H5Fopen(copy.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) return -1;
  int found = 0;
  if (H5Lexists(id, group.substr(0, group.rfind('/')).c_str(), H5P_DEFAULT) > 0 &&
      H5Lexists(id, group.c_str(), H5P_DEFAULT) > 0) {
    double values[3] = {};
    const hid_t data = H5Dopen2(id, dataset.c_str(), H5P_DEFAULT);
    found = data >= 0 && H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 && values[2] == 3 ? 1 : -1;
    if (data >= 0) H5Dclose(data);
  }
  H5Fclose(id);
  return found;
}

}  // namespace

TEST_CASE("a group that is not whole yet has no name in the file", "[serial]") {
  const fs::path path = scratch_path("whole-groups.h5");
  Hdf5File file(MPI_COMM_WORLD, path);
  const std::vector<double> values{1, 2, 3};
  for (const char* group : {"/steps/00000000", "/steps/00000001"}) {
    INFO(group);
    const std::string dataset = std::string(group) + "/bodies/position";
    file.begin(group);
    file.set_number(group, "time", 0.5);
    file.write(dataset, values, 0, 1, 3);
    file.flush();  // as bad as a kill can be: all of it is there, and a part of what is to come
    CHECK(found_in_copy(path, group, dataset) == 0);
    file.publish();
    CHECK(found_in_copy(path, group, dataset) == 1);
  }
  CHECK(found_in_copy(path, "/steps/00000000", "/steps/00000000/bodies/position") == 1);
}
