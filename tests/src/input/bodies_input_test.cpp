// Bodies of a model file: their nodes and points, clamps, sections, meshes of boxes.
#include "model/box_grid.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/instances.hpp"
#include "tests/src/input/read_text.hpp"
#include "tests/src/input/test_catalogue.hpp"

#include <cmath>

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::read_text;

TEST_CASE("a global angular velocity becomes one in body axes", "[serial]") {
  const Model model = read(
      "bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [1, 2, 3],"
      " orientation: {quaternion: [0, 0, 0, 1]}}}\n" +
      analysis);
  check_vector(rigid_body_instance(model, 0, 0).twist.omega, {{-1, -2, 3}});
  REQUIRE(model.warnings.size() == 1);
  test::check_contains(model.warnings[0], "model.yaml:1:1: warning: the file does not say its version (begin it with sinew: 1)");
}

TEST_CASE("a cable has evenly spaced nodes, ends and points", "[serial]") {
  const Model model = read(R"(sinew: 1
constants: {N: 8}
materials: {steel: {density: 1000, youngs_modulus: 1e7}}
sections: {hose: {area: 0.01, iy: 5e-6, iz: 5e-6, j: 1e-5}}
bodies:
  boom{i}:
    repeat: {i: 1..3}
    type: cable
    line: {from: [0, i, 0], to: [4, i, 0], elements: N}
    section: hose
    material: steel
    angular_velocity: [0, 0, 2]
    points: {mid: {at: 0.5}, third: {at: 1/3}}
joints:
  a: {type: spherical, connect: [ground, boom2.start]}
  b{i}: {repeat: {i: 1..2}, type: distance, connect: ["boom{i}.node[i]", "boom{i+1}.node[{2*i}]"]}
  c: {type: distance, connect: [boom1.mid, boom3.end]}
  d: {type: distance, connect: [boom1.third, boom3.end]}
)" + analysis);
  CHECK(model.body_at(0).line()->num_elements == 8);
  const CableInstance cable = cable_instance(model, 0, 1);
  CHECK(cable.axial_stiffness == Approx(1e5));
  CHECK(cable.bending_stiffness == Approx(50));
  CHECK(cable.mass_per_length == Approx(10));
  CHECK(cable.element_length(3) == Approx(0.5));
  check_vector(cable.node(8).x, {{4, 2, 0}});
  check_vector(cable.node(4).v, {{0, 4, 0}});
  check_vector(cable.node(4).slope_rate, {{0, 2, 0}});
  CHECK(model.places(model.joints[0], 0)[1].node == 0);
  CHECK(model.places(model.joints[1], 1)[1].node == 4);
  CHECK(model.places(model.joints[2], 0)[0].anchor == Anchor::node);
  CHECK(model.places(model.joints[2], 0)[0].node == 4);
  const PlaceRef third = model.places(model.joints[3], 0)[0];
  CHECK(third.anchor == Anchor::station);
  CHECK(third.station.element == 2);
  CHECK(third.station.xi == Approx(2.0 / 3));
}

TEST_CASE("a cable through listed points has unit tangents", "[serial]") {
  const Model model = read(R"(sinew: 1
sections: {rope: {stiffness: [1e5, 0, 0, 0, 50, 50], inertia: [1, 1, 1, 0, 0, 0]}}
bodies:
  rope: {type: cable, points: [[0, 0, 0], [1, 1, 0], [2, 4, 0], [3, 9, 0]], section: rope}
  other: {type: cable, line: {points: [[0, 0, 0], [1, 0, 0]]}, points: {mid: {at: 0.5}}, section: rope}
)" + analysis);
  const CableInstance rope = cable_instance(model, 0, 0);
  CHECK(rope.num_elements == 3);
  CHECK(rope.axial_stiffness == 1e5);
  CHECK(rope.bending_stiffness == 50);
  CHECK(rope.mass_per_length == 1);
  for (int k = 0; k < 4; ++k) CHECK(norm(rope.node(k).slope) == Approx(1));
  CHECK(rope.node(0).slope[1] < rope.node(1).slope[1]);
  CHECK(rope.station(1.0).element == 2);
  CHECK(rope.station(0.0).xi == 0);
  CHECK(cable_instance(model, 1, 0).num_elements == 1);
}

