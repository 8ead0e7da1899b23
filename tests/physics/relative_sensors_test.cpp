// Relative coordinates of joints and places against closed forms: beyond a turn, in controls, at rest and in vibrations.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A rotor on a hinge, and what holds it.
std::string rotor(const std::string& rest) {
  return R"yaml(sinew: 1
constants: {J: 0.5, w: 0}
bodies:
  rotor: {type: rigid, mass: 2, inertia: [0.4, 0.4, J], position: [1, 2, 0], angular_velocity: [0, 0, w]}
joints:
  hinge: {type: revolute, connect: [ground, rotor], axis: [0, 0, 1]}
)yaml" + rest;
}

/// The largest difference between a column and a function of time.
template <class Exact>
double worst(const Trajectory& run, const std::string& column, const Exact& exact) {
  double largest = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n)
    largest = std::max(largest, std::abs(run.values[n].at(column) - exact(run.time[n])));
  return largest;
}

}  // namespace

TEST_CASE("A driven hinge tells an angle that goes on beyond a turn", "[serial]") {
  const Trajectory run =
      run_model(MPI_COMM_SELF, rotor(R"yaml(  drive: {type: motion, of: hinge, angle: "30*t - 10*cos(3*t) + 10"}
sensors:
  turn: {type: relative, of: hinge, record: [angle, rate]}
  drive: {type: relative, of: drive, record: angle}
analysis: {end_time: 2, step: 0.01}
)yaml"),
                {.overrides = {"constants.w=30"}});
  CHECK(worst(run, "turn.angle", [](double t) { return 30 * t - 10 * std::cos(3 * t) + 10; }) < 1e-6);
  CHECK(worst(run, "turn.rate", [](double t) { return 30 + 30 * std::sin(3 * t); }) < 1e-5);
  CHECK(worst(run, "drive.angle", [](double t) { return 30 * t - 10 * std::cos(3 * t) + 10; }) < 1e-6);
  CHECK(run.values.back().at("turn.angle") > 8 * std::numbers::pi);
}

TEST_CASE("Turns are not lost where a step is longer than half a turn", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, rotor(R"yaml(sensors:
  turn: {type: relative, of: hinge}
analysis: {end_time: 2, step: 0.1}
)yaml"),
                                   {.overrides = {"constants.w=-50"}});
  CHECK(worst(run, "turn.angle", [](double t) { return -50 * t; }) < 1e-8);
}

TEST_CASE("Turns are counted from step to step, not from row to row", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, rotor(R"yaml(  drive: {type: motion, of: hinge, angle: "t^2"}
sensors:
  turn: {type: relative, of: hinge}
analysis: {end_time: 20, step: 0.02}
)yaml"),
                                   {.at_every_step = false, .overrides = {"constants.w=0"}});
  REQUIRE(run.time.size() == 2);
  CHECK(run.values.back().at("turn.angle") == Approx(400));
}

TEST_CASE("A PD controller of a joint's angle and rate is a damped vibration, over several turns", "[serial]") {
  const std::string model = rotor(R"yaml(forces:
  servo: {type: actuator, of: hinge, torque: "-2*sensor.turn.angle - 0.3*sensor.turn.rate"}
sensors:
  turn: {type: relative, of: hinge, record: [angle, rate]}
analysis: {end_time: 3, step: 1e-3, newton: {tolerance: 1e-11}}
)yaml");
  const double J = 0.5, d = 0.3 / (2 * J), omega = std::sqrt(2 / J - d * d), w = 40;
  const auto exact = [&](double t) { return w / omega * std::exp(-d * t) * std::sin(omega * t); };
  double before = 0;
  for (const char* step : {"analysis.step=2e-3", "analysis.step=1e-3"}) {
    const Trajectory run = run_model(MPI_COMM_SELF, model, {.overrides = {"constants.w=40", step}});
    const double error = worst(run, "turn.angle", exact);
    if (before > 0) CHECK(std::log2(before / error) == Approx(2).margin(0.1));
    before = error;
    CHECK(error < 1e-3);
    CHECK(run.summary.most_newton <= 4);
  }
  const double peak = std::atan2(omega, d) / omega;
  CHECK(exact(peak) > 4 * std::numbers::pi);
}

