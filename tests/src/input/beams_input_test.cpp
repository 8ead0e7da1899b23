// Beams as a model file describes them: places and turns of sections, stiffness, inertia.
#include "base/error.hpp"
#include "input/model_reader.hpp"
#include "kernels/algebra/symmetric.hpp"
#include "model/registered_catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/instances.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.14159265358979323846;

Model read(const std::string& beam, const std::string& more = "") {
  return read_model_text(R"yaml(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 2.5e9, poissons_ratio: 0.25, damping: {alpha: 0.5, beta: 1e-3}}}
sections:
  bar: {shape: rectangle, width: 0.02, height: 0.03}
  rod: {shape: circle, diameter: 0.02}
  given: {area: 1e-4, iy: 1e-9, iz: 2e-9, j: 5e-10, shear_factors: [0.5, 0.25]}
  thick: {stiffness: [10, 4, 4, 2, 2, 2], inertia: [3, 3, 3, 0.4, 0.2, 0.2]}
  thin: {stiffness: [2, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 0.2, 0.1, 0.1]}
  flange: {stiffness: [2, 1, 1, 1, 1, 1], inertia: [1000, 1000, 1000, 20, 10, 10]}
  # mass 2, centre (0, 0.3, -0.1)
  beside: {stiffness: [2, 1, 1, 1, 1, 1], inertia: [[2, 0, 0, 0, -0.2, -0.6], [0, 2, 0, 0.2, 0, 0], [0, 0, 2, 0.6, 0, 0],
    [0, 0.2, 0.6, 1.2, 0, 0], [-0.2, 0, 0, 0, 1.02, 0.06], [-0.6, 0, 0, 0, 0.06, 1.18]]}
bodies:
  b: {type: beam, material: m, )yaml" +
                             beam + "}\n" + more + "analysis: {end_time: 1, step: 0.01}\n",
                         "beam.yaml", registered_catalogue(), {});
}

/// A beam of the model file, and the model that it belongs to.
struct Laid {
  explicit Laid(const std::string& text) : model(read(text)), beam(beam_instance(model, 0, 0)) {}
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
  const BeamInstance beam = beam_instance(model, 0, 0);
  CHECK(beam.division.num_nodes() == 9);
  CHECK(beam.line.length() == Approx(2));
  check_near(beam.frame(4).x, {{1, 2, 4}});
  check_near(axis(beam, 4, 0), {{0, 0, 1}});
  check_near(axis(beam, 4, 1), {{1, 0, 0}});
  check_near(axis(beam, 4, 2), {{0, 1, 0}});
  check_near(beam.node_twist(8).v, {{1 + 4, 0, 0}});
  check_near(beam.node_twist(8).omega, {{0, 0, 2}});  // about y, which is axis 3
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
  CHECK(norm(back.frame(back.division.num_nodes() - 1).x - circle.frame(0).x) < 1e-10);
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
  CHECK(bar.stations[0].section.stiffness(0, 0) == Approx(2.5e9 * 6e-4));
  CHECK(bar.stations[0].section.stiffness(1, 1) == Approx(1e9 * 6e-4 * 12.5 / (12 + 11 * 0.25)));
  CHECK(bar.stations[0].section.stiffness(4, 4) == Approx(2.5e9 * 0.02 * 27e-6 / 12));
  CHECK(bar.stations[0].section.stiffness(5, 5) == Approx(2.5e9 * 0.03 * 8e-6 / 12));
  CHECK(bar.stations[0].section.inertia(0, 0) == Approx(0.6));
  const Mat<double, 6>& inertia = bar.stations[0].section.inertia;
  CHECK(inertia(3, 3) == Approx(inertia(4, 4) + inertia(5, 5)));
  CHECK(inertia(4, 4) == Approx(1000 * 0.02 * 27e-6 / 12));
  CHECK(bar.damping.alpha == 0.5);
  CHECK(bar.damping.beta == 1e-3);
  CHECK(Laid(line + "section: thick, damping: {beta: 4e-3}").beam.damping.beta == 4e-3);
  const Laid rod_model(line + "section: rod");
  const BeamInstance& rod = rod_model.beam;
  CHECK(rod.stations[0].section.stiffness(2, 2) == Approx(1e9 * pi * 1e-4 * 7.5 / (7 + 6 * 0.25)));
  const Laid given_model(line + "section: given");
  const BeamInstance& given = given_model.beam;
  CHECK(given.stations[0].section.stiffness(1, 1) == Approx(1e9 * 1e-4 * 0.5));
  CHECK(given.stations[0].section.stiffness(2, 2) == Approx(1e9 * 1e-4 * 0.25));
  CHECK(given.stations[0].section.stiffness(3, 3) == Approx(1e9 * 5e-10));
}

