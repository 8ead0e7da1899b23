#include "base/error.hpp"
#include "observe/field_series.hpp"
#include "observe/sensor_file.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/field_reader.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/paths.hpp"

#include <algorithm>

using namespace sinew;
using namespace sinew::test;
namespace fs = std::filesystem;

namespace {

bool is_first() { return comm_rank(MPI_COMM_WORLD) == 0; }

/// An empty directory, the same on all ranks. Collective.
fs::path fresh_directory(const std::string& name) {
  const fs::path path = scratch_path(name + std::to_string(comm_size(MPI_COMM_WORLD)));
  if (is_first()) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return path;
}

/// The mixed model with some of its quantities.
std::string mixed_with(const std::string& quantities) {
  std::string text = mixed_model;
  return text.replace(text.find("quantities: []"), 14, "quantities: [" + quantities + "]");
}

constexpr const char* everything = "displacement, velocity, acceleration, stress";

/// Writes the start and a later state. Collective over `comm`.
void write_fields(MPI_Comm comm, const fs::path& directory) {
  const TextModel built(comm, mixed_with(everything));
  const System& system = *built.system;
  FieldSeries series(directory, built.model, built.meshes, *built.numbering, system);
  const State start = initial_state(system), later = wavy_state(system);
  const VecHandle a = wavy_dofs(system, 5.0);
  series.observe({start, a, 0, false});
  series.observe({later, a, 1, true});
}

}  // namespace

TEST_CASE("sensors tell the same on any number of ranks", "[mpi]") {
  const TextModel parallel(MPI_COMM_WORLD, mixed_model), serial(MPI_COMM_SELF, mixed_model);
  const VecHandle a = wavy_dofs(*parallel.system, 5.0), a_serial = wavy_dofs(*serial.system, 5.0);
  const auto found = measure(parallel.sensors(), wavy_state(*parallel.system), a);
  const auto expected = measure(serial.sensors(), wavy_state(*serial.system), a_serial);
  if (!is_first()) return;
  REQUIRE(found.size() > 150);
  REQUIRE(found.size() == expected.size());
  for (const auto& [name, value] : expected) {
    CAPTURE(name, value, found.at(name));
    CHECK(std::abs(found.at(name) - value) <= 1e-11 * (1 + std::abs(value)));
  }
  CHECK(found.at("here.position.z") == 3);
  CHECK(std::abs(found.at("wall.force.x")) > 0.1);
  CHECK(std::abs(found.at("hold.moment.y")) > 0.01);
}

TEST_CASE("fields.h5 holds the same numbers on any number of ranks", "[mpi]") {
  const fs::path parallel = fresh_directory("fields_parallel_"), serial = fresh_directory("fields_serial_");
  write_fields(MPI_COMM_WORLD, parallel);
  if (is_first()) write_fields(MPI_COMM_SELF, serial);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!is_first()) return;
  const auto found = read_datasets(parallel / "fields.h5"), expected = read_datasets(serial / "fields.h5");
  REQUIRE(expected.size() > 30);
  REQUIRE(found.size() == expected.size());
  for (const auto& [name, dataset] : expected) {
    CAPTURE(name);
    REQUIRE(found.count(name) == 1);
    REQUIRE(found.at(name).size == dataset.size);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < dataset.values.size(); ++i) {
      largest = std::max(largest, std::abs(dataset.values[i]));
      difference = std::max(difference, std::abs(dataset.values[i] - found.at(name).values[i]));
    }
    CHECK(difference <= 1e-12 * largest);
  }
  CHECK(read_text(parallel / "fields.xdmf") == read_text(serial / "fields.xdmf"));
}

