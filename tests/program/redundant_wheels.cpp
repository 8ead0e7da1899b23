// Two wheels on one axle: each keeps it from sliding along itself, and so do the hinges that hold them together.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

TEST_CASE("a cart on two wheels of one axle goes round in a circle, whatever the steps", "[serial]") {
  const auto folder = test::fresh_folder("redundant-wheels");
  // Nothing drives it: at 1 m/s and 1 rad/s its middle stays on the circle of 1 m about (0, 1).
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  cart: {type: rigid, mass: 5, inertia: [0.2, 0.2, 0.3], position: [0, 0, 0.3], velocity: [1, 0, 0], angular_velocity: [0, 0, 1],
         points: {left: [0, 0.5, 0], right: [0, -0.5, 0], front: [0.3, 0, 0]}}
  left: {type: rigid, mass: 1, inertia: [0.02, 0.04, 0.02], position: [0, 0.5, 0.3], velocity: [0.5, 0, 0],
         angular_velocity: [0, 0.5/0.3, 1]}
  right: {type: rigid, mass: 1, inertia: [0.02, 0.04, 0.02], position: [0, -0.5, 0.3], velocity: [1.5, 0, 0],
          angular_velocity: [0, 1.5/0.3, 1]}
joints:
  hinge-left: {type: revolute, connect: [cart.left, left], axis: [0, 1, 0]}
  hinge-right: {type: revolute, connect: [cart.right, right], axis: [0, 1, 0]}
  wheel-left: {type: rolling-disc, connect: [ground, left], radius: 0.3, normal: [0, 0, 1], axis_local: [0, 1, 0]}
  wheel-right: {type: rolling-disc, connect: [ground, right], radius: 0.3, normal: [0, 0, 1], axis_local: [0, 1, 0]}
  castor: {type: point-on-plane, connect: [ground, cart.front], normal: [0, 0, 1]}
sensors:
  cart: {type: point, of: cart, record: [position, velocity]}
analysis: {end_time: 2}
)yaml");
  for (const char* integrator : {"soi2", "gen-alpha", "gen-alpha-ggl", "bdf-si2"})
    for (const double h : {0.02, 0.01}) {
      const test::Outcome outcome =
          test::run_sinew(folder, "run model.yaml -o out --set analysis.integrator=" + std::string(integrator) +
                                      " analysis.step=" + std::to_string(h));
      INFO(integrator << ", h = " << h << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      test::check_contains(outcome.said, "0 attempts rejected");
      const Table t(folder / "out" / "sensors.csv");
      const auto last = [&](const char* column) { return t.at(column, t.rows() - 1); };
      CHECK(std::abs(last("cart.position.x") - std::sin(2.0)) < 0.3 * h * h);
      CHECK(std::abs(last("cart.position.y") - (1 - std::cos(2.0))) < 0.3 * h * h);
      CHECK(std::abs(last("cart.velocity.x") - std::cos(2.0)) < 0.4 * h * h);
    }
}
