#include "base/error.hpp"
#include "input/model_reader.hpp"
#include "model/box_grid.hpp"
#include "model/check.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/instances.hpp"
#include "tests/src/input/test_catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinew;
using namespace sinew::test;

namespace {

Model read(const std::string& text, const std::string& path = "model.yaml") {
  return read_model_text(text, path, test::small_catalogue());
}

void check_vector(const Vec3<double>& found, const Vec3<double>& expected) {
  for (int k = 0; k < 3; ++k) CHECK(found[k] == Approx(expected[k]).margin(1e-14));
}

const std::string analysis = "analysis: {end_time: 1.0, step: 1e-2}\n";

}  // namespace

TEST_CASE("the heavy top is a short model file", "[serial]") {
  const Model model = read(R"(sinew: 1
title: Heavy top
constants: {rate: 150}
gravity: [0, 0, -9.81]
bodies:
  top:
    type: rigid
    mass: 15
    inertia: [0.234375, 0.46875, 0.234375]
    position: [0, 1, 0]
    orientation: {axis: [0, 0, 2], angle: 90 deg}
    velocity: [4.61538, 0, 0]
    angular_velocity_local: [0, rate, -4.61538]
    points: {pivot: [0, -1, 0]}
joints:
  pivot: {type: spherical, connect: [ground, top.pivot]}
sensors:
  center: {type: point, of: top, record: [position, orientation, acceleration]}
  reaction: {type: joint, of: pivot, record: force}
analysis: {end_time: 2, step: 1e-3, rho_inf: 0.9, start: kkt2, newton: {tolerance: 1e-12}}
output: {sensors: {every: 10}, checkpoint: {every: 600 s}, fields: {every: 1e-2, quantities: [displacement, velocity]}}
)",
                           "tops/heavy-top.yaml");
  CHECK(model.warnings.empty());
  CHECK(model.title == "Heavy top");
  const RigidBodyInstance top = rigid_body_instance(model, 0, 0);
  CHECK(top.mass == 15);
  CHECK(top.inertia(1, 1) == 0.46875);
  CHECK(top.inertia(0, 1) == 0);
  check_vector(top.frame.x, {{0, 1, 0}});
  check_vector(column(top.frame.R, 0), {{0, 1, 0}});
  check_vector(top.twist.omega, {{0, 150, -4.61538}});
  const auto places = model.places(model.joints[0], 0);
  CHECK(places[0].is_ground);
  CHECK(places[0].anchor == Anchor::unlocated);
  CHECK(places[1].body.item == 0);
  check_vector(places[1].point, {{0, -1, 0}});
  CHECK(model.analysis.start == StartMethod::kkt2);
  CHECK(model.analysis.newton.tolerance == 1e-12);
  CHECK(model.output.directory == "heavy-top.out");
  CHECK(model.output.sensors.unit == Interval::Unit::steps);
  CHECK(model.output.fields.unit == Interval::Unit::simulated);
  CHECK(model.output.checkpoint.unit == Interval::Unit::wall_clock);
  CHECK(model.output.checkpoint.value == 600);
  CHECK(model.output.kept_checkpoints == 2);
  REQUIRE(model.sensors[1].words.size() == 1);
  CHECK(model.sensors[1].words[0].text == "force");
  CHECK(quantity_components(SensorKind::point, Quantity::orientation).size() == 4);
}

TEST_CASE("a global angular velocity becomes one in body axes", "[serial]") {
  const Model model = read(
      "bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [1, 2, 3],"
      " orientation: {quaternion: [0, 0, 0, 1]}}}\n" +
      analysis);
  check_vector(rigid_body_instance(model, 0, 0).twist.omega, {{-1, -2, 3}});
  REQUIRE(model.warnings.size() == 1);
  test::check_contains(model.warnings[0], "model.yaml:1:1: warning: the file does not say its version (begin it with sinew: 1)");
}