TEST_CASE("fields.xdmf is whole after every step and names what is there", "[mpi]") {
  const fs::path directory = fresh_directory("fields_xdmf_");
  const TextModel built(MPI_COMM_WORLD, mixed_with(everything));
  FieldSeries series(directory, built.model, built.meshes, *built.numbering, *built.system);
  State state = initial_state(*built.system);
  const VecHandle a = wavy_dofs(*built.system, 5.0);
  const auto check_file = [&](std::size_t steps) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (!is_first()) return;
    const std::string text = read_text(directory / "fields.xdmf");
    CHECK(xml_fault(text) == "");
    CHECK(text.rfind("<?xml", 0) == 0);
    const auto references = xdmf_references(text);
    const auto datasets = read_datasets(directory / "fields.h5");  // while the run still has it open
    REQUIRE(references.size() > 15 * steps);
    for (const auto& [name, size] : references) {
      CAPTURE(name);
      REQUIRE(datasets.count(name) == 1);
      CHECK(datasets.at(name).size == size);
    }
  };
  for (long n = 0; n < 3; ++n) {
    state.t = static_cast<double>(n);
    series.observe({state, a, n, n == 2});
    check_file(static_cast<std::size_t>(n) + 1);
  }
}

TEST_CASE("grids of fields.xdmf keep their names over time, and every value is one that VTK reads", "[mpi]") {
  const fs::path directory = fresh_directory("fields_names_");
  write_fields(MPI_COMM_WORLD, directory);
  if (!is_first()) return;
  const std::string text = read_text(directory / "fields.xdmf");
  // two times: what stands between the first and the second is what follows the second
  const std::string opening = "<Grid Name=\"model\" GridType=\"Collection\" CollectionType=\"Spatial\">";
  const std::size_t first = text.find(opening), second = text.find(opening, first + 1);
  REQUIRE(second != std::string::npos);
  CHECK(text.find(opening, second + 1) == std::string::npos);
  const auto names = grid_names(text.substr(first, second - first));
  CHECK(names == std::vector<std::string>{"model", "solids", "solids", "cables", "cables", "bodies", "bodies"});
  CHECK(grid_names(text.substr(second)) == names);
  for (const char* name : {"solids", "cables", "bodies"}) {
    // a grid alone in a series of one time: VTK numbers the names of grids that it meets twice elsewhere
    const std::string series = "<Grid Name=\"" + std::string(name) + "\" GridType=\"Collection\" CollectionType=\"Temporal\">";
    const std::size_t place = text.find(series);
    REQUIRE(place != std::string::npos);
    const std::size_t grid = text.find("<Grid", place + 1);
    CHECK(text.compare(grid, 12, "<Grid Name=\"") == 0);
    CHECK(text.find("<Time Value=", grid) < text.find("<Topology", grid));
  }
  const auto attributes = xdmf_attributes(text);
  REQUIRE(attributes.size() > 30);
  for (const XdmfAttributeText& a : attributes) {
    CAPTURE(a.name, a.type);
    const hsize_t width = a.size.size() == 2 ? a.size[1] : 1;
    CHECK(a.size.size() <= 2);
    CHECK(((a.type == "Scalar" && width == 1) || (a.type == "Vector" && width == 3) || (a.type == "Tensor" && width == 9)));
  }
}

TEST_CASE("the orientation of a body is a quaternion for Python and its matrix for VTK", "[mpi]") {
  const fs::path directory = fresh_directory("fields_turned_");
  write_fields(MPI_COMM_WORLD, directory);
  if (!is_first()) return;
  const auto data = read_datasets(directory / "fields.h5");
  for (const char* step : {"/steps/00000000", "/steps/00000001"}) {
    const auto& q = data.at(std::string(step) + "/bodies/orientation");
    const auto& R = data.at(std::string(step) + "/bodies/rotation_matrix");
    CHECK(q.size == std::vector<hsize_t>{6, 4});
    CHECK(R.size == std::vector<hsize_t>{6, 9});
    for (std::size_t b = 0; b < 6; ++b) {
      const double *c = &q.values[4 * b], *m = &R.values[9 * b];
      const Mat3<double> expected = rotation_matrix(Quaternion{c[0], c[1], c[2], c[3]});
      for (int i = 0; i < 9; ++i) CHECK(m[i] == Approx(expected(i / 3, i % 3)).margin(1e-15));
    }
  }
  for (const XdmfAttributeText& a : xdmf_attributes(read_text(directory / "fields.xdmf")))
    if (a.name == "orientation") CHECK(a.size == std::vector<hsize_t>{6, 9});
}

