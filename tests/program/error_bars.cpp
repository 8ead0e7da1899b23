// Error bars: what runs say of how far to trust them, against finer runs; at 1, 2 and 3 ranks.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace sinew;
using test::Table;

namespace {

/// An elastic double pendulum whose reactions and accelerations are recorded too.
constexpr const char* pendulum = R"(sinew: 1
gravity: [0, -9.81, 0]
bodies:
  inner: {type: point-mass, mass: 1, position: [0.8, -0.6, 0]}
  outer: {type: point-mass, mass: 0.5, position: [1.6, -1.2, 0]}
  other: {type: point-mass, mass: 1, position: [0, 3, 0], velocity: [0, 0, 0.1]}
joints:
  rod: {type: distance, connect: [ground, inner]}
forces:
  spring: {type: spring-damper, connect: [inner, outer], stiffness: 200, length: 1}
sensors:
  inner: {type: point, of: inner, record: [position, velocity, acceleration]}
  outer: {type: point, of: outer, record: [position, acceleration]}
  rod: {type: joint, of: rod, record: force}
output: {sensors: {every: 0.05}}
analysis: {end_time: 1.5, step: 1e-2}
)";

const std::vector<std::string> columns = {"inner.position.x",     "inner.position.y", "inner.velocity.x",
                                          "inner.acceleration.y", "outer.position.y", "outer.acceleration.x",
                                          "outer.acceleration.y", "rod.force.x",      "rod.force.y"};

Table run(const std::filesystem::path& folder, const std::string& choices, const std::string& output, int ranks = 0) {
  test::write_file(folder / "model.yaml", pendulum);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o " + output + " " + choices, ranks);
  INFO(choices << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return Table(folder / output / "sensors.csv");
}

/// True errors lie below the bars, which are none too large either: not more than `caution` times on average.
void check_bars(const Table& found, const Table& bars, const Table& exact, double tolerance, double caution) {
  REQUIRE(bars.rows() == found.rows());
  REQUIRE(exact.rows() == found.rows());
  long all = 0, below = 0;
  double sum_of_bars = 0, sum_of_errors = 0;
  for (const std::string& column : columns) {
    const double size = largest(exact, column);
    for (std::size_t k = 1; k < found.rows(); ++k) {
      CHECK(bars.at("time", k) == found.at("time", k));
      const double error = std::abs(found.at(column, k) - exact.at(column, k)), bar = bars.at(column, k);
      ++all;
      if (error <= bar) ++below;
      sum_of_bars += bar / size;
      sum_of_errors += error / size;
      if (tolerance > 0) CHECK(error < 1.5 * tolerance * size);  // sizes are those of the vectors
    }
  }
  CHECK(static_cast<double>(below) >= 0.95 * static_cast<double>(all));
  CHECK(sum_of_bars < caution * sum_of_errors);
}

}  // namespace

TEST_CASE("Global tolerances are met by every recorded quantity, and the bars hold", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-global");
  const Table exact = run(folder, "--set analysis.step=2e-4 --set analysis.newton.tolerance=1e-12", "fine");
  for (const double tolerance : {1e-2, 1e-3}) {
    const std::string choice = "--set 'analysis.step={global: " + std::to_string(tolerance) + "}'";
    const Table found = run(folder, choice, "global");
    check_bars(found, Table(folder / "global" / "errors.csv"), exact, tolerance, 5);
  }
  for (const int ranks : {2, 3}) {
    const Table found = run(folder, "--set 'analysis.step={global: 1e-2}'", "global", ranks);
    check_bars(found, Table(folder / "global" / "errors.csv"), exact, 1e-2, 5);
  }
}

TEST_CASE("A run as prescribed has error bars by a second one with every step halved", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-prescribed");
  const Table exact = run(folder, "--set analysis.step=2e-4 --set analysis.newton.tolerance=1e-12", "fine");
  const Table plain = run(folder, "", "plain");
  const Table found = run(folder, "--set analysis.error_bars=true", "bars");
  for (const std::string& column : columns) CHECK(found.at(column, found.rows() - 1) == plain.at(column, plain.rows() - 1));
  check_bars(found, Table(folder / "bars" / "errors.csv"), exact, 0, 8);  // two runs show no order, and count 3 times
  const std::string record = test::file_text(folder / "bars" / "run.json");
  test::check_contains(record, "\"steps_of_all_runs\"");
  CHECK(record.find("observed_order") == std::string::npos);
  run(folder, "", "bars");
  CHECK(!std::filesystem::exists(folder / "bars" / "errors.csv"));  // they belonged to the run before
}

