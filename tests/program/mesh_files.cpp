// Meshes that come as files: what is refused of them, and faces that joints hold.
#include "tests/program/refusals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>
#include <tuple>

using namespace sinew;
using test::Refusal;

namespace {

/// One hexahedron with its end faces x = 0 ("root") and x = 1 ("tip") as groups; `nodes` is the list of the hexahedron's nodes.
std::string mesh_text(const std::string& nodes = "1 2 3 4 5 6 7 8") {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
         "$PhysicalNames\n4\n2 1 \"root\"\n2 2 \"tip\"\n3 3 \"body\"\n2 9 \"nothing\"\n$EndPhysicalNames\n"
         "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n$EndNodes\n"
         "$Elements\n3\n1 3 2 1 1 1 4 8 5\n2 3 2 2 2 2 3 7 6\n3 5 2 3 3 " +
         nodes + "\n$EndElements\n";
}

/// The same with more nodes, a line each, and one more element.
std::string mesh_text_with(const std::string& nodes, const std::string& cells) {
  std::string text = mesh_text();
  const auto count = [](int before, const std::string& lines) {
    return "\n" + std::to_string(before + std::count(lines.begin(), lines.end(), '\n')) + "\n";
  };
  text.replace(text.find("$Nodes\n8\n"), 9, "$Nodes" + count(8, nodes));
  text.insert(text.find("$EndNodes"), nodes);
  text.replace(text.find("$Elements\n3\n"), 12, "$Elements" + count(4, cells));
  return text.insert(text.find("$EndElements"), cells + '\n');
}

/// A solid with that mesh, held at its root, with more joints.
std::string solid_model(const std::string& mesh, const std::string& joints = "", const std::string& material = "rubber") {
  return "sinew: 1\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n"
         "  block: {type: solid, mesh: " +
         mesh + ", material: " + material +
         "}\n"
         "joints:\n  wall: {type: clamp, connect: [ground, block.root]}\n" +
         joints + "analysis: {end_time: 0.002, step: 0.001}\n";
}

std::string digits(double value) {
  std::ostringstream text;
  text << std::setprecision(17) << value;
  return text.str();
}

/// A box of n^3 cubes, each of six tetrahedra with nodes between their corners; its faces x = 0 and z = size are groups.
std::string tetrahedra_text(const double (&size)[3], int n) {
  using Place = std::array<int, 3>;  // in halves of cubes
  std::map<Place, int> tags;
  std::string cells;
  int count = 0;
  const auto tag = [&](const Place& at) { return tags.insert({at, static_cast<int>(tags.size()) + 1}).first->second; };
  const auto add = [&](int type, int group, const std::vector<Place>& corners, const std::vector<std::array<int, 2>>& edges) {
    cells += std::to_string(++count) + ' ' + std::to_string(type) + " 2 " + std::to_string(group) + ' ' + std::to_string(group);
    for (const Place& corner : corners) cells += ' ' + std::to_string(tag(corner));
    for (const auto& [a, b] : edges) {
      Place middle{};
      for (std::size_t c = 0; c < 3; ++c)
        middle[c] = (corners[static_cast<std::size_t>(a)][c] + corners[static_cast<std::size_t>(b)][c]) / 2;
      cells += ' ' + std::to_string(tag(middle));
    }
    cells += '\n';
  };
  for (int cube = 0; cube < n * n * n; ++cube) {
    const Place first{2 * (cube % n), 2 * (cube / n % n), 2 * (cube / n / n)};
    std::array<std::size_t, 3> axes{0, 1, 2};
    for (int turn = 0; turn < 6; ++turn, std::next_permutation(axes.begin(), axes.end())) {
      std::vector<Place> corners{first};  // from corner to corner along three edges of the cube
      for (const std::size_t axis : axes) {
        corners.push_back(corners.back());
        corners.back()[axis] += 2;
      }
      const bool is_even = axes[1] == (axes[0] + 1) % 3;
      if (!is_even) std::swap(corners[1], corners[2]);
      add(11, 3, corners, {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}});
      for (const auto& [group, axis, value] : {std::tuple{1, std::size_t{0}, 0}, {2, std::size_t{2}, 2 * n}}) {
        std::vector<Place> face;
        for (const Place& corner : corners)
          if (corner[axis] == value) face.push_back(corner);
        if (face.size() == 3) add(9, group, face, {{0, 1}, {1, 2}, {2, 0}});
      }
    }
  }
  std::string nodes;
  for (const auto& [at, number] : tags) {
    nodes += std::to_string(number);
    for (std::size_t c = 0; c < 3; ++c) nodes += ' ' + digits(size[c] * at[c] / (2 * n));
    nodes += '\n';
  }
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"root\"\n2 2 \"top\"\n3 3 "
         "\"body\"\n$EndPhysicalNames\n$Nodes\n" +
         std::to_string(tags.size()) + '\n' + nodes + "$EndNodes\n$Elements\n" + std::to_string(count) + '\n' + cells +
         "$EndElements\n";
}

}  // namespace

