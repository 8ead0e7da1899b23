// Beams whose sections vary along the line, or have their centre of mass beside it, against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/moving.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;

Values at_rest(const std::string& text) {
  Stationary model(MPI_COMM_SELF, text);
  model.find_rest();
  return model.values();
}

/// The rows of an inertia per length: mass m, centre c from the line, inertia about that centre.
std::string inertia_beside(double m, const Vec3<double>& c, const Vec3<double>& J) {
  const double square = dot(c, c);
  const auto second = [&](int i, int j) { return (i == j ? J[i] + m * square : 0.0) - m * c[i] * c[j]; };
  return fmt::format(
      "[[{0}, 0, 0, 0, {3}, {4}], [0, {0}, 0, {5}, 0, {1}], [0, 0, {0}, {6}, {2}, 0], [0, {5}, {6}, {7}, {8}, {9}], "
      "[{3}, 0, {2}, {8}, {10}, {11}], [{4}, {1}, 0, {9}, {11}, {12}]]",
      m, m * c[0], -m * c[0], m * c[2], -m * c[1], -m * c[2], m * c[1], second(0, 0), second(0, 1), second(0, 2), second(1, 1),
      second(1, 2), second(2, 2));
}

}  // namespace

TEST_CASE("A cantilever whose stiffness falls linearly bends as the integral of M/EI has it, of twice the order", "[serial]") {
  // w = P L^3/EI int (1 - s)^2/(1 - a s) ds + P L/GA; of y = 1 - a s the integrand is ((y - b)/a)^2/y, b = 1 - a
  constexpr double P = 1e-5, a = 0.5, b = 1 - a, GA = 50;
  const double bending = ((1 - b * b) / 2 - 2 * b * (1 - b) - b * b * std::log(b)) / (a * a * a);
  const double expected = P * (bending + 1 / GA);
  for (const int order : {1, 2, 3}) {
    const auto error = [&](int elements) {
      const Values v = at_rest(fmt::format(R"(sinew: 1
sections:
  root: {{stiffness: [100, {0}, {0}, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1]}}
  tip: {{stiffness: [50, {0}, {0}, 1, {1}, {1}], inertia: [1, 1, 1, 1, 1, 1]}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: {2}, order: {3}}}, section: [[0, root], [1, tip]]}}
joints: {{root: {{type: clamp, connect: [ground, b.start]}}}}
forces: {{F: {{type: force, on: b.end, vector: [0, 0, {4}]}}}}
sensors: {{tip: {{type: point, of: b.end, record: [displacement]}}}}
analysis: {{type: static, newton: {{tolerance: 1e-13}}}}
)",
                                           GA, b, elements, order, P));
      return std::abs(v.at("tip.displacement.z") - expected) / expected;
    };
    const double coarse = error(4), fine = error(8);
    INFO("order " << order << ": " << coarse << ", " << fine);
    CHECK(std::log2(coarse / fine) == Approx(2 * order).margin(0.3));
    CHECK(error(order == 1 ? 64 : 16) < (order == 1 ? 1e-3 : 1e-5));
  }
}

TEST_CASE("A beam whose section jumps is two beams that are fixed to each other", "[serial]") {
  const char* sections = R"(sinew: 1
sections:
  thick: {stiffness: [1e4, 4e3, 4e3, 3, 5, 8], inertia: [3, 3, 3, 0.02, 0.01, 0.01]}
  thin: {stiffness: [3e3, 1e3, 1e3, 0.5, 1, 0.7], inertia: [1, 1, 1, 0.004, 0.002, 0.002]}
)";
  Stationary one(MPI_COMM_SELF, sections + std::string(R"(
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 5},
      section: [[0, thick], [0.4, thick], [0.4, thin], [1, thin]]}
joints: {root: {type: clamp, connect: [ground, b.start]}}
analysis: {type: modes}
)"));
  Stationary two(MPI_COMM_SELF, sections + std::string(R"(
bodies:
  a: {type: beam, line: {from: [0, 0, 0], to: [0.4, 0, 0], elements: 2}, section: thick}
  b: {type: beam, line: {from: [0.4, 0, 0], to: [1, 0, 0], elements: 3}, section: thin}
joints:
  root: {type: clamp, connect: [ground, a.start]}
  weld: {type: fixed, connect: [a.end, b.start]}
analysis: {type: modes}
)"));
  const std::vector<double> f = one.frequencies(8), g = two.frequencies(8);
  REQUIRE(f.size() == g.size());
  for (std::size_t k = 0; k < f.size(); ++k) CHECK(f[k] == Approx(g[k]).epsilon(1e-8));
}

