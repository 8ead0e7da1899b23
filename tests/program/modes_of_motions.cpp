// What is said of the motion that modes are about.
#include "tests/program/cantilever.hpp"

#include <cmath>
#include <iomanip>
#include <string>

using namespace sinew;
using test::cantilever, test::lines, test::rows_of;

TEST_CASE("a motion is said to be steady where it is, and not where its coefficients change", "[serial]") {
  const auto folder = test::fresh_folder("steady-or-not");
  const auto said = [&](const std::string& frame) {  // a conical pendulum that is a little slow
    test::write_file(folder / "model.yaml",
                     "sinew: 1\ngravity: [0, 0, -9.81]\n"
                     "bodies:\n  p: {type: point-mass, mass: 1, position: [1, 0, -1], velocity: [0.1, 3, 0]}\n"
                     "joints:\n  rod: {type: distance, connect: [ground, p]}\n"
                     "analysis: {type: modes, about: motion, count: 2" +
                         frame + "}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    CHECK(outcome.code == 0);
    return outcome.said;
  };
  const std::string unsteady = said("");
  test::check_contains(unsteady, "no steady motion found in");
  test::check_contains(unsteady, "the motion is not steady in a frame");
  test::check_contains(unsteady, " % as it goes on");
  test::check_contains(unsteady, "velocities and joints do not say how the frame turns about (");
  CHECK(unsteady.find("; steady motion found") == std::string::npos);
  const std::string steady = said(", frame: [0, 0, 3]");
  INFO(steady);
  CHECK((steady.find("; steady motion found") == std::string::npos) == (steady.find("is not steady") != std::string::npos));
}

TEST_CASE("a beam of any order that spins exactly steadily is not said to move otherwise", "[serial]") {
  const auto folder = test::fresh_folder("spinning");
  for (const int order : {1, 2, 3}) {
    test::write_file(folder / "model.yaml",
                     "sinew: 1\nmaterials: {m: {density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.3}}\n"
                     "sections: {s: {shape: circle, diameter: 0.02}}\n"
                     "bodies:\n  c: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 8, order: " +
                         std::to_string(order) +
                         "}, section: s, material: m, angular_velocity: [500, 0, 0]}\n"
                         "joints:\n  a: {type: spherical, connect: [ground, c.start]}\n"
                         "  b: {type: point-on-line, connect: [ground, c.end], axis: [1, 0, 0]}\n"
                         "analysis: {type: modes, about: motion, count: 9, frame: [0, 0, 0]}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    CHECK(outcome.said.find("not steady in a frame") == std::string::npos);
    CHECK(outcome.said.find("no steady motion found") == std::string::npos);
  }
}

TEST_CASE("modes about a motion say by how much velocities that do not fit the joints were changed", "[serial]") {
  const auto folder = test::fresh_folder("misfit-velocity");
  const auto said = [&](const std::string& velocity) {
    test::write_file(
        folder / "model.yaml",
        "sinew: 1\nbodies:\n  p: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.25], position: [1, 0, 0], velocity: [" + velocity +
            "], angular_velocity: [0, 0, 3], points: {o: [-1, 0, 0]}}\n"
            "joints: {hinge: {type: revolute, connect: [ground, p.o], axis: [0, 0, 1]}}\n"
            "analysis: {type: modes, about: motion, count: 1}\n");
    return test::run_sinew(folder, "run model.yaml -o out").said;
  };
  CHECK(said("0, 3, 0").find("do not fit") == std::string::npos);
  // least change of m (v - 3.5)^2 + J (w - 3)^2 with v = w: w = (3.5 m + 3 J)/(m + J) = 3.4, v = 3.4
  test::check_contains(said("0, 3.5, 0"), "whose rates are up to 0.5 in place of 0: they are changed by up to 0.4 ");
}

TEST_CASE("modes about an initial state that loads would stretch say that its tension is missing", "[serial]") {
  const auto folder = test::fresh_folder("frozen");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {steel: {density: 7800, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
sections: {wire: {shape: circle, diameter: 1e-3}}
bodies:
  wire: {type: cable, line: {from: [0, 0, 0], to: [0, 0, -10], elements: 10}, section: wire, material: steel}
  load: {type: point-mass, mass: 100, position: [0, 0, -10]}
joints:
  top: {type: spherical, connect: [ground, wire.start]}
  end: {type: spherical, connect: [wire.end, load]}
analysis: {type: modes, about: initial, count: 2}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said, "without what these forces would do, such as the tension of a wire under its load");
  test::check_contains(outcome.said, "{about: static} finds the state of rest");
}

TEST_CASE("a castor that is pulled straight ahead swings in with v over its trail, fast or slow", "[serial]") {
  const auto folder = test::fresh_folder("modes-castor");
  // What its wheel prescribes is a rate: lambda = -v/l, whatever its masses.
  const std::string model = R"yaml(sinew: 1
constants: {v: 3}
bodies:
  trailer: {type: rigid, mass: 4, inertia: [0.1, 0.1, 0.2], position: [-0.3, 0, 0], velocity: [v, 0, 0],
            points: {hitch: [0.3, 0, 0], wheel: [-0.2, 0, 0]}}
  car: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], velocity: [v, 0, 0]}
joints:
  hitch: {type: revolute, connect: [car, trailer.hitch], axis: [0, 0, 1]}
  wheel: {type: skate, connect: [ground, trailer.wheel], direction_local: [1, 0, 0], normal: [0, 0, 1]}
  rail: {type: prismatic, connect: [ground, car], axis: [1, 0, 0]}
PULLED
analysis: {type: modes, about: motion, count: 4}
)yaml";
  for (const char* pulled : {"", "  engine: {type: motion, of: rail, displacement: v*t}"})
    for (const char* v : {"0.3", "3", "-10", "500"}) {
      std::string text = model;
      text.replace(text.find("PULLED"), 6, pulled);
      test::write_file(folder / "model.yaml", text);
      const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml -o out --set constants.v=") + v);
      INFO(pulled << ", v = " << v << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      const auto modes = rows_of(folder / "out" / "modes.csv");
      REQUIRE_FALSE(modes.empty());
      CHECK(modes.back()[3] == Approx(-std::stod(v) / 0.5).epsilon(1e-6));
      for (std::size_t k = 0; k + 1 < modes.size(); ++k) CHECK(modes[k][2] < 1e-6 * std::abs(std::stod(v)));
    }
}
