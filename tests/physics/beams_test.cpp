// Beams against closed forms and published figures: rest, thinness, orders, vibrations, motion.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;

using Displacement = std::array<double, 3>;

/// A beam along x from the origin, clamped there, with a load at its end.
struct Cantilever {
  double length = 1;
  int elements = 4, order = 2;
  std::string stiffness, force = "[0, 0, 0]", moment = "[0, 0, 0]", up = "[0, 1, 0]";

  std::string text() const {
    return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: {}, inertia: [1, 1, 1, 1, 1, 1]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [{}, 0, 0], elements: {}, order: {}}}, section: s, up: {}}}
joints:
  root: {{type: clamp, connect: [ground, b.start]}}
forces:
  F: {{type: force, on: b.end, vector: {}}}
  M: {{type: torque, on: b.end, vector: {}}}
sensors:
  tip: {{type: point, of: b.end, record: [displacement, orientation]}}
  root: {{type: joint, of: root, record: [force, moment]}}
  near_root: {{type: section, of: b, at: 0}}
  energy: {{type: energy, record: [strain]}}
analysis: {{type: static, newton: {{tolerance: 1e-12}}}}
)",
                       stiffness, length, elements, order, up, force, moment);
  }
};

Values at_rest(const std::string& text) {
  Stationary model(MPI_COMM_SELF, text);
  model.find_rest();
  return model.values();
}

/// Distance of the displacement of `tip` from another.
double miss(Values values, const Displacement& expected) {
  return std::hypot(values.at("tip.displacement.x") - expected[0], values.at("tip.displacement.y") - expected[1],
                    values.at("tip.displacement.z") - expected[2]);
}

/// A section of a composite that couples twist and bending (Wang et al. 2017, Wind Energy 20, 1439-1462), and the end of its beam
/// as an independent program finds it.
constexpr const char* composite = R"([[1368.17e3, 0, 0, 0, 0, 0], [0, 88.56e3, 0, 0, 0, 0], [0, 0, 38.78e3, 0, 0, 0],
  [0, 0, 0, 16.96e3, 17.61e3, -351], [0, 0, 0, 17.61e3, 59.12e3, -370], [0, 0, 0, -351, -370, 141.47e3]])";
constexpr Displacement composite_tip{-0.0902726627566, -0.0647488486259, 1.22973648292};

Cantilever composite_blade(int elements, int order) {
  Cantilever c;
  c.length = 10;
  c.elements = elements;
  c.order = order;
  c.stiffness = composite;
  c.force = "[0, 0, 150]";
  return c;
}

}  // namespace

TEST_CASE("An end moment of 2 pi EI/L rolls a beam up into a circle", "[serial]") {
  for (const int order : {1, 2, 3}) {
    Cantilever c;
    c.length = 10;
    c.elements = order == 1 ? 40 : 16;
    c.order = order;
    c.stiffness = "[1.77e6, 1.77e6, 1.77e6, 8.16e3, 86.9e3, 215e3]";
    c.moment = "[0, -2*pi*86.9e3/10, 0]";
    const Values v = at_rest(c.text());
    INFO("order " << order);
    const Displacement circle{-10, 0, 0};
    CHECK(miss(v, circle) < 1e-6);
    CHECK(std::abs(v.at("tip.orientation.w")) == Approx(1).margin(1e-10));
    CHECK(v.at("near_root.moment.y") == Approx(-2 * pi * 86.9e3 / 10));
    CHECK(v.at("near_root.curvature.y") == Approx(-2 * pi / 10));
  }
}

TEST_CASE("Places of a coupled beam converge with twice the order of its elements", "[serial]") {
  for (const int order : {1, 2, 3}) {
    const int elements = order == 1 ? 8 : 4;
    const double coarse = miss(at_rest(composite_blade(elements, order).text()), composite_tip);
    const double fine = miss(at_rest(composite_blade(2 * elements, order).text()), composite_tip);
    INFO("order " << order << ": errors " << coarse << ", " << fine);
    CHECK(std::log2(coarse / fine) == Approx(2 * order).margin(0.35));
  }
  const Values v = at_rest(composite_blade(8, 3).text());
  CHECK(miss(v, composite_tip) < 1e-8);
  CHECK(v.at("root.moment.x") == Approx(-9.7123273).epsilon(1e-6));
  CHECK(v.at("root.moment.y") == Approx(-1486.4591).epsilon(1e-6));
  CHECK(v.at("root.force.z") == Approx(150));
}

