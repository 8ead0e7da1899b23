// Switches that chatter or slide, of the speed and of the place.
#include "tests/program/refusals.hpp"
#include "tests/program/switching_runs.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <vector>

using namespace sinew;
using test::Table;
using namespace sinew::test::switching_runs;

TEST_CASE("a law that chatters is named, and the motion goes on where it leads", "[serial]") {
  const auto folder = test::fresh_folder("events-chatter");
  // Ever shorter swings that end at rest in 0. The first law slides to second order there, the second one goes beyond a curve on
  // which it should brake; `floor` has no values in between.
  const std::string model = R"yaml(sinew: 1
bodies: {box: {type: point-mass, mass: 1, position: [1, 0, 0]}}
sensors: {box: {type: point, of: box, record: [position.x, velocity.x]}}
forces:
  push: {type: actuator, on: box, direction: [1, 0, 0], force: "-4*LAW - 2*sign(sensor.box.velocity.x)"}
analysis: {end_time: 10, step: 1e-2}
)yaml";
  const std::string beyond = with(model, "-4*LAW - 2*sign(sensor.box.velocity.x)",
                                  "-2*sign(sensor.box.position.x + sensor.box.velocity.x*abs(sensor.box.velocity.x)/6)");
  for (const char* step : {"1e-2", controlled, "{global: 1e-2}"})
    for (const bool chatters : {false, true}) {
      INFO("step " << step << ", chatters " << chatters);
      const Table t = run(folder, chatters ? beyond : with(model, "LAW", "sign(sensor.box.position.x)"), step);
      CHECK(std::abs(last(t, "box.position.x")) < 1e-7);
      CHECK(std::abs(last(t, "box.velocity.x")) < 1e-7);
      const std::string report = test::file_text(folder / "model.out" / "run.json");
      const bool is_named = report.find("chatters") != std::string::npos;
      if (!chatters) CHECK_FALSE(is_named);
      if (!chatters || step[1] == 'g') continue;  // within what coarse runs of a global tolerance slide in it does so first
      test::check_contains(report, "model.yaml:5:");
      test::check_contains(report, "tanh");
    }
  test::write_file(folder / "model.yaml", with(model, "LAW", "(2*floor(sensor.box.position.x) + 1)"));
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  test::check_contains(outcome.said, "model.yaml:5:");
  test::check_contains(outcome.said, "chatters");
}

TEST_CASE("a time-optimal drive rests where it should be, whatever its curve, its steps and what slides beside it", "[serial]") {
  const auto folder = test::fresh_folder("events-bang-bang");
  // x'' = -2 sign(x + v|v|/(2 A)) on the motion's own curve (A = 2), on one that it slides along (1.6) and on one that it goes
  // beyond (3); beside it a box that friction brings to rest at 1/3.
  const std::string model = R"yaml(sinew: 1
constants: {A: CURVE}
bodies:
  car: {type: point-mass, mass: 1.5, position: [1, 0, 0]}
  box: {type: point-mass, mass: 2, position: [0, 1, 0], velocity: [1, 0, 0]}
sensors:
  car: {type: point, of: car, record: [position.x, velocity.x]}
  box: {type: point, of: box, record: [position.x, velocity.x]}
forces:
  drive: {type: actuator, on: car, direction: [1, 0, 0],
          force: "-3*sign(sensor.car.position.x + sensor.car.velocity.x*abs(sensor.car.velocity.x)/(2*A))"}
  dry: {type: actuator, on: box, direction: [1, 0, 0], force: "-3*sign(sensor.box.velocity.x)"}
analysis: {end_time: 6}
)yaml";
  const auto rests = [&](const char* curve, const char* step, int ranks) {
    INFO("curve " << curve << ", step " << step << ", ranks " << ranks);
    const Table t = run(folder, with(model, "CURVE", curve), step, ranks);
    CHECK(std::abs(last(t, "car.position.x")) < 1e-7);
    CHECK(std::abs(last(t, "car.velocity.x")) < 1e-7);
    CHECK(std::abs(last(t, "box.position.x") - 1.0 / 3) < 1e-5);
    CHECK(std::abs(last(t, "box.velocity.x")) < 1e-7);
    CHECK(Table(folder / "model.out" / "steps.csv").rows() < 2000);
    const bool is_named = test::file_text(folder / "model.out" / "run.json").find("chatters") != std::string::npos;
    CHECK(is_named == (curve[0] == '3'));  // what slides needs no change
  };
  for (const char* curve : {"1.6", "2", "3"})
    for (const char* step : {"1e-2", controlled})
      for (const int ranks : {1, 2}) rests(curve, step, ranks);
  for (const char* curve : {"1.6", "2", "3"}) rests(curve, "{global: 1e-3}", 1);
}

