// Forces of the state that are narrow beside a step: controlled steps find them, prescribed ones say what they have gone over.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>

using namespace sinew;
using test::Table;

namespace {

/// A car of 1 kg at 1 m/s that a magnet at x = 2 holds back over a width W, so that it goes on with A V of the speed it had; and
/// a mass that swings, so that ranks have something to share.
constexpr const char* magnet = R"yaml(sinew: 1
constants: {W: 0.01, F: 20}
bodies:
  car: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}
  other: {type: point-mass, mass: 1, position: [0, 1, 0], velocity: [0, 0, 1]}
  third: {type: point-mass, mass: 1, position: [0, 2, 0], velocity: [0, 0, 1]}
forces:
  magnet: {type: actuator, on: car, direction: [1, 0, 0], force: "-F*exp(-((sensor.car.position.x - 2)/W)^2)"}
  spring: {type: spring-damper, connect: [other, third], stiffness: 10, length: 1}
sensors:
  car: {type: point, of: car, record: [position.x, velocity.x]}
analysis: {end_time: 4}
)yaml";

/// A mass that pulses of a phase push on, one a second, 3 N exp(50 (cos(2 pi s) - 1)) with s' = 1.
constexpr const char* pulses = R"yaml(sinew: 1
bodies:
  box: {type: point-mass, mass: 1, position: [0, 0, 0]}
controls:
  clock: {state: {s: 0.5}, derivative: {s: "1"}, output: {push: "3*exp(50*(cos(2*pi*s) - 1))"}}
forces:
  push: {type: actuator, on: box, direction: [1, 0, 0], force: control.clock.push}
sensors:
  box: {type: point, of: box, record: [velocity.x]}
analysis: {end_time: 4}
)yaml";

/// What one of them gives, by the trapezoidal rule, which is exact for what is periodic.
double impulse() {
  double sum = 0;
  constexpr int parts = 1000;
  for (int k = 0; k < parts; ++k) sum += 3 * std::exp(50 * (std::cos(2 * std::numbers::pi * k / parts) - 1)) / parts;
  return sum;
}

double last(const Table& t, const std::string& column) { return t.at(column, t.rows() - 1); }

test::Outcome run(const std::filesystem::path& folder, const std::string& model, const std::string& settings, int ranks = 0) {
  test::write_file(folder / "model.yaml", model);
  test::Outcome outcome = test::run_sinew(folder, "run model.yaml " + settings, ranks);
  INFO(settings << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return outcome;
}

}  // namespace

TEST_CASE("controlled steps do not go over a force that a body passes", "[serial]") {
  const auto folder = test::fresh_folder("hidden-magnet");
  for (const double width : {1e-2, 1e-4, 1e-6}) {
    const double energy = 0.5 - 0.2 * std::sqrt(std::numbers::pi), speed = std::sqrt(2 * energy);
    for (const double tolerance : {1e-2, 1e-4}) {
      std::ostringstream settings_text;
      settings_text << "--set constants.W=" << width << " constants.F=" << 0.2 / width
                    << " 'analysis.step={tolerance: " << tolerance << ", per: unit-step}'";
      const std::string settings = settings_text.str();
      const test::Outcome outcome = run(folder, magnet, settings);
      const Table t(folder / "model.out" / "sensors.csv");
      INFO(settings << '\n' << outcome.said);
      CHECK(std::abs(last(t, "car.velocity.x") - speed) < 7 * tolerance);
      CHECK(std::abs(last(t, "car.position.x") - (2 + 2 * speed)) < 12 * tolerance + width);  // a wide one takes its time
      CHECK(outcome.said.find("go over it") == std::string::npos);
    }
  }
}

TEST_CASE("pulses of a phase all count", "[serial]") {
  const auto folder = test::fresh_folder("hidden-pulses");
  const std::pair<std::string, double> promises[] = {
      {"{tolerance: 1e-2, per: unit-step}", 5e-2}, {"{tolerance: 1e-4, per: unit-step}", 1e-3}, {"{global: 1e-3}", 1e-3}};
  for (const auto& [step, error] : promises) {
    run(folder, pulses, "--set 'analysis.step=" + step + "'");
    const Table t(folder / "model.out" / "sensors.csv");
    INFO(step);
    CHECK(std::abs(last(t, "box.velocity.x") / (4 * impulse()) - 1) < error);
  }
}

