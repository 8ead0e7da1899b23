// Angles by atan2(y, x), which go over from pi to -pi where y = 0, x < 0: in loads, motions and controls, as functions of time
// and of sensors; against closed forms.
#include "tests/program/refusals.hpp"
#include "tests/program/switching_runs.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace sinew;
using test::Table;
using namespace sinew::test::switching_runs;

namespace {

constexpr double pi = std::numbers::pi;

/// A wheel that turns at 3 rad/s, and a mass that a force pushes by the direction of a mark on its rim.
const char* const wheel = R"yaml(sinew: 1
bodies:
  wheel: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [0, 0, 3], points: {mark: [1, 0, 0]}}
  box: {type: point-mass, mass: 1, position: [0, 5, 0]}
joints:
  axle: {type: revolute, connect: [ground, wheel], axis: [0, 0, 1]}
  drive: {type: motion, of: axle, angle: "ANGLE"}
controls: {law: {output: {heading: "HEADING"}}}
forces: {push: {type: actuator, on: box, direction: [1, 0, 0], force: "FORCE"}}
sensors:
  mark: {type: point, of: wheel.mark, record: [position, velocity]}
  wheel: {type: point, of: wheel, record: [orientation]}
  axle: {type: relative, of: axle, record: [angle]}
  box: {type: point, of: box, record: [position.x, velocity.x]}
analysis: {end_time: 2}
)yaml";

const std::string heading = "atan2(sensor.mark.position.y, sensor.mark.position.x)";

std::string pushed_by(const std::string& force, const std::string& angle = "3*t") {
  return with(with(with(wheel, "ANGLE", angle), "FORCE", force), "HEADING", heading);
}

/// A body on a hinge that starts at rest or turning, and the moment on it.
std::string hinged(const std::string& start, const std::string& rate, const std::string& torque) {
  const std::string model = R"yaml(sinew: 1
bodies:
  arm:
    type: rigid
    mass: 1
    inertia: [1, 1, 1]
    position: [0, 0, 0]
    orientation: {axis: [0, 0, 1], angle: START}
    angular_velocity: [0, 0, RATE]
    points: {tip: [1, 0, 0]}
joints: {hinge: {type: revolute, connect: [ground, arm], axis: [0, 0, 1]}}
forces: {motor: {type: actuator, of: hinge, torque: "TORQUE"}}
sensors:
  tip: {type: point, of: arm.tip, record: [position, velocity]}
  arm: {type: point, of: arm, record: [orientation]}
  hinge: {type: relative, of: hinge, record: [angle, rate]}
analysis: {end_time: 4}
)yaml";
  return with(with(with(model, "START", start), "RATE", rate), "TORQUE", torque);
}

const std::string tip = "atan2(sensor.tip.position.y, sensor.tip.position.x)";

/// What the program says of a run that ends well.
std::string said_of(const std::filesystem::path& folder, const std::string& model, const std::string& step) {
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --set 'analysis.step=" + step + "'");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return outcome.said;
}

bool says(const std::string& said, const std::string& words) { return said.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a force by an angle of the time is the saw that it is, whatever the steps", "[serial]") {
  const auto folder = test::fresh_folder("cut-force");
  const std::string model = R"yaml(sinew: 1
bodies:
  angle: {type: point-mass, mass: 1, position: [0, 0, 0]}
  saw: {type: point-mass, mass: 1, position: [0, 1, 0]}
forces:
  angle: {type: force, on: angle, vector: ["atan2(sin(W*t), cos(W*t))", 0, 0]}
  saw: {type: force, on: saw, vector: ["W*t - 2*pi*floor((W*t + pi)/(2*pi))", 0, 0]}
sensors:
  angle: {type: point, of: angle, record: [position.x, velocity.x]}
  saw: {type: point, of: saw, record: [position.x, velocity.x]}
analysis: {end_time: 1}
constants: {W: SPEED}
)yaml";
  for (const double speed : {8.0, -8.0, 300.0}) {
    const double end = std::remainder(speed, 2 * pi), exact = end * end / (2 * speed);  // whole turns do nothing
    for (const char* step : {"2e-2", "1e-2", "7e-3", "{tolerance: 1e-5}"})
      for (const char* integrator : {"soi2", "gen-alpha", "bdf-si2"}) {
        if (std::string(integrator) != "soi2" && std::string(step) != "1e-2") continue;
        INFO("speed " << speed << ", step " << step << ", " << integrator);
        const Table t = run(folder, with(model, "SPEED", std::to_string(speed)), step, 0,
                            std::string("--set analysis.integrator=") + integrator);
        CHECK(std::abs(last(t, "angle.velocity.x") - exact) < 1e-9);
        CHECK(std::abs(last(t, "angle.velocity.x") - last(t, "saw.velocity.x")) < 1e-10);
        CHECK(std::abs(last(t, "angle.position.x") - last(t, "saw.position.x")) < 1e-5);
      }
  }
}

