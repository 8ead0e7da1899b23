// Where no time passes first-order states are measured by their sizes too, so their units do not matter.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

namespace {

/// A piston on a spring that a pressure pushes back: by one newton for so many of its `unit`, or a share of that.
struct Piston {
  std::string unit, derivative, start = "0", share = "1";
  std::string with(const std::string& analysis) const {
    return "sinew: 1\nconstants: {unit: " + unit + R"yaml(}
bodies: {piston: {type: point-mass, mass: 50, position: [1, 0, 0]}}
forces:
  spring: {type: bushing, connect: [[1, 0, 0], piston], stiffness: [1e5, 1e6, 2e6, 0, 0, 0]}
  load: {type: force, on: piston, vector: [3000, 0, 0]}
  back: {type: actuator, on: piston, direction: [1, 0, 0], force: "-control.oil.p/unit*)yaml" +
           share + "\"}\ncontrols: {oil: {state: {p: \"" + start + "\"}, size: {p: 1000*unit}, derivative: {p: \"" + derivative +
           "\"}}}\n" + R"yaml(sensors:
  piston: {type: point, of: piston, record: displacement.x}
  oil: {type: control, of: oil}
analysis: )yaml" +
           analysis + "\n";
  }
};

Table found(const std::string& text, const std::string& file = "sensors.csv", int ranks = 0) {
  const auto folder = test::fresh_folder("sizes-at-rest");
  test::write_file(folder / "model.yaml", text);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(text << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return Table(folder / "out" / file);
}

}  // namespace

TEST_CASE("A state that is small beside 1 comes to rest to the digits of its size", "[serial]") {
  // It rests where p is 1000 units, from which it is far at first; what it moves tells little of that.
  for (const std::string unit : {"1", "1e-15", "1e-12", "1e12"})
    for (const int ranks : {0, 2}) {
      INFO(unit);
      const Piston far{unit, "unit*(1e6 - (p/unit)^2)", "1e5*unit", "1e-6"};
      const Table rest = found(far.with("{type: static}"), "sensors.csv", ranks);
      CHECK(std::abs(rest.at("oil.p", 1) / std::stod(unit) - 1000) < 1e-3);
      CHECK(std::abs(rest.at("piston.displacement.x", 1) - 0.03) < 1e-6);
    }
}

TEST_CASE("Increments that are asked for are made however large the states are", "[serial]") {
  // the pressure acts as a spring of 2e5 N/m beside that of 1e5
  for (const std::string unit : {"1", "1e3", "1e9", "1e-9"}) {
    const Table rows = found(Piston{unit, "3*(2e5*unit*sensor.piston - p)"}.with("{type: static, steps: 5}"));
    INFO(unit);
    REQUIRE(rows.rows() == 6);
    for (std::size_t row = 0; row < 6; ++row) {
      const double part = static_cast<double>(row) / 5;
      CHECK(std::abs(rows.at("piston.displacement.x", row) - 0.01 * part) < 1e-8);
      CHECK(std::abs(rows.at("oil.p", row) / std::stod(unit) - 2000 * part) < 1e-3);
    }
  }
}