TEST_CASE("joints hold faces of second-order tetrahedra, whose corners have no share of the face", "[serial]") {
  const auto folder = test::fresh_folder("mesh-tetrahedra");
  const double sizes[][3] = {{0.1, 0.1, 0.1}, {0.3, 0.07, 0.11}, {1.7, 0.9, 0.6}, {33, 7, 19}};
  for (const auto& size : sizes)
    for (const int n : {1, 2, 3}) {
      test::write_file(folder / "box.msh", tetrahedra_text(size, n));
      test::write_file(folder / "model.yaml",
                       solid_model("box.msh", "  hinge: {type: spherical, connect: [block.top, ball]}\n")
                           .replace(solid_model("box.msh").find("joints:"), 0,
                                    "  ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [" + digits(size[0] / 2) +
                                        ", " + digits(size[1] / 2) + ", " + digits(size[2]) + "]}\n"));
      const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
      INFO(size[0] << ' ' << n << '\n' << outcome.said);
      CHECK(outcome.code == 0);
      CHECK(outcome.said.find("warning") == std::string::npos);
    }
}

// The middle of the face that is held lies at 0 but for a rounding, which is another one where ranks add up.
TEST_CASE("a run with a mesh goes on on another number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("mesh-restart");
  test::write_file(folder / "box.msh", tetrahedra_text({0.3, 0.07, 0.11}, 3));
  test::write_file(folder / "model.yaml",
                   "sinew: 1\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n"
                   "  block: {type: solid, mesh: box.msh, material: rubber, position: [-0.15, -0.035, -0.11]}\n"
                   "joints:\n  wall: {type: clamp, connect: [ground, block.top]}\ngravity: [0, 0, -9.81]\n"
                   "analysis: {end_time: 0.004, step: 0.001}\noutput: {checkpoint: {every: 2, keep: 5}}\n");
  for (const int ranks : {1, 2, 3}) {
    const std::string out = "of" + std::to_string(ranks);
    REQUIRE(test::run_sinew(folder, "run model.yaml -o " + out, ranks).code == 0);
    for (const int others : {1, 2, 3}) {
      const test::Outcome outcome = test::run_sinew(
          folder, "run model.yaml --restart " + out + "/checkpoint-00000002.h5 -o then" + std::to_string(10 * ranks + others),
          others);
      INFO(ranks << " ranks, then " << others << '\n' << outcome.said);
      CHECK(outcome.code == 0);
    }
  }
}

