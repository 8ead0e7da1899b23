// Loads along beams, cables and rings against closed forms, an integration of its own, and weight.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double EA = 4e5, GA = 2e5, EI = 300, L = 2;

/// A beam along x, clamped at the origin; `up` is y, so that axis 3 of its sections is z.
std::string cantilever(int elements, int order, const std::string& load) {
  return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [{EA}, {GA}, {GA}, 500, {EI}, {EI}], inertia: [1, 1, 1, 1, 1, 1]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [{L}, 0, 0], elements: {elements}, order: {order}}}, section: s, up: [0, 1, 0]}}
joints:
  root: {{type: clamp, connect: [ground, b.start]}}
forces:
  q: {{{load}}}
sensors:
  tip: {{type: point, of: b.end, record: [displacement, orientation]}}
  root: {{type: joint, of: root, record: [force, moment]}}
  q: {{type: force, of: q}}
analysis: {{type: static, newton: {{tolerance: 1e-12}}}}
)",
                     fmt::arg("elements", elements), fmt::arg("order", order), fmt::arg("load", load), fmt::arg("EA", EA),
                     fmt::arg("GA", GA), fmt::arg("EI", EI), fmt::arg("L", L));
}

Values at_rest(const std::string& text) {
  Stationary model(MPI_COMM_SELF, text);
  model.find_rest();
  return model.values();
}