TEST_CASE("A stiff PD controller enters Newton's method with its exact derivative", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  arm: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  hand: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], points: {a: [-0.5, 0, 0]}}
joints:
  shoulder: {type: revolute, connect: [ground, arm.a], axis: [0, 1, 0]}
  elbow: {type: revolute, connect: [arm.b, hand.a], axis: [0, 1, 0]}
forces:
  lower: {type: actuator, of: shoulder, torque: "1e8*(sin(t) - sensor.shoulder.angle) - 1e6*sensor.shoulder.rate"}
  upper: {type: actuator, of: elbow, torque: "1e8*(t - sensor.elbow.angle) - 1e6*sensor.elbow.rate"}
sensors:
  shoulder: {type: relative, of: shoulder}
  elbow: {type: relative, of: elbow}
analysis: {end_time: 1, step: 0.01, rho_inf: 0.5, newton: {jacobian: full}}
)yaml");
  CHECK(run.summary.most_newton <= 8);
  CHECK(run.summary.newton < 5 * run.summary.steps);
  CHECK(run.summary.rejected == 0);
  CHECK(run.values.back().at("elbow.angle") == Approx(1).margin(0.02));
}

TEST_CASE("A slider tells its distance, two places tell theirs", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  cart: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0.3, 0.4, 0], velocity: [1, 0, 0], points: {hook: [0, 0, 0.5]}}
  bob: {type: point-mass, mass: 1, position: [0, 4, 0.5], velocity: [0, 1, 0]}
joints:
  rail: {type: prismatic, connect: [[0.1, 0.4, 0], cart], axis: [1, 0, 0]}
sensors:
  rail: {type: relative, of: rail, record: [distance, rate]}
  "gap{i}": {repeat: {i: 0..1}, type: relative, between: [cart.hook, bob]}
  far: {type: relative, between: [ground, bob], record: rate}
analysis: {end_time: 1, step: 0.05}
)yaml");
  CHECK(worst(run, "rail.distance", [](double t) { return 0.2 + t; }) < 1e-10);
  CHECK(worst(run, "rail.rate", [](double) { return 1; }) < 1e-10);
  CHECK(worst(run, "gap1.distance", [](double t) { return std::hypot(0.3 + t, 3.6 + t); }) < 1e-10);
  CHECK(worst(run, "gap0.rate", [](double t) { return (0.3 + t + 3.6 + t) / std::hypot(0.3 + t, 3.6 + t); }) < 1e-10);
  CHECK(worst(run, "far.rate", [](double t) { return (4 + t) / std::hypot(4 + t, 0.5); }) < 1e-12);
}

TEST_CASE("A sleeve tells its distance and its angle, and the rates of both", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  sleeve: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0.4], velocity: [0, 0, -2], angular_velocity: [0, 0, 9]}
joints:
  bar: {type: cylindrical, connect: [[0, 0, 0], sleeve], axis: [0, 0, 1]}
sensors:
  all: {type: relative, of: bar}
  some: {type: relative, of: bar, record: [rate.distance, angle]}
analysis: {end_time: 1, step: 0.05}
)yaml");
  CHECK(run.values.back().size() == 6);
  CHECK(worst(run, "all.angle", [](double t) { return 9 * t; }) < 1e-10);
  CHECK(worst(run, "all.distance", [](double t) { return 0.4 - 2 * t; }) < 1e-12);
  CHECK(worst(run, "all.rate.angle", [](double) { return 9; }) < 1e-10);
  CHECK(worst(run, "some.rate.distance", [](double) { return -2; }) < 1e-12);
  CHECK(worst(run, "some.angle", [](double t) { return 9 * t; }) < 1e-10);
}

