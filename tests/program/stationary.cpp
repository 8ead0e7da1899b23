#include "tests/program/cantilever.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;
using test::cantilever, test::lines, test::rows_of;

namespace {

/// A rope with a bob and a sprung link, drawn straight: it hangs elsewhere.
const std::string hanging = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e7}}
sections: {s: {area: 1e-4, iy: 8e-10, iz: 8e-10}}
bodies:
  rope: {type: cable, line: {from: [0, 0, 0], to: [1.4, 0, 0], elements: 16}, section: s, material: m}
  bob: {type: rigid, mass: 0.5, inertia: [0.001, 0.002, 0.002], position: [1.4, 0, -0.1], points: {top: [0, 0, 0.1]}}
  link: {type: rigid, mass: 0.2, inertia: [0.001, 0.001, 0.001], position: [1.9, 0, 0], points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
joints:
  pin: {type: spherical, connect: [ground, rope.start]}
  hook: {type: spherical, connect: [rope.end, bob.top]}
  knee: {type: revolute, connect: [bob.top, link.a], axis: [0, 1, 0]}
  slide: {type: point-on-line, connect: [[2.4, 0, 0], link.b], axis: [1, 0, 0]}
forces:
  s: {type: spring-damper, connect: [[3, 0, 0], link.b], stiffness: 100, length: 0.8}
sensors:
  bob: {type: point, of: bob, record: [position]}
  mid: {type: point, of: "rope.node[8]", record: [position]}
)";

}  // namespace

TEST_CASE("sinew run brings a model to rest and writes what a run writes", "[serial]") {
  const auto folder = test::fresh_folder("static");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {type: static, steps: 4}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(outcome.said, "state of rest: 4 increments");
  const auto out = folder / "model.out";
  CHECK(lines(test::file_text(out / "sensors.csv")) == 6);
  CHECK(lines(test::file_text(out / "steps.csv")) == 5);
  CHECK(std::filesystem::exists(out / "fields.xdmf"));
  const std::string report = test::file_text(out / "run.json");
  test::check_contains(report, "\"outcome\": \"done\"");
  test::check_contains(report, "\"analysis\": \"static\"");
}

TEST_CASE("A ramp in time is no load of a state of rest, and the user hears of it", "[serial]") {
  const auto folder = test::fresh_folder("static-ramp");
  const auto model = [](const std::string& pull) {
    return "sinew: 1\nbodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\nforces:\n"
           "  hold: {type: bushing, connect: [ground, a], stiffness: [9, 9, 9, 9, 9, 9]}\n  pull: {type: force, on: a, vector: "
           "[" +
           pull + ", 0, 0]}\nanalysis: {type: static}\n";
  };
  for (const char* pull : {"100*t", "3 + 100*t", "0"}) {
    test::write_file(folder / "model.yaml", model(pull));
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output");
    INFO(pull << '\n' << outcome.said);
    REQUIRE(outcome.code == 0);
    const bool warns = outcome.said.find("nothing acts on the model at t = 0") != std::string::npos;
    CHECK(warns == (std::string(pull) == "100*t"));
  }
}

TEST_CASE("A model that cannot rest ends with exit code 3 and names what is not held", "[serial]") {
  const auto folder = test::fresh_folder("no-rest");
  test::write_file(folder / "model.yaml",
                   "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  bob: {type: point-mass, mass: 1, position: [1, 2, 3]}\n"
                   "analysis: {type: static}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  test::check_contains(outcome.said, "'bob'");
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"outcome\": \"failed\"");
}