TEST_CASE("The arc of Bathe and Bolourchi comes to rest where the literature has it", "[serial]") {
  // An eighth of a circle of radius 100 under 600 across its plane; converged figures of the same beam by shooting.
  const auto tip = [](const char* GJ) {
    return at_rest(fmt::format(R"yaml(sinew: 1
sections: {{s: {{stiffness: [1e7, 4166670, 4166670, {}, 833300, 833300], inertia: [1, 1, 1, 1, 1, 1]}}}}
bodies:
  arc:
    type: beam
    line: {{curve: ["100*sin(s)", "100*(cos(s) - 1)", "0"], range: [0, pi/4], elements: 8, order: 3}}
    section: s
joints:
  root: {{type: clamp, connect: [ground, arc.start]}}
forces:
  P: {{type: force, on: arc.end, vector: [0, 0, 600]}}
sensors:
  tip: {{type: point, of: arc.end, record: [displacement]}}
analysis: {{type: static, newton: {{tolerance: 1e-12}}}}
)yaml",
                               GJ));
  };
  const Displacement polar{-23.5612967857, 13.6050230096, 53.4761081403}, square{-23.8194753105, 13.7318614693, 53.6084369757};
  CHECK(miss(tip("833300"), polar) < 1e-5);
  CHECK(miss(tip("7.03e5"), square) < 1e-5);
}

TEST_CASE("The Princeton beam bends and twists at once, as measured", "[serial]") {
  struct Case {
    double angle, load;
    Displacement tip;
  };
  const Case cases[] = {{0, 8.896, {-0.000135516793, -0.0107127648, 0}},
                        {45, 8.896, {-0.0144118248, -0.00897919672, 0.109113115}},
                        {90, 8.896, {-0.0260214828, 0, 0.146252357}},
                        {30, 13.345, {-0.0172589223, -0.0169897989, 0.118179534}},
                        {75, 13.345, {-0.0480856125, -0.00647033530, 0.196138734}}};
  for (const Case& one : cases) {
    Cantilever c;
    c.length = 0.508;
    c.elements = 8;
    c.order = 3;
    c.stiffness = "[2.84206944e6, 1.08475933e6, 1.08475933e6, 2.92574407, 2.42887180, 36.2855194]";
    c.force = fmt::format("[0, -{0}*cos({1} deg), {0}*sin({1} deg)]", one.load, one.angle);
    INFO("angle " << one.angle << ", load " << one.load);
    CHECK(miss(at_rest(c.text()), one.tip) < 1e-7);
  }
}

TEST_CASE("A thin beam does not lock", "[serial]") {
  // Elastica under a dead load of 4 EI/L^2; EA L^2/EI = 1.2e9, a thickness of L/10000.
  for (const int order : {1, 2, 3}) {
    Cantilever c;
    c.elements = 24 / order;
    c.order = order;
    c.stiffness = "[1.2e9, 5e8, 5e8, 1, 1, 1]";
    c.force = "[0, 0, 4]";
    const double error = miss(at_rest(c.text()), Displacement{-0.328941242247, 0, 0.669964181278});
    INFO("order " << order << ": error " << error);
    CHECK(error < (order == 1 ? 2e-3 : order == 2 ? 2e-5 : 1e-6));
  }
}

TEST_CASE("Joints take hold of a beam at any fraction of its length, and a clamp holds the turn there", "[serial]") {
  const auto text = [](double at) {
    return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: 2}}, section: s, points: {{here: {{at: {}}}}}}}
joints:
  hold: {{type: clamp, connect: [ground, b.here]}}
sensors:
  hold: {{type: joint, of: hold, record: [moment]}}
  here: {{type: point, of: b.here, record: [position]}}
forces:
  turn: {{type: torque, on: b.end, vector: [0, 0.1, 0]}}
analysis: {{type: static}}
)",
                       at);
  };
  for (const double at : {0.25, 0.3}) {
    const Values v = at_rest(text(at));
    CHECK(v.at("here.position.x") == Approx(at));
    CHECK(v.at("hold.moment.y") == Approx(0.1));
  }
}

TEST_CASE("A thin cantilever beam vibrates with the frequencies of Euler and Bernoulli", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.25}}
sections: {s: {shape: rectangle, width: 0.004, height: 0.002}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 8, order: 3}, section: s, material: m}
joints:
  wall: {type: clamp, connect: [ground, b.start]}
analysis: {type: modes}
)");
  const std::vector<double> f = model.frequencies(6);
  const double roots[] = {1.8751040687, 4.6940911330, 7.8547574382};
  std::vector<double> expected;
  for (const double thickness : {0.002, 0.004})  // across: EI/(rho A) = E h^2/(12 rho)
    for (const double root : roots)
      expected.push_back(root * root / (2 * pi * 4) * std::sqrt(1e9 * thickness * thickness / 12000));
  std::sort(expected.begin(), expected.end());
  for (std::size_t n = 0; n < 4; ++n) CHECK(f[n] == Approx(expected[n]).epsilon(1e-4));
}

