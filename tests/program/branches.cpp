// Drives, branches and singular places as a user meets them.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

/// A rod of length 1 on a hinge along y, turned by `angle`, an expression of t.
std::string driven_rod(const std::string& angle, const std::string& analysis) {
  return test::pendulum(R"(  drive: {type: motion, of: hinge, angle: ")" + angle + R"("}
sensors:
  tip: {type: point, of: rod.tip, record: [position, velocity]}
)",
                        analysis);
}

/// How far the tip is from where the angle phi puts it.
double miss(const test::Table& table, std::size_t row, double phi) {
  return std::hypot(table.at("tip.position.x", row) - std::cos(phi), table.at("tip.position.z", row) + std::sin(phi));
}

struct Drive {
  std::string angle;
  double (*phi)(double);
  const char* analysis;
  bool jumps;
};

}  // namespace

TEST_CASE("a prescribed angle is met on the right side, however far it goes in a step", "[serial]") {
  constexpr const char* prescribed = "{end_time: 0.5, step: 0.01}";
  constexpr const char* controlled = "{end_time: 0.5, step: {initial: 1e-4, tolerance: 1e-4}}";
  const auto two = [](double) { return 2.0; };
  const auto three = [](double) { return 3.0; };
  const auto jump = [](double t) { return t < 0.25 ? 0.0 : 3.0; };
  const auto low_jump = [](double t) { return t < 0.25 ? 0.0 : 1.7; };
  const auto ramp = [](double t) { return 3 * std::tanh((t - 0.25) * 200) + 3; };
  const auto shaker = [](double t) { return 3 * std::sin(300 * t); };
  const std::vector<Drive> drives{{"2", two, prescribed, false},
                                  {"2", two, controlled, false},
                                  {"3", three, prescribed, false},
                                  {"t < 0.25 ? 0 : 3", jump, prescribed, true},
                                  {"t < 0.25 ? 0 : 3", jump, controlled, true},
                                  {"t < 0.25 ? 0 : 1.7", low_jump, controlled, true},
                                  {"3*tanh((t-0.25)*200)+3", ramp, prescribed, false},
                                  {"3*tanh((t-0.25)*200)+3", ramp, controlled, false},
                                  {"3*sin(300*t)", shaker, prescribed, false},
                                  {"3*sin(300*t)", shaker, "{end_time: 0.5, step: 0.01, integrator: gen-alpha}", false},
                                  {"20*sin(30*t)", [](double t) { return 20 * std::sin(30 * t); }, prescribed, false}};
  for (const Drive& drive : drives) {
    INFO(drive.angle << " " << drive.analysis);
    const auto folder = test::fresh_folder("drive");
    test::write_file(folder / "model.yaml", driven_rod(drive.angle, drive.analysis));
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK((outcome.said.find("'drive' prescribes jumps by") != std::string::npos) == drive.jumps);
    const test::Table table(folder / "model.out" / "sensors.csv");
    double worst = 0;
    for (std::size_t row = 0; row < table.rows(); ++row)
      worst = std::max(worst, miss(table, row, drive.phi(table.at("time", row))));
    CHECK(worst < 1e-6);
  }
}

TEST_CASE("a motion that jumps is said with its joint, its time and its height", "[serial]") {
  const auto folder = test::fresh_folder("branch-jump");
  test::write_file(folder / "model.yaml", driven_rod("t < 0.25 ? 0 : (t < 0.4 ? 3 : 1)", "{end_time: 0.5, step: 0.01}"));
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(outcome.said);
  test::check_contains(outcome.said,
                       "model.yaml:7:3: warning: the motion that 'drive' prescribes jumps by 3 rad at t = 0.25, and 1 more time");
  test::write_file(folder / "kink.yaml",
                   driven_rod("t < 0.25 ? 0 : (t-0.25)^2 + abs(t-0.4) - 0.15", "{end_time: 0.5, step: 0.01}"));
  CHECK(test::run_sinew(folder, "run kink.yaml --no-output").said.find("jumps") == std::string::npos);
}

