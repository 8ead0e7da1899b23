// Beams that are damped by component of strain: damping ratios, free decay, coupled sections, energy, rigid rotation.
#include "tests/catch.hpp"
#include "tests/physics/energy_order.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.14159265358979323846;

/// A weight of 50 kg and 2 kg m^2 about x at the end of a beam of one element, 2 m long, that is clamped at its start and damped
/// by `beta`. `guide` is a joint of the weight with the ground. Of the beam half the mass, 0.2 kg, goes with the weight.
std::string weight_on_beam(const std::string& stiffness, const std::string& beta, const std::string& guide,
                           const std::string& more) {
  return fmt::format(R"yaml(sinew: 1
sections: {{s: {{stiffness: {0}, inertia: [0.2, 0.2, 0.2, 0.02, 0.01, 0.01]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [2, 0, 0], elements: 1, order: 1}}, section: s, damping: {{beta: {1}}}}}
  w: {{type: rigid, mass: 50, inertia: [2, 2, 2], position: [2, 0, 0]{3}}}
joints:
  root: {{type: clamp, connect: [ground, b.start]}}
  weld: {{type: fixed, connect: [b.end, w]}}
  guide: {{{2}, connect: [ground, w]}}
)yaml",
                     stiffness, beta, guide, more);
}

/// q(t) of m q'' + d q' + k q = 0, q(0) = 0, q'(0) = v.
double decay(double m, double d, double k, double v, double t) {
  const double omega = std::sqrt(k / m), rate = d / (2 * m), damped = std::sqrt(omega * omega - rate * rate);
  return v / damped * std::exp(-rate * t) * std::sin(damped * t);
}

/// A beam of a composite that couples twist and bending (Wang et al. 2017, Wind Energy 20, 1439-1462), damped by component.
std::string composite(const std::string& body, const std::string& more) {
  return fmt::format(R"yaml(sinew: 1
sections:
  s:
    stiffness: [[1368.17e3, 0, 0, 0, 0, 0], [0, 88.56e3, 0, 0, 0, 0], [0, 0, 38.78e3, 0, 0, 0], [0, 0, 0, 16.96e3, 17.61e3, -351],
      [0, 0, 0, 17.61e3, 59.12e3, -370], [0, 0, 0, -351, -370, 141.47e3]]
    inertia: [0.08538, 0.08538, 0.08538, 0.014433, 0.004097, 0.010336]
bodies:
  b:
    type: beam
    line: {{from: [0, 0, 0], to: [10, 0, 0], elements: 4, order: 3}}
    section: s
    damping: {{beta: [1e-4, 2e-4, 5e-4, 2e-3, 4e-4, 1e-3]}}
{}
sensors:
  tip: {{type: point, of: b.end, record: [displacement]}}
  all: {{type: system, record: [momentum, angular_momentum]}}
  energy: {{type: energy, record: [total, work, dissipated]}}
{}
)yaml",
                     body, more);
}

}  // namespace

