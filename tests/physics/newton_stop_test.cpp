// newton.tolerance: automatic: what Newton's method leaves in a step falls with the step's own error, in no unit and from no
// origin.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A bar of 1 kg on a hinge along y, its centre 2 m away, let go level. Lengths in units of 1/length m, times in units of 1/time
/// s; the hinge stands at x = `at` of those lengths.
std::string bar(double step, double end, double length = 1, double time = 1, double at = 0) {
  const double J = length * length;
  return fmt::format(
      "sinew: 1\ngravity: [0, 0, {:.17g}]\nbodies:\n"
      "  bar: {{type: rigid, mass: 1, inertia: [{:.17g}, {:.17g}, {:.17g}], position: [{:.17g}, 0, 0], points: {{o: [{:.17g}, 0, "
      "0]}}}}\n"
      "joints:\n  hinge: {{type: revolute, connect: [ground, bar.o], axis: [0, 1, 0]}}\n"
      "sensors:\n  bar: {{type: point, of: bar, record: [position]}}\n  energy: {{type: energy, record: [total]}}\n"
      "analysis: {{end_time: {:.17g}, step: {:.17g}, rho_inf: 0.9}}\n",
      -9.81 * length / (time * time), 0.04 * J, 0.1 * J, 0.1 * J, (2 + at) * length, -2 * length, end * time, step * time);
}

/// The angle of the bar below the horizontal, by the classical Runge-Kutta method with steps of 1e-4 s.
double angle_of_bar(double end) {
  const auto acceleration = [](double angle) { return 9.81 * 2 * std::cos(angle) / 4.1; };
  double angle = 0, rate = 0;
  const long steps = std::lround(end / 1e-4);
  const double h = end / static_cast<double>(steps);
  for (long i = 0; i < steps; ++i) {
    const double k1 = acceleration(angle), k2 = acceleration(angle + h / 2 * rate);
    const double k3 = acceleration(angle + h / 2 * (rate + h / 2 * k1)), k4 = acceleration(angle + h * (rate + h / 2 * k2));
    angle += h * rate + h * h / 6 * (k1 + k2 + k3);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return angle;
}

Trajectory swing(const std::string& text) {
  RunChoices choices;
  choices.kkt = KktForm::automatic;
  choices.at_every_step = false;
  return run_model(MPI_COMM_SELF, text, choices);
}

double iterations(const Trajectory& run) {
  return static_cast<double>(run.summary.newton) / static_cast<double>(run.summary.steps);
}

/// A cable that falls about its end, drawn level and at rest.
std::string cable(const std::string& numbers, const std::string& analysis) {
  return "sinew: 1\nconstants: {" + numbers +
         "}\ngravity: [0, 0, -9.81]\n"
         "materials: {m: {density: density, youngs_modulus: E, poissons_ratio: 0.3}}\n"
         "sections: {s: {area: A, iy: I, iz: I, j: 2*I}}\n"
         "bodies: {c: {type: cable, line: {from: [0, 0, 0], to: [L, 0, 0], elements: N}, section: s, material: m}}\n"
         "joints: {pin: {type: spherical, connect: [ground, c.start]}}\n"
         "sensors: {energy: {type: energy, record: [total]}, gap: {type: constraint, record: [position, velocity]}}\n"
         "analysis: " +
         analysis + "\n";
}

}  // namespace

TEST_CASE("Errors of a bar on a hinge fall with the square of the step down to the smallest steps", "[serial]") {
  const double end = 2, angle = angle_of_bar(end);
  double last = 0, last_energy = 0;
  for (const double h : {2e-3, 5e-4, 1.25e-4, 5e-5}) {
    const Trajectory run = swing(bar(h, end));
    const Values& v = run.values.back();
    const double error = std::hypot(v.at("bar.position.x") - 2 * std::cos(angle), v.at("bar.position.z") + 2 * std::sin(angle));
    const double energy = std::abs(v.at("energy.total"));
    INFO("h = " << h << ", error " << error << ", energy " << energy << ", iterations " << iterations(run));
    if (last > 0) {
      const double ratio = h == 5e-5 ? 2.5 : 4;
      CHECK(std::log(last / error) / std::log(ratio) == Approx(2).margin(0.1));
      CHECK(energy < std::max(last_energy / ratio, 1e-8));
    }
    CHECK(iterations(run) < 2.4);
    last = error;
    last_energy = energy;
  }
  CHECK(last < 2e-8);
}