TEST_CASE("a point's name may hold its body's index, and the first point of a name is taken", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies:
  "hub{k}":
    repeat: {k: 1..3}
    type: rigid
    mass: 1
    inertia: [1, 1, 1]
    position: [0, 0, k]
    points: {"p{k}_1": [1, 0, 0], p2_1: [2, 0, 0], "p{k/2}": [3, 0, 0], "p{k}_2": [4, k, 0]}
forces:
  own: {type: force, on: hub2.p2_1, vector: [1, 0, 0]}
  other: {type: force, on: hub3.p2_1, vector: [1, 0, 0]}
  half: {type: force, on: hub2.p1, vector: [1, 0, 0]}
  "each{i}": {repeat: {i: 1..3}, type: force, on: "hub{i}.p{i}_2", vector: [1, 0, 0]}
)" + analysis);
  const auto point = [&](int force, std::int64_t instance) { return model.places(model.forces[force], instance)[0].point; };
  check_vector(point(0, 0), {{1, 0, 0}});
  check_vector(point(1, 0), {{2, 0, 0}});
  check_vector(point(2, 0), {{3, 0, 0}});
  check_vector(point(3, 2), {{4, 3, 0}});
}

TEST_CASE("a million links are a few lines, and each is found in the same time", "[serial]") {
  const Model model = read(R"(sinew: 1
constants: {N: 1000000, L: 10, l: L/N, m: l, d: 0.1*l}
gravity: [0, 0, -9.81]
bodies:
  link{i}:
    repeat: {i: 1..N}
    type: rigid
    mass: m
    inertia: [m/12*2*d^2, m/12*(l^2+d^2), m/12*(l^2+d^2)]
    position: [(i-0.5)*l, 0, 0]
    velocity: [0, 2*(i-0.5)*l, 0]
    angular_velocity: [0, 0, 2]
    points: {start: [-l/2, 0, 0], end: [l/2, 0, 0]}
joints:
  pin: {type: spherical, connect: [ground, link1.start]}
  joint{i}: {repeat: {i: 2..N}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
sensors:
  tip: {type: point, of: link1000000.end}
  every{i}: {repeat: {i: 1..10}, type: point, of: "link{1000*i}"}
  mass: {type: system, record: mass, of: ["link{i}"]}
)" + analysis);
  CHECK(model.num_bodies() == 1000000);
  CHECK(model.num_joints() == 1000000);
  CHECK(rigid_body_instance(model, 0, 999999).frame.x[0] == Approx(10 - 0.5e-5));
  const auto places = model.places(model.joints[1], 499999);
  CHECK(model.body_name(0, places[0].body.instance) == "link500000");
  CHECK(model.body_name(0, places[1].body.instance) == "link500001");
  CHECK(places[0].point[0] == Approx(0.5e-5));
  CHECK(model.joint_name(1, 0) == "joint2");
  CHECK(model.sensors[2].bodies[0].all_of == 0);
  CHECK(model.place(*model.sensors[1].place, {7, 0}).body.instance == 6999);
}

TEST_CASE("a net of two indices connects its neighbours", "[serial]") {
  const Model model = read(R"(sinew: 1
constants: {M: 4, N: 6}
bodies:
  knot{i}_{j}: {repeat: {i: 0..M-1, j: 0..N-1}, type: point-mass, mass: 0.1, position: [i, j, 0]}
joints:
  row{i}_{j}: {repeat: {i: 0..M-1, j: 0..N-2}, type: distance, connect: ["knot{i}_{j}", "knot{i}_{j+1}"]}
  corner: {type: guide, connect: [ground, knot0_0], open: [x, z]}
forces:
  hold{j}: {repeat: {j: 0..N-1}, type: spring-damper, connect: [ground, "knot0_{j}"], stiffness: 10*(j+1)}
)" + analysis);
  CHECK(model.num_bodies() == 24);
  const auto places = model.places(model.joints[0], 7);  // i = 1, j = 2
  CHECK(model.body_name(0, places[0].body.instance) == "knot1_2");
  CHECK(model.body_name(0, places[1].body.instance) == "knot1_3");
  CHECK(model.fields(model.joints[1], 0).at("open") == std::vector<double>{1, 0, 1});
  CHECK(model.fields(model.forces[0], 3).number("stiffness") == 40);
  CHECK(model.places(model.forces[0], 0)[0].anchor == Anchor::point);
  CHECK_FALSE(model.fields(model.joints[0], 0).has("distance"));
}

TEST_CASE("the flexible slider-crank is understood", "[serial]") {
  const std::filesystem::path folder = test::scratch_path("good-models");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "rod.msh") << "the reader of the model does not look into it";
  const Model model = read(R"yaml(sinew: 1
constants: {L: 0.3, omega: 150}
materials:
  steel: {density: 7870, youngs_modulus: 2.0e11, poissons_ratio: 0.3, damping: {alpha: 1, beta: 2e-6}, viscosity: 3}
bodies:
  crank:
    type: rigid
    mass: 0.12
    inertia: [1e-5, 1.0e-4, 1.0e-4]
    position: [L/4, 0, 0]
    points: {pivot: [-L/4, 0, 0], pin: [L/4, 0, 0]}
  rod: {type: solid, mesh: rod.msh, material: {core: steel}, position: [L/2, 0, 0], velocity: [0, 1, 0],
        angular_velocity: [0, 0, 2]}
joints:
  main: {type: revolute, connect: [ground, crank.pivot], axis: [0, 0, 2]}
  pin: {type: spherical, connect: [crank.pin, rod.big_end]}
  slide: {type: point-on-line, connect: [ground, rod.small_end], axis: [1, 0, 0]}
  drive: {type: motion, of: main, angle: "omega*t + 0.1*t^2"}
  push: {type: motion, connect: [[0, 0, 1], crank.pin], direction: [0, 3, 4], displacement: "0"}
forces:
  weight: {type: force, on: rod.big_end, vector: [0, "if(t < 1, 10*sin(2*pi*t), 0)", -L]}
)yaml" + analysis,
                           (folder / "slider-crank.yaml").string());
  CHECK(model.body_at(1).meshed()->mesh == folder / "rod.msh");
  CHECK(model.materials[0].damping.beta == 2e-6);
  CHECK(evaluate(model.body_at(1).meshed()->placement, {}).angular_velocity[2] == 2);
  CHECK(model.places(model.joints[1], 0)[1].group == "big_end");
  const JointItem& drive = model.joints[3];
  CHECK(drive.type == "motion-angle");
  CHECK(model.places(drive, 0)[1].body.item == 0);
  check_vector(model.fields(drive, 0).vector("axis"), {{0, 0, 1}});
  const TimeValue angle = signals_at(drive, 0, 2.0)[0];
  CHECK(angle.value == Approx(300.4));
  CHECK(angle.rate == Approx(150.4));
  CHECK(angle.acceleration == Approx(0.2));
  CHECK(model.joints[4].type == "motion-displacement");
  check_vector(model.fields(model.joints[4], 0).vector("axis"), {{0, 0.6, 0.8}});
  CHECK(model.places(model.joints[4], 0)[0].point[2] == 1);
  const auto force = signals_at(model.forces[0], 0, 0.25);
  REQUIRE(force.size() == 3);
  CHECK(force[1].value == Approx(10));
  CHECK(force[2].value == Approx(-0.3));
  const auto has = [](const std::string& group, int) { return group != "small_end"; };
  const auto faults = check_groups(model, 1, has, "big_end");
  REQUIRE(faults.size() == 1);
  test::check_contains(format_error(model.source, faults[0]),
                       "slider-crank.yaml:17:50: error: place 'rod.small_end': the mesh has no surface group");
  std::filesystem::remove_all(folder);
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

