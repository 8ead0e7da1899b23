// Steps that do not resolve the motion are named; steps that do, and stiff modes without energy, are left alone.
#include "tests/program/table.hpp"
#include "tests/program/tables.hpp"
#include "tests/program/unresolved_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

using namespace sinew;
using namespace sinew::test::unresolved_models;

namespace {

/// A body that tumbles about its middle axis.
constexpr const char* tumbling = R"(sinew: 1
bodies:
  other: {type: point-mass, mass: 0.01, position: [5, 0, 0]}
  box: {type: rigid, mass: 1, inertia: [1, 2, 3], position: [0, 0, 0], angular_velocity: [2, 3, 2]}
sensors: {e: {type: energy, record: [kinetic, total]}}
analysis: {end_time: 20, step: 1}
)";

/// A mass on a spring with omega = 5, and a heavier one far away that does nothing.
constexpr const char* oscillator = R"(sinew: 1
bodies:
  idle: {type: point-mass, mass: 9, position: [3, 0, 0]}
  bob: {type: point-mass, mass: 1, position: [1.1, 0, 0]}
forces:
  spring: {type: spring-damper, connect: [ground, bob], stiffness: 25, length: 1}
sensors: {e: {type: energy, record: [kinetic, total]}}
analysis: {end_time: 20, step: 1}
)";

/// Two masses that fly side by side, their spring stretched: omega = 141. Of the energy S^2/(S^2 + 0.0004) is in the spring.
constexpr const char* pair = R"(sinew: 1
constants: {S: 0.01}
bodies:
  left: {type: point-mass, mass: 1, position: [1, 0, 0], velocity: [0, 1, 0]}
  right: {type: point-mass, mass: 1, position: [2+S, 0, 0], velocity: [0, 1, 0]}
forces:
  spring: {type: spring-damper, connect: [left, right], stiffness: 10000, length: 1}
sensors: {e: {type: energy, record: [kinetic, total]}}
analysis: {end_time: 2, step: 0.05}
)";

/// One state s' = RATE.
constexpr const char* control = R"(sinew: 1
bodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0]}}
sensors: {lag: {type: control, of: lag, record: [s]}}
controls: {lag: {state: {s: START}, derivative: {s: "RATE"}}}
analysis: {end_time: 0.5, step: 0.01}
)";

/// Two states that swing with 10 rad/s.
constexpr const char* swinging = R"(sinew: 1
bodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0]}}
sensors: {lag: {type: control, of: lag, record: [s]}}
controls: {lag: {state: {s: 1, c: 0}, derivative: {s: "10*c", c: "-10*s"}}}
analysis: {end_time: 5, step: 0.01}
)";

std::string lag(const std::string& start, const std::string& rate) {
  return replaced(replaced(control, "START", start), "RATE", rate);
}

struct Trap {
  std::string name, model, more;
  std::vector<std::string> fragments;
};

}  // namespace

