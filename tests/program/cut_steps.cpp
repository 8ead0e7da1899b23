// Steps that known times cut keep order and grid, narrow pulses are met, sensors decide beside them.
#include "tests/program/known_time_runs.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace sinew;
using test::Table;
using namespace sinew::test::known_time_runs;

namespace {

/// A crank that may be driven, with a rod and a mass that hang on it and swing.
constexpr const char* crank = R"yaml(sinew: 1
gravity: [0, -9.81, 0]
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.02], position: [0.1, 0, 0],
          points: {bearing: [-0.1, 0, 0], pin: [0.1, 0, 0]}}
  rod: {type: rigid, mass: 0.5, inertia: [0.001, 0.02, 0.02], position: [0.45, 0, 0],
        points: {pin: [-0.25, 0, 0], end: [0.25, 0, 0]}}
  bob: {type: point-mass, mass: 0.7, position: [0.7, 0, 0]}
joints:
  main: {type: revolute, connect: [ground, crank.bearing], axis: [0, 0, 1]}
  pin: {type: revolute, connect: [crank.pin, rod.pin], axis: [0, 0, 1]}
  wrist: {type: spherical, connect: [rod.end, bob]}
  DRIVE
sensors:
  rod: {type: point, of: rod, record: [position, velocity, acceleration]}
  main: {type: joint, of: main, record: [force]}
analysis: {end_time: 0.6, newton: {tolerance: 1e-12}}
)yaml";

const std::vector<std::string> crank_columns{"rod.position.x",     "rod.position.y",     "rod.velocity.x", "rod.velocity.y",
                                             "rod.acceleration.x", "rod.acceleration.y", "main.force.x",   "main.force.y"};

/// Largest differences of two runs at the times that both have.
std::map<std::string, double> differences(const Table& few, const Table& many) {
  std::map<std::string, double> largest;
  std::size_t row = 0;
  for (std::size_t k = 0; k < few.rows(); ++k) {
    const double t = few.at("time", k);
    while (row + 1 < many.rows() && many.at("time", row) < t - 1e-9) ++row;
    if (std::abs(many.at("time", row) - t) > 1e-9) continue;
    for (const std::string& c : crank_columns) largest[c] = std::max(largest[c], std::abs(few.at(c, k) - many.at(c, row)));
  }
  return largest;
}

/// A wheel on a tyre that pushes only, and how much higher the road is.
constexpr const char* wheel = R"yaml(sinew: 1
bodies: {w: {type: point-mass, mass: 40, position: [0, 0, 0.3]}}
sensors: {w: {type: point, of: w, record: [displacement.z]}}
forces: {tyre: {type: actuator, on: w, direction: [0, 0, 1], force: "LAW"}}
tables: {road: [[0.3, 0], [0.32, 0.08], [0.34, 0.08], [0.36, 0]]}
analysis: {end_time: 0.5}
)yaml";

const std::vector<std::string> bumps{"(t > 0.3 && t < 0.36 ? 0.08*sin(pi*(t - 0.3)/0.06)^2 : 0)",
                                     "(t > 0.3 && t < 0.36 ? 89*(t - 0.3)*(0.36 - t) : 0)", "(t > 0.3 && t < 0.36 ? 0.03 : 0)",
                                     "0.08*max(0, 1 - abs(t - 0.33)/0.03)", "road(t)"};

}  // namespace

TEST_CASE("jumps between the prescribed times leave the order at 2, of reactions and accelerations, too", "[serial]") {
  const auto folder = test::fresh_folder("known-order");
  for (const char* drive :
       {"m: {type: motion, of: main, angle: \"t < 0.2037 ? 10*t^2 : 10*t^2 - 25*(t - 0.2037)^2\"}",
        "m: {type: motion, of: main, angular_velocity: \"5*t - (t > 0.1511 ? 20*(t - 0.1511) : 0)\"}",
        "forces: {push: {type: force, on: bob, vector: [\"t < 0.1239 ? -40 : t < 0.3571 ? 60*t : -10\", 0, 0]}}"})
    for (const char* integrator : {"soi2", "gen-alpha-ggl", "bdf-si2"}) {
      INFO(drive << ", " << integrator);
      std::string text = with(crank, "DRIVE", drive[0] == 'm' ? drive : "");
      if (drive[0] != 'm') text += drive + std::string("\n");
      const std::string more = std::string("--set analysis.integrator=") + integrator;
      const Table fine = run(folder, text, "2.5e-4", 0, more);
      const auto coarse = differences(run(folder, text, "4e-3", 0, more), fine),
                 half = differences(run(folder, text, "2e-3", 0, more), fine);
      for (const std::string& c : crank_columns) {
        INFO(c << ": " << coarse.at(c) << ", " << half.at(c));
        CHECK(coarse.at(c) > 2.8 * half.at(c));
      }
    }
}