TEST_CASE("a map takes over the keys of another, its own first, of several the first that says it", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies:
  a: &a {type: point-mass, mass: 3, position: [1, 0, 0]}
  b: {<<: *a, position: [2, 0, 0]}
  c: {mass: 5, <<: [{position: [7, 0, 0]}, *a], velocity: [0, 1, 0]}
  d:
    <<: *a
    velocity: [1, 0, 0]
)" + analysis);
  REQUIRE(model.bodies.size() == 4);
  const double mass[4] = {3, 3, 5, 3}, place[4] = {1, 2, 7, 1};
  for (int k = 0; k < 4; ++k) {
    CHECK(point_mass_instance(model, k, 0).mass == mass[k]);
    CHECK(point_mass_instance(model, k, 0).x[0] == place[k]);
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

TEST_CASE("warnings come with the model and name their line", "[serial]") {
  const Model model = read(R"(sinew: 1
materials: {steel: {law: linear-elastic, density: 1, youngs_modulus: 1, poissons_ratio: 0.3}}
bodies:
  free: {type: solid, box: {size: [1, 1, 1], elements: [1, 1, 1]}, material: steel}
  held: {type: solid, box: {size: [1, 1, 1], elements: [1, 1, 1]}, material: steel}
joints: {wall: {type: clamp, connect: [ground, held.x-]}}
analysis: {end_time: 1, step: [1e-2, 2e-2], rho_inf: 1, order: 2}
)");
  REQUIRE(model.warnings.size() == 3);
  test::check_contains(model.warnings[0],
                       "model.yaml:4:3: warning: body 'free' is free to turn, but its material is linear-elastic");
  test::check_contains(model.warnings[1], "model.yaml:7:54: warning: rho_inf 1 with changing steps");
  test::check_contains(model.warnings[2], "model.yaml:7:64: warning: analysis.order has no effect");
}

TEST_CASE("keys of motions have no effect in an analysis without time, and one warning lists them", "[serial]") {
  const auto warnings = [](const std::string& analysis, const std::vector<std::string>& overrides = {}) {
    return read_model_text(
               "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\nanalysis: " + analysis + "\n",
               "model.yaml", test::small_catalogue(), overrides)
        .warnings;
  };
  const auto rest =
      warnings("{type: static, steps: 2, end_time: 1, step: {global: 1e-3}, error_bars: true, integrator: newmark, rho_inf: 1}");
  REQUIRE(rest.size() == 1);
  test::check_contains(
      rest[0], "model.yaml:3:46: warning: in analysis end_time, step, error_bars, integrator, rho_inf have no effect here");
  for (const char* type : {"modes", "buckling"}) {
    const auto one = warnings(std::string("{type: ") + type + ", step: 1e-3}");
    REQUIRE(one.size() == 1);
    test::check_contains(one[0], "in analysis step has no effect here");
  }
  CHECK(warnings("{type: static, steps: 2}").empty());
  CHECK(warnings("{initial: static, end_time: 1, step: 1e-3}").empty());
  CHECK(warnings("{end_time: 1, step: 1e-3}", {"analysis.type=static"}).empty());  // the file's keys are for its own analysis
  CHECK(warnings("{end_time: 1, step: 1e-3}", {"analysis.type=static", "analysis.step=1e-2"}).size() == 1);
}

TEST_CASE("error bars beside a global tolerance, which has its own, are warned of", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}
analysis: {end_time: 1, step: {global: 1e-3}, error_bars: true}
)");
  REQUIRE(model.warnings.size() == 1);
  test::check_contains(model.warnings[0], "model.yaml:3:59: warning: analysis.error_bars has no effect here");
}

