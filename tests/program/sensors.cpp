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

TEST_CASE("rows of a state of rest come at every so many increments, and the last one", "[serial]") {
  const auto folder = test::fresh_folder("rows-of-rest");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies: {m: {type: point-mass, mass: 2, position: [1, 0, 0]}}
joints: {line: {type: point-on-line, connect: [ground, m], axis: [1, 0, 0]}}
forces:
  k: {type: spring-damper, connect: [ground, m], stiffness: 3, length: 1}
  f: {type: force, on: m, vector: [1, 0, 0]}
sensors: {m: {type: point, of: m}}
analysis: {type: static, steps: 10}
)");
  for (const auto& [every, factors] : {std::pair<std::string, std::vector<double>>{"5", {0, 0.5, 1}}, {"4", {0, 0.4, 0.8, 1}}}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --set output.sensors.every=" + every);
    INFO(every << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "model.out" / "sensors.csv");
    REQUIRE(table.rows() == factors.size());
    for (std::size_t k = 0; k < factors.size(); ++k) CHECK(table.at("time", k) == Approx(factors[k]));
  }
  REQUIRE(test::run_sinew(folder, "run model.yaml --set output.sensors.every=0.5").code == 0);
  CHECK(test::Table(folder / "model.out" / "sensors.csv").rows() == 11);  // seconds say nothing of increments
}

TEST_CASE("a place inside an element of a cable is told along an axis", "[serial]") {
  const auto folder = test::fresh_folder("axis-inside-an-element");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
sections: {wire: {shape: circle, diameter: 0.004}}
materials: {steel: {density: 7870, youngs_modulus: 2.0e8, poissons_ratio: 0.3}}
bodies:
  cable:
    type: cable
    line: {from: [0, 0, 5], to: [1, 0, 5], elements: 5}
    section: wire
    material: steel
    points: {q: {at: 0.31}}
  base: {type: rigid, mass: 2, inertia: [0.02, 0.03, 0.04], position: [0, 0, 0]}
joints: {weld: {type: fixed, connect: [ground, base]}}
sensors:
  q: {type: point, of: cable.q, record: [position, velocity]}
  z: {type: relative, between: [base, cable.q], axis: [0, 0, 1]}
  x: {type: relative, between: [ground, cable.q], axis: [1, 0, 0]}
analysis: {end_time: 0.05, step: 1e-2}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table table(folder / "model.out" / "sensors.csv");
  for (const std::size_t row : {std::size_t{0}, table.rows() - 1}) {
    CHECK(table.at("z.distance", row) == Approx(table.at("q.position.z", row)));
    CHECK(table.at("z.rate", row) == Approx(table.at("q.velocity.z", row)).margin(1e-12));
    CHECK(table.at("x.distance", row) == Approx(0.31));
  }
}
