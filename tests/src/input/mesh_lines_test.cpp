// Cables, rings and beams whose line is a curve of a mesh: files, groups, placement, and the same lines listed in the model file.
#include "input/mesh_lines.hpp"
#include "base/error.hpp"
#include "bodies/ring.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/instances.hpp"
#include "tests/src/input/mesh_files.hpp"
#include "tests/src/input/read_text.hpp"

#include <fmt/format.h>

#include <numbers>

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::read_text;

namespace {

/// Two curves, "rope" of first order through `places` and "hoop" of second order, a square with bulged sides, and, where that is
/// asked for, a triangle beside them.
FileMesh net(bool has_triangle = false) {
  FileMesh mesh;
  const int tags[] = {7, 3, 12, 5, 40};
  for (int k = 0; k < 5; ++k) mesh.nodes.push_back({tags[k], {0.5 * k, 0.02 * k * k, 0.1 * (k % 2)}});
  for (const int k : {2, 0, 3, 1}) mesh.elements.push_back({1, 1, 4, {tags[k], tags[k + 1]}});
  for (int k = 0; k < 8; ++k) {
    const double angle = std::numbers::pi / 4 * k;
    mesh.nodes.push_back({101 + k, {std::cos(angle), std::sin(angle), 2.0}});
  }
  for (int k = 0; k < 4; ++k) mesh.elements.push_back({8, 1, 6, {101 + 2 * k, 101 + (2 * k + 2) % 8, 102 + 2 * k}});
  if (has_triangle) mesh.elements.push_back({2, 2, 1, {7, 3, 101}});
  mesh.physicals = {{{1, 4}, {1}}, {{1, 6}, {2}}, {{2, 1}, {3}}};
  mesh.names = {{{1, 1}, "rope"}, {{1, 2}, "hoop"}, {{2, 3}, "sail"}};
  return mesh;
}

std::string written(const std::string& name, const FileMesh& mesh, GmshFormat format = {}) {
  const std::string path = scratch_path(name);
  std::ofstream(path, std::ios::binary) << gmsh_bytes(mesh, format);
  return path;
}

const std::string matter =
    "sinew: 1\nmaterials: {steel: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}\n"
    "sections: {hose: {area: 0.01, iy: 5e-6, iz: 5e-6, j: 1e-5}}\n";

/// A model with these bodies, each of a section and a material as well.
Model read_bodies(const std::vector<std::string>& bodies) {
  std::string text = matter + "bodies:\n";
  for (const std::string& body : bodies) text += "  " + body + ", section: hose, material: steel}\n";
  return read(text + analysis);
}

std::string fault_of(const std::vector<std::string>& bodies) {
  try {
    read_bodies(bodies);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

const std::string rope_points = "[[0, 0, 0], [0.5, 0.02, 0.1], [1, 0.08, 0], [1.5, 0.18, 0.1], [2, 0.32, 0]]";

void check_same(const Vec3<double>& a, const Vec3<double>& b) {
  for (int i = 0; i < 3; ++i) CHECK(a[i] == b[i]);
}

/// The places of a straight line along x that turns about z by an angle behind the fourth one.
FileMesh bent(double angle) {
  FileMesh mesh;
  for (int k = 0; k < 7; ++k) {
    const double x = std::min(k, 3), rest = std::max(k - 3, 0);
    mesh.nodes.push_back({k + 1, {x + rest * std::cos(angle), rest * std::sin(angle), 0}});
  }
  for (int k = 1; k < 7; ++k) mesh.elements.push_back({1, 1, 1, {k, k + 1}});
  return mesh;
}

}  // namespace

TEST_CASE("a curve is the same from all formats, and each line is read once", "[serial]") {
  for (const GmshFormat format : all_gmsh_formats) {
    INFO(format.old << format.binary);
    const std::string path = written("lines.msh", net(true), format);
    MeshLines lines;
    CHECK(lines.find({}, "rope", LineEnds::open) == -1);
    CHECK(lines.find(path, "rope", LineEnds::open) == 0);
    CHECK(lines.find(path, "hoop", LineEnds::closed) == 1);
    CHECK(lines.find(path, "rope", LineEnds::open) == 0);
    CHECK(lines.size() == 2);
    REQUIRE(lines.at(0)->num_elements() == 4);
    for (int k = 0; k < 5; ++k) check_same(lines.at(0)->corner(k), {{0.5 * k, 0.02 * k * k, 0.1 * (k % 2)}});
    CHECK(lines.at(1)->num_elements() == 4);
    CHECK(lines.at(1)->places().size() == 8);
    CHECK_THROWS_AS(lines.find(path, "hoop", LineEnds::open), InputError);
  }
}

TEST_CASE("a group of curves need not be named where only one can be meant", "[serial]") {
  FileMesh mesh = net();
  mesh.elements.resize(4);
  mesh.names = {{{1, 1}, "rope"}};
  mesh.physicals.erase({1, 6});
  MeshLines lines;
  CHECK(lines.find(written("one-group.msh", mesh), "", LineEnds::open) == 0);
  mesh.physicals.clear();
  mesh.names.clear();
  CHECK(lines.find(written("no-group.msh", mesh), "", LineEnds::open) == 1);
  CHECK(lines.at(0)->num_elements() == 4);
  CHECK(lines.at(1)->num_elements() == 4);
}

TEST_CASE("which curve of a mesh is meant is asked where that is not clear", "[serial]") {
  FileMesh loose = net(true);
  loose.physicals.clear();
  loose.names.clear();
  FileMesh flat = loose;
  flat.elements = {flat.elements.back()};
  const std::string several = written("several.msh", net(true)), none = written("loose.msh", loose),
                    no_lines = written("flat.msh", flat);
  const auto cable = [](const std::string& keys) { return fault_of({"a: {type: cable, mesh: '" + keys}); };
  check_contains(cable(several + "'"),
                 "it has several groups of curves (name one beside the mesh, as group: NAME, of \"rope\" "
                 "(curve), \"hoop\" (curve))");
  check_contains(cable(several + "', group: ropes"), "there is no physical group of curves \"ropes\" (did you mean 'rope'?");
  check_contains(cable(several + "', group: sail"), "its groups of curves: \"rope\" (curve), \"hoop\" (curve)");
  check_contains(cable(none + "'"), "its line elements are in no physical group");
  check_contains(cable(none + "', group: rope"), "it has none: make a Physical Curve");
  check_contains(cable(no_lines + "'"), "it has no line elements");
}

TEST_CASE("a cable from a mesh is the one by points, and a ring of middle nodes the circle", "[serial]") {
  const std::string path = written("lines.msh", net(true));
  const std::string motion = ", velocity: [1, 2, 3], angular_velocity: [0.1, 0.2, 0.3]";
  const Model model =
      read_bodies({"a: {type: cable, mesh: '" + path + "', group: rope" + motion,
                   "b: {type: cable, line: {mesh: '" + path + "', group: rope}" + motion,
                   "c: {type: cable, line: {points: " + rope_points + "}" + motion,
                   "d: {type: ring, mesh: '" + path + "', group: hoop" + motion,
                   "e: {type: ring, circle: {centre: [0, 0, 2], axis: [0, 0, 1], radius: 1, elements: 4}" + motion});
  CHECK(model.warnings.empty());
  const CableInstance listed = cable_instance(model, 2, 0);
  for (const int body : {0, 1}) {
    const CableInstance meshed = cable_instance(model, body, 0);
    REQUIRE(meshed.num_elements == 4);
    for (int k = 0; k < 5; ++k) {
      const CableNode a = meshed.node(k), b = listed.node(k);
      check_same(a.x, b.x);
      check_same(a.slope, b.slope);
      check_same(a.v, b.v);
      check_same(a.slope_rate, b.slope_rate);
    }
    for (int k = 0; k < 4; ++k) CHECK(meshed.element_length(k) == listed.element_length(k));
  }
  const RingInstance meshed = item_of<RingItem>(model, 3).numbers(model, {}),
                     round = item_of<RingItem>(model, 4).numbers(model, {});
  REQUIRE(meshed.size() == 4);
  for (int k = 0; k < 4; ++k) {  // the circle begins somewhere else
    CHECK(norm(meshed.node(k).x - Vec3<double>{{0, 0, 2}}) == Approx(1));
    CHECK(norm(meshed.node(k).slope) == Approx(1));
    CHECK(dot(meshed.node(k).slope, meshed.node(k).x) == Approx(0).margin(1e-15));
    CHECK(meshed.element_length(k) == Approx(round.element_length(k)).epsilon(1e-14));
  }
  check_vector(meshed.middle, round.middle);
}

TEST_CASE("instances share a line and stand where their indices say", "[serial]") {
  const std::string path = written("lines.msh", net(true));
  const Model model = read_bodies(
      {"\"a{i}\": {repeat: {i: 0..3}, type: cable, mesh: '" + path +
           "', group: rope, position: [i, 0, 1], orientation: {axis: [0, 0, 1], angle: 90 deg * i}, "
           "angular_velocity: [0, 0, 2], points: {half: {at: 0.5}}",
       "\"b{i}\": {repeat: {i: 1..2}, type: beam, mesh: '" + path + "', group: rope, elements: 2*i, position: [0, i, 0]"});
  const CableInstance first = cable_instance(model, 0, 0), turned = cable_instance(model, 0, 3);
  CHECK(first.path == turned.path);
  check_vector(first.node(0).x, {{0, 0, 1}});
  check_vector(turned.node(4).x, {{3 + 0.32, -2, 1}});
  check_vector(turned.node(4).v, {{4, 0.64, 0}});
  check_vector(turned.node(2).slope, {{first.node(2).slope[1], -first.node(2).slope[0], first.node(2).slope[2]}});
  const LineBody& line = *model.body_at(0).line();
  CHECK(line.station_at({model, 0, 3}, 0.5).element == first.station(0.5).element);
  const auto &few = item_of<BeamItem>(model, 1), &many = item_of<BeamItem>(model, 2);  // written out: not alike
  CHECK(few.num_elements == 2);
  CHECK(many.num_elements == 4);
  CHECK(few.mesh.path == many.mesh.path);
  CHECK(few.mesh.path == first.path);
  check_vector(beam_instance(model, 2, 0).line.frame(0).x, {{0, 2, 0}});
}

TEST_CASE("a beam from a mesh runs along the spline through its nodes, and its sections turn with the mesh", "[serial]") {
  FileMesh mesh = net();
  mesh.elements.erase(mesh.elements.begin(), mesh.elements.begin() + 4);
  mesh.elements.pop_back();  // three sides of the hoop are left
  const std::string path = written("arc.msh", mesh);
  std::string points;
  for (int k = 0; k < 7; ++k)
    points += fmt::format("{}[{:.17g}, {:.17g}, 2]", k > 0 ? ", " : "", std::cos(std::numbers::pi / 4 * k),
                          std::sin(std::numbers::pi / 4 * k));
  CHECK_THROWS_AS(read_bodies({"a: {type: beam, mesh: '" + path + "', group: hoop"}), InputError);  // 45 degrees: too coarse

  const std::string fine = written("bent.msh", bent(0.1));
  const Model model = read_bodies(
      {"a: {type: beam, mesh: '" + fine + "', twist: 30 deg",
       "b: {type: beam, line: {points: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [" +
           fmt::format("{:.17g}, {:.17g}, 0], [{:.17g}, {:.17g}, 0], [{:.17g}, {:.17g}, 0]", 3 + std::cos(0.1), std::sin(0.1),
                       3 + 2 * std::cos(0.1), 2 * std::sin(0.1), 3 + 3 * std::cos(0.1), 3 * std::sin(0.1)) +
           "], elements: 6}, twist: 30 deg",
       "c: {type: beam, line: {mesh: '" + fine +
           "', elements: 6, order: 2}, twist: 30 deg, position: [1, 2, 3], orientation: {axis: [1, 1, 1], angle: 120 deg}"});
  CHECK(model.warnings.empty());
  const BeamInstance meshed = beam_instance(model, 0, 0), listed = beam_instance(model, 1, 0), moved = beam_instance(model, 2, 0);
  REQUIRE(meshed.division.num_nodes() == 13);
  for (int k = 0; k < 13; ++k) {
    const Frame<double> a = meshed.frame(k), b = listed.frame(k), c = moved.frame(k);
    check_same(a.x, b.x);
    for (int i = 0; i < 3; ++i) check_same(column(a.R, i), column(b.R, i));
    check_vector(c.x, {{1 + a.x[2], 2 + a.x[0], 3 + a.x[1]}});  // the axes go round by one
    for (int i = 0; i < 3; ++i) check_vector(column(c.R, i), {{a.R(2, i), a.R(0, i), a.R(1, i)}});
  }
}

TEST_CASE("beams along corners are refused or warned of, those along curves are not", "[serial]") {
  const auto beam = [](double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return "a: {type: beam, mesh: '" + written(fmt::format("bent-{}.msh", degrees), bent(angle)) + "'";
  };
  check_contains(fault_of({beam(90)}), "turns by 90 degrees from one segment to the next, at (3, 0, 0)");
  check_contains(fault_of({beam(37)}), "take a body for each straight part and join them by type: fixed");
  const Model warned = read_bodies({beam(35)});
  REQUIRE(warned.warnings.size() == 1);
  check_contains(warned.warnings[0], "has a corner of 35 degrees at (3, 0, 0), which the smooth line of the beam rounds");
  CHECK(read_bodies({beam(8)}).warnings.size() == 1);
  CHECK(read_bodies({beam(7)}).warnings.empty());

  FileMesh arc;  // a straight part, an arc by segments of 30 degrees and of 10, a straight part
  double x = 0, y = 0, angle = 0;
  arc.nodes.push_back({1, {x, y, 0}});
  for (const double turn : {0.0, 0.0, 15.0, 30.0, 20.0, 10.0, 10.0, 5.0, 0.0, 0.0}) {
    angle += turn * std::numbers::pi / 180;
    const double size = turn > 14 && turn < 31 ? 3 : 1;
    x += size * std::cos(angle);
    y += size * std::sin(angle);
    arc.nodes.push_back({static_cast<int>(arc.nodes.size()) + 1, {x, y, 0}});
    arc.elements.push_back({1, 1, 1, {static_cast<int>(arc.nodes.size()) - 1, static_cast<int>(arc.nodes.size())}});
  }
  CHECK(read_bodies({"a: {type: beam, mesh: '" + written("arc.msh", arc) + "'"}).warnings.empty());
}
