// Nets, whose factors fill: the solver that serves chains would not come back from large ones.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

using namespace sinew;

TEST_CASE("a net of cables is solved by substructures, starts, falls and keeps its constraints", "[serial]") {
  const auto folder = test::fresh_folder("net");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {n: 12, k: 2}
gravity: [0, 0, -9.81]
materials: {rope: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0}}
sections: {rope: {shape: circle, diameter: 0.03}}
bodies:
  "x{j}": {repeat: {j: 0..n}, type: cable, line: {from: [0, j, 0], to: [n, j, 0], elements: n*k}, section: rope, material: rope}
  "y{i}": {repeat: {i: 0..n}, type: cable, line: {from: [i, 0, 0], to: [i, n, 0], elements: n*k}, section: rope, material: rope}
joints:
  "a{j}": {repeat: {j: 0..n}, type: spherical, connect: [ground, "x{j}.start"]}
  "b{j}": {repeat: {j: 0..n}, type: spherical, connect: [ground, "x{j}.end"]}
  "c{1000*i+j}": {repeat: {i: 0..n, j: 0..n}, type: spherical, connect: ["x{j}.node[{k*i}]", "y{i}.node[{k*j}]"]}
sensors:
  gap: {type: constraint}
  e: {type: energy}
analysis: {end_time: 0.1, step: 0.01}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -sinew_ksp_view");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(outcome.said, "LU by substructures, ");
  const test::Table table(folder / "model.out" / "sensors.csv");
  const std::size_t last = table.rows() - 1;
  CHECK(table.at("time", last) == Approx(0.1));
  CHECK(table.at("gap.position", last) < 1e-11);
  CHECK(table.at("gap.velocity", last) < 1e-11);
  CHECK(table.at("e.total", last) == Approx(table.at("e.total", 0)).margin(1));
}