TEST_CASE("Models in other units take the same iterations to the same motion", "[serial]") {
  const Trajectory given = swing(bar(2e-3, 1));
  for (const double length : {1e-6, 1e-3, 1e3}) {
    const Trajectory scaled = swing(bar(2e-3, 1, length));
    INFO("lengths times " << length);
    CHECK(static_cast<double>(scaled.summary.newton) == Approx(static_cast<double>(given.summary.newton)).epsilon(0.02));
    for (const char* name : {"bar.position.x", "bar.position.z"})
      CHECK(scaled.values.back().at(name) / length == Approx(given.values.back().at(name)).margin(2e-8));
  }
  const Trajectory slow = swing(bar(2e-3, 1, 1, 1e3));
  CHECK(static_cast<double>(slow.summary.newton) == Approx(static_cast<double>(given.summary.newton)).epsilon(0.02));
  CHECK(slow.values.back().at("bar.position.z") == Approx(given.values.back().at("bar.position.z")).margin(2e-8));
}

// Steps of 0.002 s differ in their last digits, those of 2^-9 s do not: what the last step has taught is of use to both.
TEST_CASE("The iterations of a spinning top do not depend on how its step is rounded", "[serial]") {
  const auto iterations_in_units_of = [](double time) {
    const std::string text = fmt::format(
        "sinew: 1\ngravity: [0, 0, {:.17g}]\nbodies:\n  top: {{type: rigid, mass: 15, inertia: [0.234375, 0.234375, 0.46875], "
        "position: [0, 1, 0], orientation: {{axis: [1, 0, 0], angle: -pi/2}}, angular_velocity: [{:.17g}, {:.17g}, 0], velocity: "
        "[0, 0, {:.17g}], points: {{foot: [0, 0, -1]}}}}\n"
        "joints: {{pin: {{type: spherical, connect: [ground, top.foot]}}}}\nsensors: {{energy: {{type: energy}}}}\n"
        "analysis: {{end_time: {:.17g}, step: {:.17g}}}\n",
        -9.81 / (time * time), -4.61538 / time, 150 / time, -4.61538 / time, 0.5 * time, 0.002 * time);
    RunChoices choices;
    choices.at_every_step = false;
    return run_model(MPI_COMM_SELF, text, choices).summary.newton;
  };
  CHECK(iterations_in_units_of(1) == iterations_in_units_of(std::exp2(-9) / 0.002));
}

TEST_CASE("A model that stands a thousand extents away moves as it does at the origin", "[serial]") {
  const Trajectory here = swing(bar(2e-3, 1)), there = swing(bar(2e-3, 1, 1, 1, 4000));
  CHECK(there.values.back().at("bar.position.x") - 4000 == Approx(here.values.back().at("bar.position.x")).margin(4e-9));
  CHECK(there.values.back().at("bar.position.z") == Approx(here.values.back().at("bar.position.z")).margin(4e-9));
}

TEST_CASE("A start from rest does not throw stiff modes about: a cable of 1000 elements has no step rejected", "[serial]") {
  const Trajectory run =
      run_model(MPI_COMM_SELF, cable("L: 10, N: 1000, density: 1000, A: 1e-4, E: 1e9, I: 5e-8", "{end_time: 0.3, step: 0.01}"));
  CHECK(run.summary.rejected == 0);
  CHECK(run.summary.most_newton <= 12);
  CHECK(iterations(run) <= 4.5);
}

TEST_CASE("Long steps through stiff modes make no energy and leave no gap", "[serial]") {
  const Trajectory run = run_model(
      MPI_COMM_SELF, cable("L: 1, N: 10, density: 7850, A: 1.9635e-5, E: 2.1e11, I: 3.068e-11", "{end_time: 5, step: 0.05}"));
  CHECK(run.summary.rejected == 0);
  for (const Values& v : run.values) {
    CHECK(v.at("energy.total") < 1e-3);
    CHECK(v.at("gap.position") < 1e-6);
    CHECK(v.at("gap.velocity") < 1e-5);
  }
}

