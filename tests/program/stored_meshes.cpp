// `sinew mesh`: what it stores, what it refuses, and models that name what it has stored.
#include "tests/program/refusals.hpp"
#include "tests/src/input/mesh_files.hpp"

#include <algorithm>

using namespace sinew;
using test::Refusal;

namespace {

namespace fs = std::filesystem;

/// A rod of hexahedra along x with its end faces as groups; the second cell is turned inside out where it is to be bad.
test::FileMesh rod(int length, bool is_good = true) {
  test::FileMesh mesh;
  for (int i = 0; i <= length; ++i)
    for (const auto& [y, z] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      mesh.nodes.push_back({static_cast<int>(mesh.nodes.size()) + 1, {0.3 * i, 0.2 * y + 0.01 * i, 0.25 * z}});
  const auto face = [&](int type, int entity, int i) {
    mesh.elements.push_back({type, 2, entity, {4 * i + 1, 4 * i + 4, 4 * i + 3, 4 * i + 2}});
  };
  face(3, 1, 0);
  face(3, 2, length);
  for (int i = 0; i < length; ++i) {
    std::vector<int> nodes;
    for (const int n : {1, 5, 6, 2, 4, 8, 7, 3}) nodes.push_back(4 * i + n);
    if (i == 1 && !is_good) std::rotate(nodes.begin(), nodes.begin() + 4, nodes.end());
    mesh.elements.push_back({5, 3, 1, nodes});
  }
  mesh.physicals = {{{2, 1}, {1}}, {{2, 2}, {2}}, {{3, 1}, {3}}};
  mesh.names = {{{2, 1}, "root"}, {{2, 2}, "tip"}, {{3, 3}, "body"}};
  return mesh;
}

std::string solid_model(const std::string& mesh) {
  return "sinew: 1\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n"
         "  block: {type: solid, mesh: " +
         mesh +
         ", material: {body: rubber}}\n"
         "joints:\n  wall: {type: fixed, connect: [ground, block.root]}\ngravity: [0, 0, -9.81]\n"
         "sensors:\n  tip: {type: point, of: block.tip, record: [position, acceleration]}\n"
         "analysis: {end_time: 0.004, step: 0.001}\noutput: {checkpoint: {every: 2}}\n";
}

/// The files whose names begin so.
std::string files_like(const fs::path& folder, const std::string& start) {
  std::string names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().rfind(start, 0) == 0) names += entry.path().filename().string() + ' ';
  return names;
}

/// Runs both models on so many ranks and compares what they recorded.
void check_same(const fs::path& folder, const std::string& one, const std::string& other, int ranks) {
  for (const std::string& model : {one, other}) {
    const test::Outcome outcome =
        test::run_sinew(folder, "run " + model + ".yaml --quiet -sinew_deterministic -o " + model, ranks);
    INFO(model << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
  }
  const std::string table = test::file_text(folder / one / "sensors.csv");
  CHECK(table.size() > 200);
  CHECK(table == test::file_text(folder / other / "sensors.csv"));
}

}  // namespace

TEST_CASE("a mesh is stored with its sizes and groups told, under its own name in the directory at hand", "[serial]") {
  const auto folder = test::fresh_folder("stored-meshes");
  fs::create_directory(folder / "meshes");
  test::write_file(folder / "meshes" / "rod.msh", test::gmsh_bytes(rod(6), {false, false}));
  for (const int ranks : {0, 1, 2, 3}) {
    const std::string out = ranks == 0 ? "rod.h5" : "rod-" + std::to_string(ranks) + ".h5";
    const test::Outcome outcome = test::run_sinew(folder, "mesh meshes/rod.msh" + (ranks == 0 ? "" : " -o " + out), ranks);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, out + ": 28 nodes, 6 hex8, 2 quad4; 0.0");
    test::check_contains(outcome.said, " MB, from the 0.00");
    test::check_contains(outcome.said, "groups: \"body\" (volume), \"root\" (surface), \"tip\" (surface)");
    CHECK(files_like(folder, out) == out + ' ');
  }
}

TEST_CASE("a model gives the same bits with a stored mesh as with the file of Gmsh, of every format", "[serial]") {
  const auto folder = test::fresh_folder("stored-meshes-runs");
  for (const auto format : test::all_gmsh_formats) {
    const std::string name = std::string(format.old ? "old" : "new") + (format.binary ? "-binary" : "-text");
    CAPTURE(name);
    test::write_file(folder / (name + ".msh"), test::gmsh_bytes(rod(6), format));
    test::write_file(folder / "gmsh.yaml", solid_model(name + ".msh"));
    test::write_file(folder / "stored.yaml", solid_model(name + ".h5"));
    REQUIRE(test::run_sinew(folder, "mesh " + name + ".msh", format.binary ? 2 : 1).code == 0);
    check_same(folder, "gmsh", "stored", format.old ? 3 : 1);
    check_same(folder, "gmsh", "stored", 2);
  }
}

