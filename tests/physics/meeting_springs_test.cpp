// Springs and dampers without length, whose places start in one place, meet on the way or pass each other.
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

const char* const axes[3] = {"x", "y", "z"};

/// A mass of 1 kg on a spring of 10 N/m to the point (1, 2, 3), from there by `offset`, with a velocity.
Trajectory run_bob(const std::array<double, 3>& offset, const std::array<double, 3>& velocity, const std::string& spring,
                   const std::string& analysis, double gravity = 0) {
  return run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
gravity: [0, 0, {}]
bodies:
  bob: {{type: point-mass, mass: 1, position: [1 + {}, 2 + {}, 3 + {}], velocity: [{}, {}, {}]}}
forces:
  spring: {{type: spring-damper, connect: [[1, 2, 3], bob], stiffness: 10, {}}}
sensors:
  bob: {{type: point, of: bob, record: [position, velocity, acceleration]}}
  spring: {{type: force, of: spring, record: [force, length, rate, dissipated]}}
  e: {{type: energy, record: [total, dissipated]}}
analysis: {{{}}}
)yaml",
                                              -gravity, offset[0], offset[1], offset[2], velocity[0], velocity[1], velocity[2],
                                              spring, analysis));
}

/// The largest distance of the mass from where `place(t)` has it about the anchor.
template <class Place>
double error_of(const Trajectory& run, const Place& place) {
  double largest = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const std::array<double, 3> expected = place(run.time[n]);
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = run.values[n].at(std::string("bob.position.") + axes[i]) - (1.0 + static_cast<double>(i));
      largest = std::max(largest, std::abs(x - expected[i]));
    }
  }
  return largest;
}

/// Energy and what the damper took of it stay what they were, within this.
double lost_energy(const Trajectory& run) {
  double largest = 0;
  const double start = run.values.front().at("e.total");
  for (const Values& v : run.values) {
    CHECK(v.at("spring.dissipated") >= -1e-12);
    CHECK(v.at("spring.dissipated") == Approx(v.at("e.dissipated")).margin(1e-12));
    largest = std::max(largest, std::abs(v.at("e.total") + v.at("e.dissipated") - start));
  }
  return largest;
}

constexpr double spring_stiffness = 10, weight = 9.81;

/// z'' + c z' + k z = 0 for 1 kg from z and z', below the critical damping.
double damped(double t, double c, double z, double rate) {
  const double delta = c / 2, omega = std::sqrt(spring_stiffness - delta * delta);
  return std::exp(-delta * t) * (z * std::cos(omega * t) + (rate + delta * z) / omega * std::sin(omega * t));
}

}  // namespace

TEST_CASE("a weight that starts at the anchor of its spring falls as a damped oscillator does", "[serial]") {
  const double sag = weight / spring_stiffness;
  for (const double c : {0.0, 0.5})
    for (const char* length : {", length: 0", ""}) {
      const auto exact = [&](double t) { return std::array<double, 3>{0, 0, damped(t, c, sag, 0) - sag}; };
      const std::string spring = fmt::format("damping: {}{}", c, length);
      const Trajectory coarse = run_bob({0, 0, 0}, {0, 0, 0}, spring, "end_time: 4, step: 0.02", weight),
                       fine = run_bob({0, 0, 0}, {0, 0, 0}, spring, "end_time: 4, step: 0.01", weight);
      INFO("c = " << c << length);
      CHECK(error_of(fine, exact) < 2e-3);
      CHECK(error_of(coarse, exact) / error_of(fine, exact) == Approx(4).epsilon(0.1));
      const Values &start = fine.values.front(), &end = fine.values.back();
      CHECK(start.at("spring.force") == 0);
      CHECK(start.at("bob.acceleration.z") == Approx(-weight));
      CHECK(end.at("spring.length") == Approx(3 - end.at("bob.position.z")));
      CHECK(end.at("spring.rate") == Approx(-end.at("bob.velocity.z")));
      CHECK(end.at("spring.force") == Approx(spring_stiffness * end.at("spring.length") + c * end.at("spring.rate")));
      CHECK(lost_energy(fine) < 5e-3);
    }
}

TEST_CASE("a mass swings through the anchor of its spring along a line, with a damper too", "[serial]") {
  const std::array<double, 3> v{1.2, -0.9, 2.0};
  const double speed = std::sqrt(1.44 + 0.81 + 4);
  for (const double c : {0.0, 0.8}) {
    const auto exact = [&](double t) {
      const double way = damped(t, c, 0, 1);
      return std::array<double, 3>{way * v[0], way * v[1], way * v[2]};
    };
    const std::string spring = fmt::format("damping: {}", c);
    const Trajectory coarse = run_bob({0, 0, 0}, v, spring, "end_time: 6, step: 0.02"),
                     fine = run_bob({0, 0, 0}, v, spring, "end_time: 6, step: 0.01");
    INFO("c = " << c);
    CHECK(error_of(fine, exact) < 4e-3);
    CHECK(error_of(coarse, exact) / error_of(fine, exact) == Approx(4).epsilon(0.1));
    const Values& start = fine.values.front();  // at the anchor the damper knows the direction of the velocity
    CHECK(start.at("spring.rate") == Approx(speed));
    CHECK(start.at("spring.force") == Approx(c * speed).margin(1e-12));
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(start.at(std::string("bob.acceleration.") + axes[i]) == Approx(-c * v[i]).margin(1e-12));
    int passes = 0;
    for (std::size_t n = 1; n < fine.time.size(); ++n)
      passes += damped(fine.time[n - 1], c, 0, 1) * damped(fine.time[n], c, 0, 1) < 0 ? 1 : 0;
    CHECK(passes >= 5);
    CHECK(lost_energy(fine) < 2e-2);
    const Trajectory controlled = run_bob({0, 0, 0}, v, spring, "end_time: 6, step: {tolerance: 1e-6}");
    CHECK(error_of(controlled, exact) < 1e-3);
  }
}

