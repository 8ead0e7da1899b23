// Tables of measured values in files: drives, and forces of what sensors see.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// sin(2 t) over five seconds, as a logger might have written it.
void write_angles(const std::filesystem::path& folder, int rows) {
  std::ofstream file(folder / "log.csv");
  file.precision(12);
  file << "# log of the drive\ntime,current,angle\n";
  for (int k = 0; k <= rows; ++k) file << 5.0 * k / rows << ",7," << std::sin(10.0 * k / rows) << '\n';
}

const std::string arm = R"(sinew: 1
tables: {angle: {file: log.csv, columns: [time, angle], smooth: true}}
gravity: [0, 0, 0]
bodies: {arm: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, arm], axis: [0, 0, 1]}
  drive: {type: motion, of: hinge, angle: angle(t)}
sensors:
  arm: {type: point, of: arm, record: [angular_velocity, angular_acceleration]}
  drive: {type: joint, of: drive, record: moment}
analysis: {end_time: 4, step: 5e-3}
)";

}  // namespace

TEST_CASE("A motion by a smooth table from a file is that of the function it was taken from", "[serial]") {
  const auto folder = test::fresh_folder("measured-motion");
  write_angles(folder, 1250);
  test::write_file(folder / "model.yaml", arm);
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table sensors(folder / "out" / "sensors.csv");
    for (std::size_t k = 100; k < sensors.rows(); k += 50) {
      const double t = sensors.at("time", k);
      CHECK(sensors.at("arm.angular_velocity.z", k) == Approx(2 * std::cos(2 * t)).margin(2e-4));
      CHECK(sensors.at("arm.angular_acceleration.z", k) == Approx(-4 * std::sin(2 * t)).margin(2e-3));
    }
  }
}

TEST_CASE("What is wrong with a table's file is said with its place in the model", "[serial]") {
  const auto folder = test::fresh_folder("measured-faults");
  test::write_file(folder / "model.yaml", arm);
  test::check_contains(test::run_sinew(folder, "check model.yaml").said,
                       "model.yaml:2:24: error: table 'angle': there is no file");
  test::write_file(folder / "log.csv", "time,angle\n0,0\n1,1\n0.5,2\n");
  const std::string said = test::run_sinew(folder, "check model.yaml").said;
  test::check_contains(said, "model.yaml:2:24: error: table 'angle': 'log.csv': line 4: 0.5 does not lie beyond the 1");
  test::write_file(folder / "log.csv", "time,angle\n0,0\n");
  test::check_contains(test::run_sinew(folder, "check model.yaml").said, "has less than two rows of numbers");
}

TEST_CASE("Steps end at every row of a table that a body passes, however many forces use it", "[serial]") {
  constexpr int rows = 200;  // a zigzag between 0 and 1 over a metre, which is passed in a second
  const auto folder = test::fresh_folder("measured-rows");
  std::ofstream file(folder / "road.csv");
  for (int k = 0; k <= rows; ++k) file << static_cast<double>(k) / rows << ',' << k % 2 << '\n';
  file.close();
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
tables: {road: {file: road.csv}}
gravity: [0, 0, 0]
bodies: {"m{i}": {repeat: {i: 1..3}, type: point-mass, mass: i, position: [0, i, 0], velocity: [1, 0, 0]}}
sensors: {"m{i}": {repeat: {i: 1..3}, type: point, of: "m{i}", record: [position.x, velocity.z]}}
forces:
  "f{i}": {repeat: {i: 1..3}, type: actuator, on: "m{i}", direction: [0, 0, 1], force: "road(sensor.m{i}.position.x)"}
analysis: {end_time: 1, step: 1e-2}
)yaml");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table steps(folder / "out" / "steps.csv"), sensors(folder / "out" / "sensors.csv");
  std::size_t step = 0;
  for (int k = 1; k < rows; ++k) {
    const double time = static_cast<double>(k) / rows;
    while (step < steps.rows() && steps.at("time", step) < time - 1e-9) ++step;
    REQUIRE(step < steps.rows());
    CHECK(steps.at("time", step) < time + 1e-4);
  }
  CHECK(steps.rows() < 2 * rows + 10);
  double mass = 0;
  for (const char* speed : {"m1.velocity.z", "m2.velocity.z", "m3.velocity.z"})
    CHECK(sensors.at(speed, sensors.rows() - 1) == Approx(0.5 / ++mass).epsilon(1e-4));
}

TEST_CASE("Two rows that lie close are a jump, however close and wherever a step comes to them", "[serial]") {
  // a point at 1 m/s to which 10 N are switched on at x = 0.5, over the distance d
  const auto folder = test::fresh_folder("close-rows");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {d: 1e-9, x0: 0}
tables:
  k: [[0.5, 0], [0.5 + d, 10]]
  back: [[0.3, -6], [0.3 + d, 5]]
  map: {x: [0.5, 0.5 + d], y: [0, 1], values: [[0, 0], [10, 10]]}
gravity: [0, 0, 0]
bodies:
  b: {type: point-mass, mass: 1, position: [x0, 0, 0], velocity: [1, 0, 0]}
  c: {type: point-mass, mass: 1, position: [x0, 1, 0], velocity: [1, 0, 0]}
  e: {type: point-mass, mass: 1, position: [0.28, 28, 0], velocity: [2.4, 0, 0]}
forces:
  f: {type: actuator, on: b, direction: [1, 0, 0], force: "k(sensor.b.position.x)"}
  g: {type: actuator, on: c, direction: [1, 0, 0], force: "map(sensor.c.position.x, sensor.b.position.y)"}
  h: {type: actuator, on: e, direction: [1, 0, 0], force: "back(sensor.e.position.x)"}
sensors:
  b: {type: point, of: b, record: [position, velocity.x]}
  c: {type: point, of: c, record: [position, velocity.x]}
  e: {type: point, of: e, record: [position, velocity.x]}
analysis: {end_time: 1.5, step: 1e-2}
)yaml");
  for (const double start : {0.0, -0.0031})
    for (const double distance : {1e-5, 1e-7, 1e-9, 1e-12}) {
      std::ostringstream options;
      options << "run model.yaml -o out --set constants.d=" << distance << " --set constants.x0=" << start;
      const test::Outcome outcome = test::run_sinew(folder, options.str());
      INFO(options.str() << outcome.said);
      REQUIRE(outcome.code == 0);
      const test::Table sensors(folder / "out" / "sensors.csv");
      const double right = 1 + 10 * (1 + start);
      CHECK(sensors.at("b.velocity.x", sensors.rows() - 1) == Approx(right).margin(1e-6 + 20 * distance));
      CHECK(sensors.at("c.velocity.x", sensors.rows() - 1) == Approx(right).margin(1e-6 + 20 * distance));
      // work is what the way says: -6 N over 0.02 m, then 5 N
      const std::size_t last = sensors.rows() - 1;
      const double x = sensors.at("e.position.x", last), v = sensors.at("e.velocity.x", last);
      CHECK(v * v / 2 == Approx(2.4 * 2.4 / 2 - 6 * 0.02 + 5 * (x - 0.3)).epsilon(1e-4));
    }
}
