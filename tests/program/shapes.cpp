// Rigid bodies by shape and density: they move as their mass and inertia ask for, surfaces of CAD programs included.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

using namespace sinew;

namespace {

constexpr double pi = 3.14159265358979323846;

/// The twelve triangles of a box of edges 2, 1, 0.5 with a corner at the origin.
std::vector<std::array<std::array<float, 3>, 3>> box_triangles() {
  const auto corner = [](int k) { return std::array<float, 3>{k & 1 ? 2.0F : 0.0F, k & 2 ? 1.0F : 0.0F, k & 4 ? 0.5F : 0.0F}; };
  std::vector<std::array<std::array<float, 3>, 3>> out;
  for (const auto& f : {std::array{0, 2, 3, 1}, std::array{4, 5, 7, 6}, std::array{0, 1, 5, 4}, std::array{2, 6, 7, 3},
                        std::array{0, 4, 6, 2}, std::array{1, 3, 7, 5}}) {
    out.push_back({corner(f[0]), corner(f[1]), corner(f[2])});
    out.push_back({corner(f[0]), corner(f[2]), corner(f[3])});
  }
  return out;
}

std::string text_stl(std::size_t count, bool inside_out = false) {
  std::string text = "solid box\n";
  const auto all = box_triangles();
  for (std::size_t k = 0; k < count; ++k) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int c : inside_out ? std::array{0, 2, 1} : std::array{0, 1, 2}) {
      text += "   vertex";
      for (const float x : all[k][c]) text.append(" ").append(std::to_string(x));
      text += "\n";
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid box\n";
}

std::string binary_stl() {
  const auto all = box_triangles();
  std::string bytes(80, ' ');
  const auto count = static_cast<std::uint32_t>(all.size());
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  for (const auto& triangle : all) {
    bytes.append(12, '\0');
    bytes.append(reinterpret_cast<const char*>(&triangle), 36);
    bytes.append(2, '\0');
  }
  return bytes;
}

/// A body that hangs on a hinge along y at the middle of its box's short side, given by the shape's own axes.
std::string hanging(const std::string& body) {
  return R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  b: {type: rigid, )" +
         body + R"(, position: [0, 0, 0], points: {o: [0, 0.5, 0.25]}}
joints: {h: {type: revolute, connect: [ground, b.o], axis: [0, 1, 0]}}
sensors: {b: {type: point, of: b, record: [position]}, s: {type: system, record: [mass]}}
analysis: {end_time: 0.8, step: 1e-3}
)";
}

}  // namespace

TEST_CASE("A body given by a surface moves as the box that the surface is", "[serial]") {
  const auto folder = test::fresh_folder("shapes");
  test::write_file(folder / "text.stl", text_stl(12));
  test::write_file(folder / "turned.stl", text_stl(12, true));
  test::write_file(folder / "binary.stl", binary_stl());
  // The box about its middle, and the same by its corner
  const std::string box = "origin: shape, density: 1000, shape: {box: [2, 1, 0.5], position: [1, 0.5, 0.25]}";
  test::write_file(folder / "box.yaml", hanging(box));
  // m (a^2 + c^2)/12 about the centre, as given by hand; from the centre of mass the hinge is 1 m away
  test::write_file(folder / "hand.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  b: {type: rigid, mass: 1000, inertia: [1000*1.25/12, 1000*4.25/12, 1000*5/12], position: [1, 0.5, 0.25],
      points: {o: [-1, 0, 0]}}
joints: {h: {type: revolute, connect: [ground, b.o], axis: [0, 1, 0]}}
sensors: {b: {type: point, of: b, record: [position]}, s: {type: system, record: [mass]}}
analysis: {end_time: 0.8, step: 1e-3}
)");
  std::vector<std::string> models{"box.yaml", "hand.yaml"};
  for (const char* name : {"text", "turned", "binary"}) {
    models.push_back(std::string(name).append(".yaml"));
    const std::string body = "origin: shape, density: 1000, shape: {mesh: {file: NAME.stl, scale: 1}}";
    test::write_file(folder / models.back(), hanging(std::string(body).replace(body.find("NAME"), 4, name)));
  }
  std::optional<std::pair<double, double>> expected;
  for (const std::string& model : models) {
    const test::Outcome outcome = test::run_sinew(folder, "run " + model + " -o out");
    INFO(model << "\n" << outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "out" / "sensors.csv");
    const std::size_t last = table.rows() - 1;
    const double x = table.at("b.position.x", last), z = table.at("b.position.z", last);
    if (!expected) expected = {x, z};
    CHECK(table.at("s.mass", last) == Approx(1000));
    CHECK(x == Approx(expected->first).margin(1e-9));
    CHECK(z == Approx(expected->second).margin(1e-9));
  }
}

TEST_CASE("A physical pendulum by shape swings with the period of its inertia", "[serial]") {
  const auto folder = test::fresh_folder("shape-pendulum");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {steel: {density: 7850, youngs_modulus: 2e11}}
bodies:
  rod: {type: rigid, shape: {cylinder: {diameter: 0.02, length: 1, axis: x}}, material: steel, position: [0, 0, -0.5],
        orientation: {axis: [0, 1, 0], angle: 90 deg}, points: {top: [-0.5, 0, 0]}}
joints: {h: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}}
analysis: {type: modes, about: initial, count: 1}
)");
  const test::Outcome outcome = test::run_sinew(folder, "modes model.yaml -n 1 -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const double J = 0.0001 / 4 + 1.0 / 12 + 0.25, f = std::sqrt(9.81 * 0.5 / J) / (2 * pi);
  CHECK(test::Table(folder / "out" / "modes.csv").at("frequency", 0) == Approx(f).epsilon(1e-6));
}

TEST_CASE("Shapes that are none are refused with their line", "[serial]") {
  const auto folder = test::fresh_folder("broken-shapes");
  test::write_file(folder / "gap.stl", text_stl(11));
  test::write_file(folder / "cut.stl", binary_stl().substr(0, 600));
  const auto refused = [&](const std::string& body, std::vector<std::string> fragments) {
    test::write_file(folder / "model.yaml", hanging(body));
    fragments.insert(fragments.begin(), "model.yaml:4:");
    test::check_refused(folder, {"check model.yaml", fragments});
  };
  refused("density: 1, shape: {mesh: gap.stl}", {"gap.stl: the surface is not closed: 3 edges", "close the gaps"});
  refused("density: 1, shape: {mesh: cut.stl}", {"cut.stl: this is no STL file, or it is cut off"});
  refused("density: 1, shape: {mesh: none.stl}", {"there is no mesh file"});
  refused("shape: {box: [1, 1, 1]}", {"neither density, material nor mass", "add density"});
  refused("density: 1, mass: 2, shape: {box: [1, 1, 1]}", {"a mass and a density"});
  refused("density: 1, shape: {box: [1, -1, 1]}", {"must be positive"});
  refused("density: 1, shape: {cylnder: {radius: 1}}", {"says no form (did you mean 'cylinder'?)"});
  refused("density: 1, shape: {box: [1, 1, 1], sphere: {radius: 1}}", {"has several forms"});
  refused("density: 1, shape: {tube: {diameter: 0.1, thickness: 0.05, length: 1}}", {"as thick as its radius"});
  refused("density: 1, shape: []", {"has no pieces"});
  refused("density: 1, shape: {sphere: {radius: 1}}, origin: corner", {"is 'centre' (of mass) or 'shape', not 'corner'"});
  refused("mass: 1, inertia: [1, 1, 1], density: 5", {"'density' of body 'b' has a meaning beside a shape only"});
}
