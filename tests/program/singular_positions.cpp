// Mechanisms pass positions in which rows of their constraints say the same, be they ends of steps.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

namespace {

/// Two rods that a third one keeps parallel; the first is driven with one turn a second. Flat, the third might as well lean.
constexpr const char* parallelogram = R"yaml(sinew: 1
constants: {a: pi/2, w: 2*pi}
gravity: [0, -9.81, 0]
bodies:
  l: {type: rigid, mass: 1, inertia: [0.001, 0.02, 0.02], position: [0.25*cos(a), 0.25*sin(a), 0],
      orientation: {axis: [0, 0, 1], angle: a}, velocity: [-0.25*w*sin(a), 0.25*w*cos(a), 0], angular_velocity: [0, 0, w],
      points: {a: [-0.25, 0, 0], b: [0.25, 0, 0]}}
  r: {type: rigid, mass: 1, inertia: [0.001, 0.02, 0.02], position: [1 + 0.25*cos(a), 0.25*sin(a), 0],
      orientation: {axis: [0, 0, 1], angle: a}, velocity: [-0.25*w*sin(a), 0.25*w*cos(a), 0], angular_velocity: [0, 0, w],
      points: {a: [-0.25, 0, 0], b: [0.25, 0, 0]}}
  c: {type: rigid, mass: 2, inertia: [0.001, 0.1, 0.1], position: [0.5 + 0.5*cos(a), 0.5*sin(a), 0],
      velocity: [-0.5*w*sin(a), 0.5*w*cos(a), 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  p: {type: revolute, connect: [ground, l.a], axis: [0, 0, 1]}
  q: {type: revolute, connect: [ground, r.a], axis: [0, 0, 1]}
  s: {type: revolute, connect: [l.b, c.a], axis: [0, 0, 1]}
  t: {type: revolute, connect: [r.b, c.b], axis: [0, 0, 1]}
  drive: {type: motion, of: p, angle: "w*t"}
sensors:
  p: {type: relative, of: p, record: [angle]}
  q: {type: relative, of: q, record: [angle]}
analysis: {end_time: 1.6, step: 1e-2}
)yaml";

/// Three cranks and two rods of 1 m and 1 kg (IFToMM's library of benchmarks, N four-bar mechanism), upright, the end of the
/// first at 1 m/s: flat twice a turn.
constexpr const char* four_bars = R"yaml(sinew: 1
gravity: [0, -9.81, 0]
bodies:
  "k{i}": {repeat: {i: 0..2}, type: rigid, mass: 1, inertia: [1e-3, 1/12, 1/12], position: [i, 0.5, 0],
           orientation: {axis: [0, 0, 1], angle: pi/2}, velocity: [0.5, 0, 0], angular_velocity: [0, 0, -1],
           points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  "c{i}": {repeat: {i: 1..2}, type: rigid, mass: 1, inertia: [1e-3, 1/12, 1/12], position: [i - 0.5, 1, 0], velocity: [1, 0, 0],
           points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  "p{i}": {repeat: {i: 0..2}, type: revolute, connect: [ground, "k{i}.a"], axis: [0, 0, 1]}
  "q{i}": {repeat: {i: 1..2}, type: revolute, connect: ["k{i-1}.b", "c{i}.a"], axis: [0, 0, 1]}
  "r{i}": {repeat: {i: 1..2}, type: revolute, connect: ["c{i}.b", "k{i}.b"], axis: [0, 0, 1]}
sensors:
  k: {type: point, of: "k0.b"}
  c: {type: point, of: c1, record: [angular_velocity]}
analysis: {end_time: 1, step: 1e-3}
)yaml";

}  // namespace

TEST_CASE("A parallelogram that is driven passes the places where it is flat, in which its steps end", "[serial]") {
  const auto folder = test::fresh_folder("singular-parallelogram");
  test::write_file(folder / "model.yaml", parallelogram);
  for (const char* settings : {"analysis.step=1e-2", "analysis.step=5e-3", "analysis.step=2.5e-3 --set constants.a=0",
                               "analysis.step=2.5e-3 --set analysis.integrator=gen-alpha-ggl",
                               "analysis.step=1e-3 --set analysis.integrator=gen-alpha"}) {
    const test::Outcome run = test::run_sinew(folder, std::string("run model.yaml -o out --set ") + settings);
    INFO(settings << '\n' << run.said);
    REQUIRE(run.code == 0);
    // let go for a step, the third rod falls behind by h^2
    CHECK(largest(Table(folder / "out" / "sensors.csv"), "q.angle", "p.angle") < 1e-3);
  }
  const std::string verdict = "3 steps have ended in a singular position, seen first at t = 0.25 with 'p', 'q', 's', 't'";
  const test::Outcome run = test::run_sinew(folder, "run model.yaml -o out --set output.checkpoint.every=50");
  test::check_contains(run.said, verdict);
  // a run that goes on behind the first of them knows of it
  std::string last;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "out"))
    if (const std::string name = entry.path().filename().string(); name.rfind("checkpoint-", 0) == 0) last = std::max(last, name);
  const test::Outcome further =
      test::run_sinew(folder, "run model.yaml -o out --set analysis.end_time=1.65 --restart out/" + last);
  INFO(further.said);
  REQUIRE(further.code == 0);
  test::check_contains(further.said, verdict);
}

TEST_CASE("Where a step ends in a singular position the mechanism keeps to its branch", "[serial]") {
  const auto folder = test::fresh_folder("singular-four-bars");
  test::write_file(folder / "model.yaml", four_bars);
  const test::Outcome fine = test::run_sinew(folder, "run model.yaml -o fine");
  REQUIRE(fine.code == 0);
  const Table right(folder / "fine" / "sensors.csv");
  // the 50th and the 200th step of these end within some 1e-8 m of it
  for (const auto& [step, error] : {std::pair{"0.0142883165033882", 6e-3}, std::pair{"0.00357179728330123", 5e-4}}) {
    const test::Outcome run =
        test::run_sinew(folder, std::string("run model.yaml -o out --set analysis.step=") + step + " --set analysis.end_time=1");
    INFO(step << '\n' << run.said);
    REQUIRE(run.code == 0);
    test::check_contains(run.said, "in a singular position, seen first at t = 0.71");
    const Table table(folder / "out" / "sensors.csv");
    CHECK(largest(table, "c.angular_velocity.z") < 0.02);
    CHECK(std::abs(table.at("k.position.x", table.rows() - 1) - right.at("k.position.x", right.rows() - 1)) < error);
    CHECK(std::abs(table.at("k.position.y", table.rows() - 1) - right.at("k.position.y", right.rows() - 1)) < error);
  }
}
