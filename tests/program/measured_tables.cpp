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
