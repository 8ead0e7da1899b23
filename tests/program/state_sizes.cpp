// First-order states are measured by their sizes: given, or found in a run beforehand; so their units do not matter.
#include "tests/program/closing_line.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

namespace {

/// A cart on a spring that a valve pushes to and fro; the valve's force is a state, with `UNIT` of it to the newton. Nothing
/// happens before t = 0.3.
constexpr const char* valve = R"yaml(sinew: 1
bodies: {cart: {type: point-mass, mass: 2, position: [1, 0, 0]}}
forces:
  spring: {type: spring-damper, connect: [ground, cart], stiffness: 50, damping: 1, length: 1}
  push: {type: actuator, on: cart, direction: [1, 0, 0], force: "control.valve.f/(UNIT)"}
sensors:
  cart: {type: point, of: cart, record: position.x}
  valve: {type: control, of: valve}
controls:
  valve:
    state: {f: 0}
    derivative: {f: "40*((UNIT)*(t < 0.3 ? 0 : 5*sin(4*(t - 0.3))) - f)"}
    SIZE
analysis: {end_time: 3, step: STEP}
)yaml";

std::string model(const std::string& unit, const std::string& size, const std::string& step) {
  std::string text = valve;
  for (const auto& [word, by] : {std::pair<std::string, std::string>{"UNIT", unit}, {"SIZE", size}, {"STEP", step}})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) text.replace(at, word.size(), by);
  return text;
}

struct Run {
  double steps = 0;
  std::string said;
  Table found;
};

Run run(const std::string& text, int ranks = 0) {
  const auto folder = test::fresh_folder("state-sizes");
  test::write_file(folder / "model.yaml", text);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(text << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return {test::steps_taken(outcome), outcome.said, Table(folder / "out" / "sensors.csv")};
}

}  // namespace

TEST_CASE("With its size given a state may have any unit", "[serial]") {
  for (const std::string step :
       {"{tolerance: 1e-4}", "{tolerance: 1e-3, per: unit-step}", "{tolerance: 1e-3, per: unit-step}, integrator: bdf-si2"}) {
    const Run one = run(model("1", "", step));
    for (const auto& [unit, size] : {std::pair<std::string, std::string>{"1e8", "size: {f: 1e8}"}, {"1e-8", "size: {f: 1e-8}"}}) {
      const Run other = run(model(unit, size, step));
      INFO(step << unit << other.said);
      CHECK(other.said.find("warning") == std::string::npos);
      CHECK(std::abs(other.steps - one.steps) <= 0.02 * one.steps);
      const std::size_t last = other.found.rows() - 1;
      CHECK(std::abs(other.found.at("valve.f", last) / std::stod(unit) - one.found.at("valve.f", one.found.rows() - 1)) < 1e-3);
    }
  }
}

TEST_CASE("Under a global tolerance states need no sizes", "[serial]") {
  const std::string step = "{global: 1e-3}";
  const Run one = run(model("1", "", step));
  for (const std::string unit : {"1e8", "1e-8"})
    for (const int ranks : {0, 2}) {
      const Run other = run(model(unit, "", step), ranks);
      INFO(unit << other.said);
      CHECK(std::abs(other.steps - one.steps) <= 0.02 * one.steps);
    }
}

TEST_CASE("The first step, and those behind jumps, do not depend on the unit of a state", "[serial]") {
  // A jump of the valve's rate every 0.1 s: what it does to the state counts by its size, and as a change of its rate alone.
  const auto jumps = [&](const std::string& unit) {
    std::string text = model(unit, "size: {f: 5*(" + unit + ")}", "{tolerance: 1e-4}");
    const std::size_t at = text.find("5*sin(4*(t - 0.3))");
    return run(text.replace(at, 18, "5*(-1)^floor(10*t)"));
  };
  const Run one = jumps("1");
  for (const std::string unit : {"1e6", "1e12", "1e-9"}) {
    INFO(unit);
    CHECK(std::abs(jumps(unit).steps - one.steps) <= 0.02 * one.steps);
  }
}
