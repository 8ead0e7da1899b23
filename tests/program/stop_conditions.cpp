// Runs that a condition of the model ends: when, with which last row, on how many ranks, and what goes on from there.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// A stone that is thrown up meets the ground at (v + sqrt(v^2 + 2 g z)) / g.
const double landing = (3 + std::sqrt(9 + 2 * 9.81 * 2)) / 9.81;

std::string stone(const std::string& analysis, const std::string& rest = "") {
  return R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies: {stone: {type: point-mass, mass: 2, position: [0, 0, 2], velocity: [1, 0, 3]}}
sensors: {stone: {type: point, of: stone, record: [position, velocity]}}
)yaml" + rest +
         "analysis: {end_time: 5, " + analysis + "}\n";
}

const std::string ground = R"(stop: "sensor.stone.position.z < 0")";

test::Outcome run(const std::filesystem::path& folder, const std::string& model, int ranks = 0, const std::string& more = "") {
  test::write_file(folder / "model.yaml", model);
  return test::run_sinew(folder, "run model.yaml -o out " + more, ranks);
}

}  // namespace

TEST_CASE("a run ends where its condition begins to hold, with a row there, whatever its steps are", "[mpi]") {
  const auto folder = test::fresh_folder("stop-ground");
  const std::string steps = GENERATE("step: 0.07", "step: [0.05, 0.08], integrator: gen-alpha", "step: 0.04, integrator: bdf-si2",
                                     "step: 0.03, integrator: newmark", "step: {tolerance: 1e-5}", "step: {global: 1e-4}",
                                     "step: 0.05, error_bars: true");
  const int ranks = GENERATE(0, 2, 3);
  const test::Outcome outcome = run(folder, stone(steps + ", " + ground), ranks);
  INFO(steps << ", " << ranks << " ranks\n" << outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(outcome.said, "stopped by its condition");
  test::check_contains(outcome.said, "to t = 5 or until analysis.stop holds");
  const test::Table table(folder / "out" / "sensors.csv");
  const std::size_t last = table.rows() - 1;
  CHECK(table.at("time", last) == Approx(landing).epsilon(1e-9));
  CHECK(table.at("stone.position.z", last) == Approx(0).margin(1e-8));
  CHECK(table.at("stone.position.x", last) == Approx(landing).epsilon(1e-9));
  for (std::size_t k = 0; k < last; ++k) CHECK(table.at("stone.position.z", k) > 0);
  const std::string report = test::file_text(folder / "out" / "run.json");
  test::check_contains(report, R"("outcome": "done")");
  test::check_contains(report, R"("reason": "analysis.stop: sensor.stone.position.z < 0")");
  if (std::filesystem::exists(folder / "out" / "errors.csv")) {
    const test::Table bars(folder / "out" / "errors.csv");
    CHECK(bars.rows() == table.rows());
    CHECK(bars.at("time", bars.rows() - 1) == table.at("time", last));
  }
}

TEST_CASE("a run whose step ends at the edge of its condition ends there", "[serial]") {
  const auto folder = test::fresh_folder("stop-at-an-edge");
  for (const char* steps : {"step: 0.5", "step: [0.25, 0.5, 0.75]", "step: {tolerance: 1e-4}", "step: {global: 1e-3}",
                            "step: 0.5, error_bars: true", "step: 0.5, integrator: bdf-si2"})
    for (const char* condition : {"sensor.a.position.x > 1.5", "sensor.a.position.x >= 1.5", "1.5 < sensor.a.position.x",
                                  "sensor.a.velocity.y > 1.5 && t > 1"}) {
      INFO(steps << ", " << condition);
      const test::Outcome outcome =
          run(folder, std::string("sinew: 1\ngravity: [0, 1, 0]\n"
                                  "bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}}\n"
                                  "sensors: {a: {type: point, of: a, record: [position, velocity]}}\n"
                                  "output: {sensors: {every: 0.25}}\nanalysis: {end_time: 5, ") +
                          steps + ", stop: \"" + condition + "\"}\n");
      REQUIRE(outcome.code == 0);
      const test::Table table(folder / "out" / "sensors.csv");
      CHECK(table.at("time", table.rows() - 1) == Approx(1.5).epsilon(1e-5));
    }
}

TEST_CASE("a condition may use the time and outputs of controls, and holds wherever it is not 0", "[serial]") {
  const auto folder = test::fresh_folder("stop-control");
  const std::string controls = R"yaml(controls:
  watch:
    state: {way: 0}
    derivative: {way: sensor.stone.velocity.x}
    output: {alarm: "way > 0.4 ? 1 : 0", late: "t > 0.6 ? 1 : 0"}
)yaml";
  const std::string condition = GENERATE("control.watch.alarm", "control.watch.alarm && t > 0.6",
                                         "control.watch.late && sensor.stone.position.z > 2", "control.watch.way >= 7");
  const test::Outcome outcome = run(folder, stone("step: 0.03, stop: \"" + condition + "\"", controls));
  INFO(condition << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table table(folder / "out" / "sensors.csv");
  const double end = table.at("time", table.rows() - 1);
  const bool is_met = condition != "control.watch.way >= 7";
  CHECK(end == Approx(!is_met ? 5 : condition == "control.watch.alarm" ? 0.4 : 0.6).epsilon(1e-9));
  CHECK((outcome.said.find("stopped by its condition") != std::string::npos) == is_met);
}

TEST_CASE("what a sample gives ends the run at the sample, with a row of what it has given", "[serial]") {
  const auto folder = test::fresh_folder("stop-sample");
  const std::string steps =
      GENERATE("step: 0.03", "step: {tolerance: 1e-5}", "step: {global: 1e-4}", "step: 0.03, error_bars: true");
  const std::string watch = R"yaml(controls:
  watch: {period: 0.2, output: {low: "sensor.stone.position.z < 2 ? 1 : 0"}}
)yaml";
  std::string model = stone(steps + ", stop: control.watch.low", watch);  // z < 2 from t = 0.6116 on: seen at 0.8
  model.replace(model.find("sensors: {"), 10, "sensors: {watch: {type: control, of: watch}, ");
  const test::Outcome outcome = run(folder, model);
  INFO(steps << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table table(folder / "out" / "sensors.csv");
  const std::size_t last = table.rows() - 1;
  CHECK(table.at("time", last) == Approx(0.8).epsilon(1e-9));
  if (steps.find("global") == std::string::npos) {  // which keeps a run with parts of the steps, up to that time
    CHECK(table.at("watch.low", last) == 1);
    CHECK(table.at("watch.low", last - 1) == 0);
  }
  CHECK(table.at("stone.position.z", last) == Approx(2 + 3 * 0.8 - 9.81 * 0.32).epsilon(1e-6));
}

TEST_CASE("rows that come every so often end with one at the stop; checkpoints go on to it, and not behind it", "[serial]") {
  const auto folder = test::fresh_folder("stop-restart");
  const std::string steps = GENERATE("step: 0.01", "step: {tolerance: 1e-5}");
  const std::string model = stone(steps + ", " + ground) + "output: {sensors: {every: 4}, checkpoint: {every: 3, keep: 1000}}\n";
  const test::Outcome whole = run(folder, model);
  INFO(whole.said);
  REQUIRE(whole.code == 0);
  const std::string rows = test::file_text(folder / "out" / "sensors.csv");
  const test::Table table(folder / "out" / "sensors.csv");
  CHECK(table.at("time", table.rows() - 1) == Approx(landing).epsilon(1e-9));
  const test::Outcome on =
      test::run_shell(folder, "\"$sinew\" run model.yaml -o out --restart \"$(ls -v out/checkpoint-*.h5 | sed -n 2p)\"");
  INFO(on.said);
  REQUIRE(on.code == 0);
  test::check_contains(on.said, "stopped by its condition");
  CHECK(test::file_text(folder / "out" / "sensors.csv") == rows);
  const test::Outcome behind =
      test::run_shell(folder, "\"$sinew\" run model.yaml -o out --restart \"$(ls -v out/checkpoint-*.h5 | tail -1)\"");
  INFO(behind.said);
  CHECK(behind.code == 2);
  test::check_contains(behind.said, "analysis.stop leaves nothing to run");
}

TEST_CASE("what holds at the start leaves nothing to run; states of rest know no stop", "[serial]") {
  const auto folder = test::fresh_folder("stop-at-once");
  test::write_file(folder / "model.yaml", stone("step: 0.05, stop: \"sensor.stone.velocity.z > 0\""));
  test::check_refused(folder, {"run model.yaml",
                               {"model.yaml:5:", "'sensor.stone.velocity.z > 0' holds at t = 0",
                                "analysis.stop leaves nothing to run (add a condition that comes later"}});
  const std::string held = "forces: {string: {type: spring-damper, connect: [[0, 0, 3], stone], stiffness: 1000, length: 1}}\n";
  test::write_file(folder / "model.yaml", stone("stop: \"sensor.stone.position.z > 0\"", held));
  const test::Outcome rest = test::run_sinew(folder, "run model.yaml -o out --set analysis.type=static");
  INFO(rest.said);
  CHECK(rest.code == 0);
  CHECK(rest.said.find("warning") == std::string::npos);
}

TEST_CASE("a run goes on with another condition than its checkpoint's, or with the first one", "[serial]") {
  const auto folder = test::fresh_folder("stop-other");
  // a law that switches, whose pieces the checkpoint holds, or none
  const std::string law =
      "forces: {push: {type: actuator, on: stone, direction: [0, 1, 0], force: \"sensor.stone.position.x > 0.25 ? 1 : 0\"}}\n";
  const std::string rest = GENERATE_COPY(std::string(), law);
  const std::string before = GENERATE("", "stop: \"sensor.stone.position.z > 2.2\"");
  const auto model = [&](const std::string& stop) {
    return stone("step: 0.01" + (stop.empty() ? stop : ", " + stop), rest) +
           "output: {sensors: {every: 1}, checkpoint: {every: 5, keep: 1000}}\n";
  };
  const test::Outcome begun = run(folder, model(before), 0, "--set analysis.end_time=0.1");
  INFO(before << '\n' << begun.said);
  REQUIRE(begun.code == 0);
  for (const auto& [condition, time] :
       {std::pair<std::string, double>{"sensor.stone.position.x > 0.3 && sensor.stone.velocity.z < 2", 0.3},
        {"sensor.stone.position.x > 0.4 || sensor.stone.position.z < 0", 0.4},
        {"max(sensor.stone.position.x, 0.5*sensor.stone.position.x) > 0.35", 0.35}}) {
    test::write_file(folder / "model.yaml", model("stop: \"" + condition + "\""));
    const test::Outcome on = test::run_sinew(folder, "run model.yaml -o new --restart out/checkpoint-00000005.h5");
    INFO(condition << '\n' << on.said);
    REQUIRE(on.code == 0);
    test::check_contains(on.said, "stopped by its condition");
    const test::Table table(folder / "new" / "sensors.csv");
    CHECK(table.at("time", table.rows() - 1) == Approx(time).epsilon(1e-6));
    const test::Outcome whole = test::run_sinew(folder, "run model.yaml -o whole");
    const test::Table all(folder / "whole" / "sensors.csv");
    CHECK(table.at("stone.position.y", table.rows() - 1) == all.at("stone.position.y", all.rows() - 1));
  }
}
