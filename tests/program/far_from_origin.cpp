// Starts and steps do not depend on where the origin lies.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;
using test::Refusal;

TEST_CASE("joints of solids that lie far from the origin close up to the rounding of their coordinates", "[serial]") {
  const auto folder = test::fresh_folder("far-solid");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {far: 1e7}
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  b: {type: solid, box: {size: [1, 0.2, 0.2], elements: [4, 1, 1]}, material: m, position: [far, -2*far - 0.1, 0]}
joints:
  h: {type: revolute, connect: [[far, -2*far, 0.1], b.x-], axis: [0, 1, 0]}
analysis: {end_time: 0.02, step: 1e-2}
)");
  for (const char* initial : {"consistent", "given"})
    for (const char* far : {"1e5", "1e6", "1e7", "3e7"}) {
      const test::Outcome outcome = test::run_sinew(
          folder, std::string("run model.yaml --no-output --set constants.far=") + far + " --set analysis.initial=" + initial);
      INFO(initial << ", " << far << '\n' << outcome.said);
      CHECK(outcome.code == 0);
    }
}

TEST_CASE("a gap that is large beside the model is told wherever the model lies, and so is a drive that jumps", "[serial]") {
  const auto folder = test::fresh_folder("far-gap");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {far: 0}
bodies:
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [far, 0.5, 0], points: {a: [0, -0.5, 0]}}
  c: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [far, 1.5, 0]}
joints:
  j: {type: prismatic, connect: [[far + 0.02, 0, 0], b.a], axis: [1, 0, 0]}
  k: {type: spherical, connect: [[far, 1.53, 0], c]}
  m: {type: motion, of: j, displacement: "t < 0.015 ? 0 : 1e-4"}
analysis: {end_time: 0.02, step: 1e-2}
)");
  for (const char* far : {"0", "1e4", "1e6"}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml --no-output --set constants.far=") + far);
    INFO(far << '\n' << outcome.said);
    test::check_contains(outcome.said, "the positions do not fit the joints: the largest residual is 0.03");
    test::check_contains(outcome.said, "'m' prescribes jumps by 0.0001");
  }
}

// Steps of microseconds, in which rounding of places a thousand sizes away asks threads for accelerations that are large beside
// what is judged of the rest.
TEST_CASE("balls that push each other take the same steps far from the origin", "[serial]") {
  const auto folder = test::fresh_folder("far-cradle");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {X: 0, Y: 0, k: 3e4, l: 0.5}
gravity: [0, -9.81, 0]
bodies:
  a: {type: point-mass, mass: 0.1, position: [X - l*sin(0.6), Y - l*cos(0.6), 0]}
  "b{i}": {repeat: {i: 1..2}, type: point-mass, mass: 0.1, position: [X + 0.04*i, Y - l, 0]}
joints:
  ta: {type: distance, connect: [[X, Y, 0], a], distance: l}
  "t{i}": {repeat: {i: 1..2}, type: distance, connect: [["X + 0.04*i", Y, 0], "b{i}"], distance: l}
forces:
  ca: {type: spring-damper, connect: [a, b1], force: "-max(0, 0.04 - length)*k"}
  cb: {type: spring-damper, connect: [b1, b2], force: "-max(0, 0.04 - length)*k"}
analysis: {end_time: 2, step: {tolerance: 3e-4, per: unit-step}}
)");
  struct Steps {
    double accepted, rejected;
  };
  const auto steps = [&](const std::string& where) {
    const test::Outcome outcome =
        test::run_sinew(folder, "run model.yaml --quiet --set constants.X=" + where + " --set constants.Y=-" + where);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table table(folder / "model.out" / "steps.csv");
    Steps count{0, 0};
    for (std::size_t row = 0; row < table.rows(); ++row) ++(table.at("accepted", row) > 0 ? count.accepted : count.rejected);
    return count;
  };
  const Steps near = steps("0"), away = steps("400");
  INFO(near.accepted << " + " << near.rejected << ", far away " << away.accepted << " + " << away.rejected);
  CHECK(std::abs(away.accepted - near.accepted) < 0.02 * near.accepted);
  CHECK(away.rejected < 2 * near.rejected);
}

TEST_CASE("error-controlled steps do not depend on where the origin lies", "[serial]") {
  const auto folder = test::fresh_folder("far-steps");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {X: 0, Y: 0}
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {s: {shape: circle, diameter: 0.02}}
bodies:
  b: {type: solid, box: {size: [1, 0.2, 0.2], elements: [4, 1, 1]}, material: m, position: [X, Y - 0.1, 0]}
  c: {type: cable, line: {from: [X + 1, Y, 0.1], to: [X + 2, Y, 0.1], elements: 6}, section: s, material: m}
  r: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [X + 2, Y, 0.1]}
joints:
  h: {type: revolute, connect: [[X, Y, 0.1], b.x-], axis: [0, 1, 0]}
  k: {type: spherical, connect: [b.x+, c.start]}
  l: {type: spherical, connect: [c.end, r]}
sensors: {p: {type: point, of: r, record: [displacement]}}
analysis: {end_time: 0.2, step: {tolerance: 1e-4}}
)");
  const auto run = [&](const std::string& x, const std::string& y) {
    const test::Outcome outcome =
        test::run_sinew(folder, "run model.yaml --quiet --set constants.X=" + x + " --set constants.Y=" + y);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    return test::Table(folder / "model.out" / "sensors.csv");
  };
  const test::Table near = run("0", "0");
  for (const char* far : {"1e3", "1e5", "1e6"}) {
    const test::Table away = run(far, std::string("-2*") + far);
    INFO(far);
    CHECK(away.rows() < 1.5 * static_cast<double>(near.rows()));
    CHECK(away.rows() > near.rows() / 2);
    CHECK(away.at("p.displacement.z", away.rows() - 1) == Approx(near.at("p.displacement.z", near.rows() - 1)).epsilon(1e-4));
  }
}
