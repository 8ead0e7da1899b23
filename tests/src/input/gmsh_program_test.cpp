// Reads what the program gmsh really writes, where it is installed.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <regex>
#include <string>

#include "base/error.hpp"
#include "input/gmsh.hpp"
#include "tests/catch.hpp"
#include "tests/mesh_volume.hpp"
#include "tests/src/input/mesh_checks.hpp"
#include "tests/src/input/mesh_files.hpp"

using namespace sinew;
using test::misplacement;
using test::size_of;

namespace {

/// Whether the program gmsh can be run; warns if not.
bool have_gmsh() {
  const bool found = std::system("gmsh --version > /dev/null 2>&1") == 0;
  if (!found) WARN("gmsh is not installed: its files are not tested");
  return found;
}

/// Meshes `geometry` in 3D with gmsh and reads the result.
Mesh mesh_with_gmsh(const std::string& geometry, const std::string& options) {
  const auto geo = test::write_scratch("gmsh_program_test.geo", geometry).string();
  const auto msh = test::scratch_path("gmsh_program_test.msh");
  std::filesystem::remove(msh);
  REQUIRE(std::system(("gmsh -v 0 -3 '" + geo + "' -o '" + msh + "' " + options + " > /dev/null 2>&1").c_str()) == 0);
  return read_gmsh(msh);
}

/// A 2 x 1 x 1 block with groups that overlap; two of them have no name.
const std::string block_geometry = R"(
Point(1) = {0, 0, 0, 0.5}; Point(2) = {2, 0, 0, 0.5}; Point(3) = {2, 1, 0, 0.5}; Point(4) = {0, 1, 0, 0.5};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
e[] = Extrude {0, 0, 1} { Surface{1}; };
Physical Volume("steel") = {1};
Physical Volume("all of it") = {1};
Physical Surface("bottom") = {1};
Physical Surface("skin") = {1, e[0], e[2], e[3], e[4], e[5]};
Physical Surface(12) = {1, e[0]};
Physical Curve("edge") = {1};
Physical Point(77) = {1};
)";

/// One hexahedron layer, two cells.
const std::string brick_geometry = R"(
Point(1) = {0, 0, 0, 1};
l[] = Extrude {2, 0, 0} { Point{1}; Layers{2}; };
s[] = Extrude {0.5, 1, 0} { Line{l[1]}; Layers{1}; Recombine; };
v[] = Extrude {0, 0.25, 1} { Surface{s[1]}; Layers{1}; Recombine; };
Physical Volume("brick") = {v[1]};
Physical Surface("bottom") = {s[1]};
)";

}  // namespace

TEST_CASE("What gmsh writes is read alike in both formats, text and binary, first and second order", "[serial]") {
  if (!have_gmsh()) return;
  std::array<std::size_t, 2> points{};
  std::array<int, 2> volumes{};
  for (const std::string format : {"msh22", "msh41"}) {
    for (const std::string binary : {"0", "1"}) {
      for (const int order : {1, 2}) {
        CAPTURE(format, binary, order);
        const auto mesh = mesh_with_gmsh(
            block_geometry, "-format " + format + " -order " + std::to_string(order) + " -setnumber Mesh.Binary " + binary);
        CHECK(mesh.origin.binary == (binary == "1"));
        CHECK(mesh.volumes.at(0).shape == (order == 1 ? CellShape::tet4 : CellShape::tet10));
        CHECK(mesh.faces.at(0).shape == (order == 1 ? CellShape::tri3 : CellShape::tri6));
        const auto i = static_cast<std::size_t>(order - 1);
        if (points[i] == 0) points[i] = mesh.points.size(), volumes[i] = count_cells(mesh, 3);
        CHECK(mesh.points.size() == points[i]);
        CHECK(count_cells(mesh, 3) == volumes[i]);
        CHECK(misplacement(mesh) < 1e-10);
        CHECK_NOTHROW(require_solid_mesh(mesh));
        CHECK(test::total_volume(mesh) == Approx(2).epsilon(1e-13));
        CHECK(size_of(mesh, "steel") == Approx(2).epsilon(1e-13));
        CHECK(size_of(mesh, "all of it") == Approx(2).epsilon(1e-13));
        CHECK(size_of(mesh, "bottom") == Approx(2).epsilon(1e-13));
        CHECK(size_of(mesh, "skin") == Approx(10).epsilon(1e-13));
        CHECK(size_of(mesh, "surface_12") == Approx(4).epsilon(1e-13));
        CHECK(size_of(mesh, "edge") == Approx(2).epsilon(1e-13));
        CHECK(size_of(mesh, "point_77") == 1);
        CHECK(count_cells(mesh, 2) == static_cast<int>(find_group(mesh, "skin")->cells.size()));
      }
    }
  }
}