TEST_CASE("The force of a law that switches and sticks meets a global tolerance with what its motion needs", "[serial]") {
  // On a spring, with dry friction: half waves of pi/10 about 1 -+ 0.03, 0.06 less each time, until 0.98 holds against 2 N.
  const auto folder = test::fresh_folder("error-bars-stick");
  test::write_file(folder / "model.yaml", R"model(sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [1.2, 0, 0]}
joints:
  line: {type: point-on-line, connect: [ground, a], axis: [1, 0, 0]}
forces:
  spring: {type: spring-damper, connect: [ground, a], stiffness: 100, length: 1}
  friction: {type: actuator, on: a, direction: [1, 0, 0], force: "-3*sign(sensor.a.velocity.x)"}
sensors:
  a: {type: point, of: a, record: [position, velocity]}
  friction: {type: force, of: friction, record: force}
analysis: {end_time: 1, step: {global: 1e-3}}
)model");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("; 3 runs, ") != std::string::npos);
  CHECK(outcome.said.find("not to be trusted") == std::string::npos);
  const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
  const double half_wave = std::acos(-1.0) / 10;
  long near_changes = 0;
  for (std::size_t k = 0; k < found.rows(); ++k) {
    const double t = found.at("time", k), waves = std::min(t / half_wave, 3.0);
    if (std::abs(waves - std::round(waves)) < 0.003 && t > 0.1 && t < 3.01 * half_wave && ++near_changes > 0) continue;
    const double exact = waves >= 3 ? -2 : std::fmod(waves, 2) < 1 ? 3 : -3;
    INFO("t = " << t);
    CHECK(std::abs(found.at("friction.force", k) - exact) < 1e-3 * 3);
    CHECK(bars.at("friction.force", k) < 1e-3 * 3);
  }
  CHECK(near_changes < 12);
  CHECK(std::abs(found.at("a.position.x", found.rows() - 1) - 0.98) <= bars.at("a.position.x", bars.rows() - 1));
}

TEST_CASE("What a law that slides creeps within its width is in the bars", "[serial]") {
  // A relay with lead: back and forth with 2 m/s^2, then along x + 0.3 v = 0.
  const auto folder = test::fresh_folder("error-bars-slide");
  test::write_file(folder / "model.yaml", R"model(sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [1, 0, 0]}
forces:
  relay: {type: actuator, on: a, direction: [1, 0, 0], force: "sensor.a.position.x + 0.3*sensor.a.velocity.x > 0 ? -2 : 2"}
sensors:
  a: {type: point, of: a, record: [position, velocity, acceleration]}
analysis: {end_time: 4, step: {global: 1e-4}}
)model");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
  const double turn = (std::sqrt(4.36) - 0.6) / 2, back = 2 * turn - 0.6, slide = turn + back;  // x + 0.3 v is 0 at both
  const double last = 2 * (back - turn);
  long all = 0, below = 0;
  for (std::size_t k = 0; k < found.rows(); ++k) {
    const double t = found.at("time", k);
    if (t <= slide) continue;
    const double v = last * std::exp((slide - t) / 0.3);
    for (const auto& [column, exact] : {std::pair{"a.position.x", -0.3 * v}, std::pair{"a.velocity.x", v}}) {
      ++all;
      if (std::abs(found.at(column, k) - exact) <= bars.at(column, k) + 1e-12) ++below;
    }
  }
  REQUIRE(all > 300);
  CHECK(static_cast<double>(below) >= 0.99 * static_cast<double>(all));  // 0.91 where all runs creep alike
}

