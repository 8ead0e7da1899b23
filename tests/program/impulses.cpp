// Prescribed velocities that jump, and the work of their impulses.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

/// A slide, a wheel and a sleigh that are pushed all at once, each beside something that a joint and a spring tie to it.
constexpr const char* pushed = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  s: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0], points: {end: [0, 0, 0]}}
  bob: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, -0.4], points: {top: [-0.3, 0, 0.4]}}
joints:
  p: {type: prismatic, connect: [ground, s], axis: [1, 0, 0]}
  h: {type: revolute, connect: [s.end, bob.top], axis: [0, 1, 0]}
  m: {type: motion, of: p, MOTION}
sensors:
  e: {type: energy, record: [kinetic, total, work, dissipated]}
  m: {type: joint, of: m, record: work}
  h: {type: joint, of: h, record: work}
analysis: {end_time: 2, step: {tolerance: 1e-7}}
)";

std::string with(std::string text, const std::string& motion) {
  text.replace(text.find("MOTION"), 6, motion);
  return text;
}

double balance(const test::Table& t, std::size_t row) {
  return t.at("e.total", row) + t.at("e.dissipated", row) - t.at("e.work", row);
}

}  // namespace

TEST_CASE("the impulse of a prescribed velocity that jumps does its work", "[serial]") {
  const auto folder = test::fresh_folder("impulses");
  for (const char* motion : {"displacement: \"max(0, t - 1)\"", "displacement: \"abs(t - 0.7) - 0.7 + max(0, 3*(t - 1.2))\"",
                             "displacement: \"max(0, t)\"", "velocity: \"t < 0.5 ? 0 : t < 1.1 ? 2 : -1\""}) {
    INFO(motion);
    test::write_file(folder / "model.yaml", with(pushed, motion));
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table t(folder / "model.out" / "sensors.csv");
    double largest = 0, left = 0;
    for (std::size_t row = 0; row < t.rows(); ++row) {
      left = std::max(left, std::abs(balance(t, row) - balance(t, 0)));
      largest = std::max(largest, std::abs(t.at("e.work", row)));
      CHECK(t.at("m.work", row) == Approx(t.at("e.work", row)).margin(1e-8));
      CHECK(t.at("h.work", row) == Approx(0).margin(1e-8));
    }
    CHECK(largest > 0.5);
    CHECK(left < 1e-3 * largest);  // the trapezoidal rule between the jumps
  }
}

TEST_CASE("a mass that is set going at once takes half of m v^2, however the run begins", "[serial]") {
  const auto folder = test::fresh_folder("impulse-closed-form");
  const std::string slide = R"(sinew: 1
bodies: {s: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints:
  p: {type: prismatic, connect: [ground, s], axis: [1, 0, 0]}
  m: {type: motion, of: p, MOTION}
sensors: {e: {type: energy, record: [total, work, dissipated]}}
)";
  for (const char* step : {"{tolerance: 1e-5}", "0.01"})
    for (const char* start : {"0", "1"}) {
      INFO(step << ", from " << start);
      test::write_file(folder / "model.yaml",
                       with(slide, std::string("displacement: \"t > ") + start + " ? t - " + start + " : 0\"") +
                           "analysis: {end_time: 2, step: " + step + "}\n");
      REQUIRE(test::run_sinew(folder, "run model.yaml").code == 0);
      const test::Table t(folder / "model.out" / "sensors.csv");
      CHECK(t.at("e.work", t.rows() - 1) == Approx(1).epsilon(1e-9));
    }
}

TEST_CASE("a prescribed step ends at such a jump, wherever it falls, and counts its work", "[serial]") {
  const auto folder = test::fresh_folder("impulse-across");
  for (const char* motion : {"displacement: \"max(0, t - 1)\"", "displacement: \"abs(t - 0.7033) - 0.7033\""}) {
    INFO(motion);
    std::string text = with(pushed, motion);
    text.replace(text.find("{tolerance: 1e-7}"), 17, "0.002");
    test::write_file(folder / "model.yaml", text);
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table t(folder / "model.out" / "sensors.csv");
    double left = 0;
    for (std::size_t row = 0; row < t.rows(); ++row) left = std::max(left, std::abs(balance(t, row) - balance(t, 0)));
    CHECK(left < 1e-3);
  }
}
