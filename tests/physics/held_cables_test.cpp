// Cables whose ends bodies hold in place and direction: against closed forms and the laws of conservation.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// A body that is welded to the ground and holds a cable, which leaves it obliquely and bears a small load at its end.
const char* const bracket = R"(sinew: 1
sections: {rope: {stiffness: [1e5, 1, 1, 1, 50, 50], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}
bodies:
  bracket: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 1, 0], orientation: {axis: [1, 2, 3], angle: 50 deg}}
  rope: {type: cable, line: {from: [0, 0, 0], to: [3, 4, 0], elements: 4}, section: rope}
joints:
  weld: {type: fixed, connect: [ground, bracket]}
  grip: {type: fixed, connect: [bracket, rope.start]}
forces:
  load: {type: force, on: rope.end, vector: [0, 0, 0.01]}
sensors:
  tip: {type: point, of: rope.end, record: displacement}
  grip: {type: joint, of: grip, record: [force, moment]}
  weld: {type: joint, of: weld, record: [force, moment]}
analysis: {type: static, newton: {tolerance: 1e-12}}
)";

/// A hub that turns freely and swings a cable, which starts straight and across the radius.
const char* const swing = R"(sinew: 1
sections: {rope: {stiffness: [50, 1, 1, 1, 0.1, 0.1], inertia: [0.3, 0.3, 0.3, 0, 0, 0]}}
bodies:
  hub: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0], angular_velocity: [0, 0, 3],
        points: {rim: [0.2, 0, 0]}}
  rope: {type: cable, line: {from: [0.2, 0, 0], to: [0.2, 1, 0], elements: 4}, section: rope,
         velocity: [0, 0.6, 0], angular_velocity: [0, 0, 3]}
joints:
  axle: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  grip: {type: KIND, connect: [hub.rim, rope.start]}
sensors:
  tip: {type: point, of: rope.end, record: position}
  near: {type: point, of: "rope.node[1]", record: position}
  grip: {type: joint, of: grip, record: [force, moment]}
  whole: {type: system, of: [hub, rope], record: [angular_momentum]}
  energy: {type: energy, record: [total]}
  drift: {type: constraint}
analysis: {end_time: 0.5, step: 1e-3}
)";

std::string swing_by(const std::string& kind) {
  std::string text = swing;
  return text.replace(text.find("KIND"), 4, kind);
}

}  // namespace

TEST_CASE("the ground fixes a cable and leaves it to stretch, or clamps it with the length of its slope", "[serial]") {
  const std::string text = R"(sinew: 1
sections: {rope: {stiffness: [1e4, 1, 1, 1, 20, 20], inertia: [0.2, 0.2, 0.2, 0, 0, 0]}}
bodies: {rope: {type: cable, line: {from: [1, 1, 0], to: [1, 1, 2], elements: 3}, section: rope}}
joints: {wall: {type: KIND, connect: [ground, rope.start]}}
forces: {load: {type: force, on: rope.end, vector: [0.03, 0, 10]}}
sensors:
  tip: {type: point, of: rope.end, record: displacement}
  wall: {type: joint, of: wall, record: [force, moment]}
analysis: {type: static, newton: {tolerance: 1e-12}}
)";
  for (const bool is_fixed : {true, false}) {
    std::string named = text;
    Stationary model(MPI_COMM_SELF, named.replace(named.find("KIND"), 4, is_fixed ? "fixed" : "clamp"));
    model.find_rest();
    const Values v = model.values();
    const double stretch = 2 * 10 / 1e4;
    CHECK(v.at("tip.displacement.z") == Approx(is_fixed ? stretch : stretch * (1 - 1.0 / 18)).epsilon(2e-3));
    if (!is_fixed) continue;
    CHECK(v.at("wall.force.x") == Approx(0.03));
    CHECK(v.at("wall.force.z") == Approx(10));
    CHECK(v.at("wall.moment.y") == Approx(0.03 * (2 + v.at("tip.displacement.z")) - 10 * v.at("tip.displacement.x")));
  }
}

TEST_CASE("a cable held by a body bends as a cantilever", "[serial]") {
  Stationary model(MPI_COMM_SELF, bracket);
  model.find_rest();
  const Values v = model.values();
  const double L = 5, P = 0.01, EI = 50;
  CHECK(v.at("tip.displacement.z") == Approx(P * L * L * L / (3 * EI)).epsilon(1e-4));
  CHECK(std::hypot(v.at("tip.displacement.x"), v.at("tip.displacement.y")) < 1e-4);
  // On the bracket and on the ground, about (0, 1, 0): force P at the end of the cable, (3, 4, 0).
  CHECK(v.at("grip.force.z") == Approx(P));
  CHECK(v.at("grip.moment.x") == Approx(3 * P).epsilon(1e-5));
  CHECK(v.at("grip.moment.y") == Approx(-3 * P).epsilon(1e-5));
  CHECK(v.at("weld.moment.x") == Approx(3 * P).epsilon(1e-5));
}

TEST_CASE("a hub swings a cable that it holds, and gives it what it loses", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, swing_by("clamp"));
  const Values &start = run.values.front(), &end = run.values.back();
  CHECK(end.at("whole.angular_momentum.z") == Approx(start.at("whole.angular_momentum.z")).epsilon(1e-5));
  CHECK(end.at("energy.total") == Approx(start.at("energy.total")).epsilon(1e-3));
  for (const Values& v : run.values) CHECK(std::abs(v.at("drift.position")) < 1e-10);
}

TEST_CASE("a cable that a driven hub holds moves with order 2, reactions included", "[serial]") {
  std::string text = swing_by("fixed");
  text.replace(text.find("  grip: {"), 0, "  drive: {type: motion, of: axle, angle: \"0.5*sin(3*t)^4\"}\n");
  const auto end_by = [&](double step) {
    return run_model(MPI_COMM_SELF, text,
                     {.overrides = {"analysis.step=" + std::to_string(step), "bodies.hub.angular_velocity=[0,0,0]",
                                    "bodies.rope.velocity=[0,0,0]", "bodies.rope.angular_velocity=[0,0,0]"}})
        .values.back();
  };
  const Values coarse = end_by(4e-3), fine = end_by(2e-3), finest = end_by(1e-3);
  for (const char* column : {"tip.position.x", "tip.position.y", "grip.moment.z", "grip.force.y"}) {
    INFO(column);
    const double ratio = (coarse.at(column) - fine.at(column)) / (fine.at(column) - finest.at(column));
    CHECK(ratio == Approx(4).epsilon(0.15));
  }
}

TEST_CASE("fixed and clamp are the same for the end of a cable", "[serial]") {
  const Trajectory one = run_model(MPI_COMM_SELF, swing_by("clamp")), other = run_model(MPI_COMM_SELF, swing_by("fixed"));
  for (const auto& [column, value] : one.values.back()) CHECK(other.values.back().at(column) == value);
}
