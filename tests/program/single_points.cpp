// A point that moves alone has no extent: its errors are measured by how far its motion takes it. At 1, 2 and 3 ranks.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace sinew;
using test::Table;

namespace {

/// A planet on an ellipse (e = 0.8), and masses that start at rest: one with an acceleration, one whose force a lag brings up.
constexpr const char* planet = R"yaml(sinew: 1
constants: {m: 1, X: 0, r: 0.2*m, v: 3*m, gm: m^3}
bodies:
  planet: {type: point-mass, mass: 1, position: [X + r, X, 0], velocity: [0, v, 0]}
sensors:
  p: {type: point, of: planet, record: [position, velocity]}
controls:
  sun: {output: {f: "-gm/((sensor.p.position.x - X)^2 + (sensor.p.position.y - X)^2)^1.5"}}
forces:
  fx: {type: actuator, on: planet, direction: [1, 0, 0], force: "control.sun.f*(sensor.p.position.x - X)"}
  fy: {type: actuator, on: planet, direction: [0, 1, 0], force: "control.sun.f*(sensor.p.position.y - X)"}
analysis: {end_time: 6.283185307179586, step: 1e-3}
)yaml";
constexpr const char* let_go = R"yaml(sinew: 1
constants: {m: 1, X: 0}
bodies:
  mass: {type: point-mass, mass: 1, position: [X + m, X, 0]}
sensors:
  p: {type: point, of: mass, record: [position, velocity]}
forces:
  f: {type: actuator, on: mass, direction: [1, 0, 0], force: "-9*(sensor.p.position.x - X) - m*sensor.p.velocity.x/m"}
analysis: {end_time: 4, step: 1e-3}
)yaml";
constexpr const char* lag = R"yaml(sinew: 1
constants: {m: 1, X: 0}
bodies:
  mass: {type: point-mass, mass: 1, position: [X, X, 0]}
sensors:
  p: {type: point, of: mass, record: [position, velocity]}
controls:
  lag: {state: {f: 0}, derivative: {f: "(60*(1 - (sensor.p.position.x - X)/m) - f)/0.1"}}
forces:
  f: {type: actuator, on: mass, direction: [1, 0, 0], force: "m*control.lag.f - 9*sensor.p.velocity.x"}
analysis: {end_time: 2, step: 1e-3}
)yaml";

struct Run {
  long steps = 0;
  Table table;
};

Run run(const std::string& name, const char* model, const std::string& choices, int ranks = 0) {
  const auto folder = test::fresh_folder("single-points");
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --quiet " + choices, ranks);
  INFO(name << ' ' << choices << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  const Table attempts(folder / "out" / "steps.csv");
  Run result{0, Table(folder / "out" / "sensors.csv")};
  for (std::size_t k = 0; k < attempts.rows(); ++k) result.steps += attempts.at("accepted", k) > 0 ? 1 : 0;
  return result;
}

std::string controlled(double tolerance, const std::string& per) {
  return "--set 'analysis.step={tolerance: " + std::to_string(tolerance) + ", per: " + per + "}'";
}

const std::vector<std::pair<std::string, const char*>> models = {{"planet", planet}, {"let go", let_go}, {"lag", lag}};

}  // namespace

TEST_CASE("A point takes the same steps in millimetres and a thousand sizes away", "[serial]") {
  for (const auto& [name, model] : models)
    for (const std::string per : {"unit-step", "step"}) {
      const std::string choice = controlled(1e-4, per);
      const long here = run(name, model, choice).steps;
      for (const std::string other : {" --set constants.m=1000", " --set constants.X=1000"}) {
        INFO(name << ' ' << choice << other);
        const long there = run(name, model, choice + other).steps;
        CHECK(std::abs(there - here) <= 0.02 * static_cast<double>(here));
      }
    }
}

TEST_CASE("It does not matter how far from the ground a point happens to start that goes far", "[serial]") {
  const std::string jumper = R"yaml(sinew: 1
gravity: [-9.81, 0, 0]
constants: {x0: 1}
bodies: {b: {type: point-mass, mass: 70, position: [-x0, 0, 0]}}
joints: {l: {type: point-on-line, connect: [ground, b], axis: [1, 0, 0]}}
forces: {r: {type: spring-damper, connect: [ground, b], force: "length > 15 ? max(0, 60*(length - 15) + 8*rate) : 0"}}
sensors: {b: {type: point, of: b, record: position.x}}
analysis: {end_time: 6}
)yaml";
  for (const std::string per : {"unit-step", "step"}) {
    INFO(per);
    const auto steps = [&](const char* start) {
      return run("jumper", jumper.c_str(), controlled(1e-3, per) + " --set constants.x0=" + start).steps;
    };
    const long far = steps("1"), near = steps("1e-4");
    CHECK(std::abs(near - far) <= 0.1 * static_cast<double>(far));
  }
  // farther away than it goes it is measured by that
  const std::string weight = R"yaml(sinew: 1
bodies: {b: {type: point-mass, mass: 1, position: [5, 0, 0], velocity: [1, 0, 0]}}
forces: {s: FORCE}
sensors: {b: {type: point, of: b, record: position.x}}
analysis: {end_time: 5}
)yaml";
  const auto steps = [&](const std::string& force) {
    std::string model = weight;
    model.replace(model.find("FORCE"), 5, force);
    return run("weight", model.c_str(), controlled(1e-3, "unit-step")).steps;
  };
  const long by_distance = steps("{type: spring-damper, connect: [ground, b], stiffness: 100, length: 5}"),
             by_motion = steps("{type: actuator, on: b, direction: [1, 0, 0], force: -100*(sensor.b.position.x - 5)}");
  CHECK(by_distance < 0.5 * static_cast<double>(by_motion));  // .2 m of 5
}

