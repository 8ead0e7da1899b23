// Solids of few elements that bend, against beam theory, the elastica and each other.

#include "tests/catch.hpp"
#include "tests/physics/curved_mesh.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

namespace sinew {
namespace {

using test::Stationary;

/// A bar along x, clamped at x = 0, with a force across its end.
struct Cantilever {
  double length = 2, thickness = 0.1, youngs = 1e7, nu = 0.3, force = 1e-3;
  const char* elements = "[20, 1, 1]";
  const char* cell = "hex8";
  const char* formulation = "enhanced";
  const char* law = "st-venant-kirchhoff";
  std::string mesh = "";  // a file with the groups u- and u+, in place of the box

  std::string text() const {
    return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: {}, poissons_ratio: {}, law: {}}}}}
bodies:
  b: {{type: solid, {}, formulation: {}, material: m}}
joints:
  wall: {{type: clamp, connect: [ground, b.{axis}-]}}
forces:
  push: {{type: force, on: b.{axis}+, vector: [0, 0, {}]}}
sensors:
  tip: {{type: point, of: b.{axis}+, record: [displacement]}}
analysis: {{type: static, newton: {{tolerance: 1e-10}}}}
)",
                       youngs, nu, law, shape(), formulation, force, fmt::arg("axis", mesh.empty() ? "x" : "u"));
  }
  std::string shape() const {
    if (!mesh.empty()) return "mesh: " + mesh;
    return fmt::format("box: {{size: [{}, {}, {}], elements: {}, element: {}}}", length, thickness, thickness, elements, cell);
  }
  /// The deflection of the end over that of Timoshenko's beam.
  double ratio() const {
    Stationary model(MPI_COMM_SELF, text());
    model.find_rest();
    const double area = thickness * thickness, inertia = area * area / 12, shear = youngs / (2 * (1 + nu));
    const double beam = force * (length * length * length / (3 * youngs * inertia) + length / (5.0 / 6 * shear * area));
    return model.values().at("tip.displacement.z") / beam;
  }
};

/// 2 x .1 x .1 m of n places along it, each cut into two prisms whose triangles lie level or stand upright along the bar.
std::string bar_of_prisms(CellShape shape, int n, bool is_upright) {
  const auto place = [&](double u, double v, double w) {
    return is_upright ? std::array<double, 3>{2 * u, 0.1 * (1 - w), 0.1 * v} : std::array<double, 3>{2 * u, 0.1 * v, 0.1 * w};
  };
  const test::FileMesh mesh = test::bent_box(shape, {n, 1, 1}, false, place);
  return test::write_scratch("bar_of_prisms.msh", test::gmsh_bytes(mesh, {false, false})).string();
}

}  // namespace

TEST_CASE("A cantilever with one solid over its thickness deflects as a beam does", "[serial]") {
  for (const char* law : {"st-venant-kirchhoff", "linear-elastic", "neo-hookean"}) {
    CAPTURE(law);
    CHECK(Cantilever{.law = law}.ratio() == Approx(1).epsilon(0.01));
  }
  CHECK(Cantilever{.nu = 0.499}.ratio() == Approx(1).epsilon(0.015));
  CHECK(Cantilever{.formulation = "displacement"}.ratio() == Approx(0.65).epsilon(0.02));
  for (const char* cell : {"hex20", "hex27"}) {
    CAPTURE(cell);
    CHECK(Cantilever{.cell = cell}.ratio() == Approx(1).epsilon(0.02));
    CHECK(Cantilever{.elements = "[4, 1, 1]", .cell = cell}.ratio() == Approx(0.96).epsilon(0.015));  // its moment is not even
    CHECK(Cantilever{.nu = 0.499, .cell = cell}.ratio() == Approx(0.954).epsilon(0.01));              // the clamp holds its sides
  }
}

TEST_CASE("Quadratic prisms bend as hexahedra do, whichever way they are cut", "[serial]") {
  for (const bool is_upright : {false, true}) {
    CAPTURE(is_upright);
    for (const CellShape shape : {CellShape::prism15, CellShape::prism18}) {
      CAPTURE(shape_info(shape).name);
      CHECK(Cantilever{.mesh = bar_of_prisms(shape, 20, is_upright)}.ratio() == Approx(1).epsilon(0.02));
      CHECK(Cantilever{.mesh = bar_of_prisms(shape, 4, is_upright)}.ratio() == Approx(0.96).epsilon(0.02));
    }
    CHECK(Cantilever{.mesh = bar_of_prisms(CellShape::prism6, 20, is_upright)}.ratio() < 0.7);  // linear ones are stiff
  }
}

// P L^2 = 10 E I. Source: K. Mattiasson (1981), Int. J. Numer. Meth. Engng 17, 145-153, from elliptic integrals.
TEST_CASE("A slender bar of enhanced solids follows the elastica to large deflections", "[serial]") {
  for (const char* law : {"st-venant-kirchhoff", "neo-hookean"}) {
    CAPTURE(law);
    Cantilever bar{.length = 1, .thickness = 0.01, .nu = 0, .law = law};
    bar.force = 10 * bar.youngs * 1e-8 / 12;
    Stationary model(MPI_COMM_SELF, bar.text());
    model.find_rest();
    CHECK(model.values().at("tip.displacement.z") == Approx(0.81061).epsilon(0.005));
    CHECK(model.values().at("tip.displacement.x") == Approx(-0.55500).epsilon(0.01));
  }
}

}  // namespace sinew