TEST_CASE("a mesh that falls into parts is named with their sizes and places, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("mesh-parts");
  std::string nodes, cells;
  int count = 0, elements = 0;
  const auto add = [&](double x, int length) {  // a rod of so many hexahedra along z
    const int first = count;
    for (int k = 0; k <= length; ++k)
      for (const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
        nodes += std::to_string(++count) + ' ' + std::to_string(x + a) + ' ' + std::to_string(b) + ' ' + std::to_string(k) + '\n';
    for (int k = 0; k < length; ++k) {
      cells += std::to_string(++elements + 1) + " 5 2 3 3";
      for (int n = 1; n <= 8; ++n) cells += ' ' + std::to_string(first + 4 * k + n);
      cells += '\n';
    }
  };
  const auto write = [&](const std::string& name) {
    test::write_file(folder / (name + ".msh"),
                     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"root\"\n3 3 \"body\"\n"
                     "$EndPhysicalNames\n$Nodes\n" +
                         std::to_string(count) + '\n' + nodes + "$EndNodes\n$Elements\n" + std::to_string(elements + 1) +
                         "\n1 3 2 1 1 1 2 3 4\n" + cells + "$EndElements\n");
    test::write_file(folder / (name + ".yaml"), solid_model(name + ".msh"));
  };
  add(0, 40);
  write("whole");
  add(1, 5);  // touches the first, but shares no node with it
  add(5, 1);
  write("parts");
  for (const int ranks : {1, 2, 3}) {
    CAPTURE(ranks);
    CHECK(test::run_sinew(folder, "check whole.yaml", ranks).said.find("parts") == std::string::npos);
    const test::Outcome outcome = test::run_sinew(folder, "check parts.yaml", ranks);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(
        outcome.said,
        "parts.yaml:5:3: warning: the mesh of body 'block' falls into 3 parts that share no node: 40 elements about "
        "(0.5, 0.5, 20), 5 elements about (1.5, 0.5, 2.5), 1 element about (5.5, 0.5, 0.5) (if they shall hang");
  }
}

TEST_CASE("elements whose faces do not fit each other are named, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("unlike-cells");
  // A hexahedron of 20 nodes beside the one of 8, on its face x = 1.
  const int corners[8][4] = {{2, 1, 0, 0}, {9, 2, 0, 0},  {10, 2, 1, 0}, {3, 1, 1, 0},
                             {6, 1, 0, 1}, {11, 2, 0, 1}, {12, 2, 1, 1}, {7, 1, 1, 1}};
  const int edges[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  std::string nodes, cell = "4 17 2 3 3";
  const auto add = [&](int tag, double x, double y, double z) {
    nodes += std::to_string(tag) + ' ' + digits(x) + ' ' + digits(y) + ' ' + digits(z) + '\n';
  };
  for (const auto& [tag, x, y, z] : corners) {
    if (tag > 8) add(tag, x, y, z);
    cell += ' ' + std::to_string(tag);
  }
  for (int k = 0; k < 12; ++k) {
    const auto &a = corners[edges[k][0]], &b = corners[edges[k][1]];
    add(13 + k, 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]), 0.5 * (a[3] + b[3]));
    cell += ' ' + std::to_string(13 + k);
  }
  test::write_file(folder / "mixed.msh", mesh_text_with(nodes, cell));
  test::write_file(folder / "model.yaml", solid_model("mixed.msh"));
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, "model.yaml:5:3: warning: the mesh of body 'block' has elements of hex8 and hex20");
  }
}

TEST_CASE("triangles on quadrilaterals are named, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("glued-faces");
  // Two tetrahedra on the face x = 1 of the hexahedron.
  test::write_file(folder / "glued.msh", mesh_text_with("9 2 0.5 0.5\n", "4 4 2 3 3 2 3 7 9\n5 4 2 3 3 2 7 6 9"));
  test::write_file(folder / "glued.yaml", solid_model("glued.msh"));
  for (const int ranks : {1, 2, 3}) {
    const test::Outcome outcome = test::run_sinew(folder, "check glued.yaml", ranks);
    INFO(ranks << '\n' << outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said,
                         "glued.yaml:5:3: warning: the mesh of body 'block' joins triangles to 1 of its quadrilaterals, one at "
                         "(1, 0.5, 0.5): between their corners");
  }
}

TEST_CASE("elements of a group that lie beside the body or are of another order are named, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("group-elements");
  // a second face of the group that is held, on nodes of its own
  test::write_file(folder / "beside.msh", mesh_text_with("9 0 5 0\n10 0 6 0\n11 0 6 1\n12 0 5 1\n", "4 3 2 1 1 9 10 11 12"));
  test::write_file(folder / "beside.yaml", solid_model("beside.msh"));
  std::istringstream whole(tetrahedra_text({1, 1, 1}, 1));
  std::string simple;  // the triangles without the nodes in the middle of their edges
  for (std::string line; std::getline(whole, line); simple += line + '\n')
    if (const auto at = line.find(" 9 2 "); at != std::string::npos) {
      line.replace(at, 3, " 2 ");
      for (int node = 0; node < 3; ++node) line.resize(line.rfind(' '));
    }
  test::write_file(folder / "simple.msh", simple);
  test::write_file(folder / "simple.yaml", solid_model("simple.msh"));
  for (const int ranks : {1, 2, 3}) {
    CAPTURE(ranks);
    const test::Outcome outcome = test::run_sinew(folder, "check beside.yaml", ranks);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said,
                         "beside.yaml:5:3: warning: the mesh of body 'block': 1 element of its group 'root' has nodes that no "
                         "element of the body has");
    const test::Outcome refused = test::run_sinew(folder, "check simple.yaml", ranks);
    INFO(refused.said);
    CHECK(refused.code == 2);
    test::check_contains(
        refused.said,
        "simple.yaml:5:3: error: the mesh of body 'block': 2 elements of its group 'root' are of first order and "
        "those of the body of second");
  }
}

