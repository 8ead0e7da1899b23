// Beams as a model file describes them: places and turns of sections, stiffness, inertia.
#include "input/model_reader.hpp"
#include "model/registered_catalogue.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

namespace {

constexpr double pi = 3.14159265358979323846;

Model read(const std::string& beam, const std::string& more = "") {
  return read_model_text(R"yaml(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 2.5e9, poissons_ratio: 0.25, damping: {alpha: 0.5, beta: 1e-3}}}
sections:
  bar: {shape: rectangle, width: 0.02, height: 0.03}
  rod: {shape: circle, diameter: 0.02}
  given: {area: 1e-4, iy: 1e-9, iz: 2e-9, j: 5e-10, shear_factors: [0.5, 0.25]}
bodies:
  b: {type: beam, material: m, )yaml" +
                             beam + "}\n" + more + "analysis: {end_time: 1, step: 0.01}\n",
                         "beam.yaml", registered_catalogue(), {});
}

/// A beam of the model file, and the model that it belongs to.
struct Laid {
  explicit Laid(const std::string& text) : model(read(text)), beam(model.beam(0, 0)) {}
  Model model;
  BeamInstance beam;
};

Vec3<double> axis(const BeamInstance& beam, int node, int k) { return column(beam.frame(node).R, k); }

void check_near(const Vec3<double>& a, const Vec3<double>& b) { CHECK(norm(a - b) < 1e-12); }

}  // namespace

TEST_CASE("a straight beam has its sections across it, axis 2 as near to `up` as can be", "[serial]") {
  const Model model = read(
      "line: {from: [1, 2, 3], to: [1, 2, 5], elements: 4}, section: bar, up: [3, 0, 7], velocity: [1, 0, 0], "
      "angular_velocity: [0, 2, 0]");
  const BeamInstance beam = model.beam(0, 0);
  CHECK(beam.num_nodes() == 9);
  CHECK(beam.line.length() == Approx(2));
  check_near(beam.frame(4).x, {{1, 2, 4}});
  check_near(axis(beam, 4, 0), {{0, 0, 1}});
  check_near(axis(beam, 4, 1), {{1, 0, 0}});
  check_near(axis(beam, 4, 2), {{0, 1, 0}});
  check_near(beam.twist(8).v, {{1 + 4, 0, 0}});
  check_near(beam.twist(8).omega, {{0, 0, 2}});  // about y, which is axis 3
}

TEST_CASE("without `up` axis 2 is y, or z along y", "[serial]") {
  check_near(axis(Laid("line: {from: [0, 0, 0], to: [2, 0, 0], elements: 1}, section: bar").beam, 0, 1), {{0, 1, 0}});
  check_near(axis(Laid("line: {from: [0, 0, 0], to: [0, 2, 0], elements: 1}, section: bar").beam, 0, 1), {{0, 0, 1}});
}

TEST_CASE("a twist turns the sections about the line, linearly or as an expression of s says", "[serial]") {
  const Laid even_model("line: {from: [0, 0, 0], to: [2, 0, 0], elements: 2, order: 1}, section: bar, twist: 90 deg");
  const BeamInstance& even = even_model.beam;
  check_near(axis(even, 1, 1), {{0, std::sqrt(0.5), std::sqrt(0.5)}});
  check_near(axis(even, 2, 1), {{0, 0, 1}});
  const Laid given_model("line: {from: [0, 0, 0], to: [2, 0, 0], elements: 2, order: 1}, section: bar, twist: \"pi/8*s^2\"");
  const BeamInstance& given = given_model.beam;
  check_near(axis(given, 1, 1), {{0, std::cos(pi / 8), std::sin(pi / 8)}});
}