TEST_CASE("Hexahedra of gmsh with 8, 20 and 27 nodes have their nodes where Sinew's node order says", "[serial]") {
  if (!have_gmsh()) return;
  struct Variant {
    std::string options;
    CellShape volume, face;
  };
  for (const auto& [options, volume, face] :
       {Variant{"-order 1", CellShape::hex8, CellShape::quad4}, Variant{"-order 2", CellShape::hex27, CellShape::quad9},
        Variant{"-order 2 -setnumber Mesh.SecondOrderIncomplete 1", CellShape::hex20, CellShape::quad8}}) {
    CAPTURE(options);
    const auto mesh = mesh_with_gmsh(brick_geometry, options);
    CHECK(mesh.volumes.at(0).shape == volume);
    CHECK(mesh.faces.at(0).shape == face);
    CHECK(misplacement(mesh) < 1e-10);
    CHECK_NOTHROW(require_solid_mesh(mesh));
    CHECK(test::total_volume(mesh) == Approx(2).epsilon(1e-13));
    CHECK(size_of(mesh, "bottom") == Approx(2).epsilon(1e-13));
  }
}

TEST_CASE("Prisms of gmsh with 6, 15 and 18 nodes have their nodes where Sinew's node order says", "[serial]") {
  if (!have_gmsh()) return;
  const std::string wedges =
      std::regex_replace(brick_geometry, std::regex("Layers\\{1\\}; Recombine; \\};\nv"), "Layers{1}; };\nv");
  struct Variant {
    std::string options;
    CellShape volume, bottom, side;
  };
  for (const auto& [options, volume, bottom, side] :
       {Variant{"-order 1", CellShape::prism6, CellShape::tri3, CellShape::quad4},
        Variant{"-order 2", CellShape::prism18, CellShape::tri6, CellShape::quad9},
        Variant{"-order 2 -setnumber Mesh.SecondOrderIncomplete 1", CellShape::prism15, CellShape::tri6, CellShape::quad8}}) {
    CAPTURE(options);
    const auto mesh = mesh_with_gmsh(wedges + "Physical Surface(\"side\") = {v[2]};", options);
    REQUIRE(mesh.volumes.size() == 1);
    CHECK(mesh.volumes[0].shape == volume);
    REQUIRE(mesh.faces.size() == 2);
    CHECK(mesh.faces[0].shape == bottom);
    CHECK(mesh.faces[1].shape == side);
    CHECK(misplacement(mesh) < 1e-10);
    CHECK_NOTHROW(require_solid_mesh(mesh));
    CHECK(test::total_volume(mesh) == Approx(2).epsilon(1e-13));
    CHECK(size_of(mesh, "bottom") == Approx(2).epsilon(1e-13));
  }
}

TEST_CASE("Curved second-order meshes with parametric nodes have nearly the sphere's area and volume", "[serial]") {
  if (!have_gmsh()) return;
  const std::string sphere =
      "SetFactory(\"OpenCASCADE\"); Sphere(1) = {0, 0, 0, 1}; Physical Volume(\"ball\") = {1};\n"
      "Physical Surface(\"skin\") = {1}; Mesh.MeshSizeMax = 0.5;\n";
  for (const std::string format : {"msh22", "msh41"}) {
    for (const std::string binary : {"0", "1"}) {
      const auto mesh = mesh_with_gmsh(
          sphere, "-order 2 -setnumber Mesh.SaveParametric 1 -setnumber Mesh.Binary " + binary + " -format " + format);
      CAPTURE(format, binary);
      CHECK(size_of(mesh, "skin") == Approx(4 * std::numbers::pi).epsilon(2e-3));
      CHECK(size_of(mesh, "ball") == Approx(4 * std::numbers::pi / 3).epsilon(2e-3));
    }
  }
}

TEST_CASE("Without physical groups all volume elements are read, and a surface mesh is refused as a solid", "[serial]") {
  if (!have_gmsh()) return;
  const auto bare = block_geometry.substr(0, block_geometry.find("Physical"));
  CHECK(test::total_volume(mesh_with_gmsh(bare, "-order 1")) == Approx(2).epsilon(1e-13));
  const auto surfaces = mesh_with_gmsh(bare + "Physical Surface(\"bottom\") = {1};", "-order 1");
  CHECK_THROWS_AS(require_solid_mesh(surfaces), InputError);
}
