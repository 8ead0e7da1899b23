// Curves of load over displacement: every row is of a state that the model stays in.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

TEST_CASE("A column that buckles on the way of its load is bent in all rows beyond, and in none before", "[serial]") {
  const auto folder = test::fresh_folder("unstable-rows");
  test::write_file(folder / "model.yaml", R"(sinew: 1
sections: {bar: {stiffness: [1e7, 1e6, 1e6, 100, 200, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies: {column: {type: beam, line: {from: [0, 0, 0], to: [0, 0, 1], elements: 8, order: 2}, section: bar}}
joints: {foot: {type: fixed, connect: [ground, column.start]}}
forces: {weight: {type: force, on: column.end, vector: [0, 0, -500]}}
sensors: {tip: {type: point, of: column.end, record: displacement}}
analysis: {type: static, steps: 10}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table rows(folder / "out" / "sensors.csv");
  REQUIRE(rows.rows() >= 11);  // steps that had to be cut have rows as well
  double last = 0;
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    const double force = 500 * rows.at("time", k);  // Euler: pi^2 100/4 = 246.7
    const double aside = std::hypot(rows.at("tip.displacement.x", k), rows.at("tip.displacement.y", k));
    CAPTURE(force);
    if (force < 246) {
      CHECK(aside < 1e-9);
    } else {
      CHECK(aside > 0.1);
    }
    if (force > 260 && force < 400) CHECK(aside > last);
    last = aside;
  }
  const test::Outcome kept = test::run_sinew(folder, "run model.yaml -o kept --set analysis.unstable=keep");
  REQUIRE(kept.code == 0);
  const test::Table straight(folder / "kept" / "sensors.csv");
  REQUIRE(straight.rows() == 11);
  CHECK(std::abs(straight.at("tip.displacement.x", 10)) < 1e-9);
}