TEST_CASE("a crank that is turned far at the start keeps the way its loop is put together", "[serial]") {
  // A parallelogram: turned as one, the coupler keeps its direction; put together crosswise, it would not.
  const auto folder = test::fresh_folder("stages");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0.25, 0], points: {a: [0, -0.25, 0], b: [0, 0.25, 0]}}
  coupler: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0.5, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  rocker: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.01], position: [1, 0.25, 0], points: {a: [0, 0.25, 0], b: [0, -0.25, 0]}}
joints:
  first: {type: revolute, connect: [ground, crank.a], axis: [0, 0, 1]}
  second: {type: revolute, connect: [crank.b, coupler.a], axis: [0, 0, 1]}
  third: {type: revolute, connect: [coupler.b, rocker.a], axis: [0, 0, 1]}
  last: {type: revolute, connect: [rocker.b, [1, 0, 0]], axis: [0, 0, 1]}
  drive: {type: motion, of: first, angle: "phi"}
constants: {phi: 0}
sensors:
  b: {type: point, of: coupler.b, record: [position]}
analysis: {end_time: 0.02, step: 0.01}
)");
  for (const double phi : {1.0, -1.0, 1.3, -1.3}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --set constants.phi=" + std::to_string(phi));
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "model.out" / "sensors.csv");
    CHECK(table.at("b.position.x", 0) == Approx(1 - 0.5 * std::sin(phi)));
    CHECK(table.at("b.position.y", 0) == Approx(0.5 * std::cos(phi)));
  }
}

TEST_CASE("a joint that is given turned over is refused by name", "[serial]") {
  const auto folder = test::fresh_folder("turned-over");
  test::write_file(folder / "model.yaml", driven_rod("pi", "{end_time: 0.02, step: 0.01, initial: given}"));
  test::check_refused(folder, {"run model.yaml", {"'drive'"}});
}

TEST_CASE("a disc that falls flat ends the run with its name, and its energy is right until then", "[serial]") {
  const auto folder = test::fresh_folder("flat");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
constants: {tilt: 0.05}
bodies:
  coin: {type: rigid, mass: 1, inertia: [0.0625, 0.0625, 0.125], position: [0, 0, 0.5*cos(tilt)],
         orientation: {axis: [1, 0, 0], angle: pi/2+tilt}}
joints:
  roll: {type: rolling-disc, connect: [[0, 0, 0], coin], radius: 0.5, normal: [0, 0, 1], axis_local: [0, 0, 1]}
sensors:
  e: {type: energy, record: [total]}
analysis: {end_time: 2, step: 0.01}
)");
  for (const std::string integrator :
       {"soi2", "gen-alpha", "newmark", "newmark --set analysis.constraints=velocity", "bdf-si2"}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --set analysis.integrator=" + integrator);
    INFO(integrator << "\n" << outcome.said);
    CHECK(outcome.code == 3);
    test::check_contains(outcome.said, "'roll' (rolling-disc) falls flat");
    const test::Table table(folder / "model.out" / "sensors.csv");
    const double start = table.at("e.total", 0);
    for (std::size_t row = 0; row < table.rows(); ++row) CHECK(table.at("e.total", row) == Approx(start).epsilon(0.02));
  }
}

TEST_CASE("a skate that is pitched on end ends the run with its name", "[serial]") {
  const auto folder = test::fresh_folder("on-end");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  sled: {type: rigid, mass: 1, inertia: [1, 2, 3], position: [0, 0, 0], velocity: [1, 0, 0], angular_velocity: [0, 1, 0]}
joints:
  keel: {type: skate, connect: [ground, sled], direction_local: [1, 0, 0], normal: [0, 0, 1]}
analysis: {end_time: 3, step: 0.01}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  test::check_contains(outcome.said, "t = 1.57");
  test::check_contains(outcome.said, "'keel' (skate) stands on end");
}