TEST_CASE("A short beam between hinges vibrates with the frequencies of Timoshenko", "[serial]") {
  // With w = sin(k x), k = n pi/L: (EI k^2 + kGA - rho I w^2)(kGA k^2 - rho A w^2) = (kGA k)^2.
  constexpr double L = 1, EI = 1, GA = 60, m = 1, J = 0.02;
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
sections: {s: {stiffness: [1e4, 60, 60, 1e3, 1, 1e4], inertia: [1, 1, 1, 0.04, 0.02, 0.02]}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10, order: 3}, section: s}
joints:
  first: {type: revolute, connect: [ground, b.start], axis: [0, 1, 0]}
  second: {type: point-on-line, connect: [ground, b.end], axis: [1, 0, 0]}
analysis: {type: modes}
)");
  const std::vector<double> f = model.frequencies(10);
  for (int n = 1; n <= 2; ++n) {
    const double k = n * pi / L, a = m * J, b = -(m * (EI * k * k + GA) + J * GA * k * k), c = GA * EI * std::pow(k, 4);
    const double expected = std::sqrt((-b - std::sqrt(b * b - 4 * a * c)) / (2 * a)) / (2 * pi);
    const double nearest = *std::min_element(
        f.begin(), f.end(), [expected](double x, double y) { return std::abs(x - expected) < std::abs(y - expected); });
    CHECK(nearest == Approx(expected).epsilon(1e-6));
  }
}

namespace {

/// The coupled blade under a load that grows smoothly and stays.
std::string shaken_blade(int elements, int order, double end_time, double step) {
  return fmt::format(R"yaml(sinew: 1
sections: {{s: {{stiffness: {}, inertia: [0.08538, 0.08538, 0.08538, 0.014433, 0.004097, 0.010336]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [10, 0, 0], elements: {}, order: {}}}, section: s}}
joints:
  root: {{type: clamp, connect: [ground, b.start]}}
forces:
  P: {{type: force, on: b.end, vector: [0, 0, "t < 0.1 ? 75*(1 - cos(10*pi*t)) : 150"]}}
sensors:
  tip: {{type: point, of: b.end, record: [displacement, orientation, velocity, acceleration]}}
  root: {{type: joint, of: root, record: [force, moment]}}
  energy: {{type: energy, record: [total, work]}}
analysis: {{type: dynamic, end_time: {:.17g}, step: {:.17g}}}
)yaml",
                     composite, elements, order, end_time, step);
}

}  // namespace

TEST_CASE("A shaken blade moves as an independent program has it, of second order in the step", "[serial]") {
  const auto end = [](double h) {
    RunChoices choices;
    choices.at_every_step = false;
    return run_model(MPI_COMM_SELF, shaken_blade(4, 3, 0.3, h), choices).values.back();
  };
  const Displacement expected{-0.00671728, 0.14166719, 0.27709008};
  const double errors[] = {miss(end(4e-3), expected), miss(end(2e-3), expected), miss(end(1e-3), expected)};
  INFO("errors " << errors[0] << ", " << errors[1] << ", " << errors[2]);
  CHECK(std::log2(errors[1] / errors[2]) == Approx(2).margin(0.3));
  CHECK(errors[2] < 1e-2);
}

TEST_CASE("A flying beam keeps its momenta, and its centre of mass goes straight", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"(sinew: 1
sections: {s: {stiffness: [1e4, 1e4, 1e4, 500, 500, 500], inertia: [1, 1, 1, 10, 10, 10]}}
bodies:
  b:
    type: beam
    line: {from: [6, 0, 0], to: [0, 8, 0], elements: 4, order: 3}
    section: s
    velocity: [1, 0, 2]
    angular_velocity: [0.3, 0.5, -1]
sensors:
  all: {type: system, record: [mass, center_of_mass, momentum, angular_momentum]}
  energy: {type: energy, record: [total, kinetic]}
analysis: {type: dynamic, end_time: 1, step: 0.01, newton: {tolerance: 1e-12}}
)");
  const Values &first = run.values.front(), &last = run.values.back();
  CHECK(first.at("all.mass") == Approx(10));
  // v of the middle: v + omega x (-3, 4, 0)
  CHECK(first.at("all.momentum.x") == Approx(10 * (1 + 4)));
  CHECK(first.at("all.momentum.y") == Approx(10 * 3));
  CHECK(first.at("all.momentum.z") == Approx(10 * (2 + 0.3 * 4 + 0.5 * 3)));
  for (const char* axis : {"x", "y", "z"}) {
    const std::string end = axis;
    CHECK(last.at("all.momentum." + end) == Approx(first.at("all.momentum." + end)).epsilon(1e-10));
    CHECK(last.at("all.center_of_mass." + end) ==
          Approx(first.at("all.center_of_mass." + end) + first.at("all.momentum." + end) / 10).epsilon(1e-9));
    CHECK(last.at("all.angular_momentum." + end) == Approx(first.at("all.angular_momentum." + end)).epsilon(1e-3));
  }
  CHECK(last.at("energy.total") == Approx(first.at("energy.total")).epsilon(1e-3));
}