TEST_CASE("Stretch, torsion and bending either way of a cantilever are each damped by their own time", "[serial]") {
  // times of shears are those of the bending that they go with: then every mode has zeta = b omega / 2
  Stationary model(MPI_COMM_SELF, R"yaml(sinew: 1
sections: {s: {stiffness: [1e5, 5e4, 5e4, 300, 200, 100], inertia: [1, 1, 1, 0.05, 0.02, 0.03]}}
bodies:
  b:
    type: beam
    line: {from: [0, 0, 0], to: [1, 2, 2], elements: 4, order: 3}
    section: s
    damping: {beta: [1e-4, 2e-4, 3e-4, 4e-4, 3e-4, 2e-4]}
joints: {root: {type: clamp, connect: [ground, b.start]}}
analysis: {type: modes}
)yaml");
  const std::vector<Mode> modes = model.modes(16);
  struct Expected {
    double omega, time, error;  ///< of thin beams for the two that bend
  };
  const double L = 3, first = 1.875104068711961;
  const std::array<Expected, 4> expected{{{pi / (2 * L) * std::sqrt(1e5 / 1.0), 1e-4, 1e-3},
                                          {pi / (2 * L) * std::sqrt(300 / 0.05), 4e-4, 1e-3},
                                          {first * first / (L * L) * std::sqrt(200.0), 3e-4, 0.05},
                                          {first * first / (L * L) * std::sqrt(100.0), 2e-4, 0.05}}};
  for (const auto& [omega, time, error] : expected) {
    INFO("angular frequency " << omega);
    const auto nearest = std::min_element(modes.begin(), modes.end(), [w = omega](const Mode& a, const Mode& b) {
      return std::abs(a.omega() - w) < std::abs(b.omega() - w);
    });
    CHECK(nearest->omega() == Approx(omega).epsilon(error));
    CHECK(nearest->damping_ratio() == Approx(time * nearest->omega() / 2).epsilon(1e-7));
  }
}

TEST_CASE("A weight on a beam that stretches and twists comes to rest by the times of both", "[serial]") {
  const double EA = 8000, GJ = 900, b_N = 8e-3, b_T = 3e-3, L = 2;
  const Trajectory run = run_model(MPI_COMM_SELF, weight_on_beam("[8000, 8000, 8000, 900, 900, 900]", "[8e-3, 0, 0, 3e-3, 0, 0]",
                                                                 "type: cylindrical, axis: [1, 0, 0]",
                                                                 ", velocity: [0.02, 0, 0], angular_velocity: [0.5, 0, 0]") +
                                                      R"yaml(sensors:
  w: {type: point, of: w, record: [displacement, acceleration]}
  turn: {type: relative, of: guide, record: [angle]}
  middle: {type: section, of: b, at: 0.5, record: [tension, moment]}
analysis: {end_time: 2, step: 1e-3, newton: {tolerance: 1e-12}}
)yaml");
  // the beam's share begins at rest and is taken along
  const double m = 50.2, J = 2.02, v = 0.02 * 50 / m, omega = 0.5 * 2 / J;
  double gap = 0, gap_of_turn = 0, gap_of_force = 0;
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const Values& at = run.values[k];
    gap = std::max(gap, std::abs(at.at("w.displacement.x") - decay(m, b_N * EA / L, EA / L, v, run.time[k])));
    gap_of_turn = std::max(gap_of_turn, std::abs(at.at("turn.angle") - decay(J, b_T * GJ / L, GJ / L, omega, run.time[k])));
    gap_of_force = std::max(gap_of_force, std::abs(at.at("middle.tension") + m * at.at("w.acceleration.x")));
  }
  CHECK(gap < 1e-3 * v / std::sqrt(EA / L / m));
  CHECK(gap_of_turn < 1e-3 * omega / std::sqrt(GJ / L / J));
  CHECK(gap_of_force < 1e-4 * m * v * std::sqrt(EA / L / m));  // elastic and viscous, as the weight feels it
}

TEST_CASE("A section that couples stretch and twist has the eigenvalues of its damped pair", "[serial]") {
  Stationary model(MPI_COMM_SELF,
                   weight_on_beam("[[8000, 0, 0, 1500, 0, 0], [0, 8000, 0, 0, 0, 0], [0, 0, 8000, 0, 0, 0], [1500, 0, 0, 900, 0, "
                                  "0], [0, 0, 0, 0, 900, 0], [0, 0, 0, 0, 0, 900]]",
                                  "[9e-3, 1e-3, 1e-3, 1e-3, 2e-3, 2e-3]", "type: cylindrical, axis: [1, 0, 0]", "") +
                       "analysis: {type: modes}\n");
  const std::vector<Mode> modes = model.modes(4);
  REQUIRE(modes.size() == 2);
  const double mixed = std::sqrt(9e-3 * 1e-3);
  for (const Mode& mode : modes) {
    // det(lambda^2 M + lambda D + K) = 0, D and K those of a length of 2 m
    const std::complex<double> l(mode.real, mode.imaginary);
    const std::complex<double> a = 50.2 * l * l + (9e-3 * l + 1.0) * 4000.0, d = 2.02 * l * l + (1e-3 * l + 1.0) * 450.0;
    const std::complex<double> b = (mixed * l + 1.0) * 750.0;
    CHECK(std::abs(a * d - b * b) < 1e-7 * std::abs(b * b));
    CHECK(mode.damping_ratio() > 0);
  }
}