TEST_CASE("points and cells of the fields are those of the model", "[mpi]") {
  const fs::path directory = fresh_directory("fields_points_");
  write_fields(MPI_COMM_WORLD, directory);
  if (!is_first()) return;
  const auto data = read_datasets(directory / "fields.h5");
  const auto at = [&](const std::string& name) -> const Dataset& { return data.at("/steps/00000000/" + name); };
  CHECK(at("bodies/position").size == std::vector<hsize_t>{6, 3});
  CHECK(at("bodies/position").values[3] == Approx(1.5));  // link2
  CHECK(at("bodies/orientation").values[0] == Approx(std::cos(0.15)));
  CHECK(at("bodies/position").values[15] == Approx(2.0));  // bob
  CHECK(at("cables/position").size == std::vector<hsize_t>{10, 3});
  CHECK(at("cables/position").values[3 * 4 + 2] == Approx(1.5));  // the end of rope0
  CHECK(data.at("/static/cables/segments").size == std::vector<hsize_t>{8, 2});
  CHECK(data.at("/static/cables/segments").values[8] == 5);  // the second rope starts with its own point
  CHECK(at("solids/position").size == std::vector<hsize_t>{5 * 3 * 3 + 4 * 2 * 2, 3});
  CHECK(data.at("/static/solids/hex8").size == std::vector<hsize_t>{4 * 2 * 2 + 3, 8});
  const std::vector<double>& stress = at("solids/hex8_von_mises").values;
  CHECK(*std::max_element(stress.begin(), stress.end()) < 1.0);  // Pa, nothing is strained at the start
  const std::vector<double>& strained = data.at("/steps/00000001/solids/hex8_von_mises").values;
  CHECK(*std::min_element(strained.begin(), strained.end()) > 1e3);
}

TEST_CASE("a directory that is not there is a fault of the environment on all ranks", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD, mixed_model);
  bool is_thrown = false;
  try {
    const FieldSeries series(scratch_path("not/there"), built.model, built.meshes, *built.numbering, *built.system);
  } catch (const EnvironmentError&) {
    is_thrown = true;
  }
  CHECK(is_thrown);
}

TEST_CASE("springs and rods stand in the fields with both their ends", "[mpi]") {
  const fs::path directory = fresh_directory("fields_links_");
  const TextModel built(MPI_COMM_WORLD, R"(sinew: 1
bodies:
  "ball{i}": {repeat: {i: 1..3}, type: point-mass, mass: 1, position: ["i", 0, 0]}
  box: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 1, 0], points: {corner: [0.1, 0.2, 0.3]}}
  rope: {type: cable, line: {from: [0, 0, 1], to: [1, 0, 1], elements: 2}, section: s, material: m}
materials: {m: {density: 1000, youngs_modulus: 1e6}}
sections: {s: {shape: circle, diameter: 0.01}}
joints:
  rod: {type: distance, connect: [[0, 0, 5], ball1]}
  hold: {type: spherical, connect: [ground, rope.start]}
forces:
  "spring{i}": {repeat: {i: 2..3}, type: spring-damper, connect: ["ball{i-1}", "ball{i}"], stiffness: 1}
  tie: {type: spring-damper, connect: [box.corner, rope.end], stiffness: 1}
  push: {type: force, on: box, vector: [1, 0, 0]}
analysis: {end_time: 1, step: 0.1}
output: {fields: {every: 1}}
)");
  {
    FieldSeries series(directory, built.model, built.meshes, *built.numbering, *built.system);
    const State start = initial_state(*built.system);
    series.observe({start, built.system->make_dof_vector(), 0, true});
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (!is_first()) return;
  const auto data = read_datasets(directory / "fields.h5");
  CHECK(data.at("/static/links/body").values == std::vector<double>{-1, 0, 0, 1, 1, 2, 3, -2});
  const std::vector<double>& place = data.at("/static/links/place").values;
  REQUIRE(place.size() == 24);
  CHECK(place[2] == 5);
  CHECK(place[3 * 6 + 1] == Approx(0.2));
  // joints alone stand among the places of joints
  CHECK(data.at("/static/joint_places/body").values == std::vector<double>{-1, 0, -1, -1});
}