TEST_CASE("Friction between two masses that both come to rest is within a ten-thousandth after three runs", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-two-rest");
  test::write_file(folder / "model.yaml", R"model(sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [1.2, 0, 0]}
  b: {type: point-mass, mass: 2, position: [2, 0, 0]}
joints:
  la: {type: point-on-line, connect: [ground, a], axis: [1, 0, 0]}
  lb: {type: point-on-line, connect: [ground, b], axis: [1, 0, 0]}
forces:
  s: {type: spring-damper, connect: [ground, a], stiffness: 100, length: 1}
  fa: {type: actuator, on: a, direction: [1, 0, 0], force: "-3*sign(sensor.a.velocity.x)"}
  fab: {type: actuator, connect: [a, b], force: "-1.5*sign(sensor.b.velocity.x - sensor.a.velocity.x)"}
sensors:
  a: {type: point, of: a, record: [position, velocity]}
  b: {type: point, of: b, record: [position, velocity]}
  fab: {type: force, of: fab, record: force}
analysis: {end_time: 3, step: {global: 1e-4}}
)model");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("; 3 runs, ") != std::string::npos);
  const Table found(folder / "out" / "sensors.csv"), bars(folder / "out" / "errors.csv");
  for (std::size_t k = 0; k < found.rows(); ++k) {
    if (found.at("time", k) < 0.7) continue;  // both rest: nothing acts between them
    CHECK(std::abs(found.at("fab.force", k)) < 1.5e-4);
    CHECK(bars.at("fab.force", k) < 1.5e-4);
  }
}

TEST_CASE("What a brake holds a drum with that a rack ties to its load meets a global tolerance", "[serial]") {
  // The load falls freely for 1 s, then brakes by 150 N m/r, which rises in 0.2 s, and is held where it stops.
  const auto folder = test::fresh_folder("error-bars-winch");
  test::write_file(folder / "model.yaml", R"model(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  drum: {type: rigid, mass: 30, inertia: [2, 2, 2], position: [0, 0, 10]}
  load: {type: rigid, mass: 20, inertia: [1, 1, 1], position: [0.3, 0, 5]}
joints:
  shaft: {type: revolute, connect: [ground, drum], axis: [0, -1, 0]}
  guide: {type: prismatic, connect: [ground, load], axis: [0, 0, 1]}
  rope: {type: rack-pinion, connect: [ground, drum, load], axis: [0, -1, 0], direction: [0, 0, 1], radius: 0.3}
forces:
  brake: {type: actuator, of: shaft, torque: "t < 1 ? 0 : -150*min(1, (t - 1)/0.2)*sign(sensor.shaft.rate)"}
sensors:
  shaft: {type: relative, of: shaft}
  load: {type: point, of: load, record: [position.z, acceleration.z]}
  brake: {type: force, of: brake, record: [moment]}
analysis: {end_time: 2.5, step: {global: 1e-4}}
)model");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("; 3 runs, ") != std::string::npos);
  const Table found(folder / "out" / "sensors.csv");
  long held = 0;
  for (std::size_t k = 0; k < found.rows(); ++k) {
    if (found.at("time", k) < 1.8105) continue;  // it stops at 1.81040
    INFO("t = " << found.at("time", k));
    CHECK(std::abs(found.at("brake.moment", k)) == Approx(20 * 9.81 * 0.3).margin(1e-4));
    CHECK(std::abs(found.at("load.acceleration.z", k)) < 1e-4);
    ++held;
  }
  CHECK(held > 5);
}

