#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sinew;

namespace {

const std::string cantilever = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 8}, section: s, material: m}
joints:
  foot: {type: clamp, connect: [ground, c.start]}
forces:
  press: {type: force, on: c.end, vector: [0.1, 0, -2]}
sensors:
  tip: {type: point, of: c.end, record: [displacement]}
)";

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

/// The numbers of a table with a header, row by row.
std::vector<std::vector<double>> table(const std::filesystem::path& file) {
  std::istringstream text(test::file_text(file));
  std::string line;
  std::getline(text, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

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

TEST_CASE("modes.csv has a line for every mode, with sinew run and with sinew modes", "[serial]") {
  const auto folder = test::fresh_folder("modes");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {type: modes, about: static, count: 6}\n");
  test::write_file(folder / "motion.yaml", cantilever + "analysis: {end_time: 1, step: 0.1}\n");
  for (const char* arguments : {"run model.yaml -o out", "modes motion.yaml -n 6 --static -o out"}) {
    const test::Outcome outcome = test::run_sinew(folder, arguments);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    test::check_contains(outcome.said, "frequency (Hz)");
    const std::string table = test::file_text(folder / "out" / "modes.csv");
    CHECK(table.rfind("mode,frequency,omega,real,imaginary,damping_ratio\n", 0) == 0);
    CHECK(lines(table) == 7);
    test::check_contains(test::file_text(folder / "out" / "run.json"), "\"damping_ratio\"");
  }
}

TEST_CASE("A run and the modes of one model do not replace each other", "[serial]") {
  const auto folder = test::fresh_folder("modes-beside-a-run");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {end_time: 0.2, step: 0.1}\n");
  test::write_file(folder / "named.yaml", cantilever + "analysis: {end_time: 0.2, step: 0.1}\noutput: {directory: results}\n");
  const auto does = [&](const std::string& arguments) {
    const test::Outcome outcome = test::run_sinew(folder, arguments);
    INFO(arguments << "\n" << outcome.said);
    REQUIRE(outcome.code == 0);
  };
  does("run model.yaml");
  does("modes model.yaml -n 3");
  const std::string left = test::file_text(folder / "model.out" / "run.json");
  test::check_contains(left, "\"analysis\": \"dynamic\"");
  CHECK(lines(test::file_text(folder / "model.out" / "sensors.csv")) == 4);
  CHECK_FALSE(std::filesystem::exists(folder / "model.out" / "modes.csv"));
  CHECK(lines(test::file_text(folder / "model.modes.out" / "modes.csv")) == 4);
  does("run model.yaml");
  CHECK(lines(test::file_text(folder / "model.modes.out" / "modes.csv")) == 4);
  // -o and the model's directory rule, but neither kind of results replaces the other
  does("modes named.yaml -n 2");
  CHECK(lines(test::file_text(folder / "results" / "modes.csv")) == 3);
  does("modes model.yaml -n 1 -o results");
  CHECK(lines(test::file_text(folder / "results" / "modes.csv")) == 2);
  const auto is_refused = [&](const std::string& arguments, const std::string& why) {
    const test::Outcome outcome = test::run_sinew(folder, arguments);
    CHECK(outcome.code == 2);
    test::check_contains(outcome.said, why + " analysis");
    test::check_contains(outcome.said, "choose another with -o");
  };
  is_refused("run named.yaml", "results holds the results of a modes");
  CHECK(lines(test::file_text(folder / "results" / "modes.csv")) == 2);
  is_refused("modes model.yaml -o model.out", "model.out holds the results of a dynamic");
  CHECK(lines(test::file_text(folder / "model.out" / "sensors.csv")) == 4);
}

TEST_CASE("All shapes stand in the fields, whatever interval the model has for a run in time", "[serial]") {
  const auto folder = test::fresh_folder("modes-all-shapes");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {end_time: 0.2, step: 0.1}\noutput: {fields: {every: 2}}\n");
  const test::Outcome outcome = test::run_sinew(folder, "modes model.yaml -n 3");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const std::string text = test::file_text(folder / "model.modes.out" / "fields.xdmf"), opening = "<Grid Name=\"model\"";
  int times = 0;
  for (std::size_t place = text.find(opening); place != std::string::npos; place = text.find(opening, place + 1)) ++times;
  CHECK(times == 4);
}

TEST_CASE("Parts that are alike have as many modes as there are parts, however many are asked for", "[serial]") {
  const auto folder = test::fresh_folder("modes-of-many-alike");
  test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  "c{i}": {repeat: {i: 1..6}, type: cable, line: {from: [i, 0, 0], to: [i, 0, 2], elements: 8}, section: s, material: m}
joints:
  "foot{i}": {repeat: {i: 1..6}, type: clamp, connect: [ground, "c{i}.start"]}
analysis: {end_time: 0.2, step: 0.1}
)");
  for (const std::size_t count : {3, 8, 14}) {
    const test::Outcome outcome = test::run_sinew(folder, "modes model.yaml -n " + std::to_string(count));
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const auto rows = table(folder / "model.modes.out" / "modes.csv");
    REQUIRE(rows.size() == count);
    for (std::size_t k = 0; k < count; ++k) CHECK(rows[k][1] == Approx(k < 12 ? 0.807698 : 5.0622).epsilon(1e-4));
  }
}

TEST_CASE("Load factors of buckling are written", "[serial]") {
  const auto folder = test::fresh_folder("buckling");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {type: buckling, count: 2}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml", 2);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(lines(test::file_text(folder / "model.out" / "buckling.csv")) == 3);
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"load_factor\"");
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
    const auto rows = table(folder / "out" / "sensors.csv");
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
  const auto rows = table(folder / "swings.out" / "sensors.csv");
  CHECK(rows[0][3] == Approx(3 - 1.01).epsilon(1e-9));
  CHECK(rows[0][6] == Approx(2));
}

