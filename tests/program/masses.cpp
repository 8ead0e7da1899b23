// What `sinew check` says that lines and meshes weigh.
#include "tests/program/refusals.hpp"

using namespace sinew;

TEST_CASE("check says what lines and meshes weigh and where they are, on any number of ranks", "[mpi]") {
  const auto folder = test::fresh_folder("masses");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials:
  steel: {density: 8000, youngs_modulus: 2e11, poissons_ratio: 0.3}
sections:
  wire: {shape: circle, diameter: 0.02}
  bar: {shape: rectangle, width: 0.1, height: 0.05}
bodies:
  block: {type: solid, box: {size: [2, 1, 1], elements: [4, 2, 2]}, material: steel}
  plate: {type: shell, plate: {size: [2, 1], elements: [4, 2]}, thickness: 0.01, material: steel, position: [0, 0, 3]}
  bar: {type: beam, section: bar, material: steel, line: {from: [0, 0, 1], to: [0, 4, 1], elements: 3}}
  "wire{i}": {repeat: {i: 1..3}, type: cable, section: wire, material: steel, line: {from: [0, 0, i], to: [3, 0, i], elements: 4}}
  ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
analysis: {end_time: 1, step: 0.1}
)yaml");
  for (const int ranks : {1, 2, 3}) {
    const test::Outcome outcome = test::run_sinew(folder, "check model.yaml", ranks);
    INFO(ranks << '\n' << outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, "block: mass 16000, centre of mass at (1, 0.5, 0.5), from (0, 0, 0) to (2, 1, 1)\n");
    test::check_contains(outcome.said, "plate: mass 160, centre of mass at (1, 0.5, 3), from (0, 0, 3) to (2, 1, 3)\n");
    test::check_contains(outcome.said, "bar: mass 160, centre of mass at (0, 2, 1), from (0, 0, 1) to (0, 4, 1)\n");
    test::check_contains(outcome.said, "wire{i}: mass 7.53982, centre of mass at (1.5, 0, 1), from (0, 0, 1) to (3, 0, 1)\n");
    CHECK(outcome.said.find("ball: mass") == std::string::npos);
  }
}