TEST_CASE("steps that do not resolve the motion are named once, with the place and the step that would do", "[serial]") {
  const std::string steps = "the steps do not resolve the motion";
  const std::vector<Trap> traps{
      {"tumbling", tumbling, "", {steps, "'box'", "would do"}},
      {"tumbling-little-damping", tumbling, "--set analysis.rho_inf=1", {steps, "'box'", "would do"}},
      {"tumbling-newmark", tumbling, "--set analysis.integrator=newmark", {steps, "'box'"}},
      {"oscillator", oscillator, "", {steps, "'bob'", "would do"}},
      {"oscillator-without-damping", oscillator, "--set analysis.rho_inf=1", {steps, "'bob'", "would do"}},
      {"oscillator-trapezoid", oscillator, "--set analysis.integrator=trapezoid", {steps, "'bob'"}},
      {"oscillator-bdf", oscillator, "--set analysis.integrator=bdf-si2 --set analysis.order=2", {steps, "'bob'"}},
      {"pair", pair, "--set constants.S=0.02", {steps, "'"}},
      {"spin", wheel, "--set analysis.step=0.5", {steps, "'wheel' turns by 3.5 rad, more than half a turn"}},
      {"bushing",
       replaced(wheel, "FORCE", "mount: {type: bushing, connect: [ground, wheel], stiffness: [0, 0, 0, 3, 3, 3]}"),
       "",
       {"the bushing 'mount' has turned by more than half a turn", "t = 0.4"}},
      {"swing", swinging, "--set analysis.step=0.05", {steps, "a state of 'lag' swings with 13 steps a period"}},
      {"burst", lag("1e-3", "400*s*(1 - s)"), "", {steps, "a state of 'lag' changes faster than the step can show"}}};
  for (const Trap& trap : traps) {
    INFO(trap.name);
    const std::string model = trap.name == "spin" ? replaced(trap.model, "forces:\n  FORCE\n", "") : trap.model;
    const Run r = run(trap.name, model, trap.more);
    INFO(r.outcome.said);
    CHECK(r.warnings == 1);
    for (const std::string& fragment : trap.fragments) {
      test::check_contains(r.outcome.said, fragment);
      if (r.outcome.code == 0) test::check_contains(test::file_text(r.folder / "out" / "run.json"), fragment);
    }
  }
}

TEST_CASE("a state that grows beyond all bounds ends the run before it does", "[serial]") {
  const Run r = run("pole", lag("1", "s^2"), "--set analysis.end_time=2");  // 1/(1 - t)
  INFO(r.outcome.said);
  CHECK(r.outcome.code == 3);
  test::check_contains(r.outcome.said, "no step converges from t = 0.99");
}

TEST_CASE("a state that the steps do not resolve is named on several ranks, too", "[serial]") {
  for (const auto& [name, model, more] : {std::array<std::string, 3>{"swing", swinging, "--set analysis.step=0.05"},
                                          std::array<std::string, 3>{"burst", lag("1e-3", "400*s*(1 - s)"), ""}}) {
    const Run r = run("ranks-" + name, model, more, 2);
    INFO(r.outcome.said);
    CHECK(r.outcome.code != 124);  // it does not hang
    test::check_contains(r.outcome.said, "the steps do not resolve the motion");
  }
}

TEST_CASE("a state that is small beside the 1 by which its errors are measured is named where errors decide", "[serial]") {
  const std::string small = lag("0", "1e-5 - s"), large = lag("0", "1 - s"), none = lag("0", "0*s"), chosen = "analysis.step=";
  for (const std::string integrator : {"soi2", "bdf-si2"}) {
    const auto said = [&](const std::string& model, const std::string& step, int ranks = 0) {
      return run("small-state", model, "--set analysis.integrator=" + integrator + " --set '" + chosen + step + "'", ranks)
          .outcome.said;
    };
    INFO(integrator);
    for (const int ranks : {0, 2})
      test::check_contains(said(small, "{tolerance: 1e-4}", ranks), "warning: a state of 'lag' is never larger than 3.9e-06");
    CHECK(said(large, "{tolerance: 1e-4}").find("warning") == std::string::npos);
    CHECK(said(none, "{tolerance: 1e-4}").find("warning") == std::string::npos);
  }
  CHECK(run("small-state", small).warnings == 0);
}

