// Repeats whose instances are not alike: written out into items, which are read as those written by hand are.
#include "base/error.hpp"
#include "bodies/beam.hpp"
#include "input/faults.hpp"
#include "tests/paths.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/read_text.hpp"

#include <filesystem>
#include <fstream>

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::read_text;

namespace {

const std::string materials = R"(sinew: 1
materials:
  m1: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}
  m2: {density: 2000, youngs_modulus: 1e7, poissons_ratio: 0.3}
  m3: {density: 3000, youngs_modulus: 1e7, poissons_ratio: 0.3}
sections: {s1: {shape: circle, diameter: 0.01}, s2: {shape: circle, diameter: 0.02}, s3: {shape: circle, diameter: 0.03}}
)";

std::vector<std::string> names_of(const NameTable& table) {
  std::vector<std::string> names;
  for (int item = 0; item < table.size(); ++item)
    for (std::int64_t k = 0; k < table.repeat(item).count(); ++k) names.push_back(table.name({item, k}));
  return names;
}

}  // namespace

TEST_CASE("beams of a repeat may differ in elements, order, sections and material, each at its place in the order", "[serial]") {
  const Model model = read(materials + R"(bodies:
  first: {type: point-mass, mass: 1, position: [0, 0, 0]}
  "b{i}":
    repeat: {i: 1..3}
    type: beam
    line: {from: [0, i, 0], to: [i, i, 0], elements: 2*i, order: 4-i}
    section: [[0, "s{i}"], [1, "s{4-i}"]]
    material: "m{i}"
    points: {middle: {at: 0.5}}
  last: {type: point-mass, mass: 1, position: [0, 0, 0]}
joints:
  "hinge{i}": {repeat: {i: 1..3}, type: spherical, connect: [ground, "b{i}.node[i]"]}
sensors:
  all: {type: system, of: ["b{i}"], record: mass}
  "own{i}": {repeat: {i: 1..3}, type: system, of: ["b{i}"], record: mass}
)" + analysis);
  CHECK(names_of(model.body_names) == std::vector<std::string>{"first", "b1", "b2", "b3", "last"});
  REQUIRE(model.bodies.size() == 5);
  for (int i = 1; i <= 3; ++i) {
    INFO(i);
    const auto& beam = dynamic_cast<const BeamItem&>(model.body_at(i));
    CHECK(beam.num_elements == 2 * i);
    CHECK(beam.order == 4 - i);
    CHECK(beam.material == i - 1);
    CHECK(beam.sections[0].section == i - 1);
    CHECK(beam.sections[1].section == 3 - i);
    CHECK(beam.points[1][0].value() == i);
    CHECK(are_same(model.bodies[static_cast<std::size_t>(i)].mark, model.bodies[1].mark));
    const PlaceRef held = model.places(model.joints[0], i - 1)[1];
    CHECK(held.body == InstanceRef{i, 0});
    CHECK(held.node == i);
  }
  REQUIRE(model.joints.size() == 1);  // its places differ, and it is the same for all that
  CHECK(model.joints[0].repeat.count() == 3);
  REQUIRE(model.sensors[0].bodies.size() == 3);
  CHECK(model.sensors[0].bodies[2].all_of == 3);
  REQUIRE(model.sensors[1].bodies.size() == 1);
  CHECK(model.sensors[1].bodies[0].all_of == -1);
}

TEST_CASE("what is the same along a repeat leaves it one item", "[serial]") {
  const Model model = read(materials + R"(bodies:
  "b{i}": {repeat: {i: 1..1000000}, type: cable, line: {from: [0, i, 0], to: [i, i, 0], elements: 2}, section: s1, material: m1}
  "k{i}_{j}":
    repeat: {i: 1..3, j: 1..1000}
    type: cable
    line: {from: [0, i, j], to: [i, i, j], elements: i}
    section: s1
    material: m1
)" + analysis);
  REQUIRE(model.bodies.size() == 4);
  CHECK(model.num_instances(0) == 1000000);
  for (int i = 1; i <= 3; ++i) {
    CHECK(model.num_instances(i) == 1000);
    CHECK(model.body_name(i, 41) == "k" + std::to_string(i) + "_42");
    CHECK(model.body_at(i).size().elements == i);
  }
  CHECK(model.body_names.find("k2_1000") == InstanceRef{2, 999});
}

TEST_CASE("an index before the one that sizes an item is written out too, so that the order is kept", "[serial]") {
  const Model model = read(materials + R"(bodies:
  "k{i}_{j}":
    repeat: {i: 1..2, j: 1..3}
    type: cable
    line: {from: [0, i, j], to: [i, i, j], elements: j}
    section: s1
    material: m1
)" + analysis);
  CHECK(names_of(model.body_names) == std::vector<std::string>{"k1_1", "k1_2", "k1_3", "k2_1", "k2_2", "k2_3"});
  CHECK(model.bodies.size() == 6);
}