TEST_CASE("The energy of a coupled beam that is damped by component is accounted for up to the order of the step", "[serial]") {
  check_energy_of_second_order([](int steps) {
    return run_model(MPI_COMM_SELF,
                     composite("joints: {root: {type: clamp, connect: [ground, b.start]}}\n"
                               "forces: {P: {type: force, on: b.end, vector: [0, 0, \"40*(1 - cos(10*pi*t))^3\"]}}",
                               fmt::format("analysis: {{end_time: 0.2, step: {:.17g}}}", 0.2 / steps)));
  });
}

TEST_CASE("A beam that is pushed and let go comes to a rigid rotation, which damping by component leaves alone", "[serial]") {
  // in a plane, so that the rotation is about a principal axis
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
sections: {s: {stiffness: [4000, 2000, 2000, 100, 100, 100], inertia: [0.1, 0.1, 0.1, 0.002, 0.001, 0.001]}}
bodies:
  b:
    type: beam
    line: {from: [0, 0, 0], to: [4, 0, 0], elements: 4}
    section: s
    damping: {beta: [2e-3, 1e-3, 1e-3, 3e-3, 4e-3, 5e-3]}
forces: {P: {type: force, on: b.end, vector: ["t < 0.5 ? 4*sin(2*pi*t)^2 : 0", "t < 0.5 ? 10*sin(2*pi*t)^2 : 0", 0]}}
sensors:
  all: {type: system, record: [momentum, angular_momentum]}
  energy: {type: energy, record: [total, kinetic, work, dissipated]}
  tip: {type: point, of: b.end, record: [angular_velocity]}
analysis: {end_time: 5, step: 1e-3}
)yaml");
  const auto at = [&](double t) {
    return run.values[static_cast<std::size_t>(std::lower_bound(run.time.begin(), run.time.end(), t - 1e-9) - run.time.begin())];
  };
  const Values pushed = at(0.51), settled = at(4), last = run.values.back();
  CHECK(last.at("tip.angular_velocity.z") > 2 * pi);  // it turns once in the last second
  CHECK(last.at("energy.dissipated") > 1e-3 * last.at("energy.work"));
  CHECK(last.at("energy.total") + last.at("energy.dissipated") == Approx(last.at("energy.work")).epsilon(1e-4));
  // what is left are the steps: their velocities are rates of their places to the second order, and power is a square of that
  CHECK(std::abs(last.at("energy.dissipated") - settled.at("energy.dissipated")) < 1e-6 * last.at("energy.dissipated"));
  for (const char* which : {"momentum.x", "momentum.y"})
    CHECK(last.at(std::string("all.") + which) == Approx(pushed.at(std::string("all.") + which)).epsilon(1e-10));
}

TEST_CASE("A straight beam that spins about itself turns for ever under damping by component", "[serial]") {
  const Values end = run_model(MPI_COMM_SELF, composite("    angular_velocity: [5, 0, 0]\n    velocity: [3, -2, 1]",
                                                        "analysis: {end_time: 4, step: 0.02}"))
                         .values.back();
  CHECK(std::abs(end.at("energy.dissipated")) < 1e-12 * end.at("energy.total"));
  CHECK(std::abs(end.at("tip.displacement.x") - 12) < 1e-9);
}
