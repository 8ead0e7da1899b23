// Slow modes of wires and tapes beside stiff members.
#include "tests/program/cantilever.hpp"

#include <cmath>
#include <iomanip>
#include <string>
#include <vector>

using namespace sinew;
using test::cantilever, test::lines, test::rows_of;

// A torsional pendulum of sqrt(G J / (L I)), and nearly a point on a thread of sqrt(g / l).
TEST_CASE("a heavy body on a thin wire turns and swings slowly, and where the wire may turn it does so freely", "[serial]") {
  const double youngs = 2.1e11, length = 10, pi = std::acos(-1.0);
  for (const auto& [diameter, load] : {std::pair{1e-3, 100}, std::pair{2e-4, 4}}) {
    for (const std::string top : {"fixed", "spherical"}) {
      const auto folder = test::fresh_folder("thin-wire-" + top);
      test::write_file(folder / "model.yaml",
                       "sinew: 1\ngravity: [0, 0, -9.81]\n"
                       "materials: {steel: {density: 7800, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}\n"
                       "sections: {wire: {shape: circle, diameter: " +
                           std::to_string(diameter) +
                           "}}\nbodies:\n"
                           "  wire: {type: beam, line: {from: [0, 0, 0], to: [0, 0, -10], elements: 10}, section: wire, "
                           "material: steel, up: [1, 0, 0]}\n"
                           "  load: {type: rigid, mass: " +
                           std::to_string(load) +
                           ", inertia: [1, 1, 1], position: [0, 0, -10.1], points: {top: [0, 0, 0.1]}}\n"
                           "joints:\n  top: {type: " +
                           top +
                           ", connect: [ground, wire.start]}\n  end: {type: fixed, connect: [wire.end, load.top]}\n"
                           "analysis: {type: modes, about: static, count: 3}\n");
      const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
      INFO(top << ", diameter " << diameter << "\n" << outcome.said);
      REQUIRE(outcome.code == 0);
      const auto rows = rows_of(folder / "out" / "modes.csv");
      REQUIRE(rows.size() == 3);
      const double turning = youngs / 2.6 * pi * std::pow(diameter, 4) / 32 / length;
      if (top == "fixed")
        CHECK(rows[0][2] == Approx(std::sqrt(turning)).epsilon(1e-6));
      else
        CHECK(rows[0][2] == 0);
      // the load's own turning on the wire, and the wire's weight and stretch, are small
      for (const std::size_t i : {1U, 2U}) CHECK(rows[i][2] == Approx(std::sqrt(9.81 / 10.1)).epsilon(0.01));
    }
  }
}

// Bending of a cantilever, far below what shear and stretch of so thin a section bring: omega^2 is 1e-25 of the largest.
TEST_CASE("a clamped tape swings slowly, however thin it is", "[serial]") {
  const auto folder = test::fresh_folder("tape");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {thin: 1e-3}
materials: {steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0}}
sections: {tape: {shape: rectangle, width: 0.02, height: thin}}
bodies: {tape: {type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 20}, section: tape, material: steel}}
joints: {root: {type: fixed, connect: [ground, tape.start]}}
analysis: {type: modes, count: 3}
)yaml");
  for (const std::string t : {"1e-3", "1e-4", "1e-5"}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --set constants.thin=" + t);
    INFO(t << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    const double omega = 3.5160153 / 4 * std::sqrt(2.1e11 / 7850 / 12) * std::stod(t);
    CHECK(rows_of(folder / "out" / "modes.csv")[0][2] == Approx(omega).epsilon(0.01));
  }
}

// By Kelvin and Voigt's law, beta times the stiffness, the torsional pendulum has the damping ratio beta omega / 2.
TEST_CASE("a heavy body on a thin wire that damps turns slowly, with the wire's damping", "[serial]") {
  const double diameter = 2e-4, youngs = 2.1e11, pi = std::acos(-1.0);
  const double omega = std::sqrt(youngs / 2.6 * pi * std::pow(diameter, 4) / 32 / 10);
  for (const int elements : {3, 10}) {  // all eigenvalues are found, or the slowest by Krylov spaces
    for (const std::string top : {"fixed", "spherical"}) {
      for (const double beta : {1e-4, 1.0}) {
        const auto folder = test::fresh_folder("damped-wire-" + top);
        test::write_file(folder / "model.yaml",
                         "sinew: 1\ngravity: [0, 0, -9.81]\n"
                         "materials: {steel: {density: 7800, youngs_modulus: 2.1e11, poissons_ratio: 0.3, damping: {beta: " +
                             std::to_string(beta) +
                             "}}}\n"
                             "sections: {wire: {shape: circle, diameter: 2e-4}}\nbodies:\n"
                             "  wire: {type: beam, line: {from: [0, 0, 0], to: [0, 0, -10], elements: " +
                             std::to_string(elements) +
                             "}, section: wire, material: steel, up: [1, 0, 0]}\n"
                             "  load: {type: rigid, mass: 4, inertia: [1, 1, 1], position: [0, 0, -10.1], "
                             "points: {top: [0, 0, 0.1]}}\n"
                             "joints:\n  top: {type: " +
                             top +
                             ", connect: [ground, wire.start]}\n  end: {type: fixed, connect: [wire.end, load.top]}\n"
                             "analysis: {type: modes, about: static, count: 3}\n");
        const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
        INFO(top << ", " << elements << " elements, beta " << beta << "\n" << outcome.said);
        REQUIRE(outcome.code == 0);
        const auto rows = rows_of(folder / "out" / "modes.csv");
        REQUIRE(rows.size() == 3);
        CHECK(rows[0][2] == Approx(top == "fixed" ? omega : 0.0).epsilon(1e-6));
        CHECK(rows[0][5] == Approx(top == "fixed" ? beta * omega / 2 : 0.0).epsilon(1e-4));
        CHECK(rows[1][2] == Approx(std::sqrt(9.81 / 10.1)).epsilon(0.01));
      }
    }
  }
}

// Of a model of few unknowns all modes come from one dense matrix, whose rounding is 1e-16 of the fastest: more than the bending
// of a foil. Of a thin plate omega is in proportion to the thickness.
TEST_CASE("a foil of few elements vibrates as a plate of as many, however thin it is", "[serial]") {
  const auto folder = test::fresh_folder("few-elements");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {thin: 1e-3}
materials: {steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
bodies: {foil: {type: shell, plate: {size: [1, 0.1], elements: [10, 2]}, thickness: thin, material: steel}}
joints: {root: {type: clamp, connect: [ground, foil.x-]}}
analysis: {type: modes, count: 3}
)yaml");
  std::vector<double> plate;
  for (const std::string thickness : {"1e-3", "1e-4", "2e-5"}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --set constants.thin=" + thickness);
    INFO(thickness << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    const auto rows = rows_of(folder / "out" / "modes.csv");
    REQUIRE(rows.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
      const double scaled = rows[k][2] / std::stod(thickness);
      if (plate.size() < 3) plate.push_back(scaled);
      CHECK(scaled == Approx(plate[k]).epsilon(1e-3));
    }
  }
}
