// Ropes over several places, whose bodies lie on several ranks: forces over lists of nodes of any length.
#include "tests/mpi/beside_one_rank.hpp"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("two masses on a rope over fixed pulleys fall as Atwood's do", "[mpi]") {
  // The rope is stretched by T = 2 m1 m2 g / (m1 + m2) from the start on and stays so; the masses move with
  // a = g (m1 - m2) / (m1 + m2). One rope goes over one pulley, the other over three.
  constexpr double g = 10, m1 = 3, m2 = 2, k = 500, T = 2 * m1 * m2 * g / (m1 + m2), a = g * (m1 - m2) / (m1 + m2);
  const std::string text = fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -{0}]
bodies:
  a: {{type: point-mass, mass: {1}, position: [0, 0, -1]}}
  b: {{type: rigid, mass: {2}, inertia: [1, 1, 1], position: [0, 0, -2.25], points: {{hook: [0, 0, 0.25]}}}}
  c: {{type: point-mass, mass: {1}, position: [-1, 0, -1]}}
  d: {{type: point-mass, mass: {2}, position: [1, 0, -2]}}
forces:
  short: {{type: tendon, connect: [a, ground, b.hook], stiffness: {3}, length: {4}}}
  long: {{type: tendon, connect: [c, [-1, 0, 0], [0, 3, 4], [1, 0, 0], d], stiffness: {3}, damping: 7, length: {5}}}
sensors:
  a: {{type: point, of: a, record: [position]}}
  b: {{type: point, of: b.hook, record: [position]}}
  c: {{type: point, of: c, record: [position]}}
  d: {{type: point, of: d, record: [position]}}
  short: {{type: force, of: short, record: [force, length, rate]}}
  long: {{type: force, of: long, record: [force, length, rate, work, dissipated]}}
  e: {{type: energy, record: [total, strain]}}
analysis: {{end_time: 0.5, step: 0.01}}
)yaml",
                                       g, m1, m2, k, 3 - T / k, 3 + 2 * std::sqrt(26) - T / k);
  const auto alone = check_beside_one_rank(text);
  if (!alone) return;
  const Values& end = *alone;
  const double way = a * 0.5 * 0.5 / 2;
  for (const char* falling : {"a", "c"}) CHECK(end.at(std::string(falling) + ".position.z") == Approx(-1 - way).epsilon(1e-9));
  for (const char* rising : {"b", "d"}) CHECK(end.at(std::string(rising) + ".position.z") == Approx(-2 + way).epsilon(1e-9));
  for (const char* rope : {"short", "long"}) {
    CHECK(end.at(std::string(rope) + ".force") == Approx(T).epsilon(1e-9));
    CHECK(end.at(std::string(rope) + ".rate") == Approx(0).margin(1e-9));
  }
  CHECK(end.at("short.length") == Approx(3));
  CHECK(end.at("long.length") == Approx(3 + 2 * std::sqrt(26)));
  CHECK(end.at("e.strain") == Approx(T * T / k));
  CHECK(end.at("long.dissipated") == Approx(0).margin(1e-9));
}

TEST_CASE("a rope through bodies that swing keeps their energy, is slack at times, and is the same on any number of ranks",
          "[mpi]") {
  const auto alone = check_beside_one_rank(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  "link{i}": {repeat: {i: 1..4}, type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [i - 0.5, 0, 0],
              points: {in: [-0.5, 0, 0], out: [0.5, 0, 0], eye: [0.1, 0.05, -0.2]}}
joints:
  root: {type: spherical, connect: [ground, link1.in]}
  "pin{i}": {repeat: {i: 1..3}, type: spherical, connect: ["link{i}.out", "link{i+1}.in"]}
forces:
  rope: {type: tendon, connect: [[0, 0, -0.3], link1.eye, link2.eye, link3.eye, link4.eye], stiffness: 300, length: 3.7}
sensors:
  tip: {type: point, of: link4.out, record: [position, velocity]}
  rope: {type: force, of: rope}
  e: {type: energy, record: total}
analysis: {end_time: 1, step: 5e-4}
)yaml");
  if (!alone) return;
  CHECK(alone->at("e.total") == Approx(0).margin(2e-3));
}

TEST_CASE("Steps under error control end at the jerks of ropes and at stops of whichever rank", "[mpi]") {
  const auto alone = check_beside_one_rank(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  "bob{i}": {repeat: {i: 1..3}, type: point-mass, mass: i, position: [2*i, 0, 0.05*i]}
  "box{i}": {repeat: {i: 1..3}, type: rigid, mass: i, inertia: [0.1, 0.1, 0.1], position: [2*i, 1, 0.02*i]}
joints:
  "guide{i}": {repeat: {i: 1..3}, type: prismatic, connect: [ground, "box{i}"], axis: [0, 0, 1]}
forces:
  "rope{i}": {repeat: {i: 1..3}, type: tendon, connect: [[2*i + 1, 0, 2], [2*i, 0, 2], "bob{i}"], stiffness: 2e3, damping: 20,
              length: 3}
  "floor{i}": {repeat: {i: 1..3}, type: stop, of: "guide{i}", lower: -0.02*i, stiffness: 5e3, damping: 0.2}
sensors:
  "bob{i}": {repeat: {i: 1..3}, type: point, of: "bob{i}", record: [position, velocity]}
  "box{i}": {repeat: {i: 1..3}, type: point, of: "box{i}", record: [position, velocity]}
analysis: {end_time: 0.4, step: {tolerance: 1e-4}}
)yaml");
  if (alone) CHECK(alone->at("bob1.position.z") < 0.05);
}