/// The end of a cantilever under q normal to its deformed line, per unstressed length. Seen from its free end, where neither
/// force nor moment is, the line is known step by step: n' = -q t_n, m' = -(1 + e) x n, with strains n/EA, n/GA and m/EI.
/// Runge-Kutta.
std::array<double, 2> end_under_follower(double q) {
  using Line = std::array<double, 6>;  // angle, x, z, normal force along global x and z, moment; all from the end inwards
  const auto slope = [q](const Line& y) {
    const double c = std::cos(y[0]), s = std::sin(y[0]);
    const double axial = c * y[3] + s * y[4], shear = -s * y[3] + c * y[4];
    const double along = 1 + axial / EA, across = shear / GA;
    const double dx = along * c - across * s, dz = along * s + across * c;
    // on the part before a section act the force (y3, y4) and the moment y5 of the part behind it
    return Line{-y[5] / EI, -dx, -dz, -q * s, q * c, dx * y[4] - dz * y[3]};
  };
  Line y{};
  const int steps = 4000;
  const double h = L / steps;
  const auto moved = [](const Line& at, double by, const Line& k) {
    Line sum = at;
    for (std::size_t i = 0; i < 6; ++i) sum[i] += by * k[i];
    return sum;
  };
  for (int n = 0; n < steps; ++n) {
    const Line a = slope(y), b = slope(moved(y, h / 2, a)), c = slope(moved(y, h / 2, b)), d = slope(moved(y, h, c));
    for (std::size_t i = 0; i < 6; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  // turned so that the clamped end, now at (y1, y2) with angle y0, lies at the origin along x
  const double c = std::cos(y[0]), s = std::sin(y[0]);
  return {-c * y[1] - s * y[2] - L, s * y[1] - c * y[2]};
}

}  // namespace

TEST_CASE("Beams under loads along them deflect as the closed forms say", "[serial]") {
  struct Case {
    const char* profile;
    double resultant, moment, deflection;  // of q = 1; EI w without shear, GA w of shear alone is the moment of the load
  };
  const double L4 = L * L * L * L;
  const double a = 0.25 * L;  // the last quarter: w = int q x^2 (3 L - x)/6 dx
  const auto last = [](double x) { return L * x * x * x / 6 - x * x * x * x / 24; };
  for (const Case& c : {Case{"", L, L * L / 2, L4 / 8}, Case{", profile: [[0, 0], [1, 1]]", L / 2, L * L / 3, 11 * L4 / 120},
                        Case{", profile: [[0, 1], [1, 0]]", L / 2, L * L / 6, L4 / 30},
                        Case{", profile: [[0.75, 1], [1, 1]]", a, a * (L - a / 2), last(L) - last(L - a)}})
    for (const int order : {1, 2, 3}) {
      CAPTURE(c.profile, order);
      const double q = -1e-3;
      const Values v = at_rest(cantilever(7, order, fmt::format("type: line-load, on: b, vector: [0, 0, {}]{}", q, c.profile)));
      const double expected = q * (c.deflection / EI + c.moment / GA);
      CHECK(v.at("tip.displacement.z") == Approx(expected).epsilon(order == 1 ? 0.02 : order == 2 ? 1e-4 : 1e-6));
      CHECK(v.at("q.force.z") == Approx(q * c.resultant));
      CHECK(std::abs(v.at("root.force.z")) == Approx(std::abs(q) * c.resultant));
      CHECK(std::abs(v.at("root.moment.y")) == Approx(std::abs(q) * c.moment).epsilon(1e-4));
    }
}

TEST_CASE("A load that follows its beam bends it as the line that is integrated from its free end", "[serial]") {
  for (const double q : {50.0, 400.0}) {
    const std::array<double, 2> expected = end_under_follower(q);
    double before = 0;
    for (const int elements : {4, 8}) {
      CAPTURE(q, elements);
      const Values v =
          at_rest(cantilever(elements, 3, fmt::format("type: follower-line-load, on: b, vector_local: [0, 0, {}]", q)));
      const double error = std::hypot(v.at("tip.displacement.x") - expected[0], v.at("tip.displacement.z") - expected[1]);
      CHECK(error < 5e-6);
      if (before > 1e-8) CHECK(before / error > 24);  // order 5 and more
      before = error;
    }
    const Values coarse = at_rest(cantilever(40, 1, fmt::format("type: follower-line-load, on: b, vector_local: [0, 0, {}]", q)));
    CHECK(coarse.at("tip.displacement.z") == Approx(expected[1]).epsilon(2e-3));
  }
}

TEST_CASE("An even torque along a shaft twists its end as half of it would there", "[serial]") {
  for (const int order : {1, 2, 3}) {
    const double m = 0.7;
    const Values v = at_rest(cantilever(4, order, fmt::format("type: line-torque, on: b, vector: [{}, 0, 0]", m)));
    CHECK(v.at("tip.orientation.x") == Approx(std::sin(m * L * L / (2 * 500) / 2)).epsilon(1e-9));
    CHECK(v.at("q.moment.x") == Approx(m * L));
    CHECK(std::abs(v.at("root.moment.x")) == Approx(m * L));
  }
}

TEST_CASE("A load as large as the weight does what gravity does, on mass centres beside a beam too", "[serial]") {
  // mass centres 0.05 and -0.08 beside the line, 3 kg/m
  constexpr const char* model = R"(sinew: 1
gravity: {}
sections:
  s: {{stiffness: [4e5, 2e5, 2e5, 500, 300, 700], inertia: [[3, 0, 0, 0, -0.24, -0.15],
      [0, 3, 0, 0.24, 0, 0], [0, 0, 3, 0.15, 0, 0],
      [0, 0.24, 0.15, 0.1, 0, 0], [-0.24, 0, 0, 0, 0.05, 0], [-0.15, 0, 0, 0, 0, 0.05]]}}
  rope: {{stiffness: [2e4, 0, 0, 0, 0.3, 0.3], inertia: [0.4, 0, 0, 0, 0, 0]}}
bodies:
  b: {{type: beam, line: {{points: [[0, 0, 0], [0.6, 0.2, 0.1], [1.2, 0, 0.4]], elements: 6, order: {}}}, section: s,
    up: [0, 0, 1]}}
  c: {{type: cable, points: [[0, 2, 0], [0.5, 2, -0.4], [0.8, 2, -0.6], [1.5, 2, 0]], section: rope}}
joints:
  root: {{type: clamp, connect: [ground, b.start]}}
  left: {{type: spherical, connect: [ground, c.start]}}
  right: {{type: spherical, connect: [ground, c.end]}}
forces:
  q: {{type: line-load, on: b, vector: [{}, 0, {}], offset: [0, 0.05, -0.08]}}
  w: {{type: line-load, on: c, vector: [{}, 0, {}]}}
sensors:
  tip: {{type: point, of: b.end, record: [displacement, orientation]}}
  middle: {{type: point, of: "c.node[2]", record: displacement}}
  root: {{type: joint, of: root, record: [force, moment]}}
  right: {{type: joint, of: right, record: force}}
analysis: {{type: static, newton: {{tolerance: 1e-12}}}}
)";
  for (const int order : {1, 2, 3}) {
    CAPTURE(order);
    const Values weight = at_rest(fmt::format(model, "[4, 0, -9]", order, 0, 0, 0, 0));
    const Values load = at_rest(fmt::format(model, "[0, 0, 0]", order, 4 * 3.0, -9 * 3.0, 4 * 0.4, -9 * 0.4));
    for (const auto& [column, value] : weight) {
      CAPTURE(column);
      CHECK(load.at(column) == Approx(value).margin(2e-8));
    }
    CHECK(std::abs(weight.at("tip.displacement.z")) > 0.01);
  }
}