TEST_CASE("steps that resolve the motion, and stiff modes that carry nothing, pass without a word", "[serial]") {
  const std::string gravity = "gravity: [0, 0, -9.81]\n";
  const std::vector<Trap> quiet{
      {"tumbling", tumbling, "--set analysis.step=0.05", {}},
      {"oscillator", oscillator, "--set analysis.step=0.05", {}},
      {"oscillator-bdf", oscillator, "--set analysis.step=0.01 --set analysis.integrator=bdf-si2", {}},
      {"still", oscillator, "--set bodies.bob.position=[1,0,0]", {}},
      {"nearly-still", oscillator, "--set bodies.bob.position=[1.0000000001,0,0]", {}},
      {"pair", pair, "--set constants.S=1e-4", {}},
      {"hanging", replaced(oscillator, "sinew: 1\n", "sinew: 1\n" + gravity), "--set analysis.step=0.02", {}},
      {"lag", lag("0", "(1 - s)/1e-5"), "", {}},
      {"switched-lag", lag("0", "((t > 0.2 ? 1 : 0) - s)/1e-5"), "", {}},
      {"swing", swinging, "", {}},
      {"swing-trapezoid", swinging, "--set analysis.step=0.03 --set analysis.states=trapezoid", {}},
      {"shaft", replaced(wheel, "FORCE", "b: {type: bushing, connect: [ground, wheel], stiffness: [9, 9, 9, 0, 0, 0]}"), "", {}},
      {"growth", lag("1", "s"), "", {}}};
  for (const Trap& trap : quiet) {
    const Run r = run("quiet-" + trap.name, trap.model, trap.more);
    INFO(trap.name << ": " << r.outcome.said);
    CHECK(r.outcome.code == 0);
    CHECK(r.warnings == 0);
  }
}

TEST_CASE("waves of time of less than three steps a period are named, pulses, ramps and slower waves are not", "[serial]") {
  const auto folder = test::fresh_folder("fast-waves");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {f: 1000}
bodies:
  a: {type: point-mass, mass: 1, position: [0, 0, 0]}
  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  hinge: {type: revolute, connect: [ground, b], axis: [0, 0, 1]}
  shake: {type: motion, of: hinge, angle: "0.1*t^2 + 1e-3*cos(2*pi*450*t)"}
sensors: {a: {type: point, of: a}}
forces:
  hum: {type: force, on: a, vector: ["sin(2*pi*f*t)", 0, 0]}
  late: {type: force, on: a, vector: [0, "t < 0.5 ? 0 : 3*sin(2*pi*400*t)", 0]}
  feed: {type: actuator, on: a, direction: [1, 0, 0], force: "2*sin(2500*t) - 3*sensor.a.position.x"}
  slow: {type: force, on: a, vector: ["sin(2*pi*250*t)", "abs(sin(300*t))", "exp(-t/1e-4)"]}
  pulse: {type: force, on: a, vector: ["exp(-((t-0.5)/1e-5)^2)", "tanh((t - 0.3)/1e-5)", "sign(sin(5000*t))"]}
  faint: {type: force, on: a, vector: ["sin(3*t) + 1e-6*sin(4000*t)", 0, 0]}
analysis: {end_time: 1, step: 1e-3}
)yaml");
  const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said,
                       "model.yaml:8:43: warning: joint 'shake' has a wave with a period of about 0.0022, and steps are up "
                       "to 0.001 long: 2.2 of them to a period see another, slower wave");
  for (const char* one : {"force 'hum'", "force 'late'", "force 'feed'"})
    test::check_contains(outcome.said, std::string(one) + " has a wave with a period of about");
  for (const char* other : {"'slow'", "'pulse'", "'faint'"}) CHECK(outcome.said.find(other) == std::string::npos);
  const std::string controlled = "check model.yaml --set 'analysis.step={tolerance: 1e-3}'";
  CHECK(test::run_sinew(folder, controlled).said.find("has a wave") == std::string::npos);
}

TEST_CASE("a state takes in what a short pulse brings, however long the steps behind it", "[serial]") {
  const std::string pulse = lag("0", "100*exp(-((t - 0.503)/0.001)^2) - s");
  const double end = 0.1 * std::sqrt(std::numbers::pi) * std::exp(-0.497);
  for (const char* step : {"0.1", "0.05"}) {
    const Run r = run(std::string("pulse-") + step, pulse, std::string("--set analysis.end_time=1 --set analysis.step=") + step);
    INFO(r.outcome.said);
    REQUIRE(r.outcome.code == 0);
    const test::Table table(r.folder / "out" / "sensors.csv");
    CHECK(table.at("lag.s", table.rows() - 1) == Approx(end).epsilon(0.02));  // what the samples of a pulse may miss
  }
}

