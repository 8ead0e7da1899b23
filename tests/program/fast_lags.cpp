// First-order states are solved for as exactly as ever where the mechanics rest, or steps are so short that rounding of places
// shows in accelerations: their corrections are not taken for rounding, nor are those by the tangent of another step for all that
// is wrong.
#include "tests/program/closing_line.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

namespace {

struct Run {
  double steps = 0, rejected = 0;
  Table found;
};

/// A mass of 1 kg that `force` pushes, beside states.
Run run(const std::string& states, const std::string& force, const std::string& analysis, int ranks = 0) {
  const std::string text = R"yaml(sinew: 1
bodies: {m: {type: point-mass, mass: 1, position: [1, 0, 0]}}
controls: {c: {)yaml" + states +
                           R"yaml(}}
forces: {f: {type: actuator, on: m, direction: [1, 0, 0], force: ")yaml" +
                           force + R"yaml("}}
sensors:
  m: {type: point, of: m, record: [position.x, velocity.x]}
  c: {type: control, of: c, record: a}
analysis: {)yaml" + analysis +
                           "}\n";
  const auto folder = test::fresh_folder("fast-lags");
  test::write_file(folder / "model.yaml", text);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(text << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return {test::steps_taken(outcome), test::count_of(outcome, "attempts rejected"), Table(folder / "out" / "sensors.csv")};
}

constexpr const char* lag = R"(state: {a: 0}, derivative: {a: "((t > 1 ? 24 : 12) - 2*a)/2e-4"})";
constexpr const char* series =
    R"(state: {a: 0, b: 0, d: 0}, derivative: {a: "((t > 1 ? 1 : -.5) - a)/1e-4", b: "(a - b)/1e-3", d: "(b - d)/.2"})";

}  // namespace

TEST_CASE("Steps grow while fast lags have settled and nothing moves", "[serial]") {
  for (const std::string rule : {"bdf2", "trapezoid"})
    for (const auto& [states, force] : {std::pair<std::string, std::string>{lag, "t > 5 ? .5*control.c.a : 0"},
                                        {lag, "0"},
                                        {series, "t > 5 ? control.c.d : 0"}}) {
      const std::string analysis = "end_time: 6, states: " + rule + ", step: {tolerance: 1e-3}";
      INFO(states << ", " << force << ", " << rule);
      const Run kept = run(states, force, analysis), full = run(states, force, analysis + ", newton: {jacobian: full}");
      CHECK(kept.steps < 1.2 * full.steps);
      CHECK(kept.rejected < 0.15 * kept.steps);
    }
}

TEST_CASE("A fast lag follows a jump of its input in the midst of a run as at its start", "[serial]") {
  const auto lagging = [](const std::string& input) { return "state: {a: 0}, derivative: {a: \"((" + input + ") - a)/1e-4\"}"; };
  const std::string analysis = "end_time: 3, step: {tolerance: 1e-4, per: unit-step}";
  const Run start = run(lagging("1"), "control.c.a", analysis), behind = run(lagging("t > 1 ? 1 : -.5"), "control.c.a", analysis);
  CHECK(behind.steps < 4 * start.steps);
  const std::size_t last = behind.found.rows() - 1;
  CHECK(std::abs(behind.found.at("c.a", last) - 1) < 1e-3);
  CHECK(std::abs(behind.found.at("m.velocity.x", last) - (-.5 * (1 - 1e-4) + 2 - 1.5e-4)) < 1e-3);
}

TEST_CASE("Prescribed steps solve for states beside what rests", "[serial]") {
  // s = sin 3t; the mass is at rest
  const std::string states = R"(state: {a: 0}, derivative: {a: "(sin(3*t) + sin(3*t)^3 + .02*3*cos(3*t) - a - a^3)/.02"})";
  for (const std::string integrator : {"soi2", "bdf-si2", "gen-alpha-ggl"})
    for (const std::string refresh : {"automatic", "full"}) {
      INFO(integrator << ", " << refresh);
      const Run one =
          run(states, "0",
              "end_time: 3, step: .01, integrator: " + integrator + (refresh == "full" ? ", newton: {jacobian: full}" : ""));
      double error = 0;
      for (std::size_t row = 0; row < one.found.rows(); ++row)
        error = std::max(error, std::abs(one.found.at("c.a", row) - std::sin(3 * one.found.at("time", row))));
      CHECK(error < 1e-4);
    }
}

TEST_CASE("Two ranks take the same steps beside fast lags", "[serial]") {
  const std::string analysis = "end_time: 6, step: {tolerance: 1e-3}", force = "t > 5 ? control.c.d : 0";
  CHECK(run(series, force, analysis, 2).steps == run(series, force, analysis).steps);
}
