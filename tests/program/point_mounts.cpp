// Bushings that hold points, and bushings that are unloaded elsewhere than where they are drawn.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

TEST_CASE("a bushing holds a point in three directions, unloaded where its offset says", "[mpi]") {
  // 1 kg at x = 0.1 on springs to the origin: x = 0.1 cos 10 t, and z falls by g/k and swings there
  const auto folder = test::fresh_folder("point-mounts");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  m: {type: point-mass, mass: 1, position: [0.1, 0, 0]}
  other: {type: point-mass, mass: 1, position: [0.3, 0.2, 0], velocity: [0, 0.5, 0]}
forces:
  mount: {type: bushing, connect: [[0, 0, 0], m], stiffness: [100, 400, 900, 0, 0, 0], offset: [-0.1, 0, 0]}
  turned: {type: bushing, connect: [other, [0.3, 0, 0]], stiffness: [100, 100, 900, 0, 0, 0], offset: [0, 0.2, 0]}
sensors:
  m: {type: point, of: m, record: [position]}
  other: {type: point, of: other, record: [position.y]}
  mount: {type: force, of: mount, record: [displacement, force]}
  energy: {type: energy, record: [total, strain]}
analysis: {end_time: 1, step: {tolerance: 1e-8}}
output: {sensors: {every: 0.1}}
)yaml");
  const int ranks = GENERATE(0, 2);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("warning") == std::string::npos);
  const test::Table table(folder / "out" / "sensors.csv");
  for (std::size_t k = 0; k < table.rows(); ++k) {
    const double t = table.at("time", k), x = 0.1 * std::cos(10 * t), z = 9.81 / 900 * (std::cos(30 * t) - 1);
    CHECK(table.at("m.position.x", k) == Approx(x).margin(2e-6));
    CHECK(table.at("m.position.z", k) == Approx(z).margin(1e-5));
    CHECK(table.at("mount.displacement.x", k) == Approx(x).margin(2e-6));
    CHECK(table.at("mount.force.x", k) == Approx(100 * x).margin(2e-4));
    CHECK(table.at("other.position.y", k) == Approx(0.2 + 0.2 * (std::cos(10 * t) - 1) + 0.05 * std::sin(10 * t)).margin(4e-6));
    CHECK(table.at("energy.total", k) == Approx(table.at("energy.total", 0)).margin(2e-5));
  }
}

TEST_CASE("a bushing that holds a point says that it has no rotations to resist", "[serial]") {
  const auto folder = test::fresh_folder("point-mounts-refused");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies: {m: {type: point-mass, mass: 1, position: [0.1, 0, 0]}}
forces: {mount: {type: bushing, connect: [[0, 0, 0], m], stiffness: [100, 400, 900, 1, 0, 0]}}
analysis: {end_time: 1, step: 0.1}
)yaml");
  test::check_refused(folder, {"run model.yaml", {"model.yaml:3:", "a point has no orientation", "[kx, ky, kz, 0, 0, 0]"}});
}