// The first attempts have some dozen steps, which do not carry the vibrations of the stiff springs: what the last two of them
// show of how errors fall says how much shorter the next steps must be.
TEST_CASE("A global tolerance is met where the first attempts do not resolve what vibrates", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-thrown");
  std::string masses, springs;
  for (int i = 1; i <= 6; ++i)
    masses += "  m" + std::to_string(i) + ": {type: point-mass, mass: 0.1, position: [" + std::to_string(0.2 * i) +
              ", 0, 0], velocity: [1, 0, 0]}\n";
  for (int i = 1; i < 6; ++i)
    springs += "  s" + std::to_string(i) + ": {type: spring-damper, connect: [m" + std::to_string(i) + ", m" +
               std::to_string(i + 1) + "], stiffness: 4000, length: 0.2}\n";
  test::write_file(folder / "model.yaml",
                   "sinew: 1\nbodies:\n" + masses +
                       "forces:\n  soft: {type: spring-damper, connect: [[0, 0, 0], m1], stiffness: 40, length: "
                       "0.2}\n" +
                       springs +
                       "sensors: {p: {type: point, of: m6, record: [position, acceleration]}}\n"
                       "output: {sensors: {every: 0.01}}\n"
                       "analysis: {end_time: 0.5, step: {global: 1e-2}}\n");
  const test::Outcome bars = test::run_sinew(folder, "run model.yaml -o bars");
  INFO(bars.said);
  REQUIRE(bars.code == 0);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o fine --set analysis.step=2e-5").code == 0);
  const Table found(folder / "bars" / "sensors.csv"), exact(folder / "fine" / "sensors.csv");
  REQUIRE(found.rows() == exact.rows());
  for (const std::string column : {"p.position.x", "p.acceleration.x"}) {
    INFO(column);
    const double moved = column == "p.acceleration.x" ? largest(exact, column) : largest(exact, column) - exact.at(column, 0);
    for (std::size_t k = 0; k < found.rows(); ++k) CHECK(std::abs(found.at(column, k) - exact.at(column, k)) <= 1e-2 * moved);
  }
}

TEST_CASE("A stiff transient between recorded rows does not decide whether they meet a global tolerance", "[serial]") {
  // A stiff arm whose torque jumps at the time of a row: what shakes for microseconds behind it is in none.
  const auto folder = test::fresh_folder("error-bars-between-rows");
  test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {alu: {density: 2700, youngs_modulus: 7e10, poissons_ratio: 0.33}}
sections: {s: {shape: rectangle, width: 0.004, height: 0.03}}
bodies:
  hub: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0]}
  arm:
    type: beam
    line: {from: [0, 0, 0], to: [1, 0, 0], elements: 3}
    section: s
    material: alu
    damping: {beta: 2e-3}
    up: [0, 1, 0]
joints:
  j: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  c: {type: fixed, connect: [hub, arm.start]}
forces:
  t: {type: torque, on: hub, vector: [0, 0, "t < 0.05 ? 1.5 : -1.5"]}
sensors:
  tip: {type: point, of: arm.end, record: acceleration}
output: {sensors: {every: 0.01}}
analysis: {end_time: 0.07, step: {global: 1e-2}}
)");
  const auto run = [&](const std::string& choice, const std::string& words) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out " + choice);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.said.find(words) != std::string::npos);
    return Table(folder / "out" / "sensors.csv");
  };
  const Table exact = run("--set analysis.step=2e-5", "done"), found = run("", "; 3 runs, ");
  const Table bars(folder / "out" / "errors.csv");
  REQUIRE(found.rows() == 8);
  REQUIRE(exact.rows() == 8);
  const double size = largest(exact, "tip.acceleration.y");
  for (std::size_t k = 1; k < found.rows(); ++k) {
    const double error = std::abs(found.at("tip.acceleration.y", k) - exact.at("tip.acceleration.y", k));
    CHECK(error <= bars.at("tip.acceleration.y", k));
    CHECK(bars.at("tip.acceleration.y", k) <= 1.5e-2 * size);
  }
}

