// A door on hinges that say the same: what each of them bears, as the motion goes on.
#include "tests/program/table.hpp"
#include "tests/program/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;

namespace {

using Rows = std::map<long, std::map<std::string, double>>;  ///< by milliseconds

/// A leaf that swings by its weight about an axis (out of the vertical by 0.4 rad) on two or three hinges, from rest.
std::string door(int hinges) {
  const std::string axis = "[2*sin(0.4)/sqrt(5), -sin(0.4)/sqrt(5), cos(0.4)]";
  std::string text = R"(sinew: 1
gravity: [0, 0, -9.81]
constants: {h: 1e-3}
bodies:
  door:
    type: rigid
    mass: 20
    inertia: [4, 6, 2.5]
    position: [0.45, 0.02, 1]
    orientation: {axis: [1, 2, 0], angle: 0.4}
    points: {hinge1: [-0.45, -0.02, -0.8], hinge2: [-0.45, -0.02, 0.7], hinge3: [-0.45, -0.02, 0.1]}
joints:
)";
  for (int i = 1; i <= hinges; ++i)
    text += "  hinge" + std::to_string(i) + ": {type: revolute, connect: [ground, door.hinge" + std::to_string(i) +
            "], axis: " + axis + "}\n";
  text += "sensors:\n  door: {type: point, of: door, record: [position, acceleration]}\n";
  for (int i = 1; i <= hinges; ++i)
    text += "  hinge" + std::to_string(i) + ": {type: joint, of: hinge" + std::to_string(i) + ", record: [force, moment]}\n";
  return text + "analysis: {end_time: 1, step: h}\noutput: {sensors: {every: 0.02}}\n";
}

Rows run_of(const std::filesystem::path& folder, double step) {
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --set constants.h=" + std::to_string(step));
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return test::read_table(folder / "out" / "sensors.csv");
}

/// Largest difference of a vector over all rows.
double difference(const Rows& a, const Rows& b, const std::string& quantity) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (const auto& [time, row] : a)
    for (const char* part : {".x", ".y", ".z"})
      largest = std::max(largest, std::abs(row.at(quantity + part) - b.at(time).at(quantity + part)));
  return largest;
}

}  // namespace

TEST_CASE("What every hinge of a door on two or three hinges bears is of order 2", "[serial]") {
  for (const int hinges : {2, 3}) {
    const auto folder = test::fresh_folder("door-" + std::to_string(hinges));
    test::write_file(folder / "model.yaml", door(hinges));
    // What fed the reactions grew from rounding, over the squares of steps as short as these.
    const auto exact = run_of(folder, 5e-4);
    const std::array runs{run_of(folder, 1e-2), run_of(folder, 5e-3), run_of(folder, 2.5e-3)};
    std::vector<std::string> quantities{"door.position", "door.acceleration"};
    for (int i = 1; i <= hinges; ++i)
      for (const char* part : {"force", "moment"}) quantities.push_back("hinge" + std::to_string(i) + "." + part);
    for (const std::string& quantity : quantities) {
      for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
        const double coarse = difference(runs[i], exact, quantity), fine = difference(runs[i + 1], exact, quantity);
        INFO(hinges << " hinges, " << quantity << ": " << coarse << ", " << fine);
        CHECK(std::log2(coarse / fine) == Approx(2).margin(0.15));
      }
    }
  }
}

TEST_CASE("What two hinges bear together is the weight of their door, whatever the unit of mass makes of it", "[serial]") {
  const auto folder = test::fresh_folder("door-units");
  std::string text = door(2);
  text.replace(text.find("mass: 20"), 8, "mass: 20*kg");
  text.replace(text.find("[4, 6, 2.5]"), 11, "[4*kg, 6*kg, 2.5*kg]");
  text.replace(text.find("{h: 1e-3}"), 9, "{h: 1e-3, kg: 1}");
  test::write_file(folder / "model.yaml", text);
  const auto first = [&](const char* kilogram) {
    const test::Outcome outcome = test::run_sinew(
        folder,
        std::string("run model.yaml -o out --set constants.h=1e-3 --set analysis.end_time=1e-2 --set constants.kg=") + kilogram);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    return test::read_table(folder / "out" / "sensors.csv").at(0);
  };
  const auto exact = first("1");
  for (const char* kilogram : {"1e9", "1e-9", "1e-15"})
    for (const char* quantity : {"hinge1.force.x", "hinge1.force.z", "hinge2.force.y", "hinge2.force.z", "hinge2.moment.x"}) {
      INFO(quantity << ", a kilogram is " << kilogram);
      CHECK(first(kilogram).at(quantity) / std::stod(kilogram) == Approx(exact.at(quantity)).epsilon(1e-6));
    }
}

TEST_CASE("A model that cannot move is said to be locked, not only to hold more than it needs", "[serial]") {
  const auto folder = test::fresh_folder("locked");
  const std::string hinge = R"(sinew: 1
bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, a], axis: [0, 0, 1]}
)";
  const std::string end = "analysis: {end_time: 0.1, step: 0.01}\n";
  test::write_file(folder / "free.yaml", hinge + end);
  test::write_file(folder / "locked.yaml", hinge + "  rail: {type: prismatic, connect: [ground, a], axis: [1, 0, 0]}\n" + end);
  test::write_file(folder / "driven.yaml", hinge + "  drive: {type: motion, of: hinge, angle: sin(t)}\n" + end);
  test::write_file(folder / "turned.yaml", hinge + "  drive: {type: motion, of: hinge, angular_velocity: 2}\n" + end);
  test::write_file(folder / "stopped.yaml", hinge + "  drive: {type: motion, of: hinge, angular_velocity: 0}\n" + end);
  const std::string warning = "nothing of the model can move: its constraints leave none of its 6 degrees of freedom";
  for (const auto& [model, left] :
       {std::pair{"free", "1"}, {"locked", "0"}, {"driven", "0"}, {"turned", "0"}, {"stopped", "0"}}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("check ") + model + ".yaml");
    INFO(outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, std::string("independent motions left by the constraints: ") + left + "\n");
    CHECK((outcome.said.find(warning) != std::string::npos) == (model[0] == 'l' || model[0] == 's'));
  }
}

TEST_CASE("Links buckle alike whether their joints hold them once or twice", "[serial]") {
  // two links of 1.5 m in line, a spring across at their hinge: P 2 x / l = k x; the guide at the top holds y once more
  const auto folder = test::fresh_folder("redundant-buckling");
  for (const std::string top : {"point-on-line, connect: [ground, b.e], axis: [0, 0, 1]",
                                "coordinate-fixed, connect: [ground, b.e], direction: [1, 0, 0]"}) {
    test::write_file(folder / "model.yaml", R"(sinew: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.75], points: {s: [0, 0, -0.75], e: [0, 0, 0.75]}}
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 2.25], points: {s: [0, 0, -0.75], e: [0, 0, 0.75]}}
joints:
  h: {type: revolute, connect: [ground, a.s], axis: [0, 1, 0]}
  g: {type: revolute, connect: [a.e, b.s], axis: [0, 1, 0]}
  t: {type: )" + top + R"(}
forces:
  k: {type: spring-damper, connect: [[-1, 0, 1.5], a.e], stiffness: 7}
  p: {type: force, on: b.e, vector: [0, 0, -1]}
analysis: {type: buckling, count: 1}
)");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(test::Table(folder / "out" / "buckling.csv").at("load_factor", 0) == Approx(7 * 1.5 / 2).epsilon(1e-6));
  }
}
