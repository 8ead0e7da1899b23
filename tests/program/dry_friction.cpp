// What dry friction holds, lets go and brings to rest; against closed forms, at 1, 2 and 3 ranks.
#include "tests/program/refusals.hpp"
#include "tests/program/switching_runs.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>

using namespace sinew;
using test::Table;
using namespace sinew::test::switching_runs;

namespace {

/// A box that slides to rest under dry friction, beside a mass that is tied to nothing so that ranks have something to share.
constexpr const char* sliding = R"yaml(sinew: 1
bodies:
  box: {type: point-mass, mass: 2, position: [0, 0, 0], velocity: [1, 0, 0]}
  other: {type: point-mass, mass: 1, position: [0, 1, 0], velocity: [0, 0, 1]}
  third: {type: point-mass, mass: 1, position: [0, 2, 0], velocity: [0, 0, 1]}
sensors:
  box: {type: point, of: box, record: [position.x, velocity.x]}
  law: {type: control, of: law}
controls:
  law: {output: {s: "LAW"}}
forces:
  dry: {type: actuator, on: box, direction: [1, 0, 0], force: "-3*control.law.s"}
  spring: {type: spring-damper, connect: [other, third], stiffness: 10, length: 1}
analysis: {end_time: 2}
)yaml";

/// A mass of 1 kg under dry friction of 3 N that 5 sin(2 pi t) N drives back and forth.
constexpr const char* driven = R"yaml(sinew: 1
bodies:
  box: {type: point-mass, mass: 1, position: [0, 0, 0]}
sensors:
  box: {type: point, of: box, record: [position.x, velocity.x]}
forces:
  dry: {type: actuator, on: box, direction: [1, 0, 0], force: "-3*sign(sensor.box.velocity.x)"}
  drive: {type: force, on: box, vector: ["5*sin(2*pi*t)", 0, 0]}
analysis: {end_time: 3}
)yaml";

/// Where it is at time T: stuck while |F| <= 3, from then on in closed form until the velocity is 0 again.
double driven_place(double T) {
  const double w = 2 * std::numbers::pi;
  const auto force = [w](double t) { return 5 * std::sin(w * t); };
  constexpr double dt = 1e-5;
  double t = 0, x = 0;
  while (t < T) {
    double begin = t;
    while (begin < T && std::abs(force(begin)) <= 3) begin += dt;
    if (begin >= T) return x;
    const double angle = std::asin(0.6);  // where |F| = 3 exactly: the last such time before `begin`
    const double turns = std::floor((begin * w - angle) / std::numbers::pi);
    if (begin > t) begin = (angle + std::numbers::pi * turns) / w;
    const double sign = force(begin + dt) > 0 ? 1 : -1;
    const auto speed = [&](double s) { return 5 / w * (std::cos(w * begin) - std::cos(w * s)) - 3 * sign * (s - begin); };
    const auto way = [&](double s) {
      return 5 / w * (std::cos(w * begin) * (s - begin) - (std::sin(w * s) - std::sin(w * begin)) / w) -
             1.5 * sign * (s - begin) * (s - begin);
    };
    double end = begin + dt;
    while (end < T && speed(end) * sign > 0) end += dt;
    if (end >= T) return x + way(T);
    double low = end - dt, high = end;
    for (int n = 0; n < 60; ++n) (speed((low + high) / 2) * sign > 0 ? low : high) = (low + high) / 2;
    x += way(high);
    t = high;
  }
  return x;
}

}  // namespace

TEST_CASE("what dry friction brings to rest rests there, whatever the steps, the law's words and the ranks", "[serial]") {
  const auto folder = test::fresh_folder("events-rest");
  for (const char* law : {"sign(sensor.box.velocity.x)", "sensor.box.velocity.x > 0 ? 1 : -1",
                          "sensor.box.velocity.x > 0 ? 1 : (sensor.box.velocity.x < 0 ? -1 : 0)"})
    for (const char* step : {controlled, "1e-2"})
      for (const int ranks : {1, 2, 3}) {
        if (ranks > 1 && law[0] != 's') continue;
        INFO(law << ", step " << step << ", ranks " << ranks);
        const Table t = run(folder, with(sliding, "LAW", law), step, ranks);
        CHECK(std::abs(last(t, "box.position.x") - 1.0 / 3) < 1e-6);
        CHECK(std::abs(last(t, "box.velocity.x")) < 1e-7);
        CHECK(std::abs(last(t, "law.s")) < 1e-6);  // nothing pushes
      }
  const Table t = run(folder, with(sliding, "LAW", "sign(sensor.box.velocity.x)"), "{global: 1e-3}");
  CHECK(std::abs(last(t, "box.position.x") - 1.0 / 3) < 1e-6);  // runs after the first find nothing that slides
}

TEST_CASE("a mass that friction holds starts, turns and stops with the force that drives it", "[serial]") {
  const auto folder = test::fresh_folder("events-driven");
  const double exact = driven_place(3);
  CHECK(std::abs(last(run(folder, driven, controlled), "box.position.x") - exact) < 1e-4);
  double coarse = 0;
  for (const char* step : {"2e-2", "1e-2", "5e-3"}) {
    const double error = std::abs(last(run(folder, driven, step), "box.position.x") - exact);
    INFO("step " << step << ", error " << error << ", that of twice the step " << coarse);
    if (coarse > 0) CHECK(coarse / error > 3);  // order 2
    coarse = error;
  }
  for (const char* integrator : {"gen-alpha", "gen-alpha-ggl", "trapezoid", "bdf-si2"}) {
    INFO(integrator);
    CHECK(
        std::abs(last(run(folder, driven, "5e-3", 0, std::string("--set analysis.integrator=") + integrator), "box.position.x") -
                 exact) < 2e-4);
  }
}

