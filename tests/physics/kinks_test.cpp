// Forces whose laws have kinks and jumps under error control: steps end there, and what follows is as good as before.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Place, velocity and acceleration upwards.
struct Motion {
  double x = 0, v = 0, a = 0;
};

/// Motion from x0, v0 under the spring k and the damper d, per mass, about the place where the spring rests, and gravity.
Motion swing(double t, double x0, double v0, double k, double d, double g) {
  const double mean = -g / k, decay = d / 2, w = std::sqrt(k - decay * decay), A = x0 - mean, B = (v0 + decay * A) / w;
  const double fall = std::exp(-decay * t), c = std::cos(w * t), s = std::sin(w * t);
  Motion m;
  m.x = mean + fall * (A * c + B * s);
  m.v = fall * ((B * w - decay * A) * c - (A * w + decay * B) * s);
  m.a = -k * m.x - d * m.v - g;
  return m;
}
Motion fall(double t, double x0, double v0, double g) { return {x0 + v0 * t - g * t * t / 2, v0 - g * t, -g}; }

/// The first zero after `from` of what is positive there.
double first_zero(const std::function<double(double)>& f, double from, double step) {
  double low = from, high = from + step;
  while (f(high) > 0) high += step;
  for (int i = 0; i < 100; ++i) (f((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  return high;
}

/// Until it comes back a second time: a mass falls from rest at `height` onto what bears it below 0 with the spring k and the
/// damper d, per mass, and bears it no longer where these would pull it down.
Motion falling(double t, double height, double k, double d, double g) {
  const double touch = std::sqrt(2 * height / g);
  if (t < touch) return fall(t, height, 0, g);
  const double v = -g * touch;
  const auto borne = [=](double s) { return swing(s, 0, v, k, d, g); };
  const auto push = [=](double s) { return -k * borne(s).x - d * borne(s).v; };
  const double leave = first_zero(push, 1e-9, 1e-4);
  if (t < touch + leave) return borne(t - touch);
  return fall(t - touch - leave, borne(leave).x, borne(leave).v, g);
}

struct Worst {
  double place = 0, speed = 0, acceleration = 0;
  long steps = 0;
};

constexpr double g = 9.81, height = 0.1, end = 0.3;

Worst compare(const std::string& model, double tolerance, const std::function<Motion(double)>& expected) {
  const Trajectory run =
      run_model(MPI_COMM_SELF,
                model + fmt::format("analysis: {{end_time: {}, step: {{tolerance: {}, per: unit-step}}}}\n", end, tolerance));
  Worst w;
  w.steps = run.summary.steps;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const Motion m = expected(run.time[n]);
    w.place = std::max(w.place, std::abs(run.values[n].at("bob.position.z") - m.x));
    w.speed = std::max(w.speed, std::abs(run.values[n].at("bob.velocity.z") - m.v));
    const bool is_at_jump = std::abs(run.time[n] - std::sqrt(2 * height / g)) < 1e-9;  // the row is one before it
    if (n > 0 && !is_at_jump) w.acceleration = std::max(w.acceleration, std::abs(run.values[n].at("bob.acceleration.z") - m.a));
  }
  return w;
}

/// From 1e-2 to 1e-6: errors over tolerances that lie within a factor of each other.
void check_proportion(const std::string& model, const std::function<Motion(double)>& expected, double factor) {
  double least = 1e300, most = 0, rough = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const Worst w = compare(model, tolerance, expected);
    if (std::getenv("SINEW_SHOW_STUDIES"))
      fmt::print("  {:.0e}: places {:.3g}, speeds {:.3g}, accelerations {:.3g} of the tolerance, {} steps\n", tolerance,
                 w.place / tolerance, w.speed / tolerance, w.acceleration / tolerance, w.steps);
    least = std::min(least, w.place / tolerance);
    most = std::max(most, w.place / tolerance);
    rough = std::max(rough, w.acceleration / tolerance);
  }
  CHECK(most < factor * least);
  CHECK(most < 1);
  CHECK(rough < 200);
}

}  // namespace