TEST_CASE("a box is a solid without a mesh file", "[serial]") {
  const Model model = read(R"(sinew: 1
materials: {soft: {law: neo-hookean, density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  block: {type: solid, box: {size: [2, .5, .5], elements: [40, 10, 10], order: 1}, material: soft}
joints:
  wall: {type: clamp, connect: [ground, block.x-]}
)" + analysis);
  const auto& box = model.body_at(0).meshed()->box;
  REQUIRE(box.has_value());
  CHECK(box->elements == std::array<int, 3>{40, 10, 10});
  CHECK(model.places(model.joints[0], 0)[1].group == "x-");
  test::check_contains(to_text(model), "degrees of freedom: 14883");
}

TEST_CASE("a box has as many degrees of freedom as its mesh has points", "[serial]") {
  for (const CellShape cell : {CellShape::hex8, CellShape::hex20, CellShape::hex27}) {
    const std::string name(shape_info(cell).name);
    const Model model = read(R"(sinew: 1
materials: {soft: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies: {block: {type: solid, box: {size: [3, 1, 2], elements: [4, 3, 5], element: )" +
                             name + R"(}, material: soft}}
)" + analysis);
    INFO(name);
    CHECK(model.body_at(0).size().nodes == BoxGrid({3, 1, 2}, {4, 3, 5}, cell).num_points());
    CHECK(model.body_at(0).size().elements == 60);
  }
}

TEST_CASE("a clamp of components holds every node in these directions, and a body that turns at a place", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  b: {type: point-mass, mass: 1, position: [1, 0, 0]}
joints:
  all: {type: clamp, connect: [ground, b], components: [z, y, x]}
  some: {type: clamp, connect: [b, ground], components: [z, x]}
  one: {type: clamp, connect: [ground, a], components: y}
)" + analysis);
  CHECK(model.joints[0].type == "clamp");
  CHECK(model.joints[0].components.empty());
  CHECK(model.joints[1].type == "coordinate-fixed");
  CHECK(model.joints[1].components == std::vector<int>{0, 2});
  CHECK(model.joints[2].type == "coordinate-fixed");
  CHECK(model.joints[2].components == std::vector<int>{1});
}

TEST_CASE("a clamp to a body is the joint that holds each node there", "[serial]") {
  const Model model = read(R"(sinew: 1
materials: {rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  b: {type: point-mass, mass: 1, position: [1, 0, 0]}
  c: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  box: {type: solid, box: {size: [1, 1, 1], elements: [1, 1, 1]}, material: rubber}
  plate: {type: shell, plate: {size: [1, 1], elements: [1, 1]}, thickness: 0.1, material: rubber}
joints:
  point: {type: clamp, connect: [a, b]}
  body: {type: clamp, connect: [a, c]}
  face: {type: clamp, connect: [a, box.x-]}
  edge: {type: clamp, connect: [a, plate.x-]}
  between: {type: clamp, connect: [box.x+, plate.x+]}
  some: {type: clamp, connect: [a, box.y-], components: [z, x]}
)" + analysis);
  const std::pair<const char*, bool> expected[] = {{"spherical", true}, {"fixed", false}, {"spherical", true},
                                                   {"fixed", true},     {"fixed", true},  {"point-on-plane", true}};
  for (std::size_t k = 0; k < 6; ++k) {
    CAPTURE(k);
    CHECK(model.joints[k].type == expected[k].first);
    CHECK(model.joints[k].holds_all_nodes == expected[k].second);
    CHECK(is_held_by_body(model.joints[k]));
  }
  CHECK(model.joints[5].components == std::vector<int>{0, 2});
}

TEST_CASE("a clamp of a rigid body is a fixed joint", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints: {wall: {type: clamp, connect: [ground, a]}}
)" + analysis);
  CHECK(model.joints[0].type == "fixed");
  CHECK(test::small_catalogue().joints[static_cast<std::size_t>(model.joints[0].type_index)].name == "fixed");
}

TEST_CASE("cross-sections have their areas and second moments", "[serial]") {
  const Model model = read(R"(sinew: 1
sections:
  rod: {shape: circle, diameter: 0.02}
  pipe: {shape: tube, diameter: 0.02, thickness: 0.002}
  bar: {shape: rectangle, width: 0.02, height: 0.03}
  profile: {shape: ibeam, width: 0.1, height: 0.2, flange: 0.01, web: 0.006}
  box: {shape: box, width: 0.06, height: 0.1, thickness: 0.004}
  thin: {shape: box, width: 1, height: 1, thickness: 1e-6}
  webs: {shape: box, width: 1e-4, height: 1, thickness: 1e-5}
bodies: {p: {type: point-mass, mass: 1, position: [0, 0, 0]}}
)" + analysis);
  const double pi = std::acos(-1.0);
  CHECK(model.sections[0].area == Approx(pi * 1e-4));
  CHECK(model.sections[0].iy == Approx(pi / 4 * 1e-8));
  CHECK(model.sections[0].j == Approx(pi / 2 * 1e-8));
  CHECK(model.sections[1].area == Approx(pi / 4 * (4e-4 - 2.56e-4)));
  CHECK(model.sections[2].iy == Approx(0.02 * 27e-6 / 12));
  CHECK(model.sections[2].iz == Approx(0.03 * 8e-6 / 12));
  // 0.1957607 a b^3 at a = 1.5 b
  CHECK(model.sections[2].j == Approx(0.1957607 * 0.03 * 8e-6).epsilon(1e-6));
  CHECK(model.sections[3].area == Approx(2 * 0.1 * 0.01 + 0.18 * 0.006));
  const Section& box = model.sections[4];
  CHECK(box.area == Approx(0.06 * 0.1 - 0.052 * 0.092));
  CHECK(box.iy == Approx((0.06 * 1e-3 - 0.052 * std::pow(0.092, 3)) / 12));
  CHECK(box.iz == Approx((0.1 * 0.06 * 0.06 * 0.06 - 0.092 * std::pow(0.052, 3)) / 12));
  CHECK(box.j == Approx(4 * std::pow(0.056 * 0.096, 2) * 0.004 / (2 * (0.056 + 0.096))));
  // A thin square: J = t a^3, and its shear factor by Cowper (1966), 20 (1 + nu)/(48 + 39 nu)
  CHECK(model.sections[5].j == Approx(1e-6).epsilon(1e-5));
  for (const double nu : {0.0, 0.3})
    for (const ShearFactor& factor : model.sections[5].shear) CHECK(factor.at(nu) == Approx(20 * (1 + nu) / (48 + 39 * nu)));
  // Webs alone are a rectangle.
  CHECK(model.sections[6].shear[1].at(0.3) == Approx(ShearFactor{10, 12, 11}.at(0.3)).epsilon(0.02));
}

TEST_CASE("a six by six matrix is given by its diagonal or by rows", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [[2, 0, 0], [0, 3, 0.5], [0, 0.5, 4]], position: [0, 0, 0]}
forces:
  soft: {type: bushing, connect: [ground, a], stiffness: [1, 2, 3, 4, 5, 6]}
)" + analysis);
  const auto values = model.fields(model.forces[0], 0).at("stiffness");
  REQUIRE(values.size() == 36);
  CHECK(values[7] == 2);
  CHECK(values[1] == 0);
  CHECK(rigid_body_instance(model, 0, 0).inertia(1, 2) == 0.5);
}