TEST_CASE("what slides takes the same steps in other units and far from the origin", "[serial]") {
  const auto folder = test::fresh_folder("events-moved");
  const std::string model = R"yaml(sinew: 1
constants: {l: LENGTH, X: PLACE}
bodies: {box: {type: point-mass, mass: 1, position: [X + l, 0, 0]}}
sensors: {box: {type: point, of: box, record: [position.x, velocity.x]}}
forces:
  relay: {type: actuator, on: box, direction: [1, 0, 0],
          force: "sensor.box.position.x - X + 0.3*sensor.box.velocity.x > 0 ? -2*l : 2*l"}
analysis: {end_time: 4}
output: {sensors: {every: 1}}
)yaml";
  const auto steps = [&](const char* length, const char* place) {
    const std::string there = with(with(model, "LENGTH", length), "PLACE", place);
    return static_cast<int>(run(folder, there, "{tolerance: 1e-2, per: unit-step}").rows());
  };
  const int here = steps("1", "0");
  CHECK(std::abs(steps("1000", "0") - here) <= 1);
  CHECK(std::abs(steps("1", "1000") - here) <= 1);
}

TEST_CASE("what sticks is torn loose where what it sticks to jumps in speed", "[serial]") {
  const auto folder = test::fresh_folder("events-torn-loose");
  // A box rests on a belt under dry friction until the belt jumps to 1 m/s at t = 1; it follows with 3 m/s^2 and sticks again.
  const std::string model = R"yaml(sinew: 1
bodies:
  belt: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  box: {type: point-mass, mass: 1, position: [0, 1, 0], velocity: [0.3, 0, 0]}
joints:
  rail: {type: prismatic, connect: [ground, belt], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, displacement: "t < 1 ? 0 : t - 1"}
sensors:
  belt: {type: point, of: belt, record: [velocity.x]}
  box: {type: point, of: box, record: [position.x, velocity.x]}
forces:
  dry: {type: actuator, on: box, direction: [1, 0, 0], force: "-3*sign(sensor.box.velocity.x - sensor.belt.velocity.x)"}
analysis: {end_time: 2}
)yaml";
  for (const char* step : {"1e-2", controlled}) {
    INFO("step " << step);
    const Table t = run(folder, model, step);
    CHECK(std::abs(last(t, "box.velocity.x") - 1) < 1e-6);
    CHECK(std::abs(last(t, "box.position.x") - (0.015 + 1.0 / 6 + 2.0 / 3)) < 1e-4);
  }
}

TEST_CASE("what sticks to something that moves does so as to something that stands", "[serial]") {
  const auto folder = test::fresh_folder("events-belt");
  // A box on a belt that runs at V holds 10 N; from F = 5 t on it until t = 2, a tenth of a second behind, it has not slipped.
  const std::string model = R"yaml(sinew: 1
constants: {V: 1}
bodies:
  box: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [V, 0, 0]}
sensors:
  box: {type: point, of: box, record: [position.x, velocity.x]}
forces:
  pull: {type: actuator, on: box, direction: [1, 0, 0], force: "5*t - 10*sign(sensor.box.velocity.x - V)"}
analysis: {end_time: 2.5}
)yaml";
  for (const char* speed : {"0", "1", "100"})
    for (const char* step : {"1e-2", controlled, "{global: 1e-3}"}) {
      INFO("belt at " << speed << " m/s, step " << step);
      const Table t = run(folder, model, step, 0, std::string("--set constants.V=") + speed);
      const double V = std::stod(speed);
      CHECK(std::abs(last(t, "box.velocity.x") - (V + 5 * 0.5 * 0.5 / 2)) < 1e-3 * (1 + V));
      CHECK(std::abs(last(t, "box.position.x") - (2.5 * V + 5 * 0.5 * 0.5 * 0.5 / 6)) < 1e-3 * (1 + V));
      CHECK(Table(folder / "model.out" / "steps.csv").rows() < 700);
    }
}

TEST_CASE("two that slide on each other, both dry, keep what error bars promise of accelerations", "[serial]") {
  const auto folder = test::fresh_folder("events-stacked");
  // The lower box is driven and rubs on the ground (2 N) and on the upper one (3 N), which nothing else moves. The last row is
  // that of an integration from event to event (DOP853, 1e-13).
  const std::string model = R"yaml(sinew: 1
bodies:
  lower: {type: point-mass, mass: 2, position: [0, 0, 0]}
  upper: {type: point-mass, mass: 1, position: [0, 0, 1]}
controls:
  rub: {output: {r: "3*sign(sensor.upper.velocity.x - sensor.lower.velocity.x)"}}
forces:
  drive: {type: actuator, on: lower, direction: [1, 0, 0],
          force: "14*sin(5*t) - 60*sensor.lower.position.x - 2*sign(sensor.lower.velocity.x) + control.rub.r"}
  drag: {type: actuator, on: upper, direction: [1, 0, 0], force: "-control.rub.r"}
sensors:
  lower: {type: point, of: lower, record: [position.x, velocity.x, acceleration.x]}
  upper: {type: point, of: upper, record: [position.x, velocity.x, acceleration.x]}
analysis: {end_time: 4}
)yaml";
  const Table t = run(folder, model, "{global: 1e-3}");
  CHECK(std::abs(last(t, "lower.position.x") - 0.31384179) < 1e-3);
  CHECK(std::abs(last(t, "lower.velocity.x") - 6.87804442) < 7e-3);
  CHECK(std::abs(last(t, "upper.position.x") + 0.376842) < 1e-3);
  CHECK(std::abs(last(t, "upper.velocity.x") - 0.14697234) < 7e-3);
  CHECK(Table(folder / "model.out" / "steps.csv").rows() < 5000);
}