TEST_CASE("a mass that passes the anchor of its spring goes round an ellipse, and keeps its angular momentum when damped",
          "[serial]") {
  const double omega = std::sqrt(spring_stiffness), a = 0.5, b = 0.02;
  const auto ellipse = [&](double t) { return std::array<double, 3>{a * std::cos(omega * t), b * std::sin(omega * t), 0}; };
  const auto run = [&](const char* spring, const char* steps) { return run_bob({a, 0, 0}, {0, b * omega, 0}, spring, steps); };
  const Trajectory coarse = run("length: 0", "end_time: 4, step: 0.02"), fine = run("length: 0", "end_time: 4, step: 0.01");
  CHECK(error_of(fine, ellipse) < 2e-3);
  CHECK(error_of(coarse, ellipse) / error_of(fine, ellipse) == Approx(4).epsilon(0.1));

  const Trajectory damped_run = run("length: 0, damping: 0.3", "end_time: 4, step: 1e-3");
  for (const Values& v : damped_run.values) {
    const double x = v.at("bob.position.x") - 1, y = v.at("bob.position.y") - 2;
    CHECK(x * v.at("bob.velocity.y") - y * v.at("bob.velocity.x") == Approx(a * b * omega).epsilon(2e-3));
  }
  CHECK(lost_energy(damped_run) < 2e-4);
  CHECK(damped_run.values.back().at("spring.dissipated") > 0.3);
}

TEST_CASE("the corner of a body that a spring without length holds to a point of another keeps the balance of energy",
          "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  box: {type: rigid, mass: 2, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0], angular_velocity: [1, 2, -1],
        points: {corner: [0.3, 0.2, 0.1]}}
  lid: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.6, 0.3, 0.1], velocity: [0, 0.5, 0],
        points: {edge: [-0.3, -0.1, 0]}}
forces:
  spring: {type: spring-damper, connect: [box.corner, lid.edge], stiffness: 200, damping: 2}
sensors:
  spring: {type: force, of: spring, record: [force, length, rate, dissipated]}
  whole: {type: system, record: [momentum, angular_momentum]}
  e: {type: energy, record: [total, dissipated]}
analysis: {end_time: 2, step: 5e-4}
)yaml");
  const Values& start = run.values.front();
  CHECK(start.at("spring.length") == 0);
  CHECK(start.at("spring.rate") > 0.1);
  CHECK(start.at("spring.force") == Approx(2 * start.at("spring.rate")));
  CHECK(lost_energy(run) < 1e-4);
  CHECK(run.values.back().at("spring.dissipated") > 0.1);
  for (const char* axis : axes) {
    const std::string momentum = std::string("whole.momentum.") + axis, angular = std::string("whole.angular_momentum.") + axis;
    CHECK(run.values.back().at(momentum) == Approx(start.at(momentum)).margin(1e-9));
    CHECK(run.values.back().at(angular) == Approx(start.at(angular)).margin(1e-4));
  }
}

TEST_CASE("a spring without length carries a load from where its places coincide, and its mass vibrates there", "[serial]") {
  for (const double c : {0.0, 0.5}) {
    Stationary model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {{type: point-mass, mass: 1, position: [1, 2, 3]}}
forces:
  spring: {{type: spring-damper, connect: [[1, 2, 3], bob], stiffness: 10, damping: {}}}
  pull: {{type: force, on: bob, vector: [3, 0, 0]}}
sensors:
  bob: {{type: point, of: bob, record: [displacement]}}
  spring: {{type: force, of: spring}}
analysis: {{type: static}}
)yaml",
                                                c));
    const std::vector<Mode> at_start = model.modes(3);  // where r = 0: k in all directions
    for (const Mode& mode : at_start) {
      CHECK(mode.omega() == Approx(std::sqrt(10.0)));
      CHECK(mode.real == Approx(-c / 2).margin(1e-9));
    }
    model.find_rest();
    const auto v = model.values();
    CHECK(v.at("bob.displacement.x") == Approx(0.3));
    CHECK(v.at("bob.displacement.y") == Approx(0).margin(1e-12));
    CHECK(v.at("bob.displacement.z") == Approx(-0.981));
    CHECK(v.at("spring.force") == Approx(std::hypot(3, 9.81)));
    double decay = 0;  // of all modes: under the load the damper works along the line alone
    for (const Mode& mode : model.modes(3)) {
      CHECK(mode.omega() == Approx(std::sqrt(10.0)));
      decay += mode.real;
    }
    CHECK(decay == Approx(-c / 2).margin(1e-9));
  }
}