TEST_CASE("steps end where pieces bend accelerations, and pass those that do not as if there were none", "[serial]") {
  const auto folder = test::fresh_folder("known-smooth");
  const auto text = [](const std::string& angle) {
    return with(crank, "DRIVE", "m: {type: motion, of: main, angle: \"" + angle + "\"}");
  };
  for (const char* integrator : {"soi2", "trapezoid"}) {
    const std::string more = std::string("--set analysis.integrator=") + integrator;
    const Table plain = run(folder, text("10*t^2"), "4e-3", 0, more),
                same = run(folder, text("t < 0.1234 ? 10*t^2 : 10*t^2"), "4e-3", 0, more);
    REQUIRE(plain.rows() == same.rows());
    for (std::size_t k = 0; k < plain.rows(); ++k)
      for (const std::string& c : crank_columns) CHECK(plain.at(c, k) == same.at(c, k));
    // the third derivative jumps: steps end there, or the reactions behind it would be of first order
    const Table bent = run(folder, text("10*t^2 + (t < 0.1234 ? 0 : 5*(t - 0.1234)^3)"), "4e-3", 0, more);
    CHECK(bent.rows() == plain.rows() + 1);
    test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"cut\": 1");
  }
  // a kink of a force, too
  run(folder, with(pushed, "LAW", "abs(t - 0.1234)"), "4e-3");
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"cut\": 1");
}

TEST_CASE("prescribed times stay on their grid after a cut, and no sliver remains", "[serial]") {
  const auto folder = test::fresh_folder("known-grid");
  for (const char* at : {"0.1033", "0.1001", "0.0999", "0.1 + 1e-9", "0.1", "0.1 - 1e-9"}) {
    INFO(at);
    const Table t = run(folder, with(pushed, "LAW", std::string("t < ") + at + " ? 1 : 2"), "1e-2");
    double least = 1, most = 0;
    int on_grid = 0;
    for (std::size_t k = 1; k < t.rows(); ++k) {
      const double time = t.at("time", k), h = time - t.at("time", k - 1);
      least = std::min(least, h);
      most = std::max(most, h);
      if (std::abs(time - 0.01 * std::round(time / 0.01)) < 1e-12) ++on_grid;
    }
    CHECK(on_grid >= 29);
    CHECK(least > 0.0033);
    CHECK(most < 0.0101);
  }
}

TEST_CASE("rows that are due in steps count prescribed ones, whatever pieces they are taken in", "[serial]") {
  const auto folder = test::fresh_folder("known-rows");
  const std::string every_tenth = "--set output.sensors.every=10";
  const Table t = run(folder, with(pushed, "LAW", "t < 0.1003 ? 1 : -1"), "2e-3", 0, every_tenth);
  REQUIRE(t.rows() == 16);
  for (std::size_t k = 0; k < 16; ++k)  // the step that is to end at .1 ends at the jump
    CHECK(t.at("time", k) == Approx(k == 5 ? 0.1003 : 0.02 * double(k)).epsilon(1e-9));
  const Table middle = run(folder, with(pushed, "LAW", "t < 0.1011 ? 1 : -1"), "2e-3", 0, every_tenth);
  REQUIRE(middle.rows() == 16);
  for (std::size_t k = 0; k < 16; ++k) CHECK(middle.at("time", k) == Approx(0.02 * double(k)).epsilon(1e-9));
}