TEST_CASE("a beam is damped by one time or by six, and six that are alike are one", "[serial]") {
  const std::string line = "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 1, order: 3}, section: thick, ";
  const Laid six(line + "damping: {alpha: 0.25, beta: [1e-3, 0, 3e-3, 4e-3, 5e-3, 2*3e-3]}");
  REQUIRE(six.beam.damping.components);
  const double expected[6] = {1e-3, 0, 3e-3, 4e-3, 5e-3, 6e-3};
  for (int i = 0; i < 6; ++i) CHECK((*six.beam.damping.components)[i] == expected[i]);
  CHECK(six.beam.damping.alpha == 0.25);
  CHECK(six.beam.damping.beta == 0);
  const auto family = [](const Laid& laid) { return std::string(laid.model.bodies[0].content->line()->element_family()); };
  CHECK(family(six) == "damped_beam4");
  const Laid alike(line + "damping: {beta: [2e-3, 2e-3, 2e-3, 2e-3, 2e-3, 2e-3]}");
  CHECK_FALSE(alike.beam.damping.components);
  CHECK(alike.beam.damping.beta == 2e-3);
  CHECK(alike.beam.damping.alpha == 0);  // in place of the material's
  CHECK(family(alike) == "beam4");
  CHECK(family(Laid(line + "twist: 0")) == "beam4");
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
  CHECK(beam_instance(model, 0, 0).division.start(1) == 0.3);
}

TEST_CASE("named points of a beam and jumps of its section are nodes, wherever they are", "[serial]") {
  const auto places = [](const BeamDivision& d) {
    std::vector<double> starts;
    for (int e = 0; e <= d.num_elements(); ++e) starts.push_back(d.start(e));
    return starts;
  };
  using Starts = std::vector<double>;
  CHECK(places(BeamDivision(4, 2)) == Starts{0, 0.25, 0.5, 0.75, 1});
  CHECK(places(BeamDivision(4, 2, {0.375, 1, 0.5})) == Starts{0, 0.25, 0.5, 0.75, 1});  // nodes are there
  CHECK(places(BeamDivision(4, 2, {}, {0.375})) == Starts{0, 0.1875, 0.375, 0.6875, 1});
  CHECK(places(BeamDivision(4, 1, {0.3, 0.5})) == Starts{0, 0.3, 0.5, 0.75, 1});
  CHECK(places(BeamDivision(2, 3, {0.9}, {0.9})) == Starts{0, 0.9, 1});
  CHECK_THROWS_AS(BeamDivision(2, 1, {0.3, 0.6}), InputError);
  for (const int elements : {3, 10, 1000}) {
    const BeamDivision d(elements, 3, {0.123, 0.777});
    double longest = 0;
    for (int e = 0; e < elements; ++e) longest = std::max(longest, d.start(e + 1) - d.start(e));
    CHECK(longest <= 1.0 / (elements - 3));
    for (int n = 0; n < d.num_nodes(); n += 1 + d.num_nodes() / 50) {
      int node = -1;
      d.station(d.node(n), node);
      CHECK(node == n);
    }
    for (const double at : {0.123, 0.777}) {
      int node = -1;
      const CableStation station = d.station(at, node);
      CHECK(node % 3 == 0);
      CHECK(d.at(station) == Approx(at).epsilon(1e-14));
    }
  }
}

TEST_CASE("sections of a beam are linear between places, and may jump", "[serial]") {
  const Laid laid(
      "line: {from: [0, 0, 0], to: [4, 0, 0], elements: 3}, section: [[0, thick], [0.4, thin], [0.4, thick], [1, thin]]");
  const BeamInstance& beam = laid.beam;
  CHECK(beam.section(0.1, BeamSide::after).stiffness(0, 0) == Approx(8));
  CHECK(beam.section(0.1, BeamSide::before).inertia(0, 0) == Approx(2.5));
  CHECK(beam.section(0.4, BeamSide::before).stiffness(0, 0) == Approx(2));
  CHECK(beam.section(0.4, BeamSide::after).stiffness(0, 0) == Approx(10));
  CHECK(beam.section(1, BeamSide::before).stiffness(0, 0) == Approx(2));
  CHECK(beam.division.start(1) == Approx(0.4));
}

