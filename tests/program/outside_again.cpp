// What went wrong in models of engineers from outside, who knew the documentation alone: seen through the command.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

namespace {

test::Outcome run(const std::filesystem::path& folder, const std::string& model, const std::string& more = "") {
  test::write_file(folder / "model.yaml", model);
  return test::run_sinew(folder, "run model.yaml -o out " + more);
}

/// A cantilever whose end a motion carries aside, at rest.
std::string carried(const std::string& analysis) {
  return R"(sinew: 1
constants: {w: 0.3}
sections: {bar: {stiffness: [1e6, 1e6, 1e6, 50, 100, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies: {beam: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 6, order: 2}, section: bar}}
joints:
  wall: {type: fixed, connect: [ground, beam.start]}
  push: {type: clamp, connect: [ground, beam.end], components: y}
  lift: {type: motion, connect: [ground, beam.end], displacement: w, axis: [0, 0, 1]}
sensors:
  tip: {type: point, of: beam.end, record: displacement.z}
  lift: {type: joint, of: lift, record: force.z}
analysis: )" +
         analysis + "\n";
}

}  // namespace

TEST_CASE("A prescribed motion is carried out in as many increments as are asked for, from the model as it is drawn",
          "[serial]") {
  for (const double w : {0.02, 0.3}) {
    const auto folder = test::fresh_folder("carried-" + std::to_string(static_cast<int>(100 * w)));
    const test::Outcome outcome = run(folder, carried("{type: static, steps: 10}"), "--set constants.w=" + std::to_string(w));
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table rows(folder / "out" / "sensors.csv");
    REQUIRE(rows.rows() == 11);
    for (std::size_t k = 0; k < 11; ++k) {
      CHECK(rows.at("tip.displacement.z", k) == Approx(w * static_cast<double>(k) / 10).margin(1e-12));
      if (k > 0) CHECK(std::abs(rows.at("lift.force.z", k)) > std::abs(rows.at("lift.force.z", k - 1)));
    }
    CHECK(std::abs(rows.at("lift.force.z", 1)) == Approx(3 * 100 * w / 10).epsilon(0.02));
  }
  const auto folder = test::fresh_folder("carried-along-a-path");
  const test::Outcome along = run(folder, carried("{type: static, path: arc-length, steps: 20}"));
  CHECK(along.code == 3);
  test::check_contains(along.said, "`path: arc-length` follows the load, and nothing loads this model");
}

TEST_CASE("Velocities that the joints take away are said", "[serial]") {
  const auto folder = test::fresh_folder("lost-speed");
  const auto crank = [](const std::string& speed, const std::string& more = "") {
    return R"(sinew: 1
bodies:
  crank: {type: rigid, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, 0], angular_velocity: [0, 0, 10],
          points: {pin: [0.1, 0, 0]}}
  slider: {type: rigid, mass: 10, inertia: [1, 1, 1], position: [0.1, 0.3, 0], velocity: [0, )" +
           speed + "]}\n" + more + R"(joints:
  main: {type: revolute, connect: [ground, crank], axis: [0, 0, 1]}
  rod: {type: distance, connect: [crank.pin, slider]}
  guide: {type: prismatic, connect: [ground, slider], axis: [0, 1, 0]}
analysis: {end_time: 0.01, step: 1e-3}
)";
  };
  const test::Outcome lost = run(folder, crank("0, 0"));
  INFO(lost.said);
  CHECK(lost.code == 0);
  test::check_contains(lost.said, "model.yaml:8:3: warning: the given velocities do not fit the joints, at 'rod'");
  test::check_contains(lost.said, "have 0.000999 of their kinetic energy");
  const std::string star = "  star: {type: point-mass, mass: 1e9, position: [9, 9, 9], velocity: [50, 0, 0]}\n";
  test::check_contains(run(folder, crank("0, 0", star)).said, "have 0.000999 of their kinetic energy");
  for (const std::string& more : {std::string(), star})
    CHECK(run(folder, crank("1, 0", more)).said.find("do not fit the joints") == std::string::npos);
  // rounding of a body that is held is no mistake
  const std::string welded =
      "  base: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [1, 1, 0], velocity: [1e-14, 0, 2e-15]}\njoints:\n"
      "  weld: {type: fixed, connect: [ground, base]}\n";
  std::string held = crank("1, 0", welded);
  held.erase(held.rfind("joints:\n"), 8);
  CHECK(run(folder, held).said.find("do not fit the joints") == std::string::npos);
}

TEST_CASE("Error-controlled steps end at the rows of a smooth table that a motion follows", "[serial]") {
  // its acceleration is straight between rows: what a step across one makes of the force is wrong
  const std::string slide = R"(sinew: 1
tables: {w: {rows: [[0, 0], [0.3, 0.02], [0.8, 0.02], [1, -0.05], [1.7, 0.1], [2, 0]], smooth: true}}
bodies: {cart: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints:
  rail: {type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, displacement: w(t)}
sensors:
  cart: {type: point, of: cart, record: acceleration.x}
  drive: {type: joint, of: drive, record: force.x}
analysis: {end_time: 2, step: {tolerance: 1e-5}}
)";
  for (const char* tolerance : {"1e-6", "1e-8"}) {  // steps of an eighth of the rows' distances and less
    const auto folder = test::fresh_folder("table-rows");
    const test::Outcome outcome = run(folder, slide, std::string("--set analysis.step.tolerance=") + tolerance);
    INFO(tolerance << outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table rows(folder / "out" / "sensors.csv");
    double most = 0;
    for (std::size_t k = 2; k + 1 < rows.rows(); ++k) {
      // second difference of the force over steps: of a line it is none
      const double t0 = rows.at("time", k - 1), t1 = rows.at("time", k), t2 = rows.at("time", k + 1);
      const auto force = [&](std::size_t row) { return rows.at("drive.force.x", row); };
      const double bend = (force(k + 1) - force(k)) / (t2 - t1) - (force(k) - force(k - 1)) / (t1 - t0);
      const auto is_row = [&](double t) {
        for (const double row : {0.3, 0.8, 1.0, 1.7})
          if (std::abs(t - row) < 1e-12) return true;
        return false;
      };
      if (!is_row(t1)) most = std::max(most, std::abs(bend) * std::min(t2 - t1, t1 - t0));
    }
    CHECK(most < 1e-5);  // of 9.6 N; it was 1
  }
}