TEST_CASE("shells and the shapes of rigid bodies take stored meshes too", "[serial]") {
  const auto folder = test::fresh_folder("stored-meshes-bodies");
  test::write_file(folder / "rod.msh", test::gmsh_bytes(rod(4), {false, true}));
  test::write_file(folder / "sail.msh",
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"edge\"\n2 2 \"all\"\n$EndPhysicalNames\n"
                   "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n"
                   "$Elements\n3\n1 1 2 1 1 1 4\n2 3 2 2 2 1 2 5 4\n3 3 2 2 2 2 3 6 5\n$EndElements\n");
  const auto model = [&](const std::string& name, const std::string& ending) {
    test::write_file(folder / (name + ".yaml"),
                     "sinew: 1\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\n"
                     "gravity: [0, 0, -9.81]\nbodies:\n"
                     "  sail: {type: shell, mesh: sail" +
                         ending +
                         ", thickness: 0.05, material: rubber}\n"
                         "  link: {type: rigid, shape: {mesh: rod" +
                         ending +
                         "}, density: 2000, position: [0, 0, 0]}\n"
                         "joints:\n  mast: {type: fixed, connect: [ground, sail.edge]}\n"
                         "  hinge: {type: revolute, connect: [ground, link], axis: [0, 1, 0]}\n"
                         "sensors:\n  sail: {type: point, of: sail.all}\n  link: {type: point, of: link}\n"
                         "analysis: {end_time: 0.02, step: 0.002}\n");
  };
  model("gmsh", ".msh");
  model("stored", ".h5");
  for (const char* mesh : {"rod", "sail"}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("mesh ") + mesh + ".msh");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
  }
  for (const int ranks : {1, 2}) check_same(folder, "gmsh", "stored", ranks);
}

TEST_CASE("a run goes on with a mesh that was stored under the old name, whatever its ending", "[serial]") {
  const auto folder = test::fresh_folder("stored-meshes-restart");
  test::write_file(folder / "rod.msh", test::gmsh_bytes(rod(6), {false, true}));
  test::write_file(folder / "model.yaml", solid_model("rod.msh"));
  REQUIRE(test::run_sinew(folder, "mesh rod.msh -o rod.h5").code == 0);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o whole", 2).code == 0);
  const auto go_on = [&](const std::string& out) {
    const test::Outcome outcome =
        test::run_sinew(folder, "run model.yaml --restart whole/checkpoint-00000002.h5 -sinew_deterministic -o " + out, 3);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    return test::file_text(folder / out / "sensors.csv");
  };
  const std::string of_gmsh = go_on("gmsh");
  fs::rename(folder / "rod.h5", folder / "rod.msh");
  CHECK(of_gmsh.size() > 100);
  CHECK(go_on("stored") == of_gmsh);
}

