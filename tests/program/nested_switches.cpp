// Switches within the arguments of others, which go over at one instant.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace sinew;

namespace {

/// Runs a model, with prescribed and with controlled steps, and looks at every row.
void for_rows(const std::string& name, const std::string& model, double end,
              const std::function<void(const test::Table&, std::size_t)>& look) {
  for (const char* step : {"2e-3", "{tolerance: 1e-7}"}) {
    const auto folder = test::fresh_folder("nested-" + name);
    test::write_file(folder / "model.yaml", "sinew: 1\n" + model + "analysis: {end_time: " + std::to_string(end) +
                                                ", step: " + step + "}\noutput: {sensors: {every: 0.02}}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(step << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.said.find("chatters") == std::string::npos);
    const test::Table table(folder / "out" / "sensors.csv");
    REQUIRE(table.at("time", table.rows() - 1) == Approx(end));
    for (std::size_t k = 0; k < table.rows(); ++k) look(table, k);
  }
}

const std::string swinging = R"yaml(bodies:
  m: {type: point-mass, mass: 1, position: [1, 0, 0]}
  b: {type: point-mass, mass: 1, position: [0, 5, 0]}
sensors:
  m: {type: point, of: m, record: [position.x]}
  b: {type: point, of: b, record: [position.x]}
  c: {type: control, of: c}
)yaml";

}  // namespace

TEST_CASE("a contact force that jumps within max() stays above 0", "[serial]") {
  const std::string model = R"yaml(bodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}}
sensors: {m: {type: point, of: m, record: [position.x]}, c: {type: control, of: c}}
controls: {c: {output: {d: "sensor.m.position.x - 1", n: "max(0, 1000*control.c.d - (control.c.d > 0 ? 40 : 0))"}}}
forces: {f: {type: actuator, on: m, direction: [1, 0, 0], force: "-control.c.n"}}
)yaml";
  // half a swing from 1.04 on, and back
  const double back = 1.04 + std::acos(-1.0) / std::sqrt(1000.0);
  for_rows("contact", model, 2, [&](const test::Table& table, std::size_t k) {
    const double t = table.at("time", k), x = table.at("m.position.x", k);
    CHECK(table.at("c.n", k) >= 0);
    if (t < 1.04) CHECK(x == Approx(t).margin(1e-4));
    if (t > back) CHECK(x == Approx(1.04 - (t - back)).margin(1e-3));
  });
}

TEST_CASE("a periodic table of an angle is the table in every turn", "[serial]") {
  const std::string model = R"yaml(tables: {cog: [[0, 0], [0.25, 3], [0.5, 1], [0.75, -3], [1, 0]]}
bodies: {w: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], angular_velocity: [0, 0, 5]}}
joints: {r: {type: revolute, connect: [ground, w], axis: [0, 0, 1]}}
sensors: {r: {type: relative, of: r}, c: {type: control, of: c}}
controls: {c: {output: {p: "6*sensor.r.angle/(2*pi)", m: "cog(control.c.p - floor(control.c.p))"}}}
forces: {m: {type: actuator, of: r, torque: control.c.m}}
)yaml";
  const double moments[] = {0, 3, 1, -3, 0};
  for_rows("cogging", model, 4, [&](const test::Table& table, std::size_t k) {
    const double p = table.at("c.p", k), u = 4 * (p - std::floor(p));
    const int row = std::min(static_cast<int>(u), 3);
    CHECK(table.at("c.m", k) == Approx(moments[row] + (moments[row + 1] - moments[row]) * (u - row)).margin(1e-9));
  });
}

TEST_CASE("what is cut off at 0 is neither below 0 nor unlike it", "[serial]") {
  const std::string model = swinging + R"yaml(controls:
  c:
    output:
      x: sensor.m.position.x
      whole: "floor(max(0, 2*control.c.x))"
      not_below: "max(0, control.c.x) >= 0 ? 1 : 0"
      above: "min(0, control.c.x) > 0 ? 1 : 0"
forces:
  k: {type: actuator, on: m, direction: [1, 0, 0], force: "-4*sensor.m.position.x"}
  f: {type: actuator, on: b, direction: [1, 0, 0], force: "control.c.not_below - 1 + control.c.above"}
)yaml";
  for_rows("cut-off", model, 6, [&](const test::Table& table, std::size_t k) {
    CHECK(table.at("c.whole", k) >= 0);
    CHECK(table.at("c.not_below", k) == 1);
    CHECK(table.at("c.above", k) == 0);
    CHECK(table.at("b.position.x", k) == 0);
  });
}

