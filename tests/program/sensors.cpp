// What sensors tell, against what is known by hand.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

using namespace sinew;

TEST_CASE("a torsional spring tells its angle beyond half a turn", "[serial]") {
  const auto folder = test::fresh_folder("wound-spring");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies: {w: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints: {axle: {type: revolute, connect: [ground, w], axis: [0, 0, 1]}}
forces:
  k: {type: torsional-spring, connect: [ground, w], axis: [0, 0, 1], stiffness: 3}
  m: {type: torque, on: w, vector: ["0", "0", "30"]}
sensors: {k: {type: force, of: k}}
analysis: {type: static}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table table(folder / "model.out" / "sensors.csv");
  CHECK(table.at("k.angle", table.rows() - 1) == Approx(10));
  CHECK(table.at("k.moment", table.rows() - 1) == Approx(30));
}

TEST_CASE("a joint that holds one place tells what is exerted on the place that is named first", "[serial]") {
  const auto folder = test::fresh_folder("first-place");
  for (const bool ground_first : {true, false}) {
    const std::string places = ground_first ? "[ground, m]" : "[m, ground]";
    test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies: {m: {type: point-mass, mass: 2, position: [0.3, 0.4, 0]}}
joints: {j: {type: coordinate-fixed, connect: )" +
                                                places + R"(, direction: [0, 0, 1]}}
sensors: {j: {type: joint, of: j, record: [force]}}
analysis: {end_time: 0.01, step: 1e-3}
)");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "model.out" / "sensors.csv");
    CHECK(table.at("j.force.z", table.rows() - 1) == Approx(ground_first ? -19.62 : 19.62));
  }
}