TEST_CASE("a repeat has any number of indices, and ranges use those before them", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies:
  "g{i}_{j}_{k}": {repeat: {i: 1..2, j: 0..1, k: -1..0}, type: point-mass, mass: 100*i+10*j-k, position: [i, j, k]}
  "h{10*i+j}": {repeat: {i: 1..3, j: 2..i}, type: point-mass, mass: i, position: [i, j, 0]}
joints:
  "bar{i}_{j}_{k}": {repeat: {i: 1..2, j: 1..1, k: -1..0}, type: distance, connect: ["g{i}_{j-1}_{k}", "g{i}_{j}_{k}"]}
)" + analysis);
  CHECK(names_of(model.body_names) == std::vector<std::string>{"g1_0_-1", "g1_0_0", "g1_1_-1", "g1_1_0", "g2_0_-1", "g2_0_0",
                                                               "g2_1_-1", "g2_1_0", "h22", "h32", "h33"});
  CHECK(names_of(model.joint_names) == std::vector<std::string>{"bar1_1_-1", "bar1_1_0", "bar2_1_-1", "bar2_1_0"});
  REQUIRE(model.joints.size() == 2);
  CHECK(model.places(model.joints[1], 0)[0].body == *model.body_names.find("g2_0_-1"));
  CHECK(model.places(model.joints[1], 1)[1].body == *model.body_names.find("g2_1_0"));
}

TEST_CASE("tables are named with braces", "[serial]") {
  const Model model = read(materials + R"(tables: {load1: [[0, 1], [1, 2]], load2: [[0, 5], [1, 7]]}
bodies:
  "b{i}": {repeat: {i: 1..2}, type: point-mass, mass: 1, position: [i, 0, 0]}
forces:
  "f{i}": {repeat: {i: 1..2}, type: force, on: "b{i}", vector: [i, 0, "load{i}(t)*i + load{3-i}(0) + 1"]}
)" + analysis);
  REQUIRE(model.forces.size() == 2);
  CHECK(signals_at(model.forces[0], 0, 0.5)[2].value == Approx(1.5 + 5 + 1));
  CHECK(signals_at(model.forces[1], 0, 0.5)[2].value == Approx(2 * 6 + 1 + 1));
  CHECK(signals_at(model.forces[1], 0, 0.5)[0].value == 2);
}

TEST_CASE("mesh files and their groups are named with braces, a file that is called so comes first", "[serial]") {
  const std::filesystem::path folder = scratch_path("repeated-meshes");
  std::filesystem::create_directories(folder);
  for (const char* name : {"part1.msh", "part2.msh", "odd{1}.msh"}) std::ofstream(folder / name) << "not read here";
  const Model model = read(materials + R"(bodies:
  "p{i}": {repeat: {i: 1..2}, type: solid, mesh: "part{i}.msh", material: {"core{i}": "m{i}", rim: m3}}
  odd: {type: solid, mesh: "odd{1}.msh", material: m1}
)" + analysis,
                           (folder / "model.yaml").string());
  REQUIRE(model.bodies.size() == 3);
  for (int k = 0; k < 2; ++k) {
    const MeshedBody& solid = *model.body_at(k).meshed();
    const std::string i = std::to_string(k + 1);
    CHECK(std::filesystem::path(solid.mesh).filename() == "part" + i + ".msh");
    REQUIRE(solid.materials.size() == 2);
    CHECK(solid.materials[0].group == "core" + i);
    CHECK(solid.materials[0].material == k);
    CHECK(solid.materials[1].material == 2);
  }
  CHECK(std::filesystem::path(model.body_at(2).meshed()->mesh).filename() == "odd{1}.msh");
}

TEST_CASE("of bodies that are written out one fault is reported, at its place in the file", "[serial]") {
  const auto fault_of = [](const std::string& bodies) {
    try {
      read(materials + "bodies:\n" + bodies + analysis);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string head = "  \"b{i}\": {repeat: {i: 1..500}, type: cable, line: {from: [0, 0, i], to: [1, 0, i], elements: ";
  const std::string beyond = fault_of(head + "200-i}, section: s1, material: m1}\n");
  check_contains(beyond, "model.yaml:8:95: error: elements of body 'b200' must lie between 1 and 1000000000, but is 200-i");
  CHECK(beyond.find('\n') == std::string::npos);
  const std::string misspelt = fault_of(head + "i}, section: s1, material: m1, colour: 3}\n");
  check_contains(misspelt, "unknown key 'colour' in body 'b1'");
  CHECK(misspelt.find('\n') == std::string::npos);
  const std::string twice =
      fault_of(head + "i}, section: s1, material: m1}\n  b77: {type: point-mass, mass: 1, position: [0, 0, 0]}\n");
  check_contains(twice, "model.yaml:9:3: error: there are two bodies called 'b77' (the other one comes from line 8: rename one)");
}
