// What a model file is warned of.
#include "input/model_reader.hpp"
#include "model/registered_catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/check_contains.hpp"
#include "tests/src/input/read_text.hpp"
#include "tests/src/input/test_catalogue.hpp"

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::read_text;

TEST_CASE("warnings come with the model and name their line", "[serial]") {
  const Model model = read(R"(sinew: 1
materials: {steel: {law: linear-elastic, density: 1, youngs_modulus: 1, poissons_ratio: 0.3}}
bodies:
  free: {type: solid, box: {size: [1, 1, 1], elements: [1, 1, 1]}, material: steel}
  held: {type: solid, box: {size: [1, 1, 1], elements: [1, 1, 1]}, material: steel}
joints: {wall: {type: clamp, connect: [ground, held.x-]}}
analysis: {end_time: 1, step: [1e-2, 2e-2], rho_inf: 1, order: 2}
)");
  REQUIRE(model.warnings.size() == 3);
  test::check_contains(model.warnings[0],
                       "model.yaml:4:3: warning: body 'free' is free to turn, but its material is linear-elastic");
  test::check_contains(model.warnings[1], "model.yaml:7:54: warning: rho_inf 1 with changing steps");
  test::check_contains(model.warnings[2], "model.yaml:7:64: warning: analysis.order has no effect");
}

TEST_CASE("keys of motions have no effect in an analysis without time, and one warning lists them", "[serial]") {
  const auto warnings = [](const std::string& analysis, const std::vector<std::string>& overrides = {}) {
    return read_model_text(
               "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\nanalysis: " + analysis + "\n",
               "model.yaml", test::small_catalogue(), overrides)
        .warnings;
  };
  const auto rest =
      warnings("{type: static, steps: 2, end_time: 1, step: {global: 1e-3}, error_bars: true, integrator: newmark, rho_inf: 1}");
  REQUIRE(rest.size() == 1);
  test::check_contains(
      rest[0], "model.yaml:3:46: warning: in analysis end_time, step, error_bars, integrator, rho_inf have no effect here");
  for (const char* type : {"modes", "buckling"}) {
    const auto one = warnings(std::string("{type: ") + type + ", step: 1e-3}");
    REQUIRE(one.size() == 1);
    test::check_contains(one[0], "in analysis step has no effect here");
  }
  CHECK(warnings("{type: static, steps: 2}").empty());
  CHECK(warnings("{initial: static, end_time: 1, step: 1e-3}").empty());
  CHECK(warnings("{initial: static, end_time: 1, step: 1e-3, unstable: keep, path: arc-length}").empty());
  const auto idle = warnings("{end_time: 1, step: 1e-3, about: static, unstable: keep}");
  REQUIRE(idle.size() == 2);
  test::check_contains(idle[0], "analysis.about has no effect in a dynamic analysis (initial: static");
  test::check_contains(idle[1], "analysis.unstable has no effect in a dynamic analysis");
  CHECK(warnings("{type: modes, about: static, path: arc-length, steps: 3}").empty());  // which looks for a state of rest, too
  CHECK(warnings("{type: modes, path: arc-length}").size() == 1);
  CHECK(warnings("{initial: static, end_time: 1, step: 1e-3}", {"analysis.type=modes"}).empty());
  CHECK(warnings("{end_time: 1, step: 1e-3}", {"analysis.type=static"}).empty());  // the file's keys are for its own analysis
  CHECK(warnings("{end_time: 1, step: 1e-3}", {"analysis.type=static", "analysis.step=1e-2"}).size() == 1);
}

TEST_CASE("error bars beside a global tolerance, which has its own, are warned of", "[serial]") {
  const Model model = read(R"(sinew: 1
bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}
analysis: {end_time: 1, step: {global: 1e-3}, error_bars: true}
)");
  REQUIRE(model.warnings.size() == 1);
  test::check_contains(model.warnings[0], "model.yaml:3:59: warning: analysis.error_bars has no effect here");
}

TEST_CASE("what constraints at position level alone do to reactions is warned of", "[serial]") {
  const auto warnings = [](const std::string& joints, const std::string& analysis) {
    return read("sinew: 1\nbodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\n" + joints +
                "analysis: {end_time: 1, " + analysis + "}\n")
        .warnings;
  };
  const std::string wall = "joints: {wall: {type: fixed, connect: [ground, a]}}\n";
  for (const char* steps : {"step: {tolerance: 1e-4}", "step: [1e-2, 2e-2]"}) {
    const auto said = warnings(wall, std::string(steps) + ", integrator: gen-alpha");
    REQUIRE(said.size() == 1);
    test::check_contains(said[0], "model.yaml:4:31: warning: gen-alpha has constraints at position level alone");
    CHECK(warnings("", std::string(steps) + ", integrator: gen-alpha").empty());
  }
  CHECK(warnings(wall, "step: 1e-2, integrator: gen-alpha").empty());
  CHECK(warnings(wall, "step: 1e-2, integrator: trapezoid, constraints: velocity").empty());
  CHECK(warnings(wall, "step: 1e-2, integrator: newmark, beta: 0.3025, gamma: 0.6, constraints: position").empty());
  for (const char* undamped : {"trapezoid", "newmark", "trapezoid, constraints: position"}) {
    const auto said = warnings(wall, std::string("step: 1e-2, integrator: ") + undamped);
    REQUIRE(said.size() == 1);
    test::check_contains(said[0], "nothing damps this method");
  }
}

