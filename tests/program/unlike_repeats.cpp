// Repeats whose instances are not alike, as a user runs them: against closed forms, the same model written by hand, on two ranks,
// and from a checkpoint.
#include "tests/program/run_program.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;
using test::file_text;

namespace {

const char* const head = R"(sinew: 1
constants: {E: 2e9, nu: 0.3}
materials:
  m1: {density: 1000, youngs_modulus: E, poissons_ratio: nu}
  m2: {density: 1000, youngs_modulus: 2*E, poissons_ratio: nu}
  m3: {density: 1000, youngs_modulus: 3*E, poissons_ratio: nu}
sections: {s1: {shape: circle, diameter: 0.02}, s2: {shape: circle, diameter: 0.03}, s3: {shape: circle, diameter: 0.05}}
tables: {load1: [[0, 1e-3], [1, 2e-3]], load2: [[0, 2e-3], [1, 3e-3]], load3: [[0, 4e-3], [1, 5e-3]]}
bodies:
)";

/// Cantilevers of different lengths, elements, sections and materials.
const char* const repeated = R"(
  "b{i}":
    repeat: {i: 1..3}
    type: beam
    line: {from: [0, i, 0], to: [0.5*i, i, 0], elements: 2*i, order: 3}
    section: "s{i}"
    material: "m{4-i}"
joints:
  "wall{i}": {repeat: {i: 1..3}, type: fixed, connect: [ground, "b{i}.start"]}
forces:
  "push{i}": {repeat: {i: 1..3}, type: force, on: "b{i}.end", vector: [0, 0, "load{i}(t)*1"]}
sensors:
  "tip{i}": {repeat: {i: 1..3}, type: point, of: "b{i}.end", record: [displacement, velocity]}
  "held{i}": {repeat: {i: 1..3}, type: joint, of: "wall{i}"}
)";

/// The same, each by itself.
std::string by_hand() {
  const std::string number[] = {"1", "2", "3"};
  std::string bodies, joints = "joints:\n", forces = "forces:\n", tips = "sensors:\n", held;
  for (int k = 0; k < 3; ++k) {
    const std::string& i = number[k];
    bodies += "  b" + i + ": {type: beam, line: {from: [0, " + i + ", 0], to: [0.5*" + i + ", " + i + ", 0], elements: 2*" + i +
              ", order: 3}, section: s" + i + ", material: m" + number[2 - k] + "}\n";
    joints += "  wall" + i + ": {type: fixed, connect: [ground, b" + i + ".start]}\n";
    forces += "  push" + i + ": {type: force, on: b" + i + ".end, vector: [0, 0, load" + i + "(t)]}\n";
    tips += "  tip" + i + ": {type: point, of: b" + i + ".end, record: [displacement, velocity]}\n";
    held += "  held" + i + ": {type: joint, of: wall" + i + "}\n";
  }
  return bodies + joints + forces + tips + held;
}

/// F L^3/(3 E I) + F L/(k G A) of a cantilever of a circular section, k after Cowper (1966).
double deflection(double F, double L, double d, double E) {
  constexpr double nu = 0.3, k = 6 * (1 + nu) / (7 + 6 * nu);
  const double A = M_PI * d * d / 4, I = M_PI * std::pow(d, 4) / 64, G = E / (2 * (1 + nu));
  return F * std::pow(L, 3) / (3 * E * I) + F * L / (k * G * A);
}

void run(const std::filesystem::path& folder, const std::string& arguments, int ranks = 0) {
  const test::Outcome outcome = test::run_sinew(folder, arguments, ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
}

}  // namespace

TEST_CASE("cantilevers of one repeat that differ in elements, section and material bend as each of them does", "[serial]") {
  const auto folder = test::fresh_folder("unlike-cantilevers");
  test::write_file(folder / "model.yaml", head + std::string(repeated) + "analysis: {type: static}\n");
  const double diameter[] = {0.02, 0.03, 0.05}, load[] = {1e-3, 2e-3, 4e-3};
  for (const int ranks : {0, 2}) {
    INFO(ranks << " ranks");
    run(folder, "run model.yaml -o out", ranks);
    const test::Table table(folder / "out/sensors.csv");
    for (int k = 0; k < 3; ++k) {
      const double expected = deflection(load[k], 0.5 * (k + 1), diameter[k], 2e9 * (3 - k));
      const std::string i = std::to_string(k + 1);
      CHECK(table.at("tip" + i + ".displacement.z", table.rows() - 1) == Approx(expected).epsilon(1e-4));
      CHECK(std::abs(table.at("held" + i + ".force.z", table.rows() - 1)) == Approx(load[k]).epsilon(1e-6));
    }
  }
}

TEST_CASE("a repeat that is written out runs to the last bit as the items written by hand do", "[serial]") {
  const auto folder = test::fresh_folder("unlike-by-hand");
  const std::string analysis = "analysis: {end_time: 0.02, step: 1e-3}\noutput: {fields: {every: 10}}\n";
  test::write_file(folder / "repeated.yaml", head + std::string(repeated) + analysis);
  test::write_file(folder / "by-hand.yaml", head + by_hand() + analysis);
  for (const int ranks : {0, 2}) {
    INFO(ranks << " ranks");
    run(folder, "run repeated.yaml -o repeated", ranks);
    run(folder, "run by-hand.yaml -o by-hand", ranks);
    CHECK(file_text(folder / "repeated/sensors.csv") == file_text(folder / "by-hand/sensors.csv"));
    CHECK(test::Table(folder / "repeated/sensors.csv").at("tip3.velocity.z", 20) != 0);
  }
}

TEST_CASE("a run of a repeat that is written out goes on from its checkpoint", "[serial]") {
  const auto folder = test::fresh_folder("unlike-restart");
  const std::string output = "output: {checkpoint: {every: 10}}\n";
  test::write_file(folder / "model.yaml", head + std::string(repeated) + "analysis: {end_time: 0.02, step: 1e-3}\n" + output);
  run(folder, "run model.yaml -o whole");
  run(folder, "run model.yaml -o parts --set analysis.end_time=0.01");
  run(folder, "run model.yaml -o parts --restart parts/checkpoint-00000010.h5");
  const test::Table whole(folder / "whole/sensors.csv"), parts(folder / "parts/sensors.csv");
  REQUIRE(parts.rows() == whole.rows());
  for (const char* column : {"tip1.displacement.z", "tip2.displacement.z", "tip3.velocity.z"}) {
    INFO(column);
    CHECK(parts.at(column, parts.rows() - 1) == Approx(whole.at(column, whole.rows() - 1)).epsilon(1e-9));
  }
}