TEST_CASE("normals of a surface under pressure that point to opposite sides are named, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("mesh-sides");
  const auto write = [&](const std::string& name, const std::string& second) {  // three squares in a row
    test::write_file(folder / (name + ".msh"),
                     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"all\"\n$EndPhysicalNames\n"
                     "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 3 0 0\n5 0 1 0\n6 1 1 0\n7 2 1 0\n8 3 1 0\n$EndNodes\n"
                     "$Elements\n3\n1 3 2 1 1 1 2 6 5\n2 3 2 1 1 " +
                         second + "\n3 3 2 1 1 3 4 8 7\n$EndElements\n");
    test::write_file(folder / (name + ".yaml"),
                     "sinew: 1\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n"
                     "  sail: {type: shell, mesh: " +
                         name + ".msh, thickness: 0.01, material: rubber}\nforces:\n" +
                         "  wind: {type: pressure, on: sail.all, pressure: 1}\nanalysis: {end_time: 0.002, step: 0.001}\n");
  };
  write("alike", "2 3 7 6");
  write("odd", "6 7 3 2");
  for (const int ranks : {1, 2, 3}) {
    CAPTURE(ranks);
    CHECK(test::run_sinew(folder, "check alike.yaml", ranks).said.find("normals") == std::string::npos);
    const test::Outcome outcome = test::run_sinew(folder, "check odd.yaml", ranks);
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said,
                         "odd.yaml:5:3: warning: body 'sail' bears a pressure or traction, and elements on the two sides of 2 of "
                         "its edges, one at (1, 0.5, 0) of the mesh");
  }
}