TEST_CASE("A dynamic run that starts from the state of rest stays there, on 1, 2 and 3 ranks alike", "[serial]") {
  const auto folder = test::fresh_folder("start-static");
  test::write_file(folder / "model.yaml", hanging + "analysis: {initial: static, end_time: 1, step: 0.01}\n");
  std::vector<double> first;
  for (const int ranks : {0, 2, 3}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    test::check_contains(outcome.said, "state of rest: ");
    test::check_contains(test::file_text(folder / "out" / "run.json"), "\"state_of_rest\"");
    const auto rows = rows_of(folder / "out" / "sensors.csv");
    REQUIRE(rows.size() == 101);
    if (first.empty()) first = rows[0];
    CHECK(first[3] < -0.2);  // the bob does not hang where it was drawn
    double moved = 0, apart = 0;
    for (const auto& row : rows)
      for (std::size_t k = 1; k < row.size(); ++k) {
        moved = std::max(moved, std::abs(row[k] - rows[0][k]));
        apart = std::max(apart, std::abs(row[k] - first[k]));
      }
    CHECK(moved < 1e-9);
    CHECK(apart < 1e-9);
  }
}

TEST_CASE("initial: static keeps the model's velocities, and belongs to dynamic runs with something that can rest", "[serial]") {
  const auto folder = test::fresh_folder("start-static-refused");
  const std::string body =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  bob: {type: point-mass, mass: 1, position: [0, 0, 1], velocity: [0, 0, 2]}\n";
  const std::string spring = "forces:\n  s: {type: spring-damper, connect: [[0, 0, 3], bob], stiffness: 981, length: 1}\n";
  const std::string sensor = "sensors:\n  bob: {type: point, of: bob, record: [position, velocity]}\n";
  test::write_file(folder / "free.yaml", body + "analysis: {initial: static, end_time: 1, step: 0.01}\n");
  const test::Outcome fails = test::run_sinew(folder, "run free.yaml");
  CHECK(fails.code == 3);
  test::check_contains(fails.said, "'bob'");
  CHECK_FALSE(std::filesystem::exists(folder / "free.out"));
  test::write_file(folder / "wrong.yaml", body + spring + "analysis: {type: static, initial: static}\n");
  const test::Outcome refused = test::run_sinew(folder, "run wrong.yaml");
  CHECK(refused.code == 2);
  test::check_contains(refused.said, "belongs to dynamic analyses");
  test::write_file(folder / "swings.yaml", body + spring + sensor + "analysis: {initial: static, end_time: 0.01, step: 0.01}\n");
  const test::Outcome swings = test::run_sinew(folder, "run swings.yaml");
  INFO(swings.said);
  REQUIRE(swings.code == 0);
  const auto rows = rows_of(folder / "swings.out" / "sensors.csv");
  CHECK(rows[0][3] == Approx(3 - 1.01).epsilon(1e-9));
  CHECK(rows[0][6] == Approx(2));
}

TEST_CASE("Analyses that do not know controls say so", "[serial]") {
  const auto folder = test::fresh_folder("controls-refused");
  const std::string sensor = "sensors:\n  tip: {type: point, of: rod.tip, record: position.z}\n";
  const std::string motor =
      "forces:\n  motor: {type: actuator, connect: [ground, rod], axis: [0, 1, 0], torque: \"sensor.tip\"}\n";
  const std::string state = "controls:\n  lag: {state: {x: 0}, derivative: {x: \"sensor.tip - x\"}}\n";
  const auto refuse = [&](const std::string& rest, const std::string& analysis, const std::vector<std::string>& fragments) {
    test::write_file(folder / "model.yaml", test::pendulum(rest, analysis));
    test::check_refused(folder, {"run model.yaml", fragments});
  };
  refuse(sensor + motor, "{type: buckling}", {"model.yaml:10:3: error: ", "what 'motor' (actuator) exerts is an expression"});
  refuse(sensor + state, "{type: buckling}", {"model.yaml:10:3: error: buckling does not know the first-order states"});
  refuse(sensor + state, "{type: modes, about: motion}", {"modes about a motion does not know"});
  refuse(sensor + state, "{type: modes, matrices: true}", {"`matrices: true` does not know"});
}

TEST_CASE("A run may start from a rest that a control holds", "[serial]") {
  const auto folder = test::fresh_folder("controls-start-static");
  const std::string text = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: point-mass, mass: 2, position: [0, 0, -1]}
joints:
  rail: {type: point-on-line, connect: [ground, bob], axis: [0, 0, 1]}
