// What `sinew modes` writes, and how many modes there are.
#include "tests/program/cantilever.hpp"
#include "tests/program/table.hpp"

#include <iomanip>
#include <string>

using namespace sinew;
using test::cantilever, test::lines, test::rows_of;

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
    const auto rows = rows_of(folder / "model.modes.out" / "modes.csv");
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

/// Modes of ladders of beams took what hundreds of dynamic steps do, by a solver that did not know what their unknowns are.
TEST_CASE("modes of a frame of beams are factorised by substructures", "[serial]") {
  const auto folder = test::fresh_folder("modes-frame");
  test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {a: {density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3}}
sections: {s: {shape: circle, diameter: 0.1}}
bodies:
  "low{i}": {repeat: {i: 1..6}, type: beam, line: {from: [i-1, 0, 0], to: [i, 0, 0], elements: 2}, section: s, material: a}
  "post{i}": {repeat: {i: 1..6}, type: beam, line: {from: [i, 0, 0], to: [i, 0, 1], elements: 2}, section: s, material: a}
joints:
  wall: {type: fixed, connect: [ground, low1.start]}
  "along{i}": {repeat: {i: 2..6}, type: fixed, connect: ["low{i-1}.end", "low{i}.start"]}
  "up{i}": {repeat: {i: 1..6}, type: fixed, connect: ["low{i}.end", "post{i}.start"]}
analysis: {type: modes, count: 3}
)");
  const test::Outcome run = test::run_sinew(folder, "run model.yaml -o out -sinew_modes_st_ksp_view -sinew_modes_scale_ksp_view");
  INFO(run.said);
  REQUIRE(run.code == 0);
  test::check_contains(run.said, "LU by substructures");
  CHECK(run.said.find("KLU") == std::string::npos);
}

TEST_CASE("modes that dampers or spin alone make fast are there", "[serial]") {
  const auto folder = test::fresh_folder("modes-fast");
  const auto last_of = [&](const std::string& model) {
    test::write_file(folder / "model.yaml", "sinew: 1\n" + model);
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(model << outcome.said);
    REQUIRE(outcome.code == 0);
    const auto modes = rows_of(folder / "out" / "modes.csv");
    REQUIRE_FALSE(modes.empty());
    return modes.back();
  };
  const std::string rotor = R"yaml(bodies:
  rotor: {type: rigid, mass: 1, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, 0]}
joints: {bearing: {type: revolute, connect: [ground, rotor], axis: [0, 0, 1]}}
forces: {drag: {type: torsional-spring, connect: [ground, rotor], axis: [0, 0, 1], stiffness: 0, damping: 0.9}}
analysis: {type: modes, count: 4}
)yaml";
  CHECK(last_of(rotor)[3] == Approx(-9000).epsilon(1e-6));
  const std::string gyroscope = R"yaml(bodies:
  top: {type: rigid, mass: 1, inertia: [1e-5, 1e-5, 1.8e-5], position: [0, 0, 0], angular_velocity: [0, 0, 1000]}
joints: {ball: {type: spherical, connect: [ground, top]}}
analysis: {type: modes, about: motion, count: 4}
)yaml";
  CHECK(last_of(gyroscope)[4] == Approx(1800).epsilon(1e-6));
}