TEST_CASE("sinew modes --matrices writes the linearised equations, and a motion's modes say what they are seen from",
          "[serial]") {
  const auto folder = test::fresh_folder("matrices");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {type: modes, matrices: true}\n");
  test::write_file(
      folder / "rotor.yaml",
      "sinew: 1\nbodies:\n  rotor: {type: rigid, mass: 2, inertia: [0.03, 0.03, 0.05], position: [0, 0, 0], "
      "angular_velocity: [0, 0, 100]}\nforces:\n  b: {type: bushing, connect: [ground, rotor], stiffness: [800, 800, "
      "900, 30, 30, 0]}\nanalysis: {type: modes, about: motion}\n");
  for (const char* arguments : {"run model.yaml -o out", "modes rotor.yaml --motion --matrices -o out"}) {
    const test::Outcome outcome = test::run_sinew(folder, arguments, 2);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    for (const char* name :
         {"matrix_M.mtx", "matrix_D.mtx", "matrix_K.mtx", "matrix_G.mtx", "matrix_dofs.csv", "matrix_rows.csv", "state_A.mtx",
          "state_B.mtx", "state_C.mtx", "state_D.mtx", "state_T.mtx", "state_inputs.csv", "state_outputs.csv"})
      CHECK(std::filesystem::exists(folder / "out" / name));
  }
  test::check_contains(test::file_text(folder / "out" / "run.json"), "\"variation\"");
  CHECK(test::file_text(folder / "out" / "matrix_M.mtx").rfind("%%MatrixMarket matrix coordinate real general\n6 6 6\n", 0) == 0);
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
  refuse(sensor + motor, "{type: buckling}", {"model.yaml:10:3: error: ", "'motor' is an actuator"});
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
  for (const std::vector<double>& row : table(folder / "model.out" / "sensors.csv")) {
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

TEST_CASE("A model in which nothing can move rests as it stands, and has neither modes nor load factors", "[serial]") {
  const auto folder = test::fresh_folder("held");
  const std::string text =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\njoints:\n"
      "  wall: {type: fixed, connect: [ground, b]}\nsensors:\n  wall: {type: joint, of: wall, record: [force]}\n";
  test::write_file(folder / "rest.yaml", text + "analysis: {type: static}\n");
  const test::Outcome rests = test::run_sinew(folder, "run rest.yaml");
  INFO(rests.said);
  CHECK(rests.code == 0);
  CHECK(table(folder / "rest.out" / "sensors.csv").back()[3] == Approx(-2 * 9.81));
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
  CHECK(table(folder / "left" / "sensors.csv").back()[3] == Approx(-0.5));
  const test::Outcome keeps = test::run_sinew(folder, "run model.yaml -o kept --set analysis.unstable=keep");
  INFO(keeps.said);
  REQUIRE(keeps.code == 0);
  test::check_contains(keeps.said, "warning: this state of rest is not stable");
  CHECK(table(folder / "kept" / "sensors.csv").back()[3] == Approx(0.5));
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

TEST_CASE("Redundant hinges take none of the modes away", "[serial]") {
  const auto folder = test::fresh_folder("modes-of-doors");
  // each door has two hinges: five rows say what others say; of 60 doors more than are counted one by one
  const auto doors = [](int count, const std::string& damping) {
    return "sinew: 1\nbodies:\n"
           "  \"d{i}\": {repeat: {i: 1.." +
           std::to_string(count) +
           "}, type: rigid, mass: 10, inertia: [1, 2, 3], "
           "position: [3*i+0.5, 0, 0], points: {a: [-0.5, 0, 0.5], b: [-0.5, 0, -0.5]}}\n"
           "joints:\n"
           "  \"a{i}\": {repeat: {i: 1.." +
           std::to_string(count) +
           "}, type: revolute, connect: [[3*i, 0, 0.5], \"d{i}.a\"], axis: [0, 0, 1]}\n"
           "  \"b{i}\": {repeat: {i: 1.." +
           std::to_string(count) +
           "}, type: revolute, connect: [[3*i, 0, -0.5], \"d{i}.b\"], axis: [0, 0, 1]}\n"
           "forces:\n"
           "  \"k{i}\": {repeat: {i: 1.." +
           std::to_string(count) + "}, type: torsional-spring, connect: [ground, \"d{i}\"], axis: [0, 0, 1], stiffness: 7*i" +
           damping +
           "}\n"
           "analysis: {type: modes, count: 20}\n";
  };
  for (const int count : {3, 12})
    for (const char* damping : {"", ", damping: 0.01*i"}) {
      INFO(count << " doors" << damping);
      test::write_file(folder / "model.yaml", doors(count, damping));
      const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
      INFO(outcome.said);
      REQUIRE(outcome.code == 0);
      const auto modes = table(folder / "model.out" / "modes.csv");
      REQUIRE(static_cast<int>(modes.size()) == count);
      for (int i = 1; i <= count; ++i)
        CHECK(modes[static_cast<std::size_t>(i - 1)][2] == Approx(std::sqrt(7.0 * i / 5.5)).epsilon(1e-4));
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

TEST_CASE("Where fewer load factors exist than are asked for, that is said", "[serial]") {
  const auto folder = test::fresh_folder("few-load-factors");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0.5], points: {h: [0, 0, -0.5]}}
joints:
  r: {type: revolute, connect: [ground, a.h], axis: [0, 1, 0]}
forces:
  k: {type: torsional-spring, connect: [ground, a], axis: [0, 1, 0], stiffness: 20}
analysis: {type: buckling, count: 3}
)");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said, "1 of 3 asked for");
}

TEST_CASE("A joint that is there twice leaves frequencies and load factors of stiff members as they are", "[serial]") {
  const auto folder = test::fresh_folder("clamped-twice");
  for (const char* elements : {"8", "60"})
    for (const char* modulus : {"1e9", "1e13"}) {
      std::string text = cantilever;
      text.replace(text.find("elements: 8"), 11, std::string("elements: ") + elements);
      text.replace(text.find("1e9"), 3, modulus);
      text.replace(text.find("[0.1, 0, -2]"), 12, "[0, 0, -2]");
      std::string twice = text;
      twice.insert(twice.find("forces:"), "  again: {type: clamp, connect: [ground, c.start]}\n");
      for (const char* type : {"modes", "buckling"}) {
        INFO(type << " of " << elements << " elements, " << modulus);
        const std::string load = std::string(type) == "modes" ? " --set forces.press.vector=[0,0,0]" : "";
        std::vector<std::vector<double>> found[2];
        for (int k = 0; k < 2; ++k) {
          test::write_file(folder / "model.yaml", (k == 0 ? text : twice) + "analysis: {type: " + type + ", count: 2}\n");
          const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml -o ") + type + load);
          INFO(outcome.said);
          REQUIRE(outcome.code == 0);
          found[k] = table(folder / type / (std::string(type) + ".csv"));
        }
        REQUIRE(found[0].size() == found[1].size());
        for (std::size_t i = 0; i < found[0].size(); ++i) CHECK(found[1][i][1] == Approx(found[0][i][1]).epsilon(1e-5));
      }
    }
}

TEST_CASE("Of a large model the user hears that redundant joints give way beside stiff members", "[serial]") {
  const auto folder = test::fresh_folder("yielding");
  std::string text = cantilever;
  text.replace(text.find("elements: 8"), 11, "elements: 400");
  text.replace(text.find("1e9"), 3, "1e13");
  text.replace(text.find("[0.1, 0, -2]"), 12, "[0, 0, 0]");
  std::string twice = text;
  twice.insert(twice.find("forces:"), "  again: {type: clamp, connect: [ground, c.start]}\n");
  for (const bool is_twice : {false, true}) {
    test::write_file(folder / "model.yaml", (is_twice ? twice : text) + "analysis: {type: modes, count: 2}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK((outcome.said.find("redundant joints give way: in mode 1") != std::string::npos) == is_twice);
  }
}
