// Controls that take samples: against sequences that are known exactly, at several rates, on several ranks, after a restart.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace sinew;

namespace {

/// A mass on a line, pushed by a force that stands still between the times at which somebody looks.
struct Slider {
  double t = 0, x = 1, v = 0, force = 0;

  void go_to(double time) {
    const double h = time - t;
    x += h * v + h * h / 2 * force;
    v += h * force;
    t = time;
  }
};

const std::string slider = R"yaml(bodies: {m: {type: point-mass, mass: 1, position: [1, 0, 0]}}
sensors:
  m: {type: point, of: m, record: [position.x, velocity.x]}
)yaml";

/// Prescribed steps that no sample falls on, those of another method, controlled ones.
const std::vector<std::string> analyses{"step: 7e-3", "step: 7e-3, integrator: bdf-si2", "step: {tolerance: 1e-7}",
                                        "step: {tolerance: 1e-7}, integrator: gen-alpha", "step: {global: 1e-6}"};

/// Runs a model until t = 1 and looks at every row, a hundredth of a second apart.
void for_rows(const std::string& name, const std::string& model, const std::string& analysis, int ranks,
              const std::function<void(const test::Table&, std::size_t)>& look) {
  const auto folder = test::fresh_folder("sampled-" + name);
  test::write_file(folder / "model.yaml",
                   "sinew: 1\n" + model + "analysis: {end_time: 1, " + analysis + "}\noutput: {sensors: {every: 0.01}}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(analysis << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("warning") == std::string::npos);
  const test::Table table(folder / "out" / "sensors.csv");
  REQUIRE(table.rows() == 101);
  for (std::size_t k = 0; k < table.rows(); ++k) look(table, k);
}

}  // namespace

TEST_CASE("a law is sampled and held: a mass moves as its recurrence says, whatever steps are taken", "[serial]") {
  const std::string model = slider + R"yaml(  law: {type: control, of: law}
controls:
  law:
    period: 0.06
    offset: 0.021
    state: {i: 0.5}
    next: {i: "i + 0.06*control.law.e"}
    output: {e: "0.2 - sensor.m.position.x", u: "30*control.law.e + 8*i - 7*sensor.m.velocity.x"}
forces: {push: {type: actuator, on: m, direction: [1, 0, 0], force: control.law.u}}
)yaml";
  for (const std::string& analysis : analyses) {
    Slider mass;
    double i = 0.5, e = -0.8, next = 0.021;
    mass.force = 30 * e + 8 * i;  // what a sample at the start would give
    for_rows("law", model, analysis, 0, [&](const test::Table& table, std::size_t k) {
      const double t = table.at("time", k);
      for (; next < t - 1e-9; next += 0.06) {
        mass.go_to(next);
        e = 0.2 - mass.x;
        mass.force = 30 * e + 8 * i - 7 * mass.v;
        i += 0.06 * e;
      }
      mass.go_to(t);
      INFO(t);
      CHECK(table.at("m.position.x", k) == Approx(mass.x).margin(2e-6));
      CHECK(table.at("m.velocity.x", k) == Approx(mass.v).margin(2e-5));
      CHECK(table.at("law.i", k) == Approx(i).margin(1e-6));
      CHECK(table.at("law.e", k) == Approx(e).margin(1e-5));
      CHECK(table.at("law.u", k) == Approx(mass.force).margin(2e-4));
    });
  }
}