TEST_CASE("a smooth pulse that is narrow beside the steps is met by steps of every kind", "[serial]") {
  const auto folder = test::fresh_folder("known-narrow");
  const double width = 2e-3, area = std::sqrt(pi) * width * 100;
  const std::string bump = "100*exp(-((t - 0.2371)/0.002)^2)";
  for (const std::string& law :
       std::vector<std::string>{bump, "sin(t)^2 + cos(t)^2 - 1 + " + bump, "exp(-((t - 0.2371)/0.002)^2) > 0.5 ? 100 : 0"})
    for (const char* step : {"0.05", "0.03", "{tolerance: 1e-2}", "{tolerance: 1e-5}", controlled, "{global: 1e-3}"}) {
      INFO(law << ", step " << step);
      const double exact = law[0] == 'e' ? 2 * std::sqrt(std::log(2.0)) * width * 100 : area;
      const Table t = run(folder, with(pushed, "LAW", law), step);
      CHECK(std::abs(last(t, "box.velocity.x") / exact - 1) < (step[1] == 'g' ? 1e-3 : 0.03));
      CHECK(std::abs(last(t, "box.position.x") / (exact * (end - 0.2371)) - 1) < (step[1] == 'g' ? 1e-3 : 0.03));
    }
}

TEST_CASE("a narrow pulse of a motion moves what hangs on it, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("known-shake");
  const std::string shaken = R"yaml(sinew: 1
bodies:
  hand: {type: point-mass, mass: 1, position: [0, 0, 0]}
  toy: {type: point-mass, mass: 1, position: [1, 0, 0]}
joints: {shake: {type: motion, connect: [ground, hand], axis: [1, 0, 0], displacement: "0.1*exp(-((t-0.237)/0.002)^2)"}}
forces: {rubber: {type: spring-damper, connect: [hand, toy], stiffness: 400, length: 1}}
sensors: {toy: {type: point, of: toy, record: [velocity.x]}}
analysis: {end_time: 0.3}
)yaml";
  // k/m times the area of the pulse, as it is short beside the period of 0.31 s, then an oscillation
  const double exact = 400 * 0.1 * std::sqrt(pi) * 0.002 * std::cos(20 * (0.3 - 0.237));
  double alone = 0;
  for (const int ranks : {1, 2}) {
    const double velocity = last(run(folder, shaken, "{tolerance: 1e-5}", ranks), "toy.velocity.x");
    CHECK(std::abs(velocity / exact - 1) < 0.03);
    if (ranks == 1) alone = velocity;
    CHECK(std::abs(velocity / alone - 1) < 1e-9);
  }
}

TEST_CASE("a pulse of time is met wherever a sensor decides whether it has a part", "[serial]") {
  const auto folder = test::fresh_folder("known-beside-sensors");
  const std::string z = "sensor.w.displacement.z";
  for (const std::string& bump : bumps)
    for (const std::string& law : std::vector<std::string>{
             "max(0, 2845 - 150000*(" + z + " - " + bump + ")) - 2845", "-min(2845, 150000*(" + z + " - " + bump + "))",
             z + " - " + bump + " < 2845/150000 ? -150000*(" + z + " - " + bump + ") : -2845"}) {
      const std::string model = with(wheel, "LAW", law);
      const double exact = last(run(folder, model, "1e-4"), "w.displacement.z");
      for (const char* step : {"{tolerance: 1e-3, per: unit-step}", "{tolerance: 1e-5}"}) {
        INFO(law << ", step " << step);
        CHECK(std::abs(last(run(folder, model, step), "w.displacement.z") / exact - 1) < 0.02);
      }
      // prescribed steps meet it, however far too long they are
      INFO(law);
      run(folder, model, "0.15");
      CHECK(test::file_text(folder / "model.out" / "run.json").find("\"cut\": 0") == std::string::npos);
    }
}

TEST_CASE("kinks of a road beside a sensor's switch are passed by prescribed steps that follow it", "[serial]") {
  const auto folder = test::fresh_folder("known-road");
  const Table t = run(folder, with(wheel, "LAW", "max(0, 2845 - 150000*(sensor.w.displacement.z - road(t))) - 2845"), "2.5e-3");
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"cut\": 0");
}