TEST_CASE("what is no mesh, and a place where something else stands, is refused and nothing is left", "[serial]") {
  const auto folder = test::fresh_folder("stored-meshes-refused");
  const std::string good = test::gmsh_bytes(rod(3), {true, false});
  test::write_file(folder / "good.msh", good);
  test::write_file(folder / "bad.msh", test::gmsh_bytes(rod(3, false), {true, false}));
  test::write_file(folder / "torn.msh", good.substr(0, good.size() / 2));
  test::write_file(folder / "text.msh", "solid ascii stl\n");
  test::write_file(folder / "lines.msh",
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n"
                   "$Elements\n1\n1 1 2 1 1 1 2\n$EndElements\n");
  test::write_file(folder / "notes.txt", "mine\n");
  REQUIRE(test::run_sinew(folder, "mesh good.msh -o stored.h5").code == 0);
  const std::vector<Refusal> rows{
      {"mesh", {"sinew mesh needs more", "mesh is required"}},
      {"mesh good.msh -o ''", {"--output: a file is due, but the name is empty"}},
      {"mesh good.msh -o .", {". is there and is not a file", "-o"}},
      {"mesh good.msh -o notes.txt", {"notes.txt is there and `sinew mesh` has not made it", "-o"}},
      {"mesh good.msh -o good.msh", {"good.msh is there and `sinew mesh` has not made it"}},
      {"mesh good.msh -o none/out.h5", {"none/out.h5: there is no directory none"}},
      {"mesh good.msh -o " + std::string(5000, 'x'), {"letters, more than this MPI opens files with"}},
      {"mesh nowhere.msh -o out.h5", {"nowhere.msh: there is no such mesh file"}},
      {"mesh stored.h5 -o out.h5", {"stored.h5: `sinew mesh` has stored this mesh already"}},
      {"mesh text.msh -o out.h5", {"text.msh:1: not a Gmsh mesh"}},
      {"mesh torn.msh -o out.h5", {"torn.msh:"}},
      {"mesh lines.msh -o out.h5", {"lines.msh: no volume elements"}},
      {"mesh bad.msh -o out.h5", {"bad.msh:", "element 4 (hex8) is inverted", "improve the mesh"}}};
  for (const int ranks : {0, 2})
    for (const Refusal& row : rows) {
      test::check_refused(folder, row, ranks);
      CHECK(files_like(folder, "out") == "");
    }
  CHECK(test::file_text(folder / "notes.txt") == "mine\n");
  CHECK(test::file_text(folder / "good.msh") == good);
  const std::string before = test::file_text(folder / "stored.h5");
  test::check_refused(folder, {"mesh bad.msh -o stored.h5", {"element 4 (hex8) is inverted"}});
  CHECK(test::file_text(folder / "stored.h5") == before);
  CHECK(test::run_sinew(folder, "mesh good.msh -o stored.h5").code == 0);  // an earlier one is replaced
  CHECK(files_like(folder, "stored") == "stored.h5 ");
}

TEST_CASE("a disk that takes no stored mesh ends with exit code 4, and no half of one is left", "[serial]") {
  const auto folder = test::fresh_folder("stored-meshes-disk");
  test::write_file(folder / "rod.msh", test::gmsh_bytes(rod(2000), {false, true}));
  const test::Outcome outcome =
      test::run_shell(folder, "export PMIX_MCA_gds=hash; ulimit -f 64; exec \"$sinew\" mesh rod.msh -o out.h5");
  INFO(outcome.said);
  CHECK(outcome.code == 4);
  test::check_contains(outcome.said, "out.h5.unfinished failed: File too large");
  CHECK(files_like(folder, "out") == "");
}

TEST_CASE("a model that names a damaged stored mesh, or another HDF5 file, is told which and what to do", "[serial]") {
  const auto folder = test::fresh_folder("stored-meshes-damaged");
  test::write_file(folder / "rod.msh", test::gmsh_bytes(rod(6), {false, true}));
  REQUIRE(test::run_sinew(folder, "mesh rod.msh").code == 0);
  test::write_file(folder / "run.yaml", solid_model("rod.h5"));
  REQUIRE(test::run_sinew(folder, "run run.yaml -o earlier").code == 0);
  const std::string good = test::file_text(folder / "rod.h5");
  test::write_file(folder / "short.h5", good.substr(0, good.size() / 2));
  std::string damaged = good;
  damaged[30] = static_cast<char>(damaged[30] ^ 1);  // in the superblock, which has a checksum
  test::write_file(folder / "damaged.h5", damaged);
  test::write_file(folder / "text.h5", "no mesh\n");
  fs::copy_file(folder / "earlier" / "checkpoint-00000004.h5", folder / "checkpoint.h5");
  for (const char* mesh : {"short", "damaged", "text", "checkpoint"}) {
    test::write_file(folder / (std::string(mesh) + ".yaml"), solid_model(std::string(mesh) + ".h5"));
    test::write_file(folder / (std::string(mesh) + "-shape.yaml"),
                     "sinew: 1\nbodies:\n  link: {type: rigid, shape: {mesh: " + std::string(mesh) +
                         ".h5}, density: 2000}\nanalysis: {end_time: 0.02, step: 0.002}\n");
  }
  for (const std::string form : {"", "-shape"})
    for (const int ranks : {0, 2}) {
      test::check_refused(
          folder, {"run short" + form + ".yaml -o out", {"short.h5: it cannot be opened as an HDF5 file", "`sinew mesh`"}},
          ranks);
      test::check_refused(
          folder, {"run damaged" + form + ".yaml -o out", {"damaged.h5: it cannot be opened as an HDF5 file", "`sinew mesh`"}},
          ranks);
      test::check_refused(folder, {"run text" + form + ".yaml -o out", {"text.h5: this is no HDF5 file", "`sinew mesh`"}}, ranks);
      test::check_refused(
          folder,
          {"run checkpoint" + form + ".yaml -o out", {"checkpoint.h5: this HDF5 file is no mesh", "`sinew checkpoint 3`"}},
          ranks);
    }
}