TEST_CASE("what constraints at position level alone do to reactions is warned of", "[serial]") {
  const auto warnings = [](const std::string& joints, const std::string& analysis) {
    return read("sinew: 1\nbodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\n" + joints +
                "analysis: {end_time: 1, " + analysis + "}\n")
        .warnings;
  };
  const std::string wall = "joints: {wall: {type: fixed, connect: [ground, a]}}\n";
  for (const char* steps : {"step: {tolerance: 1e-4}", "step: [1e-2, 2e-2]"}) {
    const auto said = warnings(wall, std::string(steps) + ", integrator: gen-alpha");
    REQUIRE(said.size() == 1);
    test::check_contains(said[0], "model.yaml:4:31: warning: gen-alpha has constraints at position level alone");
    CHECK(warnings("", std::string(steps) + ", integrator: gen-alpha").empty());
  }
  CHECK(warnings(wall, "step: 1e-2, integrator: gen-alpha").empty());
  CHECK(warnings(wall, "step: 1e-2, integrator: trapezoid, constraints: velocity").empty());
  CHECK(warnings(wall, "step: 1e-2, integrator: newmark, beta: 0.3025, gamma: 0.6, constraints: position").empty());
  for (const char* undamped : {"trapezoid", "newmark", "trapezoid, constraints: position"}) {
    const auto said = warnings(wall, std::string("step: 1e-2, integrator: ") + undamped);
    REQUIRE(said.size() == 1);
    test::check_contains(said[0], "nothing damps this method");
  }
}

