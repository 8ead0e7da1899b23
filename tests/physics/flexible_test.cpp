#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace sinew;
using namespace sinew::test;

namespace {

std::string analysis(double end_time, double step, const std::string& more = "") {
  return fmt::format("analysis: {{end_time: {:.17g}, step: {:.17g}, newton: {{tolerance: 1e-11}}{}}}\n", end_time, step, more);
}

/// A cable of length 10 with its start pinned and its slope free, from the horizontal at rest.
std::string cable_pendulum(int elements) {
  return fmt::format(R"(sinew: 1
title: Cable pendulum
gravity: [0, -9.81, 0]
materials:
  soft: {{density: 1, youngs_modulus: 1e5}}
sections:
  unit: {{area: 1, iy: 5e-4, iz: 5e-4}}
bodies:
  cable: {{type: cable, line: {{from: [0, 0, 0], to: [10, 0, 0], elements: {}}}, section: unit, material: soft}}
joints:
  pin: {{type: spherical, connect: [ground, cable.start]}}
sensors:
  tip: {{type: point, of: cable.end, record: [position]}}
  pin: {{type: joint, of: pin, record: [force]}}
  energy: {{type: energy, record: [kinetic, strain, total]}}
  whole: {{type: system, record: [momentum, angular_momentum]}}
)",
                     elements);
}

/// A bar of rubber that flies and turns, without loads.
const std::string flying_box = R"(sinew: 1
title: Flying box
materials:
  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}
bodies:
  bar:
    type: solid
    box: {size: [1, 0.2, 0.3], elements: [5, 1, 2], order: 1}
    material: rubber
    velocity: [1, 2, 3]
    angular_velocity: [1, 2, 4]
sensors:
  energy: {type: energy, record: [kinetic, strain, total]}
  whole: {type: system, record: [mass, center_of_mass, momentum, angular_momentum]}
)";

const std::string flying_cable = R"(sinew: 1
title: Flying cable
materials:
  soft: {density: 1, youngs_modulus: 1e4}
sections:
  unit: {area: 1, iy: 1e-2, iz: 1e-2}
bodies:
  cable: {type: cable, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 4}, section: unit, material: soft, velocity: [1, 2, 3],
          angular_velocity: [0, 1, 3]}
sensors:
  energy: {type: energy, record: [kinetic, strain, total]}
  whole: {type: system, record: [mass, center_of_mass, momentum, angular_momentum]}
)";

/// Largest change of a column against its first value, over all steps.
double change(const Trajectory& run, const std::string& column) {
  double largest = 0;
  for (const Values& v : run.values) largest = std::max(largest, std::abs(v.at(column) - run.values.front().at(column)));
  return largest;
}

double change(const Trajectory& run, const std::string& vector, bool) {
  return std::max({change(run, vector + ".x"), change(run, vector + ".y"), change(run, vector + ".z")});
}

/// Prints figures on request, for those who tune these tests.
template <class... Arguments>
void show(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (std::getenv("SINEW_SHOW_STUDIES")) fmt::print(format, std::forward<Arguments>(arguments)...);
}

