// Error bars of runs that switch: each run meets a switch at a time of its own.
#include "tests/program/closing_line.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

TEST_CASE("Rows between the times of a switch in two runs ask for no shorter steps", "[serial]") {
  // Half swings against friction; at every turn the acceleration jumps by 3 m/s^2.
  const auto folder = test::fresh_folder("error-bars-turns");
  test::write_file(folder / "model.yaml", R"model(sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [0.5, 0, 0]}
forces:
  f: {type: actuator, on: a, direction: [1, 0, 0], force: "-40*sensor.a.position.x - 1.5*sign(sensor.a.velocity.x)"}
sensors:
  a: {type: point, of: a, record: [position, velocity, acceleration]}
analysis: {end_time: 4, step: {global: 1e-2}}
)model");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("; 3 runs, ") != std::string::npos);
}

TEST_CASE("What a slow state releases in no time meets a global tolerance, though late by more than a step", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-latch");
  test::write_file(folder / "model.yaml", R"model(sinew: 1
bodies: {latch: {type: rigid, mass: 0.01, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints: {rail: {type: prismatic, connect: [ground, latch], axis: [1, 0, 0]}}
sensors:
  rail: {type: relative, of: rail}
  latch: {type: point, of: latch, record: acceleration.x}
controls: {fuse: {state: {heat: 0}, derivative: {heat: "0.02*(1.2 - heat)"}}}
forces:
  spring: {type: actuator, of: rail,
           force: "control.fuse.heat > 0.9 ? 40*(0.05 - sensor.rail.distance) - 0.6*sensor.rail.rate : 0"}
analysis: {end_time: 1000, step: {global: 1e-2}}
)model");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(test::steps_taken(outcome) < 50000);
  const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
  const double release = std::log(4.0) / 0.02, mass = 0.01, c = 0.6 / (2 * mass), w = std::sqrt(40 / mass - c * c);
  for (std::size_t row = 0; row < found.rows(); ++row) {
    const double s = found.at("time", row) - release, wave = std::exp(-c * s);
    const double speed = s > 0 ? 0.05 * wave * (w + c * c / w) * std::sin(w * s) : 0.0;
    INFO("s = " << s);
    CHECK(std::abs(found.at("rail.rate", row) - speed) <= bars.at("rail.rate", row) + 1e-9);
  }
}

TEST_CASE("What is left of a step behind a switch is halved too", "[serial]") {
  const auto folder = test::fresh_folder("bars-behind-switches");
  // Falls freely, in one long step, on a spring that sends it back within a sixth of the time that the fall took.
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {k: 2e4, g: 9.81, h: 0.1}
gravity: [0, 0, -g]
bodies: {slide: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, h]}}
joints: {rail: {type: prismatic, connect: [ground, slide], axis: [0, 0, 1]}}
forces: {floor: {type: stop, of: rail, lower: -h, stiffness: k}}
sensors: {slide: {type: point, of: slide, record: [position, velocity]}}
analysis: {end_time: 0.162, step: {global: 1e-2}}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
  constexpr double k = 2e4, g = 9.81, h = 0.1;
  const double touch = std::sqrt(2 * h / g), w = std::sqrt(k), speed = g * touch;
  long behind = 0;
  for (std::size_t row = 0; row < found.rows(); ++row) {
    const double s = found.at("time", row) - touch;
    if (s < 0) continue;
    const double z = -speed / w * std::sin(w * s) - g / k * (1 - std::cos(w * s));
    const double v = -speed * std::cos(w * s) - g / w * std::sin(w * s);
    INFO("s = " << s);
    CHECK(std::abs(found.at("slide.position.z", row) - z) <= bars.at("slide.position.z", row) + 1e-12);
    CHECK(std::abs(found.at("slide.velocity.z", row) - v) <= bars.at("slide.velocity.z", row) + 1e-12);
    ++behind;
  }
  CHECK(behind > 10);
}

TEST_CASE("An elastic blow, short beside what the times differ at which runs meet it, is within its bars", "[serial]") {
  const auto folder = test::fresh_folder("bars-of-blows");
  // A ball on a weak spring against a Hertz contact of 0.13 ms: undamped, it leaves as fast as it came.
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {k: 1e10, v: 0.8}
bodies: {b: {type: point-mass, mass: 0.1, position: [0.3, 0, 0], velocity: [-v, 0, 0]}}
joints: {l: {type: point-on-line, connect: [ground, b], axis: [1, 0, 0]}}
forces:
  f: {type: actuator, on: b, direction: [1, 0, 0], force: "k*max(0, 0.05 - sensor.b.position.x)^1.5 - 0.5*sensor.b.position.x"}
sensors: {b: {type: point, of: b, record: [position.x, velocity.x]}}
analysis: {end_time: 1, step: {global: 1e-3}}
output: {sensors: {every: 0.01}}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
  constexpr double k = 1e10, m = 0.1, x0 = 0.3, v0 = -0.8, wall = 0.05;
  const double w = std::sqrt(0.5 / m), reach = std::hypot(x0, v0 / w);
  const double touch = (std::acos(wall / reach) - std::acos(x0 / reach)) / w, speed = w * std::sqrt(reach * reach - wall * wall);
  // K. L. Johnson, Contact Mechanics (1985), 11.4: how long an elastic blow of spheres takes
  const double leave = touch + 2.9432 * std::pow(1.25 * m * speed * speed / k, 0.4) / speed;
  for (std::size_t row = 0; row < found.rows(); ++row) {
    const double t = found.at("time", row), s = t - leave;
    INFO("t = " << t);
    REQUIRE((t < touch || s > 0));
    const double x =
        s > 0 ? wall * std::cos(w * s) + speed / w * std::sin(w * s) : x0 * std::cos(w * t) + v0 / w * std::sin(w * t);
    const double v =
        s > 0 ? speed * std::cos(w * s) - wall * w * std::sin(w * s) : v0 * std::cos(w * t) - x0 * w * std::sin(w * t);
    const double of_x = std::abs(found.at("b.position.x", row) - x), of_v = std::abs(found.at("b.velocity.x", row) - v);
    CHECK(of_x <= bars.at("b.position.x", row) + 1e-8);
    CHECK(of_v <= bars.at("b.velocity.x", row) + 1e-8);
    CHECK(of_x < 1e-3 * reach);
    CHECK(of_v < 1e-3 * w * reach);
  }
}