TEST_CASE("nodes of a beam lie at the centres of mass of its sections", "[serial]") {
  const Laid laid(
      "line: {from: [0, 0, 0], to: [0, 0, 2], elements: 2}, section: beside, up: [1, 0, 0], angular_velocity: [0, 0, 1]");
  const BeamInstance& beam = laid.beam;
  check_near(beam.centre(1), {{0, 0.3, -0.1}});
  check_near(beam.node_frame(4).x, {{0.3, -0.1, 2}});
  check_near(beam.frame(4).x, {{0, 0, 2}});
  check_near(beam.node_twist(4).v, {{0.1, 0.3, 0}});
  // where the section jumps the node lies at the centre of both halves
  const Laid jump(
      "line: {from: [0, 0, 0], to: [4, 0, 0], elements: 2}, section: [[0, beside], [0.25, beside], [0.25, thin], [1, thin]]");
  check_near(jump.beam.centre(2), {{0, 0.3 * 2 * 0.25 / (2 * 0.25 + 0.75), -0.1 * 2 * 0.25 / (2 * 0.25 + 0.75)}});
}

TEST_CASE("nodes of a beam have the mass and the first moment of its sections, wherever these have kinks", "[serial]") {
  const int order = GENERATE(1, 2, 3), elements = GENERATE(1, 2, 3, 7);
  const bool is_extreme = GENERATE(false, true);  // nearly all of the mass in a twentieth of an element
  const std::string stations = is_extreme ? "[[0, thin], [0.60, thin], [0.62, flange], [0.64, thin], [1, thin]]"
                                          : "[[0, thick], [0.3, thin], [0.7, thick], [1, thin]]";
  const Laid laid("line: {from: [0, 0, 0], to: [4, 0, 0], elements: " + std::to_string(elements) +
                  ", order: " + std::to_string(order) + "}, section: " + stations);
  const BeamInstance& beam = laid.beam;
  double mass = 0, moment = 0, exact_mass = 0, exact_moment = 0;
  for (int e = 0; e < elements; ++e) {
    const std::vector<Mat<double, 6>> lumps = beam.nodal_inertia(e);
    for (int a = 0; a <= order; ++a) {
      const Mat<double, 6>& lump = lumps[static_cast<std::size_t>(a)];
      CHECK(is_positive_definite(lump));
      mass += lump(0, 0);
      moment += lump(0, 0) * 4 * beam.division.node(e * order + a);
    }
  }
  for (std::size_t k = 1; k < beam.stations.size(); ++k) {
    const BeamStation &from = beam.stations[k - 1], &to = beam.stations[k];
    const double a = 4 * from.at, b = 4 * to.at, m0 = from.section.inertia(0, 0), m1 = to.section.inertia(0, 0);
    exact_mass += (b - a) * (m0 + m1) / 2;
    exact_moment += (b - a) * (m0 * (2 * a + b) + m1 * (a + 2 * b)) / 6;
  }
  CHECK(mass == Approx(exact_mass).epsilon(1e-13));
  CHECK(moment == Approx(exact_moment).epsilon(1e-13));
}

TEST_CASE("a beam runs smoothly through given places", "[serial]") {
  // places on a circle of radius 2, of uneven distances: the spline leaves it by the fourth power of these
  const auto miss = [](int pieces) {
    std::string points;
    for (int k = 0; k <= pieces; ++k) {
      const double s = static_cast<double>(k) / pieces, angle = 1.5 * (s + 0.2 * s * (1 - s));
      points += (k ? ", [" : "[") + std::to_string(2 * std::cos(angle)) + ", " + std::to_string(2 * std::sin(angle)) + ", 0]";
    }
    const Laid laid("line: {points: [" + points + "], elements: 4}, section: bar, up: [0, 0, 1]");
    double worst = std::abs(laid.beam.line.length() - 3);
    for (int n = 0; n < 9; ++n) {
      const double angle = 1.5 * laid.beam.division.node(n);
      worst = std::max(worst, norm(laid.beam.frame(n).x - Vec3<double>{{2 * std::cos(angle), 2 * std::sin(angle), 0}}));
    }
    return worst;
  };
  CHECK(miss(5) < 5e-3);
  CHECK(miss(10) < miss(5) / 10);
  CHECK(miss(20) < miss(10) / 10);
  // three places: the parabola y = x (2 - x)
  const Laid parabola("line: {points: [[0, 0, 0], [1, 1, 0], [2, 0, 0]], elements: 2}, section: bar");
  check_near(parabola.beam.frame(2).x, {{1, 1, 0}});
  check_near(axis(parabola.beam, 0, 0), {{1 / std::sqrt(5.0), 2 / std::sqrt(5.0), 0}});
  // two: a straight line, and a twist by places
  const Laid straight(
      "line: {points: [[0, 0, 0], [2, 0, 0]], elements: 4, order: 1}, section: bar, twist: [[0, 0], [0.5, 90 deg], [1, 0]]");
  check_near(axis(straight.beam, 1, 1), {{0, std::sqrt(0.5), std::sqrt(0.5)}});
  check_near(axis(straight.beam, 2, 1), {{0, 0, 1}});
  check_near(axis(straight.beam, 3, 1), {{0, std::sqrt(0.5), std::sqrt(0.5)}});
}