TEST_CASE("a place prescribed by an angle that jumps is warned of", "[serial]") {
  const auto folder = test::fresh_folder("cut-motion");
  const std::string model = R"yaml(sinew: 1
bodies: {box: {type: point-mass, mass: 2, position: [0, 0, 0]}}
joints: {rail: {type: motion, connect: [ground, box], axis: [1, 0, 0], displacement: "atan2(sin(3*t), X)"}}
sensors: {box: {type: point, of: box, record: [position.x, velocity.x]}}
analysis: {end_time: 2}
)yaml";
  for (const char* step : {"1e-2", "{tolerance: 1e-5}"}) {
    const std::string jumps = said_of(folder, with(model, "X", "cos(3*t)"), step);
    test::check_contains(jumps, "the motion that 'rail' prescribes jumps by -6.28319 at t = 1.04719755");
    const Table t(folder / "model.out" / "sensors.csv");
    CHECK(std::abs(last(t, "box.position.x") - (6 - 2 * pi)) < 1e-9);
    CHECK(std::abs(last(t, "box.velocity.x") - 3) < 1e-9);
    const std::string passes = said_of(folder, with(model, "X", "2 + cos(3*t)"), step);
    CHECK_FALSE(says(passes, "jumps"));
    CHECK_FALSE(says(passes, "cut by"));
  }
}

TEST_CASE("a direction prescribed by an angle turns on where the angle jumps by a whole turn", "[serial]") {
  const auto folder = test::fresh_folder("cut-direction");
  for (const char* angle : {"atan2(sin(3*t), cos(3*t))", "3*t - 2*pi*floor((3*t + pi)/(2*pi))"})
    for (const char* step : {"1e-2", "{tolerance: 1e-5}"}) {
      INFO(angle << ", step " << step);
      CHECK_FALSE(says(said_of(folder, pushed_by("0*t", angle), step), "jumps"));
      const Table t(folder / "model.out" / "sensors.csv");
      CHECK(std::abs(last(t, "axle.angle") - 6) < 1e-9);
      CHECK(std::abs(last(t, "mark.velocity.y") - 3 * std::cos(6.0)) < 1e-6);
    }
}

TEST_CASE("a force by an angle of sensors goes over where they say", "[serial]") {
  const auto folder = test::fresh_folder("cut-sensors");
  const double exact = (6 - 2 * pi) * (6 - 2 * pi) / 6;
  for (const char* step : {"2e-2", "1e-2", "{tolerance: 1e-5}"})
    for (const std::string& force : std::vector<std::string>{heading, "control.law.heading",
                                                             "2*atan2(sensor.wheel.orientation.z, sensor.wheel.orientation.w)"})
      for (const int ranks : {1, 2, 3}) {
        if (ranks > 1 && force != heading) continue;
        INFO("step " << step << ", " << force << ", ranks " << ranks);
        // twice the angle of the quaternion, which has turned by half of it, goes over a turn later
        const bool is_half = force.front() == '2';
        const Table t = run(folder, pushed_by(force), step, ranks);
        CHECK(std::abs(last(t, "box.velocity.x") - (is_half ? 6 : exact)) < 1e-9);
      }
  for (const char* integrator : {"gen-alpha", "bdf-si2", "trapezoid"}) {
    INFO(integrator);
    const Table t = run(folder, pushed_by(heading), "1e-2", 0, std::string("--set analysis.integrator=") + integrator);
    CHECK(std::abs(last(t, "box.velocity.x") - exact) < 1e-9);
  }
}