controls:
  lift: {state: {F: 0}, derivative: {F: "-(F + 400*sensor.h + 60*sensor.v)/0.02"}}
forces:
  push: {type: actuator, on: bob, direction: [0, 0, 1], force: control.lift.F}
sensors:
  h: {type: point, of: bob, record: position.z}
  v: {type: point, of: bob, record: velocity.z}
  lift: {type: control, of: lift}
analysis: {initial: static, end_time: 0.1, step: 0.01}
)yaml";
  test::write_file(folder / "model.yaml", text);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  for (const std::vector<double>& row : rows_of(folder / "model.out" / "sensors.csv")) {
    CHECK(row[1] == Approx(-2 * 9.81 / 400).epsilon(1e-9));
    CHECK(std::abs(row[2]) < 1e-9);
    CHECK(row[3] == Approx(2 * 9.81).epsilon(1e-9));
  }
}

TEST_CASE("A control without a finite value at the start is refused on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("controls-not-finite");
  const std::string rest =
      "sensors:\n  tip: {type: point, of: rod.tip, record: position.z}\n"
      "controls:\n  lag: {state: {x: 0}, derivative: {x: \"1/sensor.tip\"}}\n";
  test::write_file(folder / "model.yaml", test::pendulum(rest));
  for (const int ranks : {0, 2})
    test::check_refused(folder, {"run model.yaml", {"model.yaml:10:40: error: '1/sensor.tip' is not a finite number"}}, ranks);
}

TEST_CASE("What is not in balance is no state of rest: exit code 3, the load factor, the body, the force and the element",
          "[serial]") {
  const auto folder = test::fresh_folder("flat-box");
  test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {m: {density: 1, youngs_modulus: 1, poissons_ratio: 0.3, law: linear-elastic}}
bodies:
  b: {type: solid, box: {size: [1, 0.1, 0.1], elements: [1, 1, 1], order: 1}, material: m}
joints:
  wall: {type: clamp, connect: [ground, b.x-]}
forces:
  push: {type: force, on: b.x+, vector: [-0.05, 0, 0]}
analysis: {type: static}
)");
  for (const char* arguments :
       {"run model.yaml -o out", "modes model.yaml --static -o modes",
        "run model.yaml -o motion --set analysis.type=dynamic --set analysis.initial=static --set analysis.end_time=1"}) {
    const test::Outcome outcome = test::run_sinew(folder, arguments);
    INFO(outcome.said);
    CHECK(outcome.code == 3);
    for (const char* part :
         {"no state of rest is found", "load factor 0.2", "the largest unbalanced force, 0.0", "'b'", "turned inside out"})
      test::check_contains(outcome.said, part);
  }
}

TEST_CASE("An expression that has no value on the way to rest is named with its line", "[serial]") {
  const auto folder = test::fresh_folder("no-value-at-rest");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -10]
bodies:
  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
joints:
  slide: {type: prismatic, connect: [[0, 0, 0], b], axis: [0, 0, 1]}
forces:
  spring: {type: spring-damper, connect: [[0, 0, -5], b], force: '-5*sqrt(length - 4)'}
analysis: {type: static}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  for (const char* part : {"state of rest is found", "model.yaml:8:", "'-5*sqrt(length - 4)' is not a finite number"})
    test::check_contains(outcome.said, part);
}

TEST_CASE("A model in which nothing can move rests as it stands, and has neither modes nor load factors", "[serial]") {
  const auto folder = test::fresh_folder("held");
  const std::string text =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\njoints:\n"
      "  wall: {type: fixed, connect: [ground, b]}\nsensors:\n  wall: {type: joint, of: wall, record: [force]}\n";
  test::write_file(folder / "rest.yaml", text + "analysis: {type: static}\n");
  const test::Outcome rests = test::run_sinew(folder, "run rest.yaml");
  INFO(rests.said);
  CHECK(rests.code == 0);
  CHECK(rows_of(folder / "rest.out" / "sensors.csv").back()[3] == Approx(-2 * 9.81));
  test::write_file(folder / "starts.yaml", text + "analysis: {initial: static, end_time: 0.1, step: 0.01}\n");
  CHECK(test::run_sinew(folder, "run starts.yaml").code == 0);
  for (const char* analysis :
       {"{type: modes}", "{type: modes, about: static}", "{type: modes, about: motion}", "{type: buckling}"}) {
    test::write_file(folder / "model.yaml", text + "analysis: " + analysis + "\n");
    for (const int ranks : {0, 2})
      test::check_refused(folder, {"run model.yaml", {"model.yaml:6:3: error: nothing can move"}}, ranks);
  }
}

