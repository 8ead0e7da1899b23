// Which error bars a run has where a model asks twice, and of what its controls are called.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

using namespace sinew;

TEST_CASE("A global tolerance is met where error bars are asked for as well", "[serial]") {
  const auto folder = test::fresh_folder("bars-asked-twice");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0]}}
joints:
  h: {type: revolute, connect: [ground, a.a], axis: [0, 1, 0]}
sensors: {a: {type: point, of: a, record: position}}
analysis: {end_time: 0.3, step: {global: 1e-3}}
)");
  const test::Outcome once = test::run_sinew(folder, "run model.yaml -o once");
  const test::Outcome twice = test::run_sinew(folder, "run model.yaml -o twice --set analysis.error_bars=true");
  REQUIRE(once.code == 0);
  REQUIRE(twice.code == 0);
  test::check_contains(twice.said, "analysis.error_bars has no effect here");
  for (const char* file : {"sensors.csv", "errors.csv"})
    CHECK(test::file_text(folder / "once" / file) == test::file_text(folder / "twice" / file));
  test::check_contains(test::file_text(folder / "twice" / "run.json"), "\"tolerance\": 0.001");
}

TEST_CASE("Bars of what controls do are the same whatever the states are called", "[serial]") {
  const auto folder = test::fresh_folder("bars-of-controls");
  const auto bars = [&](const std::string& a, const std::string& b, const std::string& c, const std::string& d) {
    test::write_file(folder / "model.yaml",
                     "sinew: 1\nbodies: {bob: {type: point-mass, mass: 1, position: [0, 0, 0]}}\nsensors:\n"
                     "  law: {type: control, of: law, record: [" +
                         a + ", " + b + ", " + c + ", " + d +
                         "]}\ncontrols:\n"
                         "  law:\n    state: {" +
                         a + ": 1e6, " + b + ": 1e-3, " + c + ": 1, " + d + ": -1}\n    derivative: {" + a + ": \"-0.1*" + a +
                         "\", " + b + ": \"-5*" + b + " + 1e-2*sin(4*t)\", " + c + ": \"-" + c + "\", " + d + ": \"-" + d +
                         "\"}\nanalysis: {end_time: 0.5, step: 0.05, error_bars: true}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const std::string text = test::file_text(folder / "out" / "errors.csv");
    return text.substr(text.find('\n'));
  };
  CHECK(bars("x", "y", "z", "w") == bars("a", "b", "c", "d"));
}