TEST_CASE("Steps end where a stop is touched and left", "[serial]") {
  check_proportion(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.1]}
joints:
  guide: {type: prismatic, connect: [[0, 0, 0], bob], axis: [0, 0, 1]}
forces:
  floor: {type: stop, of: guide, lower: 0, stiffness: 8e3}
sensors:
  bob: {type: point, of: bob, record: [position, velocity, acceleration]}
)yaml",
                   [](double t) { return falling(t, height, 4e3, 0, g); }, 4);
}

namespace {

const std::string jerking_rope = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: point-mass, mass: 2, position: [0, 0, 0.1]}
forces:
  rope: {type: tendon, connect: [[1, 0, 2], [0, 0, 2], bob], stiffness: 3e3, damping: 40, length: 3}
sensors:
  bob: {type: point, of: bob, record: [position, velocity, acceleration]}
  rope: {type: force, of: rope, record: force}
)yaml";

}  // namespace

TEST_CASE("Steps end where a damped rope jerks and where it is slack", "[serial]") {
  check_proportion(
      jerking_rope, [](double t) { return falling(t, height, 1.5e3, 20, g); }, 4);
}

TEST_CASE("Accelerations and tensions of a row belong together, that of a jerk as well", "[serial]") {
  const Trajectory run =
      run_model(MPI_COMM_SELF, jerking_rope + "analysis: {end_time: 0.3, step: {tolerance: 1e-4, per: unit-step}}\n");
  CHECK(std::any_of(run.time.begin(), run.time.end(), [](double t) { return std::abs(t - std::sqrt(2 * height / g)) < 1e-9; }));
  for (const Values& row : run.values)  // the jump is 28 m/s^2
    CHECK(row.at("bob.acceleration.z") == Approx(row.at("rope.force") / 2 - g).margin(0.1));
}

TEST_CASE("What begins at a kink needs no small steps", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: point-mass, mass: 2, position: [0, 0, 0]}
  box: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  guide: {type: prismatic, connect: [[1, 0, 0], box], axis: [0, 0, 1]}
forces:
  rope: {type: tendon, connect: [[1, 0, 2], [0, 0, 2], bob], stiffness: 3e3, damping: 40}
  floor: {type: stop, of: guide, lower: 0, stiffness: 8e3, damping: 1}
sensors:
  bob: {type: point, of: bob, record: [position, velocity, acceleration]}
analysis: {end_time: 0.05, step: {tolerance: 1e-4}}
)yaml");
  CHECK(run.values.back().at("bob.position.z") == Approx(swing(0.05, 0, 0, 1.5e3, 20, g).x).epsilon(5e-3));
  CHECK(run.summary.steps < 100);
  CHECK(run.summary.rejected < 10);
}

namespace {

/// Two pucks, 1 and 3 kg, that push each other with 2e4 N/m of what lacks of 6 cm between them. The first comes along x with
/// 1 m/s, 3 cm beside the second: its velocity when they have parted. Runge-Kutta on what lies between them, from the touch.
std::array<double, 2> parted() {
  constexpr double b = 0.06, beside = 0.03, k = 2e4, mass = 0.75, dt = 1e-6;
  using Y = std::array<double, 4>;  // from the first to the second, and how that changes
  const auto rate = [](const Y& y) {
    const double r = std::hypot(y[0], y[1]), push = k * std::max(0.0, b - r) / (mass * r);
    return Y{y[2], y[3], push * y[0], push * y[1]};
  };
  const auto moved = [](const Y& y, double h, const Y& by) {
    Y to = y;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += h * by[i];
    return to;
  };
  Y y{std::sqrt(b * b - beside * beside), beside, -1, 0};
  do {
    const Y k1 = rate(y), k2 = rate(moved(y, dt / 2, k1)), k3 = rate(moved(y, dt / 2, k2)), k4 = rate(moved(y, dt, k3));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += dt / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  } while (std::hypot(y[0], y[1]) < b);
  return {0.25 - 0.75 * y[2], -0.75 * y[3]};  // about the mean velocity, 1/4
}

}  // namespace