// A small-strain solid is linear but for the frame that holds its end, and its first corrections are large beside speeds (it
// vibrates), not beside lengths.
TEST_CASE("A linear solid keeps its tangent and takes two iterations a step", "[serial]") {
  const Trajectory run = swing(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {law: linear-elastic, density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
bodies: {b: {type: solid, box: {size: [2, 0.2, 0.2], elements: [16, 3, 3], order: 1}, material: m}}
joints: {w: {type: clamp, connect: [ground, b.x-]}}
sensors: {tip: {type: point, of: b.x+, record: [displacement]}}
analysis: {end_time: 0.2, step: 2e-3}
)");
  INFO("iterations " << iterations(run) << ", factorisations " << run.summary.factorizations);
  CHECK(iterations(run) < 2.3);
  CHECK(run.summary.factorizations <= 6);
}

// A step has one new tangent, in its second iteration, and what that leaves is known from earlier steps: a third would only prove
// it.
TEST_CASE("Steps of a long cable end by what earlier ones have taught, and reactions are as good as motions", "[serial]") {
  const std::string text =
      "sinew: 1\nconstants: {N: 300}\ngravity: [0, -9.81, 0]\n"
      "materials: {rope: {density: 1, youngs_modulus: 1e5, poissons_ratio: 0}}\n"
      "sections: {rope: {area: 1, iy: 5e-4, iz: 5e-4, j: 1e-3}}\n"
      "bodies: {c: {type: cable, line: {from: [0, 0, 0], to: [0.1*N, 0, 0], elements: N}, section: rope, material: rope}}\n"
      "joints: {pin: {type: spherical, connect: [ground, c.start]}}\n"
      "sensors: {middle: {type: point, of: \"c.node[30]\", record: [position, velocity]}, pin: {type: joint, of: pin}}\n"
      "analysis: {end_time: 1, step: 0.01}\n";
  RunChoices strict;
  strict.overrides = {"analysis.newton.tolerance=1e-12"};
  const Trajectory run = run_model(MPI_COMM_SELF, text), reference = run_model(MPI_COMM_SELF, text, strict);
  CHECK(iterations(run) < 2.8);
  REQUIRE(run.values.size() == reference.values.size());
  std::map<std::string, double> size, error;
  for (std::size_t n = 1; n < run.values.size(); ++n)
    for (const auto& [name, value] : reference.values[n]) {
      size[name] = std::max(size[name], std::abs(value));
      error[name] = std::max(error[name], std::abs(run.values[n].at(name) - value));
    }
  for (const char* name :
       {"middle.position.x", "middle.position.y", "middle.velocity.x", "middle.velocity.y", "pin.force.x", "pin.force.y"}) {
    INFO(name << ": error " << error.at(name) << " of " << size.at(name));
    CHECK(error.at(name) < 1e-9 * size.at(name));
  }
}

TEST_CASE("The bearing of a fast rotor carries its weight and no more, on tangents of any age", "[serial]") {
  // The moment of the bearing holds up what lies beside it. Multipliers alone are wrong where gradients of an old tangent are.
  const std::string model =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  rotor: {type: rigid, mass: 2, inertia: [0.01, 0.02, 0.02], position: [0, 0, 0], angular_velocity: [60, 0, 0], "
      "points: {a: [-0.2, 0, 0]}}\n"
      "joints:\n  bearing: {type: revolute, connect: [ground, rotor.a], axis: [1, 0, 0]}\n"
      "forces:\n  torque: {type: torque, on: rotor, vector: [\"0.5*sin(5*t)\", 0, 0]}\n"
      "sensors:\n  bearing: {type: joint, of: bearing}\n"
      "analysis: {end_time: 0.5, integrator: ";
  const auto largest_error = [&](const std::string& integrator, double h) {
    RunChoices choices;
    choices.kkt = KktForm::automatic;
    const Trajectory run = run_model(MPI_COMM_SELF, fmt::format("{}{}, step: {}}}\n", model, integrator, h), choices);
    double largest = 0;
    for (const Values& v : run.values)
      largest = std::max({largest, std::abs(v.at("bearing.moment.y") - 2 * 9.81 * 0.2), std::abs(v.at("bearing.moment.z"))});
    CHECK(iterations(run) < 3.5);
    return largest;
  };
  for (const char* integrator : {"soi2", "gen-alpha", "gen-alpha-ggl", "bdf-si2"})
    for (const double h : {2e-3, 5e-4}) {
      INFO(integrator << ", h = " << h);
      CHECK(largest_error(integrator, h) < 1e-4);
    }
}

// Where constraints hold at position level alone, what one step leaves open swings on in the accelerations of later ones, and its
// prediction misses four times as much.
TEST_CASE("What Newton's method leaves of constraints at position level does not feed swings of accelerations and reactions",
          "[serial]") {
  const std::string hoist =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  load: {type: point-mass, mass: 4, position: [0.9, 0, -2.8618176042508368], velocity: [0, 1.2, 0]}\n"
      "  drum: {type: rigid, mass: 10, inertia: [0.3, 0.5, 0.3], position: [0, 0, 0]}\n"
      "joints:\n  hub: {type: revolute, connect: [ground, drum], axis: [0, 1, 0]}\n"
      "  rope: {type: coordinate, zero: \"sensor.length.distance - 3 + 0.2*sensor.turn.angle\"}\n"
      "forces:\n  motor: {type: torque, on: drum, vector: [0, 7.848, 0]}\n"
      "sensors:\n  load: {type: point, of: load, record: acceleration}\n  rope: {type: joint, of: rope}\n"
      "  length: {type: relative, between: [ground, load], record: distance}\n  turn: {type: relative, of: hub}\n"
      "analysis: {end_time: 1.6, ";
  const auto run = [&](const std::string& analysis) {
    RunChoices choices;
    choices.kkt = KktForm::automatic;
    return run_model(MPI_COMM_SELF, hoist + analysis + "}\n", choices);
  };
  /// The largest difference of accelerations and of the rope's force at the times of the first run.
  const auto difference = [](const Trajectory& coarse, const Trajectory& fine) {
    const std::size_t ratio = (fine.values.size() - 1) / (coarse.values.size() - 1);
    double largest = 0;
    for (std::size_t i = 0; i < coarse.values.size(); ++i)
      for (const char* name : {"load.acceleration.x", "load.acceleration.z", "rope.force.z"})
        largest = std::max(largest, std::abs(coarse.values[i].at(name) - fine.values[i * ratio].at(name)));
    return largest;
  };
  SECTION("Errors fall with the square of the step") {
    const Trajectory exact = run("integrator: soi2, step: 2.5e-4");
    for (const double rho : {0.8, 0.9}) {
      const auto error = [&](double h) {
        return difference(run(fmt::format("integrator: gen-alpha, rho_inf: {}, step: {}", rho, h)), exact);
      };
      const double coarse = error(8e-3), fine = error(2e-3);
      INFO("rho_inf = " << rho << ", errors " << coarse << " and " << fine);
      CHECK(std::log(coarse / fine) / std::log(4) == Approx(2).margin(0.15));
    }
  }
  SECTION("Damped by Newmark's gamma they do not swing either") {
    const std::string newmark = "integrator: newmark, gamma: 0.6, beta: 0.3025, step: 1e-3";
    CHECK(difference(run(newmark), run(newmark + ", newton: {tolerance: 1e-13}")) < 1e-5);
  }
}

// The parts that a start step of BDF sums up are solved for the sums: errors of implicit Euler go out of these, what Newton's
// method or the projection of velocities leaves of a part does not.
TEST_CASE("BDF of every order leaves little beside its own error, from its first step on", "[serial]") {
  const std::string model =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  bar: {type: rigid, mass: 2, inertia: [0.1, 0.3, 0.3], position: [0.5, 0, 0], points: {o: [-0.5, 0, 0]}, "
      "velocity: [0, 0, -0.5], angular_velocity: [0, 1, 0]}\n"
      "joints:\n  hinge: {type: revolute, connect: [ground, bar.o], axis: [0, -1, 0]}\n"
      "sensors:\n  turn: {type: relative, of: hinge}\n  hinge: {type: joint, of: hinge}\n"
      "analysis: {end_time: 1, integrator: ";
  struct Row {
    const char* name;
    int order;
    double step;
  };
  for (const Row& row : std::vector<Row>{{"bdf-si2", 1, 1e-2},
                                         {"bdf-si1", 2, 5e-3},
                                         {"bdf-si2", 3, 5e-3},
                                         {"bdf-si2", 4, 5e-3},
                                         {"bdf-si2", 5, 5e-3},
                                         {"bdf-si1", 6, 1e-2},
                                         {"bdf-si2", 6, 5e-3}}) {
    const auto run = [&](double step, const std::string& more) {
      return run_model(MPI_COMM_SELF, fmt::format("{}{}, order: {}, step: {}{}}}\n", model, row.name, row.order, step, more));
    };
    const std::string strict = ", newton: {tolerance: 1e-13, max: 50}";
    const Trajectory usual = run(row.step, ""), exact = run(row.step, strict), fine = run(row.step / 2, strict);
    for (const char* name : {"turn.angle", "turn.rate", "hinge.force.x", "hinge.force.z"}) {
      double left = 0, own = 0;
      for (std::size_t i = 0; i < usual.values.size(); ++i) {
        left = std::max(left, std::abs(usual.values[i].at(name) - exact.values[i].at(name)));
        own = std::max(own, std::abs(fine.values[2 * i].at(name) - exact.values[i].at(name)));
      }
      INFO(row.name << " of order " << row.order << ", " << name << ": leaves " << left << " beside " << own);
      CHECK(left < 0.2 * own);
    }
  }
}