// What is left of a step behind a switch in its second half, the halved run would take as it is: with the same error.
TEST_CASE("Bars of prescribed steps see what a step errs by behind a switch, wherever in the step that is", "[serial]") {
  const auto folder = test::fresh_folder("bars-of-prescribed-switches");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {c: 0.9995}
bodies: {b: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}}
joints: {l: {type: point-on-line, connect: [ground, b], axis: [1, 0, 0]}}
forces: {f: {type: actuator, on: b, direction: [1, 0, 0], force: "-1e5*max(0, sensor.b.position.x - c)^1.5"}}
sensors: {b: {type: point, of: b, record: [position.x, velocity.x]}}
analysis: {end_time: 1, step: 1e-3, error_bars: true}
output: {sensors: {every: 0.1}}
)");
  for (const char* c : {"0.9993", "0.9995", "0.9997"}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml -o out --set constants.c=").append(c));
    INFO(c << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
    const std::size_t last = found.rows() - 1;
    const double reached = 1 - 4e4 * std::pow(1 - std::stod(c), 2.5);  // to 1e-6: the force integrated at the speed it began with
    const double error = std::abs(found.at("b.velocity.x", last) - reached);
    CHECK(error > 1e-6);
    CHECK(error <= bars.at("b.velocity.x", last) + 1e-6);
  }
}

TEST_CASE("What dry friction holds all along has no size of its own and asks for no shorter steps", "[serial]") {
  const std::string mass = R"model(sinew: 1
bodies:
  m: {type: point-mass, mass: 1, position: [1, 0, 0]}
forces:
  f: {type: actuator, on: m, direction: [1, 0, 0], force: "PUSH - 10*sign(sensor.m.velocity.x)"}
sensors:
  m: {type: point, of: m, record: [position, velocity]}
analysis: {end_time: 6, step: {global: 1e-2}}
)model";
  const std::string cart = R"model(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  m: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  p: {type: point-mass, mass: 1, position: [1.5, 0, 0]}
joints:
  g: {type: prismatic, connect: [ground, m], axis: [1, 0, 0]}
  r: {type: distance, connect: [m, p]}
forces:
  f: {type: actuator, of: g, force: "-30*sign(sensor.m.rate)"}
sensors:
  m: {type: relative, of: g}
  p: {type: point, of: p, record: [position, velocity]}
analysis: {end_time: 3, step: {global: 1e-2}}
)model";
  const auto pushed = [&](const std::string& push) {
    std::string model = mass;
    model.replace(model.find("PUSH"), 4, push);
    return model;
  };
  for (const std::string& model : {pushed("(t > 1 ? 6 : 3)"), pushed("3*sin(20*t)"), cart}) {
    const auto folder = test::fresh_folder("bars-of-held");
    test::write_file(folder / "model.yaml", model);
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(model << outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(test::steps_taken(outcome) < 10000);
    const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
    const bool is_cart = model == cart;
    const std::string place = is_cart ? "m.distance" : "m.position.x", speed = is_cart ? "m.rate" : "m.velocity.x";
    for (std::size_t row = 0; row < found.rows(); ++row) {
      CHECK(std::abs(found.at(place, row) - (is_cart ? 0 : 1)) <= bars.at(place, row));
      CHECK(std::abs(found.at(speed, row)) <= bars.at(speed, row));
      CHECK(bars.at(speed, row) < 1e-7);
    }
  }
}

TEST_CASE("What slips a little between two rests is judged by how far it slips", "[serial]") {
  const auto folder = test::fresh_folder("bars-of-slips");
  test::write_file(folder / "model.yaml", R"model(sinew: 1
bodies:
  m: {type: point-mass, mass: 1, position: [1, 0, 0]}
forces:
  f: {type: actuator, on: m, direction: [1, 0, 0],
      force: "3 + 9*exp(-((t - 2)/0.01)^2) - 10*sign(sensor.m.velocity.x)"}
sensors:
  m: {type: point, of: m, record: [position, velocity]}
analysis: {end_time: 6, step: {global: 1e-3}}
)model");
  const auto slip = [&](const std::string& more) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --quiet" + more);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const Table found(folder / "out" / "sensors.csv");
    const double way = found.at("m.position.x", found.rows() - 1) - 1;
    std::filesystem::remove_all(folder / "out");
    return way;
  };
  const double exact = slip(" --set analysis.step.global=1e-5"), found = slip("");
  CHECK(found == Approx(exact).epsilon(2e-3));
}
