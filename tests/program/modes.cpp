#include "tests/program/cantilever.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>
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
      const auto modes = rows_of(folder / "model.out" / "modes.csv");
      REQUIRE(static_cast<int>(modes.size()) == count);
      for (int i = 1; i <= count; ++i)
        CHECK(modes[static_cast<std::size_t>(i - 1)][2] == Approx(std::sqrt(7.0 * i / 5.5)).epsilon(1e-4));
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
          found[k] = rows_of(folder / type / (std::string(type) + ".csv"));
        }
        REQUIRE(found[0].size() == found[1].size());
        for (std::size_t i = 0; i < found[0].size(); ++i) CHECK(found[1][i][1] == Approx(found[0][i][1]).epsilon(1e-5));
      }
    }
}

TEST_CASE("Redundant joints of a large model hold beside stiff members", "[serial]") {
  const auto folder = test::fresh_folder("yielding");
  std::string text = cantilever;
  text.replace(text.find("elements: 8"), 11, "elements: 400");
  text.replace(text.find("1e9"), 3, "1e13");
  text.replace(text.find("[0.1, 0, -2]"), 12, "[0, 0, 0]");
  std::string twice = text;
  twice.insert(twice.find("forces:"), "  again: {type: clamp, connect: [ground, c.start]}\n");
  const double omega = 3.5160153 / 4 * std::sqrt(1e13 / 1000 / 4e-4 * 1.3333333333333333e-8);  // Euler and Bernoulli
  for (const std::string& model : {text, twice}) {
    test::write_file(folder / "model.yaml", model + "analysis: {type: modes, count: 2}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.said.find("redundant joints give way") == std::string::npos);
    for (const auto& mode : rows_of(folder / "model.out" / "modes.csv")) CHECK(mode[2] == Approx(omega).epsilon(1e-4));
  }
}

// Scissors in a row, of 2100 unknowns and more, move alike: all points along the row by its opening, all turns by half of it.
TEST_CASE("redundant joints of long linkages do not give way in modes", "[serial]") {
  const auto folder = test::fresh_folder("scissors");
  const int pairs = 75;
  const double h = 0.5, q = 0.6, mass = 2, inertia = 0.2;
  double A = 2 * pairs * inertia;
  for (int i = 0; i < pairs; ++i) A += 2 * mass * (std::pow((2 * i + 1) * h * std::sin(q), 2) + std::pow(h * std::cos(q), 2));
  const std::string text = R"yaml(sinew: 1
constants: {N: 75, h: 0.5, q: 0.6, c: h*cos(q), s: h*sin(q)}
gravity: [0, 0, 0]
bodies:
  "a{i}": {repeat: {i: 0..N-1}, type: rigid, mass: 2, inertia: [0.01, 0.2, 0.2], position: [(2*i+1)*c, 0, s],
           orientation: {axis: [0, -1, 0], angle: q}, points: {l: [-h, 0, 0], r: [h, 0, 0]}}
  "b{i}": {repeat: {i: 0..N-1}, type: rigid, mass: 2, inertia: [0.01, 0.2, 0.2], position: [(2*i+1)*c, 0, s],
           orientation: {axis: [0, 1, 0], angle: q}, points: {l: [-h, 0, 0], r: [h, 0, 0]}}
joints:
  foot: {type: revolute, connect: [ground, a0.l], axis: [0, 1, 0]}
  guide: {type: point-on-line, connect: [[0, 0, 2*s], b0.l], axis: [0, 0, 1]}
  "m{i}": {repeat: {i: 0..N-1}, type: revolute, connect: ["a{i}", "b{i}"], axis: [0, 1, 0]}
  "t{i}": {repeat: {i: 0..N-2}, type: revolute, connect: ["a{i}.r", "b{i+1}.l"], axis: [0, 1, 0]}
  "u{i}": {repeat: {i: 0..N-2}, type: revolute, connect: ["b{i}.r", "a{i+1}.l"], axis: [0, 1, 0]}
)yaml";
  for (const double stiffness : {7.5e5, 7.5e9, 7.5e17}) {  // whatever the unit of time
    const double omega = std::sqrt(4 * stiffness / A);
    for (const double damping : {0.0, 1e-3 * stiffness / omega}) {
      if (damping > 0 && stiffness > 1e10) continue;
      for (const std::string about : {"initial", "static", "motion"}) {
        std::ostringstream spring;
        spring << std::setprecision(17)
               << "forces: {sp: {type: torsional-spring, connect: [a0, b0], axis: [0, 1, 0], stiffness: " << stiffness
               << ", damping: " << damping << "}}\nanalysis: {type: modes, count: 3, about: " << about << "}\n";
        if (stiffness > 1e10 && about != "initial") continue;
        test::write_file(folder / "model.yaml", text + spring.str());
        const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
        INFO(stiffness << ' ' << damping << ' ' << about << '\n' << outcome.said);
        REQUIRE(outcome.code == 0);
        CHECK(outcome.said.find("redundant joints") == std::string::npos);
        const auto rows = rows_of(folder / "model.out" / "modes.csv");
        REQUIRE(rows.size() == 1);
        CHECK(rows[0][2] == Approx(omega).epsilon(1e-10));
        CHECK(rows[0][5] == Approx(damping / (2 * stiffness) * omega).epsilon(1e-8).margin(1e-12));
      }
    }
  }
}

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