TEST_CASE("step control that does not see what Newmark's method damps is warned of", "[serial]") {
  const auto warnings = [](const std::string& analysis) {
    return read(
               "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
               "analysis: {end_time: 1, integrator: newmark, " +
               analysis + "}\n")
        .warnings;
  };
  const auto said = warnings("gamma: 0.6, beta: 0.3025, step: {tolerance: 1e-4}");
  REQUIRE(said.size() == 1);
  test::check_contains(said[0], "judges newmark as a method of order 2");
  for (const char* fine : {"gamma: 0.5, step: {tolerance: 1e-4}", "gamma: 0.6, beta: 0.3025, step: {global: 1e-2}",
                           "gamma: 0.6, beta: 0.3025, step: 1e-2"})
    CHECK(warnings(fine).empty());
}

TEST_CASE("coefficients of Newmark's method that make vibrations grow are warned of", "[serial]") {
  const auto warnings = [](const std::string& coefficients) {
    return read(
               "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
               "analysis: {end_time: 1, step: 1e-2, integrator: newmark, " +
               coefficients + "}\n")
        .warnings;
  };
  CHECK(warnings("beta: 0.25, gamma: 0.5").empty());
  CHECK(warnings("beta: 0.3025, gamma: 0.6").empty());
  test::check_contains(warnings("gamma: 0.4").at(0), "model.yaml:3:65: warning: Newmark's method with gamma below 1/2");
  test::check_contains(warnings("gamma: 0.6").at(0), "with gamma 0.6 take beta: 0.3025");
  test::check_contains(warnings("beta: 0.1").at(0), "with beta below gamma / 2");
}

TEST_CASE("error-controlled steps are parsed", "[serial]") {
  const Model model = read(
      "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
      "analysis: {end_time: 1, step: {tolerance: 1e-4, initial: 1e-3, min: 1e-9, max: 1e-2, per: unit-step}}\n");
  const auto& control = std::get<StepControl>(model.analysis.step);
  CHECK(control.tolerance == 1e-4);
  CHECK(control.per_unit_step);
}

TEST_CASE("constants may stand in any order", "[serial]") {
  const Model model = read(
      "sinew: 1\nconstants: {a: 2*b, b: c+1, c: 3}\nbodies: {p: {type: point-mass, mass: a, position: [0, 0, 0]}}\n" + analysis);
  CHECK(model.constants.at("a") == 8);
  CHECK(point_mass_instance(model, 0, 0).mass == 8);
}

TEST_CASE("a chain of constants may have any length, in any order", "[serial]") {
  constexpr int n = 100000;
  std::string text = "sinew: 1\nconstants:\n";
  for (int k = n; k > 0; --k) text += "  k" + std::to_string(k) + ": k" + std::to_string(k - 1) + " + 1\n";
  const std::string bodies =
      "bodies: {p: {type: point-mass, mass: k" + std::to_string(n) + ", position: [0, 0, 0]}}\n" + analysis;
  const Model model = read(text + "  k0: 1\n" + bodies);
  CHECK(model.constants.at("k" + std::to_string(n)) == n + 1);
  // closed to a circle, it is one, which is named once
  std::string said;
  try {
    read(text + "  k0: k70000\n" + bodies);
  } catch (const InputError& error) {
    said = error.what();
  }
  test::check_contains(said, "is defined by itself (break the circle)");
  CHECK(said.find("is defined by itself") == said.rfind("is defined by itself"));
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

TEST_CASE("the example of the input reference is a model", "[serial]") {
  std::ostringstream page;
  page << std::ifstream(test::source_path("docs/input.md")).rdbuf();
  const std::string fence = "```yaml\n";
  const std::size_t begin = page.str().find(fence);
  REQUIRE(begin != std::string::npos);
  const std::size_t first = begin + fence.size();
  const Model model = read(page.str().substr(first, page.str().find("```", first) - first));
  CHECK(model.warnings.empty());
  CHECK(model.num_joints() == 2);
  test::check_contains(to_text(model), "cable: 1");
}
