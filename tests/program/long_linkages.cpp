// Linkages of hundreds of links, of which constraints are ill-conditioned: accelerations, and what is said of redundant rows.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>
#include <string>

using namespace sinew;
using test::Table;

namespace {

/// Lazy tongs of so many scissors that a drive at the foot closes: the tip is at n cos(40 deg - 0.2 t^2). Revolutes throughout
/// hold each scissor more often than it needs; points on lines do not.
std::string lazy_tongs(int n, bool is_redundant) {
  const std::string pair = is_redundant ? "revolute" : "point-on-line";
  const std::string slide = is_redundant ? "{type: point-on-line, connect: [ground, q0.a], axis: [0, 0, 1]}"
                                         : "{type: point-on-plane, connect: [ground, q0.a], normal: [1, 0, 0]}";
  return "sinew: 1\nconstants: {N: " + std::to_string(n) + R"yaml(, a: 40 deg}
bodies:
  "p{i}": {repeat: {i: 0..N-1}, type: rigid, mass: 1, inertia: [0.001, 0.0833, 0.0833], position: [(i + 0.5)*cos(a), 0, 0],
           orientation: {axis: [0, 1, 0], angle: -a}, points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  "q{i}": {repeat: {i: 0..N-1}, type: rigid, mass: 1, inertia: [0.001, 0.0833, 0.0833], position: [(i + 0.5)*cos(a), 0, 0],
           orientation: {axis: [0, 1, 0], angle: a}, points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  "c{i}": {repeat: {i: 0..N-1}, type: revolute, connect: ["p{i}", "q{i}"], axis: [0, 1, 0]}
  "u{i}": {repeat: {i: 1..N-1}, type: revolute, connect: ["p{i-1}.b", "q{i}.a"], axis: [0, 1, 0]}
  "d{i}": {repeat: {i: 1..N-1}, type: )yaml" +
         pair + R"yaml(, connect: ["q{i-1}.b", "p{i}.a"], axis: [0, 1, 0]}
  foot: {type: revolute, connect: [ground, p0.a], axis: [0, 1, 0]}
  slide: )yaml" +
         slide + R"yaml(
  drive: {type: motion, connect: [ground, p0], axis: [0, 1, 0], angle: "0.2*t^2"}
sensors: {tip: {type: point, of: )yaml" +
         std::string("p") + std::to_string(n - 1) + R"yaml(.b, record: [position, velocity, acceleration]}}
analysis: {end_time: 0.02, step: 0.02}
)yaml";
}

}  // namespace

TEST_CASE("The accelerations of long linkages are right from the start", "[serial]") {
  const auto folder = test::fresh_folder("linkages-tongs");
  const double angle = 40 * std::numbers::pi / 180;
  for (const auto& [count, is_redundant] : {std::pair{300, true}, {500, true}, {1000, false}}) {
    test::write_file(folder / "model.yaml", lazy_tongs(count, is_redundant));
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(count << ' ' << is_redundant << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.said.find("do not fit") == std::string::npos);
    const Table found(folder / "out" / "sensors.csv");
    const double right = count * std::sin(angle) * 0.4, t = found.at("time", found.rows() - 1);
    CHECK(std::abs(found.at("tip.acceleration.x", 0) - right) < 1e-9 * right);
    CHECK(std::abs(found.at("tip.position.x", found.rows() - 1) - count * std::cos(angle - 0.2 * t * t)) < 1e-9 * count);
  }
}

TEST_CASE("A long ring that closes exactly is not said to miss itself", "[serial]") {
  const auto folder = test::fresh_folder("linkages-ring");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {N: 3000, R: "N/2/pi", w: 0.01}
bodies:
  "l{i}": {repeat: {i: 0..N-1}, type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1],
           position: [R*cos(2*pi*(i + 0.5)/N), R*sin(2*pi*(i + 0.5)/N), 0],
           orientation: {axis: [0, 0, 1], angle: 2*pi*(i + 0.5)/N + pi/2}, angular_velocity: [0, 0, w],
           velocity: [-w*R*sin(2*pi*(i + 0.5)/N), w*R*cos(2*pi*(i + 0.5)/N), 0],
           points: {a: [-R*tan(pi/N), 0, 0], b: [R*tan(pi/N), 0, 0]}}
joints:
  "h{i}": {repeat: {i: 1..N-1}, type: revolute, connect: ["l{i-1}.b", "l{i}.a"], axis: [0, 0, 1]}
  close: {type: revolute, connect: [l2999.b, l0.a], axis: [0, 0, 1]}
analysis: {end_time: 0.1, step: 0.01}
)yaml");
  const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  CHECK(outcome.said.find("miss") == std::string::npos);
}