TEST_CASE("a lag far below the step follows at once", "[serial]") {
  const Run r = run("lag", lag("0", "(1 - s)/1e-5"));
  REQUIRE(r.outcome.code == 0);
  const auto rows = test::read_table(r.folder / "out" / "sensors.csv");
  CHECK(rows.at(10).at("lag.s") == Approx(1).margin(2e-3));
  for (const auto& [time, row] : rows)
    if (time >= 20) CHECK(row.at("lag.s") == Approx(1).margin(2e-3));
}

TEST_CASE("the estimated error of prescribed steps stands in steps.csv and falls with the cube of the step", "[serial]") {
  for (const char* integrator : {"soi2", "newmark", "bdf-si2"}) {
    std::vector<double> largest;
    for (const char* step : {"0.04", "0.02"}) {
      const Run r = run("error", oscillator,
                        std::string("--set analysis.end_time=4 --set analysis.order=2 --set analysis.step=") + step +
                            " --set analysis.integrator=" + integrator);
      INFO(r.outcome.said);
      REQUIRE(r.outcome.code == 0);
      double most = 0;
      for (const auto& [time, row] : test::read_table(r.folder / "out" / "steps.csv"))
        if (time > 2000) most = std::max(most, row.at("error"));
      largest.push_back(most);
    }
    INFO(integrator << ": " << largest[0] << " " << largest[1]);
    CHECK(largest[0] > 1e-5);
    CHECK(largest[0] < 1e-2);
    CHECK(std::log2(largest[0] / largest[1]) == Approx(3).margin(0.3));
  }
}

// The energy that goes where reactions jump: a chain cracks like a whip at t = 4.35.
TEST_CASE("a chain whose whip steps cannot follow says what energy it has lost", "[serial]") {
  const auto folder = test::fresh_folder("unresolved-whip");
  for (const auto& [step, is_said] : {std::pair{"4e-3", true}, {"1e-3", false}}) {
    test::write_file(folder / "model.yaml", std::string(R"yaml(sinew: 1
constants: {N: 40, L: 10}
gravity: [0, 0, -9.81]
bodies:
  "link{i}": {repeat: {i: 1..N}, type: rigid, mass: 10/N, inertia: [1e-5, 10/N*(L/N)^2/12, 10/N*(L/N)^2/12],
              position: [(i - 0.5)*L/N, 0, 0], points: {a: [-L/N/2, 0, 0], b: [L/N/2, 0, 0]}}
joints:
  j0: {type: revolute, connect: [ground, link1.a], axis: [0, 1, 0]}
  "j{i}": {repeat: {i: 1..N-1}, type: revolute, connect: ["link{i}.b", "link{i+1}.a"], axis: [0, 1, 0]}
sensors: {e: {type: energy, record: [kinetic, total]}}
analysis: {end_time: 4.5, step: )yaml") + step + "}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(step << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "out" / "sensors.csv");
    double lost = 0, most = 0;
    for (std::size_t k = 0; k < table.rows(); ++k) {
      lost = std::max(lost, -table.at("e.total", k));
      most = std::max(most, table.at("e.kinetic", k));
    }
    CHECK((lost > 0.05 * most) == is_said);
    CHECK((outcome.said.find("times the largest kinetic energy") != std::string::npos) == is_said);
  }
}

/// Two constraints on one velocity that agree at the start alone, at first by less than rounding.
TEST_CASE("Constraints that begin to contradict each other end a run with a tolerance, too", "[serial]") {
  const auto folder = test::fresh_folder("contradicting");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies: {p: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}}
sensors: {p: {type: point, of: p, record: [position, velocity]}}
joints:
  a: {type: velocity, zero: "sensor.p.velocity.y"}
  b: {type: velocity, zero: "sensor.p.velocity.y - 0.1*t^2*sensor.p.velocity.x"}
analysis: {end_time: 1, step: {tolerance: 1e-4}}
)yaml");
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    CHECK(outcome.code == 3);
    test::check_contains(outcome.said, "steps do not grow: no longer ones than");
    test::check_contains(outcome.said, "at 'a', 'b'");
  }
}