TEST_CASE("Loads along cables and rings have the resultant of their length, and the budget of energy closes", "[serial]") {
  const auto run = [](double step) {
    return run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
sections: {{rope: {{stiffness: [2e3, 0, 0, 0, 0.3, 0.3], inertia: [0.4, 0, 0, 0, 0, 0]}},
  s: {{stiffness: [4e4, 2e4, 2e4, 50, 30, 30], inertia: [1, 1, 1, 0.02, 0.01, 0.01]}}}}
bodies:
  r: {{type: ring, circle: {{centre: [0, 0, 0], axis: [0, 0, 1], radius: 0.5, elements: 24}}, section: rope}}
  c: {{type: cable, line: {{from: [0, 2, 0], to: [1, 2, 0], elements: 5}}, section: rope}}
  b: {{type: beam, line: {{from: [0, 3, 0], to: [1, 3, 0], elements: 3}}, section: s}}
joints:
  hinge: {{type: spherical, connect: [ground, c.start]}}
  pin: {{type: revolute, connect: [ground, b.start], axis: [0, 1, 0]}}
forces:
  r: {{type: line-load, on: r, vector: [1, 2, "3 + t"]}}
  c: {{type: line-load, on: c, vector: [0, 0, "-4*cos(3*t)"], profile: [[0.1, 0], [0.5, 2], [0.7, 2], [0.7, 1], [0.95, 0.2]]}}
  b: {{type: follower-line-load, on: b, vector_local: [0, 5, "20*sin(5*t)"], offset: [0, 0, 0.02], profile: [[0, 1], [1, 0.5]]}}
sensors:
  r: {{type: force, of: r, record: [force, work]}}
  c: {{type: force, of: c, record: [force, work]}}
  b: {{type: force, of: b, record: [force, work]}}
  energy: {{type: energy}}
analysis: {{end_time: 0.4, step: {}}}
)yaml",
                                                step));
  };
  const auto left = [&](double step, bool look) {
    const Trajectory found = run(step);
    const Values &first = found.values.front(), &last = found.values.back();
    if (look) {
      CHECK(last.at("r.force.y") == Approx(2 * 2 * std::acos(-1.0) * 0.5).epsilon(1e-5));
      CHECK(last.at("r.force.z") == Approx(3.4 / 2 * last.at("r.force.y")));
      CHECK(first.at("c.force.z") == Approx(-4 * (0.4 * 1 + 0.2 * 2 + 0.25 * 0.6)));
      CHECK(std::hypot(last.at("b.force.x"), last.at("b.force.y"), last.at("b.force.z")) ==
            Approx(0.75 * std::hypot(5, 20 * std::sin(2.0))).epsilon(1e-3));  // its sections are not parallel
      CHECK(last.at("r.work") + last.at("c.work") + last.at("b.work") > 1);
    }
    double stored = 0;
    for (const char* part : {"kinetic", "strain", "potential"})
      stored += last.at(std::string("energy.") + part) - first.at(std::string("energy.") + part);
    return std::abs(stored - last.at("r.work") - last.at("c.work") - last.at("b.work"));
  };
  const double coarse = left(4e-3, true), fine = left(2e-3, false);
  CAPTURE(coarse, fine);
  CHECK(coarse < 0.02);
  CHECK(coarse / fine > 3);
}