TEST_CASE("Mass that varies along a beam, and beside it, has the centre that it should have", "[serial]") {
  // m from 3 to 1, its centre from 0.2 to 0 above the line: S is linear, 0.6 to 0
  const std::string text = fmt::format(R"(sinew: 1
sections:
  root: {{stiffness: [1, 1, 1, 1, 1, 1], inertia: {}}}
  tip: {{stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 0.1, 0.1, 0.1]}}
bodies:
  b: {{type: beam, line: {{from: [1, 0, 0], to: [3, 0, 0], elements: 2}}, section: [[0, root], [1, tip]], up: [0, 0, 1],
       angular_velocity: [0, 0.5, 0]}}
sensors:
  all: {{type: system, record: [mass, center_of_mass, momentum]}}
  tip: {{type: point, of: b.end, record: [position, velocity]}}
analysis: {{type: dynamic, end_time: 0.01, step: 0.01}}
)",
                                       inertia_beside(3, {{0, 0.2, 0}}, {{0.3, 0.2, 0.2}}));
  const Values v = run_model(MPI_COMM_SELF, text).values.front();
  CHECK(v.at("all.mass") == Approx(4));
  const double x = 1 + 2.0 * (3 * 0.5 - 2 / 3.0) / 2, z = 0.3 / 2;
  CHECK(v.at("all.center_of_mass.x") == Approx(x));
  CHECK(v.at("all.center_of_mass.y") == Approx(0).margin(1e-12));
  CHECK(v.at("all.center_of_mass.z") == Approx(z));
  CHECK(v.at("all.momentum.x") == Approx(4 * 0.5 * z));
  CHECK(v.at("all.momentum.z") == Approx(-4 * 0.5 * (x - 1)));
  CHECK(v.at("tip.position.x") == Approx(3));  // places of a beam are those of its line
  CHECK(v.at("tip.position.z") == Approx(0).margin(1e-12));
  CHECK(v.at("tip.velocity.z") == Approx(-1));
}

TEST_CASE("The weight of a beam beside its line twists it", "[serial]") {
  const Values v = at_rest(fmt::format(R"(sinew: 1
gravity: [0, 0, -10]
sections:
  s: {{stiffness: [1e9, 1e9, 1e9, 100, 1e6, 1e6], inertia: {}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [2, 0, 0], elements: 4, order: 3}}, section: s}}
joints: {{root: {{type: clamp, connect: [ground, b.start]}}}}
sensors:
  root: {{type: joint, of: root, record: [force, moment]}}
  start: {{type: section, of: b, at: 0}}
  tip: {{type: point, of: b.end, record: [orientation]}}
analysis: {{type: static, newton: {{tolerance: 1e-12}}}}
)",
                                       inertia_beside(0.5, {{0, 0.04, 0}}, {{1e-3, 1e-3, 1e-3}})));
  // turned by phi the weight stands at e cos(phi): a first guess is m g e L^2/(2 GJ) = 0.004
  CHECK(v.at("root.force.z") == Approx(-10));
  CHECK(v.at("root.moment.x") == Approx(-10 * 0.04).epsilon(1e-4));
  CHECK(v.at("start.moment.x") == Approx(-10 * 0.04).epsilon(1e-3));
  CHECK(v.at("start.moment.y") == Approx(10 * 1.0).epsilon(1e-3));
  CHECK(v.at("tip.orientation.x") == Approx(-0.5 * 0.004).epsilon(1e-3));
}

TEST_CASE("Bending and torsion of a beam with its mass beside it are coupled as theory has it", "[serial]") {
  // Between forks w and phi go as sin(k x), k = n pi/L: (EI k^4 - m W^2)(GJ k^2 - J W^2) = (m e W^2)^2, J about the line
  // (Timoshenko, Young and Weaver, Vibration Problems in Engineering, section 5.20). What shear and turning inertia change is
  // of the order 1e-6 here.
  constexpr double EI = 1, GJ = 0.35, m = 1, e = 0.2, Jc = 0.03, J = Jc + m * e * e;
  Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
sections:
  s: {{stiffness: [1e6, 1e6, 1e6, {}, {}, 1e4], inertia: {}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: 12, order: 3}}, section: s}}
joints:
  first: {{type: revolute, connect: [ground, b.start], axis: [0, 1, 0]}}
  second: {{type: revolute, connect: [ground, b.end], axis: [0, 1, 0]}}