TEST_CASE("what a relay of its place or a preload holds at rest rests, and leaves where it is pushed off", "[serial]") {
  const auto folder = test::fresh_folder("events-second-order");
  const std::string model = R"yaml(sinew: 1
constants: {X: PLACE}
bodies:
  box: {type: point-mass, mass: 10, position: [X, 0, 0]}
  other: {type: point-mass, mass: 1, position: [X, 1, 0]}
sensors: {box: {type: point, of: box, record: [position.x]}}
forces:
  law: {type: actuator, on: box, direction: [1, 0, 0], force: "LAW"}
  push: {type: actuator, on: box, direction: [1, 0, 0], force: "PUSH"}
analysis: {end_time: 0.5}
)yaml";
  struct Case {
    const char *law, *push;
    double x;  ///< how far it has come at the end
  };
  const std::vector<Case> cases{
      {"-1000*sign(sensor.box.position.x - X)", "0", 0},
      {"-1000*sign(sensor.box.position.x - X)", "300", 0},
      {"-1000*sign(sensor.box.position.x - X)", "300*sin(20*t)", 0},
      {"-1000*sign(sensor.box.position.x - X)", "3000", 25},
      {"-1000*sign(sensor.box.position.x - X)", "4000*t", 4000.0 / 60 * std::pow(0.25, 3)},
      {"sensor.box.position.x < X ? 500 : -1e5*(sensor.box.position.x - X)", "-300", 0},
      {"sensor.box.position.x < X ? 500 : -1e5*(sensor.box.position.x - X)", "-2000*t", -2000.0 / 60 * std::pow(0.25, 3)}};
  for (const Case& c : cases)
    for (const char* place : {"0", "7.3"})
      for (const char* step : {"1e-3", "{tolerance: 1e-5}"})
        for (const char* integrator : {"soi2", "bdf-si2"}) {
          INFO(c.law << ", push " << c.push << ", at " << place << ", step " << step << ", " << integrator);
          const Table t = run(folder, with(with(with(model, "PLACE", place), "LAW", c.law), "PUSH", c.push), step, 0,
                              std::string("--set analysis.integrator=") + integrator);
          CHECK(std::abs(last(t, "box.position.x") - std::stod(place) - c.x) < (c.x == 0 ? 1e-8 : 3e-4));
          CHECK(Table(folder / "model.out" / "steps.csv").rows() < 1100);
        }
}

TEST_CASE("ranks agree on what slides to second order on one of them", "[serial]") {
  const auto folder = test::fresh_folder("events-second-order-ranks");
  const std::string model = R"yaml(sinew: 1
bodies:
  box: {type: point-mass, mass: 10, position: [0, 0, 0]}
  other: {type: point-mass, mass: 1, position: [0, 1, 0], velocity: [0, 0, 1]}
  third: {type: point-mass, mass: 1, position: [0, 2, 0], velocity: [0, 0, 1]}
sensors: {box: {type: point, of: box, record: [position.x]}}
forces:
  law: {type: actuator, on: box, direction: [1, 0, 0], force: "-1000*sign(sensor.box.position.x)"}
  push: {type: actuator, on: box, direction: [1, 0, 0], force: "4000*t"}
  spring: {type: spring-damper, connect: [other, third], stiffness: 10, length: 1}
analysis: {end_time: 0.5}
)yaml";
  for (const int ranks : {1, 2, 3}) {
    INFO("ranks " << ranks);
    CHECK(std::abs(last(run(folder, model, "1e-3", ranks), "box.position.x") - 4000.0 / 60 * std::pow(0.25, 3)) < 1e-4);
  }
}

TEST_CASE("what slides to second order is torn loose by a jump in speed", "[serial]") {
  const auto folder = test::fresh_folder("events-second-order-torn");
  // Thrown off at 0.05 m/s it swings through in 1 ms a time; at the end it is in the middle of the 101st.
  const std::string model = R"yaml(sinew: 1
bodies:
  belt: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  box: {type: point-mass, mass: 10, position: [0, 0, 0]}
joints:
  rail: {type: prismatic, connect: [ground, belt], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, displacement: "t < 0.2 ? 0 : 0.05*(t - 0.2)"}
sensors:
  belt: {type: point, of: belt, record: [position.x]}
  box: {type: point, of: box, record: [position.x, velocity.x]}
forces:
  relay: {type: actuator, on: box, direction: [1, 0, 0],
          force: "-1000*sign(sensor.box.position.x - sensor.belt.position.x)"}
analysis: {end_time: 0.3005}
)yaml";
  for (const char* step : {"1e-3", "{tolerance: 1e-5}"}) {
    INFO("step " << step);
    const Table t = run(folder, model, step);
    CHECK(std::abs(last(t, "box.position.x") - 0.0050125) < 1e-9);
    CHECK(std::abs(last(t, "box.velocity.x") - 0.05) < 1e-6);
  }
}
