#include "input/gmsh.hpp"

#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/mesh_volume.hpp"
#include "tests/src/input/mesh_checks.hpp"
#include "tests/src/input/mesh_files.hpp"

using namespace sinew;
using test::misplacement;
using test::size_of;
using test::text_without;

namespace {

/// Writes `bytes` and reads them as a mesh.
Mesh read_bytes(const std::string& bytes) { return read_gmsh(test::write_scratch("gmsh_test.msh", bytes)); }

/// The message of the InputError that reading `bytes` throws; empty if it throws none.
std::string complaint(const std::string& bytes) {
  try {
    read_bytes(bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// `text` with the first `from` replaced by `to`.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// A minimal text file of format 4.1 as one could type it.
const std::string one_tet_41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
)";

/// The same in format 2.2.
const std::string one_tet_22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 2 0 1 1 2 3 4
$EndElements
)";

}  // namespace

TEST_CASE("Every format and both orders give the same points, cells and groups", "[serial]") {
  for (const auto format : test::all_gmsh_formats) {
    for (const int order : {1, 2}) {
      CAPTURE(format.old, format.binary, order);
      const auto mesh = read_bytes(test::gmsh_bytes(test::pyramid(order), format));
      CHECK(mesh.points.size() == (order == 1 ? 5 : 5 + 9));  // the loose node is gone
      CHECK(count_cells(mesh, 3) == 2);
      CHECK(count_cells(mesh, 2) == 3);
      CHECK(test::total_volume(mesh) == Approx(1. / 3).epsilon(1e-14));
      CHECK_NOTHROW(require_solid_mesh(mesh));
      CHECK(misplacement(mesh) < 1e-15);
      CHECK(size_of(mesh, "base") == Approx(1).epsilon(1e-14));
      CHECK(size_of(mesh, "skin") == Approx(1.5).epsilon(1e-14));
      CHECK(size_of(mesh, "body") == Approx(1. / 3).epsilon(1e-14));
      CHECK(size_of(mesh, "half") == Approx(1. / 6).epsilon(1e-14));
      CHECK(size_of(mesh, "curve_5") == Approx(1).epsilon(1e-14));
      CHECK(size_of(mesh, "point_6") == 1);
      CHECK(size_of(mesh, "nobody") == 0);
      CHECK(list_groups(mesh.groups) ==
            "\"body\" (volume), \"half\" (volume), \"base\" (surface), \"skin\" (surface), "
            "\"nobody\" (surface), \"curve_5\" (curve), \"point_6\" (point)");
    }
  }
}

TEST_CASE("Small hand-written files without groups are read, with blank lines, comments and unknown sections", "[serial]") {
  for (const auto& text : {one_tet_22, one_tet_41}) {
    const auto mesh = read_bytes("$Comments\nby hand\n$EndComments\n" + text + "$NodeData\n1\n\"T\"\n$EndNodeData\n\n");
    CHECK(test::total_volume(mesh) == Approx(1. / 6));
    CHECK(mesh.groups.empty());
    CHECK(list_groups(mesh.groups) == "none");
  }
  std::string dos;
  for (const char c : one_tet_41) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(test::total_volume(read_bytes(dos)) == Approx(1. / 6));
}

TEST_CASE("Node numbers may be huge and sparse", "[serial]") {
  auto text = with(one_tet_41, "\n4\n0 0 0", "\n9000000000000\n0 0 0");
  text = with(text, "1 1 2 3 4\n", "1 1 2 3 9000000000000\n");
  CHECK(test::total_volume(read_bytes(text)) == Approx(1. / 6));
}

TEST_CASE("Format 4.1 names elements of a group that takes their entity turned round the other way round", "[serial]") {
  const auto surface = [](const std::string& groups, int type, const std::string& nodes) {
    return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 0\n7 0 0 0 1 1 0 " + groups +
           " 0\n$EndEntities\n$Nodes\n1 9 1 9\n2 7 0 9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"
           "0 0 0\n1 0 0\n1 1 0\n0 1 0\n.5 0 0\n1 .5 0\n.5 1 0\n0 .5 0\n.5 .5 0\n$EndNodes\n$Elements\n1 1 1 1\n2 7 " +
           std::to_string(type) + " 1\n1 " + nodes + "\n$EndElements\n";
  };
  const auto nodes = [](const Mesh& mesh) { return mesh.faces.at(0).nodes; };
  const std::tuple<int, const char*, const char*> shapes[] = {{3, "1 2 3 4", "1 4 3 2"},
                                                              {16, "1 2 3 4 5 6 7 8", "1 4 3 2 8 7 6 5"},
                                                              {10, "1 2 3 4 5 6 7 8 9", "1 4 3 2 8 7 6 5 9"},
                                                              {2, "1 2 3", "1 3 2"},
                                                              {9, "1 2 3 5 6 9", "1 3 2 9 6 5"}};
  for (const auto& [type, listed, turned] : shapes) {
    CAPTURE(type);
    CHECK(nodes(read_bytes(surface("1 -4", type, listed))) == nodes(read_bytes(surface("1 4", type, turned))));
    CHECK(nodes(read_bytes(surface("2 4 5", type, listed))) == nodes(read_bytes(surface("1 4", type, listed))));
  }
  const std::string both = complaint(surface("2 4 -5", 3, "1 2 3 4"));
  CHECK_THAT(both, Catch::Contains("surface 7 is in the physical group 4 as it is and in 5 turned round"));
}

TEST_CASE("Names that several physical numbers share make one group, a name of two dimensions makes two", "[serial]") {
  auto file = test::pyramid(1);
  file.names = {{{2, 1}, "same"}, {{2, 2}, "same"}, {{3, 1}, "same"}};
  for (const auto format : test::all_gmsh_formats) {
    const auto mesh = read_bytes(test::gmsh_bytes(file, format));
    CHECK(size_of(mesh, "same", 2) == Approx(1.5));
    CHECK(size_of(mesh, "same", 3) == Approx(1. / 3));
    CHECK(find_group(mesh, "same")->dimension == 3);
    CHECK(size_of(mesh, "volume_2") == Approx(1. / 6));
  }
}

TEST_CASE("Surface weights are the integrals of the shape functions", "[serial]") {
  const auto mesh = read_bytes(test::gmsh_bytes(test::pyramid(2), {}));
  const auto weights = node_weights(mesh, *find_group(mesh, "base"));
  double sum = 0;
  for (std::size_t i = 0; i < weights.nodes.size(); ++i) {
    sum += weights.weights[i];
    const bool zero = std::abs(weights.weights[i]) < 1e-15;
    const bool sixth = std::abs(weights.weights[i] - 1. / 6) < 1e-15;
    const bool third = std::abs(weights.weights[i] - 1. / 3) < 1e-15;
    CHECK((zero || sixth || third));
  }
  CHECK(sum == Approx(weights.total).epsilon(1e-14));
}

TEST_CASE("Points and surfaces that do not hang on a volume can be removed", "[serial]") {
  auto file = test::pyramid(1);
  file.elements.push_back({2, 2, 1, {7, 10, 99}});
  auto mesh = read_bytes(test::gmsh_bytes(file, {}));
  CHECK(mesh.points.size() == 6);
  const auto removed = remove_loose_points(mesh, 3);
  CHECK(removed.points == 1);
  CHECK(removed.cells == 1);
  CHECK(size_of(mesh, "base") == Approx(1));
  CHECK(size_of(mesh, "skin") == Approx(1.5));
}

TEST_CASE("An inverted or flat element is named with its line and number", "[serial]") {
  const auto demand = [](const std::string& bytes) -> std::string {
    const auto mesh = read_bytes(bytes);
    try {
      require_solid_mesh(mesh);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(text_without(demand(with(one_tet_41, "1 1 2 3 4\n", "5 1 3 2 4\n")), ":19: element 5 (tet4) is inverted") == "");
  CHECK(text_without(demand(with(one_tet_22, "\n4 0 0 1", "\n4 0.5 0.5 0")), ":13: element 1 (tet4) is flat") == "");
  auto bent = test::pyramid(2);
  bent.nodes.back().second = {3, 3, 3};  // a mid-edge node far away
  CHECK(text_without(demand(test::gmsh_bytes(bent, {true, true})), "(tet10) is inverted") == "");
  const auto surface = with(with(one_tet_41, "3 1 4 1\n1 1 2 3 4", "2 1 2 1\n1 1 2 3"), "3 1 0 4", "2 1 0 4");
  CHECK(text_without(demand(surface), "no volume elements") == "");
}

TEST_CASE("A file that is not what it should be is refused with line, reason and remedy", "[serial]") {
  struct Case {
    std::string bytes;
    std::string message;
  };
  const std::vector<Case> cases{
      {"", "is empty"},
      {"solid part\nfacet\n", "gmsh_test.msh:1: not a Gmsh mesh"},
      {"$NOD\n1\n", "format 1"},
      {with(one_tet_41, "4.1 0 8", "4 0 8"), ":2: version 4 is not supported: save as version 4.1"},
      {with(one_tet_41, "4.1 0 8", "4.1 7 8"), ":2: file type 7"},
      {with(one_tet_41, "4.1 0 8", "4.1 1 4"), "numbers of 4 bytes"},
      {"$MeshFormat\n4.1 1 8\n" + std::string("\0\0\0\1\n", 5) + "$EndMeshFormat\n", "another byte order"},
      {with(one_tet_41, "0 1 0\n", "0 nan 0\n"), ":13: expected a node's coordinate (a finite number) in $Nodes, found 'nan'"},
      {with(one_tet_41, "0 1 0\n", "0 1e999 0\n"), ":13: expected a node's coordinate"},
      {with(one_tet_41, "0 1 0\n", "0 x 0\n"), ":13: expected a node's coordinate (a finite number) in $Nodes, found 'x'"},
      {with(one_tet_41, "1 4 1 4", "1 4000000000 1 4"), ":5: the number of nodes is announced as 4000000000, but only"},
      {with(one_tet_41, "1 4 1 4", "1 -4 1 4"), "announced as -4"},
      {with(one_tet_41, "1 4 1 4", "1 5 1 4"), "the blocks hold 4 nodes, the head of the section says 5"},
      {with(one_tet_41, "\n3\n4\n", "\n3\n3\n"), ":10: node 3 is defined twice, first at line 9"},
      {with(one_tet_41, "\n3\n4\n", "\n3\n0\n"), ":10: expected a node's number (1 or larger)"},
      {with(one_tet_22, "\n4 0 0 1", "\n-4 0 0 1"), ":9: node number -4"},
      {with(one_tet_41, "1 1 2 3 4\n", "1 1 2 3 8\n"), ":19: element 1 (tet4) names node 8, which is not among"},
      {with(one_tet_41, "3 1 4 1\n", "3 1 7 1\n"), ":18: element type 7 (5-node pyramid) is not supported: mesh with tetrahedra"},
      {with(one_tet_22, "1 4 2 0 1 1 2 3 4", "1 29 2 0 1 1 2 3 4"),
       "(20-node tetrahedron (third order)) is not supported: set Mesh.ElementOrder"},
      {with(one_tet_22, "1 4 2 0 1 1 2 3 4", "1 999 2 0 1 1 2 3 4"), ":13: element type 999 is not supported"},
      {with(one_tet_41, "3 1 4 1\n", "2 1 4 1\n"), ":18: tet4 elements in an entity of dimension 2"},
      {with(one_tet_41, "$EndNodes\n", ""), "expected $EndNodes in $Nodes, found '$Elements'"},
      {one_tet_41.substr(0, 60), "truncated"},
      {one_tet_41.substr(0, one_tet_41.find("$Elements")), "no $Elements section: mesh the geometry"},
      {with(one_tet_41, "$Nodes\n", "$Knots\n"), "$Knots has no $EndKnots"},
      {one_tet_22 + "$Nodes\n0\n$EndNodes\n", "a second $Nodes section"},
      {with(one_tet_41, "$Nodes\n", "$PartitionedEntities\n"), "partitioned"},
      {with(one_tet_41, "$Nodes\n", "$PhysicalNames\n1\n2 1 skin\n$EndPhysicalNames\n$Nodes\n"), ":6: expected a name in quotes"},
      {with(one_tet_41, "$Nodes\n", "$PhysicalNames\n1\n2 skin\n$EndPhysicalNames\n$Nodes\n"), ":6: expected a line like"},
  };
  for (const auto& [bytes, message] : cases) {
    CAPTURE(message);
    CHECK(text_without(complaint(bytes), message) == "");
  }
}

TEST_CASE("A binary file that ends early is refused with the byte", "[serial]") {
  const auto bytes = test::gmsh_bytes(test::pyramid(1), {false, true});
  const auto message = complaint(bytes.substr(0, bytes.find("$EndElements") - 20));
  CHECK(text_without(message, "gmsh_test.msh: byte ") == "");
  CHECK(text_without(message, "truncated") == "");
}

TEST_CASE("A mesh file that is missing or a directory is refused by name", "[serial]") {
  CHECK_THROWS_AS(read_gmsh(test::scratch_path("no_such_file.msh")), InputError);
  CHECK_THROWS_AS(read_gmsh(test::scratch_path("")), InputError);
}

TEST_CASE("Files with random damage are read or refused, never worse", "[serial]") {
  std::mt19937 random(20240501);
  int refused = 0;
  for (const auto format : test::all_gmsh_formats) {
    for (const int order : {1, 2}) {
      const auto good = test::gmsh_bytes(test::pyramid(order), format);
      for (int trial = 0; trial < 100; ++trial) {
        auto bytes = good;
        const auto at = [&] { return random() % bytes.size(); };
        switch (trial % 4) {
          case 0: bytes.resize(at()); break;
          case 1: bytes[at()] = static_cast<char>(random()); break;
          case 2: bytes.erase(at(), 1 + random() % 8); break;
          default: bytes.insert(at(), std::string(1 + random() % 4, "0123456789-. $\n\xff"[random() % 16]));
        }
        CAPTURE(format.old, format.binary, order, trial);
        try {
          const auto mesh = read_bytes(bytes);
          find_bad_cells(mesh);
          for (const auto& group : mesh.groups) node_weights(mesh, group);
        } catch (const InputError& error) {
          ++refused;
          CHECK(text_without(error.what(), "gmsh_test.msh") == "");
        }
      }
    }
  }
  CHECK(refused > 300);
}