analysis: {{type: modes}}
)",
                                              GJ, EI, inertia_beside(m, {{0, e, 0}}, {{Jc, 1e-7, 1e-7}})));
  const std::vector<double> f = model.frequencies(4);
  std::vector<double> expected;
  for (int n = 1; n <= 4; ++n) {
    const double k = n * pi, a = m * J - m * m * e * e, b = -(EI * std::pow(k, 4) * J + m * GJ * k * k),
                 c = EI * GJ * std::pow(k, 6);
    for (const double sign : {-1.0, 1.0})
      expected.push_back(std::sqrt((-b + sign * std::sqrt(b * b - 4 * a * c)) / (2 * a)) / (2 * pi));
  }
  std::sort(expected.begin(), expected.end());
  for (std::size_t k = 0; k < 4; ++k) CHECK(f[k] == Approx(expected[k]).epsilon(2e-5));
}

TEST_CASE("A beam moves the same whichever line its sections are described about", "[serial]") {
  // The same matter once about the line of its centres, once about a line 0.3 and 0.1 beside that: C moved there by
  // B^T C B, B = [I -c~; 0 I]; joint and load take hold of the same places of the end sections by rigid pieces.
  const Vec3<double> c{{0, 0.3, -0.1}};
  sinew::Mat<double, 6> C, B = identity<double, 6>();
  const double diagonal[6] = {2e3, 800, 700, 30, 40, 50};
  for (int i = 0; i < 6; ++i) C(i, i) = diagonal[i];
  C(3, 4) = C(4, 3) = 12;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B(i, 3 + j) = -skew(c)(i, j);
  const auto rows = [](const sinew::Mat<double, 6>& A) {
    std::string text = "[";
    for (int i = 0; i < 6; ++i) {
      text += i ? ", [" : "[";
      for (int j = 0; j < 6; ++j) text += fmt::format("{}{:.17g}", j ? ", " : "", A(i, j));
      text += "]";
    }
    return text + "]";
  };
  const auto last_of = [&](bool is_beside) {
    const Vec3<double> line = is_beside ? Vec3<double>{} : c;
    const std::string stiffness = rows(is_beside ? transpose(B) * C * B : C);
    const std::string inertia = inertia_beside(2, is_beside ? c : Vec3<double>{}, {{0.1, 0.06, 0.05}});
    return run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
sections: {{s: {{stiffness: {0}, inertia: {1}}}}}
bodies:
  b: {{type: beam, line: {{from: [0, {2}, {3}], to: [4, {2}, {3}], elements: 3}}, section: s}}
  end: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [4, 0, 0], points: {{line: [0, {2}, {3}]}}}}
joints:
  root: {{type: clamp, connect: [ground, b.start]}}
  weld: {{type: fixed, connect: [b.end, end.line]}}
forces: {{F: {{type: force, on: end, vector: [0, "20*sin(8*t)", 5]}}}}
sensors:
  end: {{type: point, of: end, record: [position, orientation, velocity, acceleration]}}
  root: {{type: joint, of: root, record: [force, moment]}}
  energy: {{type: energy, record: [kinetic, strain, potential]}}
  cut: {{type: section, of: b, at: 0.4, record: [force, moment, strain, curvature]}}
analysis: {{type: dynamic, end_time: 0.5, step: 0.01, newton: {{tolerance: 1e-12}}}}
)yaml",
                                                stiffness, inertia, line[1], line[2]))
        .values.back();
  };
  const Values centred = last_of(false), beside = last_of(true);
  for (const auto& [name, value] : centred) {
    if (name.rfind("root.moment", 0) == 0 || name.rfind("cut", 0) == 0) continue;  // about other places
    INFO(name);
    CHECK(beside.at(name) == Approx(value).epsilon(1e-8).margin(1e-8));
  }
  for (const char* axis : {"x", "y", "z"}) {
    const std::string of = axis;
    CHECK(beside.at("cut.force." + of) == Approx(centred.at("cut.force." + of)).epsilon(1e-7).margin(1e-7));
    CHECK(beside.at("cut.curvature." + of) == Approx(centred.at("cut.curvature." + of)).epsilon(1e-7).margin(1e-9));
  }
  // the clamp's moment about the other place: M + r x F
  const Vec3<double> F{{centred.at("root.force.x"), centred.at("root.force.y"), centred.at("root.force.z")}};
  const Vec3<double> moved = cross(c, F);
  CHECK(beside.at("root.moment.x") == Approx(centred.at("root.moment.x") + moved[0]).epsilon(1e-8));
  CHECK(beside.at("root.moment.y") == Approx(centred.at("root.moment.y") + moved[1]).epsilon(1e-8));
  CHECK(beside.at("root.moment.z") == Approx(centred.at("root.moment.z") + moved[2]).epsilon(1e-8));
}