TEST_CASE("Moments of a plane motion, which are rounding, decide nothing though no force is recorded", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-moments");
  const auto model = [](const std::string& force, const std::string& steps) {
    return "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
           "  a: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0]}}\n"
           "joints:\n  h: {type: revolute, connect: [ground, a.a], axis: [0, 1, 0]}\n" +
           force + "sensors:\n  j: {type: joint, of: h, record: moment}\nanalysis: {end_time: 0.5, " + steps + "}\n";
  };
  const std::string damper = "forces:\n  d: {type: torsional-spring, connect: [ground, a.a], axis: [0, 1, 0], damping: 0.1}\n";
  for (const auto& [force, steps] : {std::pair<std::string, std::string>{"", "step: {global: 1e-3}"},
                                     {damper, "step: {global: 1e-3}"},
                                     {"", "step: 1e-2, error_bars: true"}}) {
    test::write_file(folder / "model.yaml", model(force, steps));
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(steps << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    test::check_contains(outcome.said, "runs with shorter steps differ by no more than rounding");
    test::check_contains(outcome.said, steps.find("global") == std::string::npos ? "; 2 runs" : "; 3 runs");
  }
}

TEST_CASE("What drives need that hold a speed or end at rest meets a global tolerance", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-drives");
  const auto run = [&](const std::string& angle, const std::string& recorded, const std::string& tolerance) {
    test::write_file(folder / "model.yaml",
                     "sinew: 1\nbodies: {a: {type: rigid, mass: 1, inertia: [0.5, 0.5, 0.5], position: [0, 0, 0]}}\njoints:\n"
                     "  h: {type: revolute, connect: [ground, a], axis: [0, 0, 1]}\n  d: {type: motion, of: h, angle: \"" +
                         angle + "\"}\nsensors: {d: {type: joint, of: d, record: " + recorded +
                         "}}\nanalysis: {end_time: 3, step: {global: " + tolerance + "}}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(angle << ", " << recorded << ", " << tolerance << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    return test::Table(folder / "out" / "sensors.csv");
  };
  for (const char* recorded : {"work", "moment.z", "[work, moment.z]"}) run("7*t", recorded, "1e-3");
  for (const auto& [tolerance, part] : {std::pair{"1e-2", 1e-2}, {"1e-3", 1e-3}, {"1e-4", 1e-4}}) {
    const test::Table table = run("step(t, 0, 0, 2, 20)", "[moment.z, work]", tolerance);
    double largest = 0;
    for (std::size_t k = 0; k < table.rows(); ++k) largest = std::max(largest, table.at("d.work", k));
    CHECK(largest == Approx(0.25 * 15 * 15).epsilon(part));  // J w^2/2 at the middle of the profile
    CHECK(std::abs(table.at("d.work", table.rows() - 1)) <= part * largest);
  }
}

TEST_CASE("Bars of what no run has resolved are not to be trusted, which is said", "[serial]") {
  const auto folder = test::fresh_folder("unresolved-bars");
  test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  mass: {type: point-mass, mass: 1, position: [1.01, 0, 0]}
joints: {way: {type: point-on-line, connect: [ground, mass], axis: [1, 0, 0]}}
forces: {spring: {type: spring-damper, connect: [ground, mass], stiffness: 4e5, length: 1}}
sensors: {mass: {type: point, of: mass, record: [position.x]}}
analysis: {end_time: 0.5, step: 0.01, error_bars: true}
)");
  const char* sentence = "may all have missed what is not resolved";
  const test::Outcome unresolved = test::run_sinew(folder, "run model.yaml -o unresolved");
  CHECK(unresolved.code == 0);
  test::check_contains(unresolved.said, sentence);
  const test::Outcome resolved = test::run_sinew(folder, "run model.yaml -o resolved --set analysis.step=2e-4");
  CHECK(resolved.code == 0);
  CHECK(resolved.said.find(sentence) == std::string::npos);
}

TEST_CASE("Error bars that cannot be had are refused with a remedy", "[serial]") {
  const auto folder = test::fresh_folder("error-bars-refused");
  const auto refused = [&](const std::string& choices, const std::string& words) {
    test::write_file(folder / "model.yaml", pendulum);
    for (const char* command : {"run", "check"}) {
      const test::Outcome outcome = test::run_sinew(folder, std::string(command) + " model.yaml " + choices, 0);
      INFO(command << ' ' << choices << '\n' << outcome.said);
      CHECK(outcome.code == 2);
      CHECK(outcome.said.find(words) != std::string::npos);
    }
  };
  refused("--set 'analysis.step={global: 1e-3, tolerance: 1e-3}'", "exclude each other");
  refused("--set 'analysis.step={global: 2}'", "below 1");
  refused("--set analysis.error_bars=true --set analysis.integrator=bdf-si2", "analysis.order");
  refused("--set analysis.error_bars=true --set 'sensors={}'", "add sensors");
}