TEST_CASE("a shell of warped quadrilaterals is warned of, on any number of ranks, flat ones and triangles are not", "[serial]") {
  // a strip 1 m wide, of 4 elements 1 m long, each turned by `turn` against the one before: their warp is sin(turn)/4
  const auto strip = [](double turn, bool divided) {
    std::ostringstream mesh;
    mesh << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
    for (int k = 0; k < 5; ++k)
      mesh << 2 * k + 1 << ' ' << k << " 0 0\n"
           << 2 * k + 2 << ' ' << k << ' ' << std::cos(k * turn) << ' ' << std::sin(k * turn) << '\n';
    mesh << "$EndNodes\n$Elements\n" << (divided ? 8 : 4) << '\n';
    for (int k = 0, number = 0; k < 4; ++k) {
      const int a = 2 * k + 1, b = a + 2, c = a + 3, d = a + 1;
      if (divided) {
        mesh << ++number << " 2 2 1 1 " << a << ' ' << b << ' ' << c << '\n';
        mesh << ++number << " 2 2 1 1 " << a << ' ' << c << ' ' << d << '\n';
      } else {
        mesh << ++number << " 3 2 1 1 " << a << ' ' << b << ' ' << c << ' ' << d << '\n';
      }
    }
    mesh << "$EndElements\n";
    return mesh.str();
  };
  const auto folder = test::fresh_folder("warped");
  const auto said = [&](double turn, bool divided, int ranks) {
    test::write_file(folder / "strip.msh", strip(turn, divided));
    test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {m: {density: 1, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies: {strip: {type: shell, mesh: strip.msh, thickness: 0.02, material: m}}
analysis: {end_time: 1, step: 0.1}
)");
    const test::Outcome outcome = test::run_sinew(folder, "check model.yaml", ranks);
    CHECK(outcome.code == 0);
    return outcome.said;
  };
  for (const int ranks : {0, 3})
    test::check_contains(
        said(0.2, false, ranks),
        "model.yaml:3:10: warning: the mesh of body 'strip': 4 of its 4 elements are quadrilaterals whose corners "
        "leave their plane by more than half the thickness, by up to 2.5 times");
  CHECK(said(0.2, true, 0).find("corners") == std::string::npos);
  CHECK(said(0.02, false, 0).find("corners") == std::string::npos);
}

TEST_CASE("a mesh file that does not fit is refused by name", "[serial]") {
  const auto folder = test::fresh_folder("mesh-files");
  const std::string whole = mesh_text();
  test::write_file(folder / "good.msh", whole);
  test::write_file(folder / "inverted.msh", mesh_text("5 6 7 8 1 2 3 4"));
  test::write_file(folder / "truncated.msh", whole.substr(0, whole.size() / 2));
  test::write_file(folder / "missing-node.msh", mesh_text("1 2 3 4 5 6 7 99"));
  test::write_file(folder / "not-a-mesh.msh", "solid ascii stl\n");
  test::write_file(folder / "empty.msh", "");
  std::filesystem::create_directory(folder / "directory.msh");
  const auto model = [&](const std::string& name, const std::string& text) { test::write_file(folder / (name + ".yaml"), text); };
  for (const char* mesh : {"good", "inverted", "truncated", "missing-node", "not-a-mesh", "empty", "directory", "nowhere"})
    model(mesh, solid_model(std::string(mesh) + ".msh"));
  model("surface", solid_model("good.msh", "  pin: {type: spherical, connect: [ground, block.tipp]}\n"));
  model("volume", solid_model("good.msh", "  pin: {type: spherical, connect: [ground, block.body]}\n"));
  model("hollow", solid_model("good.msh", "  pin: {type: spherical, connect: [ground, block.nothing]}\n"));
  model("clamp", solid_model("good.msh", "  hold: {type: clamp, connect: [ground, block.back]}\n"));
  model("material", solid_model("good.msh", "", "{bdy: rubber}"));
  model("sensor", solid_model("good.msh", "sensors:\n  end: {type: point, of: block.end}\n"));
  model("force", solid_model("good.msh", "forces:\n  pull: {type: force, on: block.end, vector: [1, 0, 0]}\n"));
  test::write_file(folder / "curved.msh",  // a triangle of second order
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 .5 0 0\n5 .5 .5 0\n6 0 .5 0\n"
                   "$EndNodes\n$Elements\n1\n1 9 2 1 1 1 2 3 4 5 6\n$EndElements\n");
  model("curved",
        "sinew: 1\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n"
        "  sail: {type: shell, mesh: curved.msh, thickness: 0.01, material: rubber}\nanalysis: {end_time: 0.002, step: 0.001}\n");
  const std::vector<Refusal> rows{
      {"run curved.yaml -o out",
       {"curved.yaml:5:29: error: the mesh of body 'sail' has cells of shape tri6, of which no shell is made", "tri3 and quad4"}},
      {"run nowhere.yaml -o out", {"nowhere.yaml:5:", "no mesh file", "nowhere.msh"}},
      {"run truncated.yaml -o out", {"truncated.msh"}},
      {"run inverted.yaml -o out", {"inverted.msh:", "element 3 (hex8)"}},
      {"run missing-node.yaml -o out", {"missing-node.msh:", "99"}},
      {"run not-a-mesh.yaml -o out", {"not-a-mesh.msh"}},
      {"run empty.yaml -o out", {"empty.msh"}},
      {"run good.msh", {"good.msh:1:1: error: this is a mesh of Gmsh", "name the YAML model file"}},
      {"run directory.yaml -o out", {"directory.msh"}},
      {"run surface.yaml -o out",
       {"surface.yaml:8:", "place 'block.tipp'", "no surface, curve or point group 'tipp'", "\"root\" (surface)"}},
      {"run volume.yaml -o out", {"volume.yaml:8:", "'block.body' is a volume of the mesh", "\"body\" (volume)"}},
      {"run hollow.yaml -o out",
       {"hollow.yaml:8:", "no surface, curve or point group 'nothing'", "(surface, none of its elements on the body)"}},
      {"run clamp.yaml -o out", {"clamp.yaml:8:", "no surface, curve or point group 'back'"}},
      {"run material.yaml -o out", {"material.yaml:5:", "no volume group 'bdy'"}},
      {"run sensor.yaml -o out", {"sensor.yaml:9:", "no surface, curve or point group 'end'"}},
      {"run force.yaml -o out", {"force.yaml:9:", "no surface, curve or point group 'end'"}},
      {"check surface.yaml", {"surface.yaml:8:"}}};
  for (const Refusal& row : rows) test::check_refused(folder, row);
  const test::Outcome good = test::run_sinew(folder, "run good.yaml -o results");
  INFO(good.said);
  CHECK(good.code == 0);
}