void check_budgets(const std::string& model, double end_time, int count) {
  const Trajectory coarse = run_model(MPI_COMM_SELF, model + analysis(end_time, end_time / count));
  const Trajectory fine = run_model(MPI_COMM_SELF, model + analysis(end_time, end_time / (2 * count)));
  const Values& start = fine.values.front();
  const double size = std::hypot(start.at("whole.momentum.x"), start.at("whole.momentum.y"), start.at("whole.momentum.z"));
  CHECK(change(coarse, "whole.momentum", true) < 1e-9 * size);
  CHECK(change(fine, "whole.momentum", true) < 1e-9 * size);
  const double turned = std::log2(change(coarse, "whole.angular_momentum", true) / change(fine, "whole.angular_momentum", true));
  const double energy = std::log2(change(coarse, "energy.total") / change(fine, "energy.total"));
  show("  momentum {:.1e}, angular momentum {:.2e} order {:.2f}, energy {:.2e} of {:.2e} order {:.2f}\n",
       change(fine, "whole.momentum", true), change(fine, "whole.angular_momentum", true), turned, change(fine, "energy.total"),
       start.at("energy.total"), energy);
  CHECK(turned > 1.8);
  CHECK(energy > 1.8);
  CHECK(change(fine, "energy.total") < 0.01 * start.at("energy.total"));
  // the centre of mass flies straight
  const Values& end = fine.values.back();
  for (const char* axis : {"x", "y", "z"}) {
    const std::string c = axis;
    const double expected =
        start.at("whole.center_of_mass." + c) + fine.time.back() * start.at("whole.momentum." + c) / start.at("whole.mass");
    CHECK(end.at("whole.center_of_mass." + c) == Approx(expected).margin(1e-9));
  }
}

/// Half periods of a free vibration from the zeros of a velocity, from the second to the last one.
double period(const Trajectory& run, const std::string& velocity) {
  std::vector<double> zeros;
  for (std::size_t k = 2; k < run.time.size(); ++k) {
    const double a = run.values[k - 1].at(velocity), b = run.values[k].at(velocity);
    if ((a < 0) != (b < 0)) zeros.push_back(run.time[k - 1] + (run.time[k] - run.time[k - 1]) * a / (a - b));
  }
  REQUIRE(zeros.size() > 3);
  return 2 * (zeros.back() - zeros[1]) / static_cast<double>(zeros.size() - 2);
}

}  // namespace

TEST_CASE("A cable pendulum swings as independent programs say", "[serial]") {
  // tip at t = 1: agreement of programs for 100 to 1000 elements
  for (const int elements : {20, 40}) {
    RunChoices end_only;
    end_only.at_every_step = false;
    const Trajectory run = run_model(MPI_COMM_SELF, cable_pendulum(elements) + analysis(1, 0.002), end_only);
    const Values& end = run.values.back();
    show("  {} elements: tip {:.5f} {:.5f}\n", elements, end.at("tip.position.x"), end.at("tip.position.y"));
    CHECK(end.at("tip.position.x") == Approx(7.62234).margin(5e-4));
    CHECK(end.at("tip.position.y") == Approx(-4.74525).margin(5e-4));
  }
}

TEST_CASE("What the pin of a cable pendulum exerts makes its momentum", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, cable_pendulum(10) + analysis(0.5, 0.5 / 400));
  double x = 0, y = -9.81 * 10 * 0.5;  // weight
  for (std::size_t k = 1; k < run.time.size(); ++k) {
    const double h = run.time[k] - run.time[k - 1];
    x -= h / 2 * (run.values[k - 1].at("pin.force.x") + run.values[k].at("pin.force.x"));
    y -= h / 2 * (run.values[k - 1].at("pin.force.y") + run.values[k].at("pin.force.y"));
  }
  CHECK(run.values.back().at("whole.momentum.x") == Approx(x).margin(1e-5));
  CHECK(run.values.back().at("whole.momentum.y") == Approx(y).margin(1e-5));
}

TEST_CASE("A flying solid keeps its momentum, and its energy to the order of the step", "[serial]") {
  check_budgets(flying_box, 0.1, 400);
}

TEST_CASE("A flying cable keeps its momentum, and its energy to the order of the step", "[serial]") {
  check_budgets(flying_cable, 0.5, 800);
}

TEST_CASE("Cables are damped along their line by viscosity, and by damping that stands in place of the material's", "[serial]") {
  // a hundred kilograms on a bar of EA = 25 pi N, c = 2.5 pi N s: with a third of the bar's mass it has one freedom
  const double pi = 3.141592653589793;
  const double stiffness = 25 * pi, damping = 2.5 * pi, mass = 100 + 0.025 * pi / 3, end = 3;
  const double decay = damping / 2 / mass, rate = std::sqrt(stiffness / mass - decay * decay);
  const double expected = 1 + 0.01 / rate * std::exp(-decay * end) * std::sin(rate * end);
  for (const auto& [matter, body] :
       {std::pair{"viscosity: 1e5", ""}, std::pair{"damping: {beta: 0.7}", ", damping: {beta: 0.1}"}}) {
    const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e6, {}}}}}