TEST_CASE("controls that take samples at one instant follow each other as the file has them; between samples they hold",
          "[mpi]") {
  // the slow one gives the fast one its aim; a delay of two samples of the fast one lies behind it
  const std::string model = R"yaml(bodies:
  m: {type: point-mass, mass: 1, position: [1, 0, 0]}
  far: {type: point-mass, mass: 1, position: [9, 0, 0], velocity: [0, 3, 0]}
sensors:
  m: {type: point, of: m, record: [position.x, velocity.x]}
  far: {type: point, of: far, record: position.y}
  all: {type: control, of: inner}
controls:
  outer: {period: 0.1, output: {aim: "0.5*(1 - floor(t/0.4 + 0.001))"}}
  inner:
    period: 0.02
    state: {late: 0, later: 0}
    next: {late: "20*(control.outer.aim - sensor.m.position.x) - 6*sensor.m.velocity.x", later: late}
    output: {u: later, seen: sensor.far.position.y, aim: control.outer.aim}
forces:
  push: {type: actuator, on: m, direction: [1, 0, 0], force: control.inner.u}
)yaml";
  for (const int ranks : {1, 2, 3}) {
    Slider mass;
    double late = 0, later = 0, seen = 0, aim = 0.5;
    int taken = 0;
    for_rows("cascade", model, "step: {tolerance: 1e-7}", ranks, [&](const test::Table& table, std::size_t k) {
      const double t = table.at("time", k);
      for (; taken * 0.02 < t - 1e-9 || taken == 0; ++taken) {
        const double now = taken * 0.02;
        mass.go_to(now);
        if (taken % 5 == 0) aim = 0.5 * (1 - std::floor(now / 0.4 + 0.001));
        mass.force = later;
        later = late;
        late = 20 * (aim - mass.x) - 6 * mass.v;
        seen = 3 * now;
      }
      mass.go_to(t);
      INFO(ranks << " ranks, t = " << t);
      CHECK(table.at("m.position.x", k) == Approx(mass.x).margin(1e-6));
      CHECK(table.at("all.u", k) == Approx(mass.force).margin(1e-5));
      CHECK(table.at("all.late", k) == Approx(late).margin(1e-5));
      CHECK(table.at("all.later", k) == Approx(later).margin(1e-5));
      CHECK(table.at("all.seen", k) == Approx(seen).margin(1e-6));
      CHECK(table.at("all.aim", k) == Approx(aim).margin(1e-12));
    });
  }
}

TEST_CASE("a pendulum under a sampled law goes on from a checkpoint, on other ranks, as if nothing had been", "[mpi]") {
  const auto folder = test::fresh_folder("sampled-restart");
  test::write_file(folder / "model.yaml", test::pendulum(R"yaml(sensors:
  rod: {type: relative, of: hinge, record: [angle, rate]}
  law: {type: control, of: law}
controls:
  law:
    period: 0.05
    state: {i: 0}
    next: {i: "i + 0.05*(0.3 - sensor.rod.angle)"}
    output: {u: "9*(0.3 - sensor.rod.angle) + 5*i - sensor.rod.rate - 4.905*cos(sensor.rod.angle)"}
forces:
  motor: {type: actuator, of: hinge, torque: control.law.u}
output: {sensors: {every: 0.02}, checkpoint: {every: 0.31}}
)yaml",
                                                         "{end_time: 1, step: 4e-3}"));
  REQUIRE(test::run_sinew(folder, "run model.yaml -o whole", 1).code == 0);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o parts --set analysis.end_time=0.62", 1).code == 0);
  const test::Outcome rest = test::run_sinew(folder, "run model.yaml -o parts --restart $(ls parts/checkpoint-* | tail -1)", 2);
  INFO(rest.said);
  REQUIRE(rest.code == 0);
  const test::Table whole(folder / "whole" / "sensors.csv"), parts(folder / "parts" / "sensors.csv");
  REQUIRE(whole.rows() == parts.rows());
  for (const char* column : {"rod.angle", "rod.rate", "law.i", "law.u"})
    for (std::size_t k = 0; k < whole.rows(); ++k) {
      INFO(column << " " << k);
      CHECK(parts.at(column, k) == Approx(whole.at(column, k)).margin(1e-8));
    }
}

