// Cables that bear no pressing and hardly any bending: ropes that go slack, hang and become taut again.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double gravity = 9.81;

/// A stone of 1 kg that hangs on a light rope of 1 m and is thrown up, past the hook's line.
const char* const thrown = R"(sinew: 1
gravity: [0, 0, -9.81]
sections: {rope: {stiffness: [500, 0, 0, 0, 0, 0], inertia: [0.01, 1, 1, 0, 0, 0]}}
bodies:
  stone: {type: point-mass, mass: 1, position: [0, 0, -1], velocity: [0.8, 0, 1.2]}
  rope: {type: cable, line: {from: [0, 0, 0], to: [0, 0, -1], elements: 2}, section: rope, compression: 0}
joints:
  hook: {type: spherical, connect: [ground, rope.start]}
  knot: {type: spherical, connect: [rope.end, stone]}
sensors:
  stone: {type: point, of: stone, record: [position]}
  hook: {type: joint, of: hook, record: [force]}
  section: {type: section, of: rope, at: 0.75, record: [tension]}
  energy: {type: energy, record: [total]}
analysis: {end_time: 0.45, step: 2e-4}
)";

/// Where the stone is, and how taut the rope, if the rope is a spring without mass that only pulls: by Runge and Kutta's method.
struct Thrown {
  double x = 0, z = -1, u = 0.8, w = 1.2;

  static double pull(double r) { return 500 * std::max(r - 1, 0.0); }
  std::array<double, 4> rates(const std::array<double, 4>& s) const {
    const double r = std::hypot(s[0], s[1]), N = pull(r) / r;
    return {s[2], s[3], -N * s[0], -gravity - N * s[1]};
  }
  void advance(double h) {
    const std::array<double, 4> s{x, z, u, w};
    std::array<double, 4> k{}, sum{};
    constexpr double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    for (int stage = 0; stage < 4; ++stage) {
      std::array<double, 4> at = s;
      for (std::size_t i = 0; i < 4; ++i) at[i] += h * part[stage] * k[i];
      k = rates(at);
      for (std::size_t i = 0; i < 4; ++i) sum[i] += h / 6 * weight[stage] * k[i];
    }
    x += sum[0];
    z += sum[1];
    u += sum[2];
    w += sum[3];
  }
};

/// A rope of 10 m and 1 kg/m without stiffness in bending, whose end is moved in to 8 m.
std::string hanging(double compression) {
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
sections: {{s: {{stiffness: [1e7, 0, 0, 0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}}}
bodies:
  rope: {{type: cable, line: {{from: [0, 0, 0], to: [10, 0, 0], elements: 40}}, section: s, compression: {}}}
joints:
  left: {{type: spherical, connect: [ground, rope.start]}}
  plane: {{type: coordinate-fixed, connect: [ground, rope.end], direction: [0, 1, 0]}}
  level: {{type: coordinate-fixed, connect: [ground, rope.end], direction: [0, 0, 1]}}
  in: {{type: motion, connect: [ground, rope.end], axis: [1, 0, 0], displacement: -2}}
sensors:
  middle: {{type: point, of: "rope.node[20]", record: [position]}}
  left: {{type: joint, of: left, record: [force]}}
analysis: {{type: static}}
)",
                     compression);
}

/// A rope of 1 m and 0.2 kg/m that bears pressing and hardly any bending, of so many elements, whose end is moved in.
std::string moved_in(int elements, double span) {
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
sections: {{s: {{stiffness: [1e4, 0, 0, 0, 1e-3, 1e-3], inertia: [0.2, 0.2, 0.2, 0, 0, 0]}}}}
bodies:
  rope: {{type: cable, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: {}}}, section: s}}
joints:
  left: {{type: spherical, connect: [ground, rope.start]}}
  right: {{type: spherical, connect: [[{}, 0, 0], rope.end]}}
sensors:
  middle: {{type: point, of: "rope.node[{}]", record: [position]}}
analysis: {{type: static}}
)",
                     elements, span, elements / 2);
}

}  // namespace

TEST_CASE("a stone on a rope flies freely while the rope is slack and is caught where it becomes taut", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, thrown);
  Thrown exact;
  double tightest = 0, drift = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const Values& v = run.values[n];
    INFO("t = " << run.time[n]);
    CHECK(std::hypot(v.at("stone.position.x") - exact.x, v.at("stone.position.z") - exact.z) <
          0.01);  // a rope of 1 % of its mass
    CHECK(v.at("section.tension") >= 0);
    tightest = std::max(tightest, std::hypot(v.at("hook.force.x"), v.at("hook.force.z")));
    drift = std::max(drift, std::abs(v.at("energy.total") - run.values.front().at("energy.total")));
    for (int part = 0; part < 10; ++part) exact.advance(2e-5);
  }
  // sqrt(k m) times the radial speed, and the weight: the rope was slack for a quarter of a second
  CHECK(tightest > 25);
  CHECK(drift < 2e-3);  // of 1 J
}

TEST_CASE("a rope without stiffness in bending hangs in a catenary, pressed or not", "[serial]") {
  double low = 0.05, high = 100;  // 2 a sinh(8/(2a)) = 10, by bisection
  for (int i = 0; i < 100; ++i) {
    const double a = (low + high) / 2;
    (2 * a * std::sinh(4 / a) > 10 ? low : high) = a;
  }
  for (const double compression : {0.0, 0.5, 1.0}) {
    CAPTURE(compression);
    Stationary model(MPI_COMM_SELF, hanging(compression));
    model.find_rest();
    const auto values = model.values();
    CHECK(values.at("left.force.x") == Approx(gravity * low).epsilon(2e-3));
    CHECK(values.at("left.force.z") == Approx(-5 * gravity).epsilon(1e-8));
    CHECK(values.at("middle.position.z") == Approx(-low * (std::cosh(4 / low) - 1)).epsilon(1e-3));
  }
}

TEST_CASE("a rope that bears pressing is not laid back on itself inside its elements on the way to rest", "[serial]") {
  for (const double span : {0.9, 0.6}) {
    CAPTURE(span);
    // the sag of the catenary, from which the little stiffness in bending takes less than 1 %
    double low = 0.05, high = 100;
    for (int i = 0; i < 100; ++i) {
      const double a = (low + high) / 2;
      (2 * a * std::sinh(span / (2 * a)) > 1 ? low : high) = a;
    }
    const double sag = low * (std::cosh(span / (2 * low)) - 1);
    for (const int elements : {8, 20, 40}) {
      CAPTURE(elements);
      Stationary model(MPI_COMM_SELF, moved_in(elements, span));
      model.find_rest();
      CHECK(model.values().at("middle.position.z") == Approx(-sag).epsilon(0.01));
    }
  }
}