TEST_CASE("An unstable state of rest is left, or kept with a warning", "[serial]") {
  const auto folder = test::fresh_folder("unstable");
  const auto text = [](const std::string& analysis) {
    return "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  rod: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, "
           "0.5], "
           "points: {foot: [0, 0, -0.5]}}\njoints:\n  hinge: {type: revolute, connect: [ground, rod.foot], axis: [0, 1, 0]}\n"
           "sensors:\n  rod: {type: point, of: rod, record: [position]}\nanalysis: " +
           analysis + "\n";
  };
  test::write_file(folder / "model.yaml", text("{type: static}"));
  const test::Outcome leaves = test::run_sinew(folder, "run model.yaml -o left");
  INFO(leaves.said);
  REQUIRE(leaves.code == 0);
  test::check_contains(leaves.said, "1 unstable state left");
  CHECK(leaves.said.find("warning") == std::string::npos);
  CHECK(rows_of(folder / "left" / "sensors.csv").back()[3] == Approx(-0.5));
  const test::Outcome keeps = test::run_sinew(folder, "run model.yaml -o kept --set analysis.unstable=keep");
  INFO(keeps.said);
  REQUIRE(keeps.code == 0);
  test::check_contains(keeps.said, "warning: this state of rest is not stable");
  CHECK(rows_of(folder / "kept" / "sensors.csv").back()[3] == Approx(0.5));
  test::check_contains(test::file_text(folder / "kept" / "run.json"), "\"unstable\": \"keep\"");
}

TEST_CASE("a hinge that turns freely comes to rest where it is drawn, its gap closed, and the user hears of its freedom",
          "[serial]") {
  const auto folder = test::fresh_folder("neutral-rest");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {GAP: 0, SIDE: 0, g: 0}
gravity: [-0.36*g, -0.48*g, -0.8*g]  # along the axis of the hinge
bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0], points: {h: [-0.5, 0, 0]}}}
joints: {j: {type: revolute, connect: [[GAP, SIDE, 0], a.h], axis: [0.36, 0.48, 0.8]}}
sensors: {p: {type: point, of: a, record: [position, orientation]}, h: {type: point, of: a.h}}
analysis: {type: static}
)");
  for (const char* initial : {"consistent", "as-is"})
    for (const char* g : {"0", "9.81"})
      for (const char* gap : {"0", "1e-12", "1e-9", "1e-7", "1e-3", "0.1"})
        for (const char* side : {"0", "2e-3"}) {
          const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml --set analysis.initial=") + initial +
                                                                    " --set constants.GAP=" + gap +
                                                                    " --set constants.SIDE=" + side + " --set constants.g=" + g);
          INFO(initial << ", gap " << gap << ", " << side << ", gravity " << g << '\n' << outcome.said);
          REQUIRE(outcome.code == 0);
          test::check_contains(outcome.said, "some motion of the model meets no resistance");
          const test::Table sensors(folder / "model.out" / "sensors.csv");
          const std::size_t rest = sensors.rows() - 1;
          CHECK(sensors.at("h.position.x", rest) == Approx(std::stod(gap)).margin(1e-9));
          CHECK(sensors.at("h.position.y", rest) == Approx(std::stod(side)).margin(1e-9));
          // nearest in the metric of the mass: what moves the hinge by d turns the body by less than d / 0.5
          CHECK(std::abs(sensors.at("p.orientation.z", rest)) <= std::stod(side) + 1e-9);
          CHECK(std::abs(sensors.at("p.position.x", rest) - 0.5 - std::stod(gap)) <= 1e-5 + 1e-9);
        }
}