TEST_CASE("along a curve nodes stand at equal lengths, and sections go along without turning about it", "[serial]") {
  // half an ellipse at uneven speed, which a table cannot know
  const Laid circle_model(
      "line: {curve: [\"2*cos(s^2)\", \"2*sin(s^2)\", \"1\"], range: [0.5, 1.5], elements: 5, order: 1}, section: bar, up: [0, "
      "0, 1]");
  const BeamInstance& circle = circle_model.beam;
  CHECK(circle.line.length() == Approx(2 * (2.25 - 0.25)).epsilon(1e-12));
  for (int node = 0; node <= 5; ++node) {
    const double angle = 0.25 + 0.4 * node;
    CHECK(norm(circle.frame(node).x - Vec3<double>{{2 * std::cos(angle), 2 * std::sin(angle), 1}}) < 1e-10);
    CHECK(norm(axis(circle, node, 0) - Vec3<double>{{-std::sin(angle), std::cos(angle), 0}}) < 1e-10);
    check_near(axis(circle, node, 1), {{0, 0, 1}});
  }
  // back along the same curve
  const Laid back_model(
      "line: {curve: [\"2*cos(s^2)\", \"2*sin(s^2)\", \"1\"], range: [1.5, 0.5], elements: 5}, section: bar, up: [0, 0, 1]");
  const BeamInstance& back = back_model.beam;
  CHECK(norm(back.frame(back.num_nodes() - 1).x - circle.frame(0).x) < 1e-10);
  CHECK(norm(axis(back, 0, 0) + axis(circle, 5, 0)) < 1e-10);
}

TEST_CASE("on a helix the frame that does not turn about it lags by the torsion", "[serial]") {
  // radius 1, pitch 2 pi c: torsion c/(1 + c^2); over a turn the frame falls behind the binormal's by 2 pi c/sqrt(1 + c^2)
  const double c = 0.3;
  const Laid helix_model(
      "line: {curve: [\"cos(s)\", \"sin(s)\", \"0.3*s\"], range: [0, 2*pi], elements: 16}, section: bar, up: [1, 0, 0]");
  const BeamInstance& helix = helix_model.beam;
  const double angle = 2 * pi * c / std::sqrt(1 + c * c);
  const Vec3<double> start = axis(helix, 0, 1), end = axis(helix, 32, 1);
  CHECK(dot(start, end) == Approx(std::cos(angle)).margin(1e-6));
}

TEST_CASE("stiffness and inertia of a beam are those of its section and material", "[serial]") {
  const std::string line = "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 1}, ";
  const Laid bar_model(line + "section: bar");
  const BeamInstance& bar = bar_model.beam;
  CHECK(bar.stiffness(0, 0) == Approx(2.5e9 * 6e-4));
  CHECK(bar.stiffness(1, 1) == Approx(1e9 * 6e-4 * 12.5 / (12 + 11 * 0.25)));
  CHECK(bar.stiffness(4, 4) == Approx(2.5e9 * 0.02 * 27e-6 / 12));
  CHECK(bar.stiffness(5, 5) == Approx(2.5e9 * 0.03 * 8e-6 / 12));
  CHECK(bar.mass_per_length == Approx(0.6));
  CHECK(bar.inertia(0, 0) == Approx(bar.inertia(1, 1) + bar.inertia(2, 2)));
  CHECK(bar.inertia(1, 1) == Approx(1000 * 0.02 * 27e-6 / 12));
  CHECK(bar.damping_alpha == 0.5);
  CHECK(bar.damping_beta == 1e-3);
  const Laid rod_model(line + "section: rod");
  const BeamInstance& rod = rod_model.beam;
  CHECK(rod.stiffness(2, 2) == Approx(1e9 * pi * 1e-4 * 7.5 / (7 + 6 * 0.25)));
  const Laid given_model(line + "section: given");
  const BeamInstance& given = given_model.beam;
  CHECK(given.stiffness(1, 1) == Approx(1e9 * 1e-4 * 0.5));
  CHECK(given.stiffness(2, 2) == Approx(1e9 * 1e-4 * 0.25));
  CHECK(given.stiffness(3, 3) == Approx(1e9 * 5e-10));
}

TEST_CASE("places of a beam are its ends, its nodes and fractions of its length", "[serial]") {
  const Model model =
      read("line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}, section: bar, points: {mid: {at: 0.5}, between: {at: 0.3}}",
           "joints:\n  a: {type: fixed, connect: [ground, b.start]}\n  b: {type: spherical, connect: [ground, b.end]}\n"
           "  c: {type: spherical, connect: [ground, b.mid]}\n  d: {type: spherical, connect: [ground, \"b.node[3]\"]}\n"
           "sensors:\n  e: {type: point, of: b.end, record: [orientation]}\n");
  const auto place = [&model](int joint) { return model.places(model.joints[static_cast<std::size_t>(joint)], 0)[1]; };
  CHECK(place(0).node == 0);
  CHECK(place(1).node == 8);
  CHECK(place(2).node == 4);
  CHECK(place(3).node == 3);
  CHECK(place(2).anchor == Anchor::node);
}