namespace {

/// The modes of bodies in free space between which forces act.
test::Table free_modes(const std::filesystem::path& folder, const std::string& bodies, const std::string& forces) {
  test::write_file(folder / "model.yaml", "sinew: 1\ngravity: [0, 0, 0]\nbodies:\n" + bodies + "forces:\n" + forces +
                                              "analysis: {type: modes, count: 80}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return test::Table(folder / "out" / "modes.csv");
}

}  // namespace

TEST_CASE("what a damper leaves free is at rest, in whatever order the bodies stand", "[serial]") {
  const auto folder = test::fresh_folder("modes-without-springs");
  const std::string p = "  p: {type: point-mass, mass: 2, position: [0, 0, 0]}\n",
                    q = "  q: {type: point-mass, mass: 1, position: [1, 0, 0]}\n",
                    damper = "  d: {type: spring-damper, connect: [p, q], damping: 0.3}\n";
  for (const std::string& bodies : {p + q, q + p}) {
    const test::Table modes = free_modes(folder, bodies, damper);
    REQUIRE(modes.rows() == 7);
    for (std::size_t k = 0; k < 6; ++k) CHECK(modes.at("omega", k) == 0);
    CHECK(modes.at("real", 6) == Approx(-0.45));
  }
}

TEST_CASE("dampers between free bodies leave them all their free motions, in whatever order they stand", "[serial]") {
  // off the line of the centres; zeros that stand alone beside double ones
  const auto folder = test::fresh_folder("modes-of-damped-bodies");
  const std::string
      p = "  p: {type: rigid, mass: 2, inertia: [0.3, 0.2, 0.4], position: [0, 0, 0], points: {a: [0.2, 0.3, -0.1]}}\n",
      q = "  q: {type: rigid, mass: 1, inertia: [0.1, 0.3, 0.3], position: [1, 0.2, 0.1], points: {a: [-0.3, 0.1, 0.2]}}\n",
      r = "  r: {type: rigid, mass: 3, inertia: [0.5, 0.6, 0.7], position: [2, -0.2, 0.4], points: {a: [-0.1, 0.4, 0.1]}}\n",
      dampers =
          "  d: {type: spring-damper, connect: [p.a, q.a], damping: 0.3}\n"
          "  e: {type: spring-damper, connect: [q.a, r.a], damping: 2}\n";
  for (const std::string& bodies : {p + q + r, r + q + p, q + r + p}) {
    const test::Table modes = free_modes(folder, bodies, dampers);
    std::size_t free = 0;
    while (free < modes.rows() && modes.at("omega", free) == 0) ++free;
    CHECK(free == 18);
    CHECK(modes.rows() == 20);
  }
}

TEST_CASE("modes by one slope of a force that has two are warned of", "[serial]") {
  const auto folder = test::fresh_folder("modes-at-a-bend");
  const auto said = [&](const std::string& law) {
    test::write_file(folder / "model.yaml",
                     "sinew: 1\ntables: {damper: [[-1, -40], [0, 0], [1, 4]]}\ngravity: [0, 0, 0]\n"
                     "bodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
                     "sensors: {a: {type: point, of: a, record: [position, velocity]}}\n"
                     "forces: {f: {type: actuator, on: a, direction: [1, 0, 0], force: \"-100*" +
                         law + "\"}}\nanalysis: {type: modes, count: 3}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    CHECK(outcome.code == 0);
    return outcome.said;
  };
  const std::string v = "sensor.a.velocity.x", x = "sensor.a.position.x", bends = "bends or jumps in this very state";
  test::check_contains(said(x + " - damper(" + v + ")"), bends);
  test::check_contains(said("max(0, " + x + ")"), bends);
  test::check_contains(said("(" + x + " + sign(" + v + "))"), bends);
  CHECK(said(x + " - 3*abs(" + v + ")*" + v).find(bends) == std::string::npos);
  CHECK(said(x + " - damper(" + v + " + 0.5)").find(bends) == std::string::npos);
}

TEST_CASE("What sinew modes heeds is not said to have no effect, whatever the model asks for itself", "[serial]") {
  const auto folder = test::fresh_folder("modes-heeds");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {end_time: 1, step: 0.1, initial: static}\n");
  const test::Outcome outcome =
      test::run_sinew(folder, "modes model.yaml --set analysis.matrices=true --set analysis.about=static --set analysis.count=3");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("no effect") == std::string::npos);
  test::check_contains(outcome.said, "state of rest");
  CHECK(std::filesystem::exists(folder / "model.modes.out" / "matrix_K.mtx"));
  CHECK(lines(test::file_text(folder / "model.modes.out" / "modes.csv")) == 4);
}