TEST_CASE("Columns under loads along them buckle as Greenhill says and flutter as Hauger says", "[serial]") {
  const auto column = [](const char* load, const char* analysis) {
    return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [1e7, 1e7, 1e7, 1e3, 100, 300], inertia: [1, 1, 1, 1e-4, 1e-4, 1e-4]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [0, 0, 2], elements: 8}}, section: s, up: [0, 1, 0]}}
joints:
  foot: {{type: clamp, connect: [ground, b.start]}}
forces:
  q: {{{}}}
analysis: {{{}}}
)",
                       load, analysis);
  };
  // 7.83735 EI/L^3 per length of a dead load: A. G. Greenhill, Proc. Camb. Phil. Soc. 4 (1881)
  Stationary dead(MPI_COMM_SELF, column("type: line-load, on: b, vector: [0, 0, -1]", "type: buckling"));
  const std::vector<double> factors = dead.buckling(2);
  CHECK(factors[0] == Approx(7.83735 * 100 / 8).epsilon(2e-4));
  CHECK(factors[1] == Approx(7.83735 * 300 / 8).epsilon(2e-4));
  // 40.05 EI/L^3 of one that stays along the tangent: W. Hauger, Ingenieur-Archiv 35 (1966). The column is straight and at rest.
  const auto growth = [&](double q) {
    Stationary follows(MPI_COMM_SELF, column(fmt::format("type: follower-line-load, on: b, vector_local: [{}, 0, 0]", -q).c_str(),
                                             "type: static, unstable: keep"));
    follows.find_rest();
    double fastest = 0;
    for (const Mode& mode : follows.modes(4)) fastest = std::max(fastest, mode.real);
    return fastest;
  };
  const double critical = 40.05 * 100 / 8;
  CHECK(growth(0.99 * critical) < 1e-6);
  CHECK(growth(1.01 * critical) > 0.5);
}

TEST_CASE("A force that follows the end of a wire makes it flutter, however thin and finely divided it is", "[serial]") {
  // M. Beck, Zeitschrift fuer angewandte Mathematik und Physik 3 (1952): beyond 20.05 EI/L^2. At 25 the equation
  // p^2 + 2 w^2 + 2 w^2 cos a cosh b + p w sin a sinh b = 0, a^2, b^2 = (p^2/4 + w^2)^(1/2) +- p/2, has the root below.
  constexpr double wire = 1e-3, E = 210e9, density = 7850, pi = 3.14159265358979323846;
  const double area = pi / 4 * wire * wire, bending = E * pi / 64 * std::pow(wire, 4);
  Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: {}, youngs_modulus: {}, poissons_ratio: 0.3}}}}
sections: {{s: {{shape: circle, diameter: {}}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: 40, order: 2}}, section: s, material: m}}
joints:
  root: {{type: fixed, connect: [ground, b.start]}}
forces:
  f: {{type: follower-force, on: b.end, vector_local: [{}, 0, 0]}}
analysis: {{type: static}}
)",
                                              density, E, wire, -25 * bending));
  model.find_rest();
  const double unit = std::sqrt(bending / (density * area));
  for (const Mode& mode : model.modes(4)) {
    CHECK(std::abs(mode.real) / unit == Approx(4.917).epsilon(1e-3));
    CHECK(mode.imaginary / unit == Approx(10.618).epsilon(1e-3));
  }
}