TEST_CASE("a condition on what jumps follows it", "[serial]") {
  const std::string model = swinging + R"yaml(controls:
  c:
    output:
      y: "sensor.m.position.x > 0 ? sensor.m.position.x : 2*sensor.m.position.x + 0.6"
      s: "control.c.y > 0 ? 1 : 0"
forces:
  k: {type: actuator, on: m, direction: [1, 0, 0], force: "-4*sensor.m.position.x"}
  f: {type: actuator, on: b, direction: [1, 0, 0], force: control.c.s}
)yaml";
  for_rows("condition", model, 6,
           [&](const test::Table& table, std::size_t k) { CHECK(table.at("c.s", k) == (table.at("c.y", k) > 0 ? 1 : 0)); });
}

TEST_CASE("a gear is never below the first, from standing still and back", "[serial]") {
  const std::string model = R"yaml(constants: {F: 8}
bodies: {car: {type: point-mass, mass: 2, position: [0, 0, 0]}}
sensors: {car: {type: point, of: car, record: [position.x, velocity.x]}, c: {type: control, of: c}}
controls:
  c: {output: {gear: "1 + floor(min(3, max(0, sensor.car.velocity.x/2)))", f: "F/control.c.gear*(t < 4 ? 1 : -2)"}}
forces: {f: {type: actuator, on: car, direction: [1, 0, 0], force: control.c.f}}
)yaml";
  for_rows("gears", model, 8, [&](const test::Table& table, std::size_t k) {
    CHECK(table.at("c.gear", k) >= 1);
    if (k + 1 == table.rows()) {  // by integrating F / gear by hand
      CHECK(table.at("car.position.x", k) == Approx(10.25).epsilon(1e-4));
      CHECK(table.at("car.velocity.x", k) == Approx(-16).epsilon(1e-6));
    }
  });
}

TEST_CASE("a table within max() may begin at a row where both are 0", "[serial]") {
  const std::string model = R"yaml(tables: {hump: [[-1, -2], [0, 0], [0.5, 1], [1, 0]]}
bodies: {m: {type: point-mass, mass: 1, position: [1, 0, 0], velocity: [-1.3, 0, 0]}}
sensors: {m: {type: point, of: m, record: [position.x, velocity.x]}}
forces:
  f: {type: actuator, on: m, direction: [1, 0, 0], force: "-5*sensor.m.position.x - 0.3*max(0, hump(sensor.m.position.x))"}
)yaml";
  for_rows("hump", model, 4, [](const test::Table& table, std::size_t k) {
    const double x = table.at("m.position.x", k), v = table.at("m.velocity.x", k);
    // the integral of the hump from 0 on
    const double hump = x <= 0 ? 0 : x <= 0.5 ? x * x : x <= 1 ? 0.5 - (1 - x) * (1 - x) : 0.5;
    CHECK(v * v / 2 + 2.5 * x * x + 0.3 * hump == Approx(1.3 * 1.3 / 2 + 2.5 + 0.15).epsilon(1e-4));
  });
}

TEST_CASE("what is around a condition goes with it where a run begins at its place", "[serial]") {
  const std::string model = R"yaml(tables: {steps: [[0, 0], [0.25, 1], [0.5, -1], [1, 0]]}
bodies: {m: {type: point-mass, mass: 1, position: [1, 0, 0], velocity: [-1.3, 0, 0]}}
sensors: {m: {type: point, of: m, record: [position.x]}, c: {type: control, of: c}}
controls:
  c:
    output:
      half: "sensor.m.position.x/2 < 0.5 ? 0.5 : 0"
      row: "steps(control.c.half)"
      is_up: "control.c.row >= 0 ? 1 : 0"
forces: {f: {type: actuator, on: m, direction: [1, 0, 0], force: "-5*sensor.m.position.x - control.c.is_up"}}
)yaml";
  for_rows("begins", model, 2, [](const test::Table& table, std::size_t k) {
    if (table.at("time", k) == 0) return;
    const bool is_below = table.at("m.position.x", k) < 1;
    CHECK(table.at("c.row", k) == (is_below ? -1 : 0));
    CHECK(table.at("c.is_up", k) == (is_below ? 0 : 1));
  });
}