TEST_CASE("balls that meet after a long way do not go through each other where their force is one of their distance",
          "[serial]") {
  // E. Rutherford, Phil. Mag. 21 (1911) 669-688: tan(theta/2) = k/(mu v^2 b)
  constexpr const char* balls = R"yaml(sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [-47.3, 0.0002, 0], velocity: [10, 0, 0]}
  b: {type: point-mass, mass: 3, position: [0, 0, 0]}
sensors:
  r: {type: relative, between: [a, b]}
  a: {type: point, of: a, record: [position, velocity]}
forces: {f: {type: actuator, connect: [a, b], force: "0.02/sensor.r.distance^2"}}
analysis: {end_time: 10}
)yaml";
  const double angle = 2 * std::atan(0.02 / (0.75 * 100 * 0.0002)), x = 2.5 + 7.5 * std::cos(angle), y = 7.5 * std::sin(angle);
  const auto folder = test::fresh_folder("hidden-balls");
  for (const std::string step : {"{global: 1e-2}", "{tolerance: 1e-3, per: unit-step}"}) {
    const test::Outcome outcome = run(folder, balls, "--set 'analysis.step=" + step + "'");
    const Table t(folder / "model.out" / "sensors.csv");
    INFO(outcome.said);
    CHECK(std::abs(last(t, "a.velocity.x") - x) < 0.1);
    CHECK(std::abs(std::abs(last(t, "a.velocity.y")) - y) < 0.1);
  }
}

TEST_CASE("a puck does not go through a post that repels it by a table", "[serial]") {
  constexpr const char* puck = R"yaml(sinew: 1
bodies:
  puck: {type: point-mass, mass: 1, position: [-47.3, 0.1, 0], velocity: [10, 0, 0]}
  other: {type: point-mass, mass: 1, position: [-47.3, 5, 0]}
sensors: {puck: {type: point, of: puck, record: velocity}}
forces: {post: {type: spring-damper, connect: [ground, puck], table: [[0.05, -200], [0.1, -100], [0.2, 0], [0.3, 0]]}}
analysis: {end_time: 10}
)yaml";
  const auto folder = test::fresh_folder("hidden-post");
  const auto velocity = [&](const std::string& step) {
    const test::Outcome outcome = run(folder, puck, "--set 'analysis.step=" + step + "'");
    const Table t(folder / "model.out" / "sensors.csv");
    return std::pair(last(t, "puck.velocity.x"), last(t, "puck.velocity.y"));
  };
  const auto [x, y] = velocity("{tolerance: 1e-5, max: 5e-4}");
  CHECK(y > 1);
  for (const std::string step : {"{global: 1e-2}", "{tolerance: 1e-3, per: unit-step}", "{tolerance: 1e-6}"}) {
    const auto [vx, vy] = velocity(step);
    CAPTURE(step, x, y, vx, vy);
    CHECK(std::abs(vx - x) < 0.1);
    CHECK(std::abs(vy - y) < 0.1);
  }
}

TEST_CASE("prescribed steps say what they have gone over, and nothing where there is nothing", "[serial]") {
  const auto folder = test::fresh_folder("hidden-prescribed");
  const test::Outcome over = run(folder, magnet, "--set analysis.step=0.13");
  test::check_contains(over.said, "steps go over it");
  test::check_contains(over.said, "'-F*exp(-((sensor.car.position.x - 2)/W)^2)'");
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "go over it");
  const test::Outcome followed = run(folder, magnet, "--set analysis.step=0.002");
  CHECK(followed.said.find("go over it") == std::string::npos);
  const test::Outcome wide = run(folder, magnet, "--set constants.W=1 constants.F=0.2 analysis.step=0.13");
  CHECK(wide.said.find("go over it") == std::string::npos);
}

TEST_CASE("what steps are made shorter for is the same on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("hidden-ranks");
  const std::string settings = "--set 'analysis.step={tolerance: 1e-3, per: unit-step}'";
  run(folder, magnet, settings, 1);
  const Table one(folder / "model.out" / "sensors.csv");
  for (const int ranks : {2, 3}) {
    run(folder, magnet, settings, ranks);
    const Table many(folder / "model.out" / "sensors.csv");
    REQUIRE(many.rows() == one.rows());
    CHECK(std::abs(last(many, "car.velocity.x") - last(one, "car.velocity.x")) < 1e-10);
  }
}