TEST_CASE("a condition on an angle goes over with it", "[serial]") {
  const auto folder = test::fresh_folder("cut-condition");
  for (const char* step : {"1e-2", "{tolerance: 1e-5}"}) {
    INFO("step " << step);
    // from -pi to -3: the part of a turn that takes (pi - 3)/3 s
    CHECK(std::abs(last(run(folder, pushed_by(heading + " < -3 ? 1 : 0"), step), "box.velocity.x") - (pi - 3) / 3) < 1e-9);
    // |angle| goes down again, without a jump: pi^2/6 up to pi/3 s, as much less (2 pi - 6)^2/6 from there on
    const double exact = (2 * pi * pi - (2 * pi - 6) * (2 * pi - 6)) / 6;
    CHECK(std::abs(last(run(folder, pushed_by("abs(" + heading + ")"), step), "box.velocity.x") - exact) < 1e-9);
  }
}

TEST_CASE("a sampled control has the angle of its samples", "[serial]") {
  const auto folder = test::fresh_folder("cut-samples");
  const std::string model = with(pushed_by("control.law.heading"), "{law: {", "{law: {period: 0.1, ");
  double exact = 0;
  for (int k = 0; k < 20; ++k) exact += 0.1 * std::remainder(0.3 * k, 2 * pi);
  for (const char* step : {"1e-2", "{tolerance: 1e-5}"}) {
    INFO("step " << step);
    CHECK(std::abs(last(run(folder, model, step), "box.velocity.x") - exact) < 1e-9);
  }
}

TEST_CASE("no step ends where y goes through 0 with x above, nor for an angle within a sine", "[serial]") {
  const auto folder = test::fresh_folder("cut-none");
  const std::string half = "atan2(sensor.arm.orientation.z, sensor.arm.orientation.w)";
  for (const std::string& model : std::vector<std::string>{hinged("-1", "1", "-3*" + tip), hinged("0.5", "0", "-3*2*" + half),
                                                           hinged("0", "3", "-2*atan2(sensor.hinge.rate, 0.5)"),
                                                           hinged("0", "3", "cos(" + tip + ") - 0.3*sin(2*" + tip + ")"),
                                                           hinged("0.5", "3", "sin(2*" + half + ")")})
    for (const char* step : {"1e-2", "{tolerance: 1e-5}"}) {
      INFO(model << "step " << step);
      CHECK_FALSE(says(said_of(folder, model, step), "switches met"));
      if (std::string(step) == "1e-2") CHECK(Table(folder / "model.out" / "sensors.csv").rows() == 401);
    }
}

TEST_CASE("what rests at the cut of an angle rests there, whichever way it is driven", "[serial]") {
  const auto folder = test::fresh_folder("cut-rest");
  for (const char* step : {"1e-2", "{tolerance: 1e-5}"}) {
    // driven to the cut from both sides: it is held by a value between pi and -pi
    for (const char* gain : {"3*", "0.1*cos(t)*"}) {
      INFO("step " << step << ", " << gain);
      const Table t = run(folder, hinged("pi", "0", gain + tip), step);
      CHECK(std::abs(last(t, "hinge.angle")) < 1e-9);
      CHECK(t.rows() <= 402);
    }
    // driven away from it: theta'' = -3 theta from pi
    const Table away = run(folder, hinged("pi", "0", "-3*" + tip), step);
    CHECK(std::abs(last(away, "hinge.angle") - (pi * std::cos(4 * std::sqrt(3.0)) - pi)) < 5e-3);
  }
}