// What it covers at first is next to nothing, by which the run beforehand measures its errors.
TEST_CASE("A point that a fast force shakes from rest drifts as far as it should, after a short run beforehand", "[serial]") {
  const std::string shaken = R"yaml(sinew: 1
bodies: {b: {type: point-mass, mass: 1, position: [0, 0, 0]}}
forces: {f: {type: actuator, on: b, direction: [1, 0, 0], force: "100*sin(2*pi*100*t)"}}
sensors: {b: {type: point, of: b, record: position}}
analysis: {end_time: 10, step: {tolerance: 1e-4}}
)yaml";
  const Run found = run("shaken", shaken.c_str(), "");
  const double drift = 100 / (2 * std::acos(-1.0) * 100) * 10;
  CHECK(found.table.at("b.position.x", found.table.rows() - 1) == Approx(drift).epsilon(0.05));
  CHECK(found.steps < 40000);
}

TEST_CASE("A point takes the same steps on every number of ranks", "[serial]") {
  for (const auto& [name, model] : models) {
    const long alone = run(name, model, controlled(1e-2, "unit-step")).steps;
    for (const int ranks : {2, 3}) {
      INFO(name << ", ranks: " << ranks);
      CHECK(run(name, model, controlled(1e-2, "unit-step"), ranks).steps == alone);
    }
  }
}

TEST_CASE("The error of a planet is in proportion to the tolerance", "[serial]") {
  double least = 1e9, most = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const Table t = run("planet", planet, controlled(tolerance, "unit-step")).table;
    const std::size_t last = t.rows() - 1;  // after one period it is back
    const double level = std::hypot(t.at("p.position.x", last) - 0.2, t.at("p.position.y", last)) / tolerance;
    least = std::min(least, level);
    most = std::max(most, level);
  }
  CHECK(most < 2 * least);
}

TEST_CASE("A point at rest on the kink of its stop is pulled away, however slowly the pull begins", "[serial]") {
  const std::string coil = R"yaml(sinew: 1
bodies: {arm: {type: point-mass, mass: 0.05, position: [0, 0, 0]}}
sensors: {arm: {type: point, of: arm, record: [position.x, velocity.x]}}
controls: {c: {state: {i: 0}, derivative: {i: "200*(1 - control.c.i)"}}}
forces:
  coil: {type: actuator, on: arm, direction: [1, 0, 0], force: control.c.i^2}
  stop: {type: actuator, on: arm, direction: [1, 0, 0], force: "LAW"}
analysis: {end_time: 0.2}
)yaml";
  const std::string x = "sensor.arm.position.x", v = "sensor.arm.velocity.x";
  // a = (1 - e^(-200 t))^2/0.05, integrated twice
  const double k = 200, end = 0.2, fall = std::exp(-k * end);
  const double exact =
      (end * end / 2 - 2 * (end / k - (1 - fall) / (k * k)) + (end / (2 * k) - (1 - fall * fall) / (4 * k * k))) / 0.05;
  for (const std::string& law : {"max(0, -2e5*" + x + ")", "max(-2e5*" + x + ", 0)",
                                 x + " < 0 ? max(0, -2e5*" + x + " - 40*" + v + ") : 0", "1e-9*abs(" + v + ")"})
    for (const char* integrator : {"soi2", "bdf-si1"}) {
      INFO(law << ", " << integrator);
      std::string model = coil;
      model.replace(model.find("LAW"), 3, law);
      const Run found = run("coil", model.c_str(), controlled(1e-3, "unit-step") + " --set analysis.integrator=" + integrator);
      CHECK(found.steps < 500);
      CHECK(found.table.at("arm.position.x", found.table.rows() - 1) == Approx(exact).epsilon(1e-3));
    }
}

// What it has covered while the force rises is nothing beside what it will.
TEST_CASE("A point at rest is moved by a force that rises within a millionth of the run, or less", "[serial]") {
  const std::string soft = R"yaml(sinew: 1
constants: {F: 1, rise: 1e-4, T: 60}
bodies: {m: {type: point-mass, mass: 1, position: [0, 0, 0]}}
forces: {f: {type: force, on: m, vector: ["F*(1 - exp(-t/rise))", 0, 0]}}
sensors: {m: {type: point, of: m, record: [position, velocity]}}
analysis: {end_time: T}
)yaml";
  const auto check = [&](const std::string& step, const std::string& more, double F, double rise, double T) {
    const Run found = run("soft start", soft.c_str(), "--set 'analysis.step=" + step + "'" + more);
    INFO(step << more);
    CHECK(found.steps < 500);
    const double exact = F * (T * T / 2 - rise * T + rise * rise);
    CHECK(found.table.at("m.position.x", found.table.rows() - 1) == Approx(exact).epsilon(1e-3));
  };
  check("{global: 1e-3}", "", 1, 1e-4, 60);
  check("{tolerance: 1e-4, per: unit-step}", "", 1, 1e-4, 60);
  check("{tolerance: 1e-3, per: unit-step}", " --set analysis.integrator=bdf-si1", 1, 1e-4, 60);
  check("{tolerance: 1e-3, per: unit-step}", " --set constants.F=1e-9", 1e-9, 1e-4, 60);
  check("{tolerance: 1e-3, per: unit-step}", " --set constants.F=1e6", 1e6, 1e-4, 60);
  check("{tolerance: 1e-3, per: unit-step}", " --set constants.rise=1e-3 --set constants.T=600", 1, 1e-3, 600);
}
