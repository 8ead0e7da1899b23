#include "observe/stored_mesh_file.hpp"

#include "base/hdf5.hpp"
#include "input/gmsh.hpp"
#include "input/stored_mesh.hpp"
#include "partition/mesh_slice.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/mesh_cubes.hpp"
#include "tests/src/input/check_contains.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <type_traits>
#include <utility>

using namespace sinew;
using test::complaint;
using test::cubes;
using test::on_all;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

std::filesystem::path shared_file(const std::string& bytes) { return test::shared_file(bytes, "stored_meshes"); }

/// The mesh of a file, stored by all ranks. Collective.
std::filesystem::path stored(const std::filesystem::path& gmsh) {
  std::filesystem::path path = gmsh;
  path.replace_extension(".h5");
  write_stored_mesh(world, read_mesh_content(world, gmsh), path);
  MPI_Barrier(world);
  return path;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// Those that elements can be in: sets that are in no group may be told of or not.
auto memberships(const GmshContent& content) {
  auto tags = content.physical_tags;
  std::erase_if(tags, [](const auto& entry) { return entry.second.empty(); });
  return tags;
}

bool are_alike(const GmshElements& a, const GmshElements& b) {
  return a.total == b.total && a.orders == b.orders && a.tags == b.tags && a.nodes == b.nodes && a.sets == b.sets;
}

/// Whether a part of a stored mesh is that of the file of Gmsh, number by number and bit by bit.
bool are_alike(const GmshContent& a, const GmshContent& b) {
  for (std::size_t s = 0; s < a.elements.size(); ++s)
    if (!are_alike(a.elements[s], b.elements[s]) || b.elements[s].places.size() != b.elements[s].tags.size()) return false;
  return a.num_nodes == b.num_nodes && a.num_elements == b.num_elements && a.node_tags == b.node_tags && a.points == b.points &&
         a.sets == b.sets && a.set_index == b.set_index && a.names == b.names && memberships(a) == memberships(b) &&
         b.origin.stored && b.node_places.size() == b.node_tags.size();
}

void check_stored(const std::string& bytes) {
  const auto gmsh = shared_file(bytes), path = stored(gmsh);
  CHECK(on_all(are_alike(read_mesh_content(world, gmsh), read_mesh_content(world, path))));
  for (const int size : {1, 5, 64})  // other numbers of ranks than these
    for (int rank = 0; rank < size; rank += 1 + size / 8)
      CHECK(on_all(are_alike(read_mesh_part(gmsh, {rank, size}), read_mesh_part(path, {rank, size}))));
  const Mesh whole = read_gmsh(gmsh), again = read_gmsh(path);
  CHECK(on_all(whole.points == again.points));
  CHECK(list_groups(whole.groups) == list_groups(again.groups));
  MPI_Barrier(world);
}

/// What reading says after rank 0 has changed an open file. Collective.
template <class Change>
std::string complaint_after(const std::filesystem::path& path, Change change) {
  if (comm_rank(world) == 0) {
    settle_hdf5();
    const Hdf5Identifier file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    REQUIRE(file >= 0);
    change(file);
  }
  MPI_Barrier(world);
  const std::string said = complaint([&] { read_mesh_slice(world, path); });
  MPI_Barrier(world);
  return said;
}

/// Puts a value in the place of one entry of a dataset.
template <class T>
void overwrite(hid_t file, const char* dataset, std::size_t entry, T value) {
  const hid_t type = std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  const Hdf5Identifier data(H5Dopen2(file, dataset, H5P_DEFAULT), H5Dclose), space(H5Dget_space(data), H5Sclose);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  REQUIRE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  values.at(entry) = value;
  REQUIRE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
}

void set_number(hid_t file, const char* name, double value) {
  const Hdf5Identifier attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose);
  REQUIRE(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0);
}