TEST_CASE("step control that does not see what Newmark's method damps is warned of", "[serial]") {
  const auto warnings = [](const std::string& analysis) {
    return read(
               "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
               "analysis: {end_time: 1, integrator: newmark, " +
               analysis + "}\n")
        .warnings;
  };
  const auto said = warnings("gamma: 0.6, beta: 0.3025, step: {tolerance: 1e-4}");
  REQUIRE(said.size() == 1);
  test::check_contains(said[0], "judges newmark as a method of order 2");
  for (const char* fine : {"gamma: 0.5, step: {tolerance: 1e-4}", "gamma: 0.6, beta: 0.3025, step: {global: 1e-2}",
                           "gamma: 0.6, beta: 0.3025, step: 1e-2"})
    CHECK(warnings(fine).empty());
}

TEST_CASE("coefficients of Newmark's method that make vibrations grow are warned of", "[serial]") {
  const auto warnings = [](const std::string& coefficients) {
    return read(
               "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
               "analysis: {end_time: 1, step: 1e-2, integrator: newmark, " +
               coefficients + "}\n")
        .warnings;
  };
  CHECK(warnings("beta: 0.25, gamma: 0.5").empty());
  CHECK(warnings("beta: 0.3025, gamma: 0.6").empty());
  test::check_contains(warnings("gamma: 0.4").at(0), "model.yaml:3:65: warning: Newmark's method with gamma below 1/2");
  test::check_contains(warnings("gamma: 0.6").at(0), "with gamma 0.6 take beta: 0.3025");
  test::check_contains(warnings("beta: 0.1").at(0), "with beta below gamma / 2");
}

TEST_CASE("what a cable or a beam leaves out of its section and material is warned of", "[serial]") {
  const Model model = read(R"(sinew: 1
materials: {gum: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, law: neo-hookean}}
sections:
  rod: {shape: circle, diameter: 0.05}
  lay:
    stiffness: [[9e4, 0, 0, 5, 0, 0], [0, 9e4, 0, 0, 0, 0], [0, 0, 9e4, 0, 0, 0],
                [5, 0, 0, 9, 0, 0], [0, 0, 0, 0, 9, 0], [0, 0, 0, 0, 0, 9]]
    inertia: [0.2, 0.3, 0.2, 0, 0, 0]
  even: {stiffness: [1e5, 1e5, 1e5, 9, 10, 10], inertia: [0.2, 0.2, 0.2, 1e-3, 1e-3, 1e-3]}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 2}, section: rod, material: gum}
  c: {type: cable, line: {from: [0, 1, 0], to: [1, 1, 0], elements: 2}, section: lay}
  d: {type: cable, line: {from: [0, 2, 0], to: [1, 2, 0], elements: 2}, section: even}
analysis: {end_time: 1, step: 1e-2}
)");
  REQUIRE(model.warnings.size() == 3);
  test::check_contains(model.warnings[0], "body 'b': law neo-hookean of material 'gum' is one of solids, and does nothing here");
  test::check_contains(model.warnings[1], "body 'c': a cable leaves out what couples strains or velocities in section 'lay'");
  test::check_contains(model.warnings[2], "body 'c': a cable has one mass per length, the first of section 'lay'");
}

TEST_CASE("names and intervals that may be read in another way than they are meant are warned of", "[serial]") {
  const Model model = read(R"(sinew: 1
constants: {N: 10}
bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}
sensors:
  x: {type: point, of: a, record: [position]}
  x-1: {type: point, of: a, record: [velocity]}
  y-1: {type: point, of: a, record: [velocity]}
analysis: {end_time: 1, step: 1e-2}
output: {sensors: {every: N}, fields: {every: 10}}
)");
  REQUIRE(model.warnings.size() == 2);
  test::check_contains(model.warnings[0], "model.yaml:6:3: warning: in expressions 'sensor.x-1' is what 'x' is, less '1'");
  test::check_contains(model.warnings[1], "model.yaml:9:27: warning: output.sensors.every is 10 s, which is longer than the run");
}

TEST_CASE("words that an expression knows in two ways are warned of", "[serial]") {
  const Model model = read_model_text(R"yaml(sinew: 1
constants: {s: 3, rate: 50, stiff: rate/25}
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {c: {shape: circle, diameter: 0.02}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 2}, section: c, material: m, velocity: [0, "2*s", stiff]}
  p: {type: point-mass, mass: 1, position: [0, 5, 0], velocity: [0, s, 0]}
forces:
  f: {type: spring-damper, connect: [[0, 4, 0], p], force: "rate*stiff"}
analysis: {end_time: 1, step: 1e-2}
)yaml",
                                      "model.yaml", registered_catalogue(), {});
  REQUIRE(model.warnings.size() == 2);
  test::check_contains(model.warnings[0], "model.yaml:6:111: warning: velocity of body 'b': 's' has a meaning of its own here");
  test::check_contains(model.warnings[1], "model.yaml:9:60: warning: force of force 'f': 'rate' has a meaning of its own here");
}

TEST_CASE("formulas of functions know no tables of the model", "[serial]") {
  const Model model = read(R"yaml(sinew: 1
tables: {clip: [[0, 5], [1, 7]]}
bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}
forces: {f: {type: force, on: a, vector: ["step(t, 0, 0, 1, 2)", "clip(t)", 0]}}
analysis: {end_time: 1, step: 1e-2}
)yaml");
  CHECK(model.forces[0].signals[0].value_at(1.0) == Approx(2.0));
  CHECK(model.forces[0].signals[1].value_at(0.5) == Approx(6.0));
}