TEST_CASE("A solid that is driven through itself is not called one at rest without a word", "[serial]") {
  const auto folder = test::fresh_folder("driven-through-itself");
  const std::string cube = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, law: neo-hookean}}
bodies:
  b: {type: solid, box: {size: [1, 1, 1], elements: [1, 1, 1], order: 1}, material: m}
joints:
  a: {type: fixed, connect: [ground, b.x-]}
  p: {type: prismatic, connect: [ground, b.x+], axis: [1, 0, 0]}
  m: {type: motion, of: p, displacement: -1.2}
sensors:
  n: {type: energy, record: [strain, total]}
)";
  test::write_file(folder / "model.yaml", cube + "analysis: {type: static}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  if (outcome.code == 0) test::check_contains(outcome.said, "inside out");
  CHECK(test::file_text(folder / "model.out" / "sensors.csv").find("nan") == std::string::npos);
  for (const char* analysis : {"{type: modes}", "{end_time: 0.01, step: 0.001}"}) {
    test::write_file(folder / "other.yaml", cube + "analysis: " + analysis + "\n");
    const test::Outcome other = test::run_sinew(folder, "run other.yaml");
    INFO(other.said);
    CHECK(other.code == 2);
    test::check_contains(other.said, "an element of 'b' (hex8-neo-hookean) is turned inside out");
  }
}

TEST_CASE("where friction alone would hold a body at rest, static says that friction does nothing there", "[serial]") {
  const auto folder = test::fresh_folder("held-by-friction");
  const std::string block = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  block: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
joints:
  rail: {type: prismatic, connect: [ground, block], axis: [1, 0, 0.1]}
forces:
)";
  const std::string grip = "  grip: {type: friction, of: rail, coefficient: 0.5, transition_speed: 1e-3}\n";
  const std::string spring = "  hold: {type: spring-damper, connect: [[1, 0, 0.1], block], stiffness: 1e3}\n";
  test::write_file(folder / "model.yaml", block + grip + "analysis: {type: static}\n");
  const test::Outcome alone = test::run_sinew(folder, "run model.yaml");
  CHECK(alone.code == 3);
  test::check_contains(alone.said, "'block' keeps moving under the load");
  test::check_contains(alone.said, "the friction 'grip' does not hold it: at rest nothing slips, and friction does nothing");
  test::write_file(folder / "model.yaml", block + grip + "analysis: {type: static, path: arc-length}\n");
  const test::Outcome path = test::run_sinew(folder, "run model.yaml");
  CHECK(path.code == 3);
  test::check_contains(path.said, "some motion of the model meets no resistance");
  test::check_contains(path.said, "the friction 'grip' does not hold it");
  test::write_file(folder / "model.yaml", block + spring + grip + "analysis: {type: static}\n");
  CHECK(test::run_sinew(folder, "run model.yaml -o held").code == 0);
}

TEST_CASE("what hangs on a solid's surface by its axis comes to rest on several ranks", "[serial]") {
  const auto folder = test::fresh_folder("rest-on-a-solid");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {s: {density: 2700, youngs_modulus: 7e8, poissons_ratio: 0.33}}
bodies:
  column: {type: solid, box: {size: [0.1, 0.08, 0.6], elements: [1, 1, 2]}, material: s, position: [-0.05, -0.04, 0]}
  arm: {type: rigid, mass: 2, inertia: [0.01, 0.02, 0.015], position: [0.25, 0, 0.6], points: {top: [-0.25, 0, 0]}}
joints:
  base: {type: clamp, connect: [ground, "column.z-"]}
  hinge: {type: revolute, connect: ["column.z+", arm.top], axis: [0, 1, 0]}
analysis: {type: static}
)");
  for (const int ranks : {1, 2, 3}) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml", ranks);
    INFO(ranks << " ranks: " << outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, "state of rest:");
  }
}
