// Whole model files as they are read.
#include "base/error.hpp"
#include "input/model_reader.hpp"
#include "model/box_grid.hpp"
#include "model/check.hpp"
#include "tests/catch.hpp"
#include "tests/paths.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/instances.hpp"
#include "tests/src/input/read_text.hpp"
#include "tests/src/input/test_catalogue.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::read_text;

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
                       "slider-crank.yaml:17:50: error: place 'rod.small_end': the mesh has no surface, curve or point group");
  std::filesystem::remove_all(folder);
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
