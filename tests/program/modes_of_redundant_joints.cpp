// Joints that say the same twice leave modes as they are.
#include "tests/program/cantilever.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

using namespace sinew;
using test::cantilever, test::lines, test::rows_of;

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