TEST_CASE("instances of a sampled control have their own periods, and a law that stands still costs accuracy nowhere",
          "[serial]") {
  const std::string model = R"yaml(bodies:
  "m{i}": {repeat: {i: 1..3}, type: point-mass, mass: 1, position: [0, i, 0], velocity: [1, 0, 0]}
sensors:
  "m{i}": {repeat: {i: 1..3}, type: point, of: "m{i}", record: position.x}
controls:
  "law{i}": {repeat: {i: 1..3}, period: 0.03*i, offset: 0.01*i, output: {u: "-16*sensor.m{i}.position.x"}}
forces:
  "push{i}": {repeat: {i: 1..3}, type: actuator, on: "m{i}", direction: [1, 0, 0], force: "control.law{i}.u"}
)yaml";
  for (const std::string& analysis : analyses) {
    Slider masses[3];
    for (Slider& mass : masses) mass = {0, 0, 1, 0};
    int taken[3] = {};
    for_rows("instances", model, analysis, 0, [&](const test::Table& table, std::size_t k) {
      const double t = table.at("time", k);
      for (int n = 1; n <= 3; ++n) {
        Slider& mass = masses[n - 1];
        for (int& count = taken[n - 1]; 0.01 * n + 0.03 * n * count < t - 1e-9; ++count) {
          mass.go_to(0.01 * n + 0.03 * n * count);
          mass.force = -16 * mass.x;
        }
        mass.go_to(t);
        INFO(n << ", t = " << t);
        CHECK(table.at(std::string("m") + std::to_string(n) + ".position.x", k) == Approx(mass.x).margin(1e-6));
      }
    });
  }
}

TEST_CASE("a counter counts whole numbers, whatever the integrator", "[serial]") {
  const std::string model = slider + R"yaml(  law: {type: control, of: law}
controls:
  law: {period: 0.05, state: {n: 0}, next: {n: "n + 1"}, output: {force: "n >= 10 ? 4 : -2*sensor.m.position.x"}}
forces: {push: {type: actuator, on: m, direction: [1, 0, 0], force: control.law.force}}
)yaml";
  for (const char* analysis : {"step: 5e-3", "step: 5e-3, integrator: bdf-si1", "step: 5e-3, integrator: bdf-si2",
                               "step: {tolerance: 1e-7}, integrator: bdf-si2", "step: 5e-3, integrator: newmark"}) {
    Slider mass;
    int n = 0;
    for_rows("counter", model, analysis, 0, [&](const test::Table& table, std::size_t k) {
      const double t = table.at("time", k);
      for (; n == 0 || 0.05 * n < t - 1e-9; ++n) {  // a row is of what the step that ends there has found
        mass.go_to(0.05 * n);
        mass.force = n >= 10 ? 4 : -2 * mass.x;
      }
      mass.go_to(t);
      INFO(analysis << ", t = " << t);
      CHECK(table.at("law.n", k) == n);
      CHECK(table.at("m.position.x", k) == Approx(mass.x).margin(1e-6));
    });
  }
}

TEST_CASE("samples that are not finite, and analyses without time, are refused in words", "[serial]") {
  const auto folder = test::fresh_folder("sampled-refused");
  const std::string tail = "controls: {law: {period: 0.1, output: {u: \"log(0.35 - t)\"}}}\n";
  test::write_file(folder / "late.yaml", test::pendulum(tail, "{end_time: 1, step: 0.01}"));
  test::write_file(folder / "rest.yaml", test::pendulum(tail, "{type: static}"));
  test::write_file(folder / "start.yaml", test::pendulum(tail, "{end_time: 1, step: 0.01, initial: static}"));
  const test::Outcome late = test::run_sinew(folder, "run late.yaml -o later");
  CHECK(late.code == 3);
  test::check_contains(late.said, "late.yaml:7:43");
  test::check_contains(late.said, "is not a finite number at the sample at t = 0.4");
  test::check_refused(folder,
                      {"run rest.yaml -o out", {"rest.yaml:7:12", "control 'law' is sampled", "derivative instead of next"}});
  test::check_refused(folder, {"modes late.yaml -o out", {"late.yaml:7:12", "control 'law' is sampled", "analysis 'modes'"}});
  test::check_refused(folder, {"run start.yaml -o out", {"start.yaml:7:12", "a start at rest cannot"}});
}
