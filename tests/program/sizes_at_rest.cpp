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

TEST_CASE("Modes do not depend on the units of states", "[serial]") {
  // a cantilever whose tip a servo holds: by SLEPc
  const auto servo = [](const std::string& unit) {
    return "sinew: 1\nconstants: {unit: " + unit + R"yaml(}
materials: {steel: {density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.3}}
sections: {bar: {shape: rectangle, width: 0.03, height: 0.02}}
bodies:
  bar: {type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 30}, section: bar, material: steel, damping: {beta: 1e-5}}
joints: {root: {type: fixed, connect: [ground, bar.start]}}
sensors: {tip: {type: point, of: bar.end, record: displacement.z}}
controls: {servo: {state: {p: 0}, size: {p: unit}, derivative: {p: "-unit*sensor.tip - 10*p"}}}
forces: {push: {type: actuator, on: bar.end, direction: [0, 0, 1], force: "1e4*control.servo.p/unit"}}
analysis: {type: modes, count: 5}
)yaml";
  };
  const auto of_piston = [](const std::string& unit) {
    return Piston{unit, "3e5*unit*sensor.piston - 10*p"}.with("{type: modes, count: 4}");
  };
  for (const bool is_beam : {false, true}) {
    const auto modes = [&](const std::string& unit) { return found(is_beam ? servo(unit) : of_piston(unit), "modes.csv"); };
    const Table one = modes("1");
    REQUIRE(one.rows() == (is_beam ? 5 : 4));
    for (const std::string unit : {"1e7", "1e10", "1e12", "1e-9"}) {
      const Table other = modes(unit);
      INFO(unit << (is_beam ? ", beam" : ", piston"));
      REQUIRE(other.rows() == one.rows());
      for (std::size_t k = 0; k < one.rows(); ++k) {
        const double size = one.at("omega", k);
        CHECK(std::abs(other.at("real", k) - one.at("real", k)) < 1e-6 * size);
        CHECK(std::abs(other.at("imaginary", k) - one.at("imaginary", k)) < 1e-6 * size);
      }
    }
  }
}

TEST_CASE("States have modes where nothing else moves", "[serial]") {
  // x' = -0.2 x - 3000 y, y' = 3000 x - 0.2 y beside a body that is held
  const Table modes = found(R"yaml(sinew: 1
bodies: {held: {type: point-mass, mass: 2, position: [1, 0, 0]}}
joints: {hold: {type: spherical, connect: [[1, 0, 0], held]}}
controls: {c: {state: {x: 0, y: 0}, derivative: {x: "-0.2*x - 3000*y", y: "3000*x - 0.2*y"}}}
analysis: {type: modes, count: 3}
)yaml",
                            "modes.csv");
  REQUIRE(modes.rows() == 1);
  CHECK(std::abs(modes.at("real", 0) + 0.2) < 1e-6);
  CHECK(std::abs(modes.at("imaginary", 0) - 3000) < 1e-6);
}