TEST_CASE("Bodies that meet after a long coast do not go through each other", "[serial]") {
  const std::array<double, 2> expected = parted();
  const std::string pucks = R"yaml(sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}
  b: {type: point-mass, mass: 3, position: [6.9, 0.03, 0]}
sensors:
  a: {type: point, of: a, record: [velocity]}
  d: {type: relative, between: [a, b], record: distance}
forces:
)yaml";
  for (const char* contact : {"type: spring-damper, connect: [a, b], force: \"-2e4*max(0, 0.06 - length)\"",
                              "type: actuator, connect: [a, b], force: \"2e4*max(0, 0.06 - sensor.d)\"",
                              "type: actuator, connect: [a, b], force: \"sensor.d < 0.06 ? 2e4*(0.06 - sensor.d) : 0\""})
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      const std::string touching = fmt::format("  touch: {{{}}}\n", contact);
      const std::string analysis =
          fmt::format("analysis: {{end_time: 10, step: {{tolerance: {}, per: unit-step}}}}\n", tolerance);
      const Trajectory run = run_model(MPI_COMM_SELF, pucks + touching + analysis);
      INFO(contact << ", " << tolerance);
      CHECK(run.values.back().at("a.velocity.x") == Approx(expected[0]).margin(tolerance));
      CHECK(run.values.back().at("a.velocity.y") == Approx(expected[1]).margin(tolerance));
    }
}

// Drag by abs(v)*v: pieces that meet in value and slope end no step, and the motion is that of the law without `abs`.
TEST_CASE("steps go across switches whose pieces meet with one slope, and end at those with a kink", "[serial]") {
  const auto run = [](const std::string& law, const std::string& step) {
    return run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
bodies: {{m: {{type: point-mass, mass: 1, position: [1, 0, 0]}}}}
sensors: {{m: {{type: point, of: m, record: [position.x, velocity.x]}}}}
forces:
  spring: {{type: actuator, on: m, direction: [1, 0, 0], force: -9*sensor.m.position.x}}
  drag: {{type: actuator, on: m, direction: [1, 0, 0], force: "{}"}}
analysis: {{end_time: 6, step: {}}}
)yaml",
                                                law, step));
  };
  const std::string v = "sensor.m.velocity.x";
  for (const char* step : {"1e-2", "{tolerance: 1e-7}"}) {
    INFO(step);
    const Trajectory smooth = run(fmt::format("-0.4*{0}*{0}*tanh(1e7*{0})", v), step);
    const Trajectory drag = run(fmt::format("-0.4*abs({0})*{0}", v), step);
    CHECK(drag.summary.switches == 0);
    CHECK(drag.values.back().at("m.position.x") == Approx(smooth.values.back().at("m.position.x")).margin(2e-5));
    CHECK(drag.values.back().at("m.velocity.x") == Approx(smooth.values.back().at("m.velocity.x")).margin(1e-4));
    // one-sided, within a sum, and twice the same
    CHECK(run(fmt::format("2 - 0.4*max(0, {0})^2 - 2 + 0.1*min({0}, 0)^3", v), step).summary.switches == 0);
    CHECK(run(fmt::format("-0.4*abs({0})", v), step).summary.switches >= 5);
    CHECK(run(fmt::format("-0.4*max(0, {0})^1.5", v), step).summary.switches >= 5);
    // what vanishes beside it, or is switched off as it passes, makes no slopes meet
    CHECK(run(fmt::format("-0.4*abs({0})*(sensor.m.position.x > 0.2 ? 1 : 0)", v), step).summary.switches >= 5);
  }
}