TEST_CASE("An angle that is controlled is stiff at rest and in vibrations, and goes on beyond a turn at rest", "[serial]") {
  Stationary servo(MPI_COMM_SELF, rotor(R"yaml(forces:
  servo: {type: actuator, of: hinge, torque: "-8*sensor.turn.angle"}
  load: {type: torque, on: rotor, vector: [0, 0, 80]}
sensors:
  turn: {type: relative, of: hinge}
analysis: {type: static, steps: 10}
)yaml"),
                   {"constants.w=0"});
  servo.find_rest();
  CHECK(servo.values().at("turn.angle") == Approx(10));
  CHECK(servo.frequencies(1).at(0) == Approx(std::sqrt(8 / 0.5) / (2 * std::numbers::pi)).epsilon(1e-6));
}

TEST_CASE("A second run of the same system counts its turns anew", "[serial]") {
  const std::string text = rotor(R"yaml(sensors:
  turn: {type: relative, of: hinge}
analysis: {end_time: 1, step: 0.01}
)yaml");
  const Model model = read_model_text(text, "test.yaml", registered_catalogue(), {"constants.w=20"});
  const SolidMeshes meshes = read_solid_meshes(MPI_COMM_SELF, model);
  const Numbering numbering(model, meshes);
  const System system(model, distribute(MPI_COMM_SELF, model, meshes, numbering));
  const Sensors sensors(model, meshes, numbering, system);
  for (int run = 0; run < 2; ++run) {
    const auto integrator = make_integrator(system, model.analysis, KktForm::block);
    Simulation simulation(system, *integrator, simulation_options(model.analysis, model.output));
    State state = make_state(system);
    system.initial_state(state.q, state.z);
    simulation.start(state);
    simulation.run(state, {});
    CHECK(sensors.measure({state.t, &state.q, state.z, state.lambda}, nullptr).at(0) == Approx(20));
  }
}

TEST_CASE("a motion and an actuator of a joint turn or shift it about and along what its coordinates are counted by",
          "[serial]") {
  struct Row {
    std::string joint, coordinate;
  };
  const std::vector<Row> rows{{"revolute, axis: [1, 2, 2]", "angle"},       {"cylindrical, axis: [1, 2, 2]", "angle"},
                              {"parallel, axis: [1, 2, 2]", "angle"},       {"planar, normal: [1, 2, 2]", "angle"},
                              {"universal, axis: [1, 2, 2]", "angle"},      {"prismatic, axis: [1, 2, 2]", "distance"},
                              {"cylindrical, axis: [1, 2, 2]", "distance"}, {"point-on-line, axis: [1, 2, 2]", "distance"}};
  for (const Row& row : rows) {
    const bool turns = row.coordinate == "angle";
    const std::string level = turns ? "angle" : "displacement", rate = turns ? "angular_velocity" : "velocity",
                      effort = turns ? "torque" : "force";
    const auto run = [&](const std::string& more) {
      return run_model(MPI_COMM_SELF,
                       "sinew: 1\nbodies:\n  base: {type: rigid, mass: 3, inertia: [1, 2, 2.5], position: [0, 0, 0]}\n"
                       "  b: {type: rigid, mass: 2, inertia: [0.4, 0.4, 0.4], position: [0, 0, 0]}\n"
                       "joints:\n  foot: {type: fixed, connect: [ground, base]}\n  j: {type: " +
                           row.joint.substr(0, row.joint.find(',')) + ", connect: [base, b]" +
                           row.joint.substr(row.joint.find(',')) + "}\n" + more +
                           "sensors: {j: {type: relative, of: j}}\nanalysis: {end_time: 0.5, step: 5e-3}\n");
    };
    const auto last = [&](const Trajectory& of) { return of.values.back().at("j." + row.coordinate); };
    INFO(row.joint << " by " << level);
    CHECK(last(run("  m: {type: motion, of: j, " + level + ": \"2*t^2\"}\n")) == Approx(0.5).margin(1e-8));
    CHECK(last(run("  m: {type: motion, of: j, " + rate + ": \"4*t\"}\n")) == Approx(0.5).margin(1e-4));
    const double inertia = turns ? 0.4 : 2;
    CHECK(last(run("forces:\n  m: {type: actuator, of: j, " + effort + ": \"1 + 0*t\"}\n")) ==
          Approx(0.125 / inertia).epsilon(1e-3));
  }
}