void set_format(hid_t file, const std::string& text) {
  const Hdf5Identifier space(H5Screate(H5S_SCALAR), H5Sclose), type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Adelete(file, "format");
  H5Tset_size(type, text.size());
  const Hdf5Identifier attribute(H5Acreate2(file, "format", type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  REQUIRE(H5Awrite(attribute, type, text.data()) >= 0);
}

/// Another dataset of that name, with so many numbers.
void replace(hid_t file, const char* dataset, hsize_t count) {
  const std::vector<std::int64_t> values(count, 1);
  REQUIRE(H5Ldelete(file, dataset, H5P_DEFAULT) >= 0);
  const Hdf5Identifier space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Identifier data(H5Dcreate2(file, dataset, H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  REQUIRE(H5Dwrite(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
}

}  // namespace

TEST_CASE("ranks read of a stored mesh what the file of Gmsh gives them, of every format", "[mpi]") {
  for (const auto format : test::all_gmsh_formats) {
    CAPTURE(format.old, format.binary);
    for (const int order : {1, 2}) check_stored(test::gmsh_bytes(test::pyramid(order), format));
    for (const int spread : {1, 1000}) check_stored(test::gmsh_bytes(cubes(5, spread), format));
  }
}

TEST_CASE("a stored mesh keeps numbers beyond 32 bits, names of any letters and very many of them", "[mpi]") {
  test::FileMesh mesh = cubes(3, 1);
  for (int i = 0; i < 3000; ++i)  // more text than an attribute holds
    mesh.names.push_back({{i % 4, 100 + i}, "group \"" + std::to_string(i) + "\" ü " + std::string(20, '-')});
  std::string bytes = test::gmsh_bytes(mesh, {false, false});
  check_stored(bytes);
  for (const auto& [tag, x] : mesh.nodes) {
    if (x[0] > -1 || x[1] < 2) continue;  // else elements name it
    const auto at = bytes.find(fmt::format("\n{} \n", tag));
    REQUIRE(at != std::string::npos);
    bytes.replace(at + 1, std::to_string(tag).size(), "9000000000000");
  }
  check_stored(bytes);
}

TEST_CASE("a stored mesh that does not hold together is refused by dataset and remedy, by all ranks alike", "[mpi]") {
  const std::string bytes = test::gmsh_bytes(cubes(4, 1), {false, true});
  const auto refused = [&](const std::vector<std::string>& fragments, const std::function<void(hid_t)>& change) {
    const auto path = stored(shared_file(bytes));
    const std::string said = complaint_after(path, change);
    CAPTURE(said);
    test::check_contains(said, path.string() + ": ");
    test::check_contains(said, "sinew mesh");
    for (const std::string& fragment : fragments) test::check_contains(said, fragment);
  };
  refused({"`sets` is missing"}, [](hid_t file) { H5Ldelete(file, "sets", H5P_DEFAULT); });
  refused({"`nodes/numbers` is missing"}, [](hid_t file) { H5Ldelete(file, "nodes/numbers", H5P_DEFAULT); });
  refused({"`elements/hex8/nodes` is missing"}, [](hid_t file) { H5Ldelete(file, "elements/hex8/nodes", H5P_DEFAULT); });
  refused({"the shapes have", "`num_elements` says"}, [](hid_t file) { H5Ldelete(file, "elements/quad4", H5P_DEFAULT); });
  refused({"the attribute `num_nodes` is missing"}, [](hid_t file) { H5Adelete(file, "num_nodes"); });
  refused({"the attribute `num_sets` is -1, expected"}, [](hid_t file) { set_number(file, "num_sets", -1); });
  refused({"the attribute `num_nodes` is 1e+300, expected"}, [](hid_t file) { set_number(file, "num_nodes", 1e300); });
  refused({"`nodes/numbers` has", "numbers, expected 7 x 1"}, [](hid_t file) { set_number(file, "num_nodes", 7); });
  refused({"`elements/hex8/sets` has 3 x 1 numbers"}, [](hid_t file) { replace(file, "elements/hex8/sets", 3); });
  refused({"`nodes/coordinates` has 9 x 1 numbers"}, [](hid_t file) { replace(file, "nodes/coordinates", 9); });
  refused({"`nodes/coordinates`: row 90 (node ", "holds nan, expected a finite number"},
          [](hid_t file) { overwrite(file, "nodes/coordinates", 3 * 90 + 1, std::numeric_limits<double>::quiet_NaN()); });
  refused({"`elements/hex8/sets`: element ", " (hex8) is of set 99, of "},
          [](hid_t file) { overwrite<std::int64_t>(file, "elements/hex8/sets", 30, 99); });
  refused({"`elements/hex8/sets`: element ", " (hex8) is of set 0, which is of another dimension"},
          [](hid_t file) { overwrite<std::int64_t>(file, "elements/hex8/sets", 30, 0); });
  refused({"element ", " (hex8) names node 77777, which is not among the file's nodes"},
          [](hid_t file) { overwrite<std::int64_t>(file, "elements/hex8/nodes", 100, 77777); });
  refused({"node number -3, but they start at 1"}, [](hid_t file) { overwrite<std::int64_t>(file, "nodes/numbers", 11, -3); });
  refused({"`sets`: row 0 has dimension 9"}, [](hid_t file) { overwrite<std::int64_t>(file, "sets", 0, 9); });
  refused({"`memberships`: row 1 has dimension -1"}, [](hid_t file) { overwrite<std::int64_t>(file, "memberships", 3, -1); });
  refused({"`group_names` has no name for row 0"}, [](hid_t file) { H5Adelete(file, "group_names"); });
  refused({"another version of Sinew (`sinew mesh 7`, this one reads `sinew mesh 1`)"},
          [](hid_t file) { set_format(file, "sinew mesh 7"); });
  refused({"no mesh that `sinew mesh` has made", "`sinew checkpoint 3`"},
          [](hid_t file) { set_format(file, "sinew checkpoint 3"); });
  refused({"no mesh that `sinew mesh` has made", "no attribute `format`"}, [](hid_t file) { H5Adelete(file, "format"); });
}

TEST_CASE("cells of a stored mesh that cannot be computed with are told by their numbers", "[mpi]") {
  test::FileMesh mesh = cubes(3, 1);
  int number = 0;
  for (std::size_t i = 0; i < mesh.elements.size() && number == 0; ++i) {
    if (mesh.elements[i].type != 5) continue;
    std::swap(mesh.elements[i].nodes[0], mesh.elements[i].nodes[6]);
    number = static_cast<int>(i) + 1;
  }
  const auto path = stored(shared_file(test::gmsh_bytes(mesh, {false, false})));
  const std::string said = complaint([&] { read_mesh_slice(world, path); });
  test::check_contains(said, path.string() + ": element " + std::to_string(number) + " (hex8) is inverted");
  mesh = cubes(3, 1);
  mesh.nodes[30].first = mesh.nodes[10].first;
  const auto doubled = stored(shared_file(test::gmsh_bytes(mesh, {false, false})));
  test::check_contains(complaint([&] { read_mesh_slice(world, doubled); }),
                       doubled.string() + ": node " + std::to_string(mesh.nodes[10].first) + " is defined twice; ");
  MPI_Barrier(world);
}

TEST_CASE("stored meshes with random damage are read or refused by all ranks alike", "[mpi]") {
  std::mt19937 random(20261129);
  const std::string good = bytes_of(stored(shared_file(test::gmsh_bytes(cubes(3, 1), {false, true}))));
  for (int trial = 0; trial < 300; ++trial) {
    std::string bytes = good;
    const auto at = random() % (trial % 3 == 0 ? bytes.size() : 4096);  // most of the file's own description stands at its start
    switch (trial % 4) {
      case 0: bytes.resize(at); break;
      case 1: bytes[at] = static_cast<char>(random()); break;
      case 2: bytes.erase(at, 1 + random() % 8); break;
      default: bytes.insert(at, std::string(1 + random() % 4, static_cast<char>(random())));
    }
    CAPTURE(trial, at);
    const auto path = shared_file(bytes);
    const std::string said = complaint([&] { read_mesh_slice(world, path); });
    const bool alone = complaint([&] { assemble_mesh(read_mesh_part(path, {})); }).empty();
    CHECK(on_all(said.empty()) == said.empty());
    if (said.empty()) CHECK(on_all(alone));
    MPI_Barrier(world);
  }
}