sections: {{s: {{shape: circle, diameter: 0.01}}}}
bodies:
  bar: {{type: cable, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: 2}}, section: s, material: m{}}}
  load: {{type: point-mass, mass: 100, position: [1, 0, 0], velocity: [0.01, 0, 0]}}
joints:
  wall: {{type: spherical, connect: [ground, bar.start]}}
  tie: {{type: spherical, connect: [bar.end, load]}}
sensors: {{load: {{type: point, of: load, record: [position]}}}}
analysis: {{end_time: {}, step: 2e-3}}
)",
                                                                matter, body, end));
    CHECK(run.values.back().at("load.position.x") - 1 == Approx(expected - 1).epsilon(1e-3));
  }
}

TEST_CASE("A clamped solid bar vibrates and bends as beam theory says", "[serial]") {
  // steel, 1 m x 50 mm x 50 mm: first bending frequency (1.875104/L)^2 sqrt(E I/(rho A)), sag q L^4/(8 E I)
  const double E = 2e11, rho = 7800, L = 1, b = 0.05, g = 9.81;
  const double omega = std::pow(1.875104068711961 / L, 2) * std::sqrt(E * b * b / (12 * rho));
  const double T = 2 * std::acos(-1.0) / omega, sag = rho * g * std::pow(L, 4) * 12 / (8 * E * b * b);
  struct Row {
    int along, across;
    const char* formulation;
    double frequency = 0, sag = 0;
  };
  std::vector<Row> rows{{40, 2, "displacement"}, {80, 4, "displacement"}, {20, 1, "enhanced"}};
  for (Row& row : rows) {
    const std::string model = fmt::format(R"(sinew: 1
title: Cantilever
gravity: [0, 0, -9.81]
materials:
  steel: {{density: 7800, youngs_modulus: 2e11, poissons_ratio: 0}}
bodies:
  bar:
    type: solid
    box: {{size: [1, 0.05, 0.05], elements: [{}, 1, {}], order: 1}}
    formulation: {}
    material: steel
joints:
  wall: {{type: clamp, connect: [ground, bar.x-]}}
sensors:
  tip: {{type: point, of: bar.x+, record: [displacement, velocity]}}
)",
                                          row.along, row.across, row.formulation);
    const Trajectory run = run_model(MPI_COMM_SELF, model + analysis(3 * T, T / 80, ", rho_inf: 0.5"));
    double mean = 0;  // over whole periods
    for (std::size_t k = 1; k < run.values.size(); ++k) mean += run.values[k].at("tip.displacement.z");
    mean /= static_cast<double>(run.values.size() - 1);
    row.frequency = T / period(run, "tip.velocity.z");
    row.sag = -mean / sag;
    show("  {} x {} elements, {}: frequency {:.4f}, sag {:.4f} of beam theory\n", row.along, row.across, row.formulation,
         row.frequency, row.sag);
  }
  // what is left is the elements' locking in shear, which falls with the square of their size, and the beam's own shear (0.2 %)
  const auto limit = [&](double coarse, double fine) { return fine + (fine - coarse) / 3; };
  CHECK(std::abs(rows[1].frequency - 1) < 0.02);
  CHECK(limit(rows[0].frequency, rows[1].frequency) == Approx(1).margin(0.01));
  CHECK(limit(rows[0].sag, rows[1].sag) == Approx(1).margin(0.02));
  CHECK(rows[2].frequency == Approx(1).margin(0.02));
  CHECK(rows[2].sag == Approx(1).margin(0.02));
}
