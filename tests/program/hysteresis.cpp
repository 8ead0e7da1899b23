// Laws of hysteresis: first-order states with powers of themselves.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <string>

using namespace sinew;
using test::Table;

namespace {

/// A mass on a spring and on a state z by the law of Bouc and Wen with n = 1.5, whose power of z is written as `power`.
Table run(const std::string& power, const std::string& step) {
  const auto folder = test::fresh_folder("hysteresis");
  std::string text = R"yaml(sinew: 1
bodies: {b: {type: point-mass, mass: 1, position: [0, 0, 0]}}
sensors: {b: {type: point, of: b, record: [position.x, velocity.x]}}
controls:
  bw:
    state: {z: 0}
    size: {z: 0.1}
    derivative: {z: "sensor.b.velocity.x - 400*abs(sensor.b.velocity.x)*POWER - 200*sensor.b.velocity.x*abs(z)^1.5"}
forces:
  f: {type: actuator, on: b, direction: [1, 0, 0], force: "8*sin(3*t) - 10*sensor.b.position.x - 40*control.bw.z"}
analysis: {end_time: 1, step: STEP}
)yaml";
  text.replace(text.find("POWER"), 5, power);
  text.replace(text.find("STEP"), 4, step);
  test::write_file(folder / "model.yaml", text);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return Table(folder / "out" / "sensors.csv");
}

}  // namespace

TEST_CASE("A power that is steep at zero is no hindrance beside a factor that vanishes there", "[serial]") {
  for (const char* step : {"1e-3", "{tolerance: 1e-4, per: unit-step}"}) {
    INFO(step);
    const Table found = run("abs(z)^0.5*z", step), other = run("sign(z)*abs(z)^1.5", step);
    const std::size_t last = found.rows() - 1, last_of_other = other.rows() - 1;
    CHECK(found.at("time", last) == Approx(1));
    for (const char* column : {"b.position.x", "b.velocity.x"})
      CHECK(found.at(column, last) == Approx(other.at(column, last_of_other)).margin(step[0] == '{' ? 1e-3 : 1e-9));
  }
}
