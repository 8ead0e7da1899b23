// Linkages whose hinges hold more than they need move as those that hold what they need.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

namespace {

/// Three rods between two places on the ground, in a plane inclined by 0.5 rad, which swing by their weight from rest; `away`
/// metres from the origin. Where all four joints are hinges three rows say what others say.
std::string four_bar(bool is_redundant) {
  const std::string axis = "axis: [0, -sin(0.5), cos(0.5)]";
  std::string text = R"(sinew: 1
gravity: [0, -9.81, 0]
constants: {away: 0, h: 2e-3}
bodies:
  a: {type: rigid, mass: 0.6, inertia: [0.001, 0.017, 0.018], position: [0.15 + away, 0.25*cos(0.5), 0.25*sin(0.5) - away],
      points: {p: [-0.15, -0.25*cos(0.5), -0.25*sin(0.5)], q: [0.15, 0.25*cos(0.5), 0.25*sin(0.5)]}}
  b: {type: rigid, mass: 0.9, inertia: [0.001, 0.06, 0.061], position: [0.7 + away, 0.7*cos(0.5), 0.7*sin(0.5) - away],
      points: {p: [-0.4, -0.2*cos(0.5), -0.2*sin(0.5)], q: [0.4, 0.2*cos(0.5), 0.2*sin(0.5)]}}
  c: {type: rigid, mass: 0.9, inertia: [0.001, 0.062, 0.063], position: [1.15 + away, 0.45*cos(0.5), 0.45*sin(0.5) - away],
      points: {p: [-0.05, 0.45*cos(0.5), 0.45*sin(0.5)], q: [0.05, -0.45*cos(0.5), -0.45*sin(0.5)]}}
joints:
)";
  text += "  A: {type: revolute, connect: [ground, a.p], " + axis + "}\n";
  text += "  B: {type: revolute, connect: [a.q, b.p], " + axis + "}\n";
  text += is_redundant ? "  C: {type: revolute, connect: [b.q, c.p], " + axis + "}\n  D: {type: revolute, "
                       : "  C: {type: spherical, connect: [b.q, c.p]}\n  D: {type: cylindrical, ";
  return text + "connect: [ground, c.q], " + axis + R"(}
sensors: {a: {type: point, of: a}, b: {type: point, of: b}, e: {type: energy}}
analysis: {end_time: 8, step: h, newton: {tolerance: 1e-12}}
output: {sensors: {every: 0.1}}
)";
}

struct Motion {
  Table table;
  std::string said;
};

Motion motion_of(const std::filesystem::path& folder, const std::string& model, const std::string& settings, int ranks = 0) {
  const std::string out = model + "-out";
  const test::Outcome outcome = test::run_sinew(folder, "run " + model + ".yaml -o " + out + " --set " + settings, ranks);
  INFO(settings << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return {Table(folder / out / "sensors.csv"), outcome.said};
}

/// Largest difference of the places of the bodies.
double difference(const Table& a, const Table& b) {
  REQUIRE(a.rows() == b.rows());
  double largest = 0;
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (const char* column : {"a.position.x", "a.position.y", "a.position.z", "b.position.x", "b.position.y", "b.position.z"})
      largest = std::max(largest, std::abs(a.at(column, row) - b.at(column, row)));
  return largest;
}

/// But for what Newton's method leaves: up to 2e-10 m are found.
void check_same(const std::filesystem::path& folder, const std::string& settings, int ranks = 0) {
  const Motion redundant = motion_of(folder, "redundant", settings, ranks), exact = motion_of(folder, "exact", settings, ranks);
  INFO(settings << ", " << ranks << " ranks: " << difference(redundant.table, exact.table));
  CHECK(difference(redundant.table, exact.table) < 1e-9);
  test::check_contains(redundant.said, ", 0 attempts rejected");
}

std::filesystem::path both_models(const std::string& name) {
  const auto folder = test::fresh_folder(name);
  test::write_file(folder / "redundant.yaml", four_bar(true));
  test::write_file(folder / "exact.yaml", four_bar(false));
  return folder;
}

}  // namespace

// What no equation determines of the multipliers grew without end by their prediction, with all integrators, at the pace at
// which the rows turn against each other; to 1e14 N in three seconds of bdf-si2 of order 5.
TEST_CASE("A four-bar linkage of four hinges moves as one that holds nothing twice, with every integrator", "[serial]") {
  const auto folder = both_models("redundant-four-bar");
  for (const char* method : {"soi2", "gen-alpha", "gen-alpha-ggl"})
    check_same(folder, "analysis.integrator=" + std::string(method));
  for (const char* method : {"bdf-si1", "bdf-si2"})
    for (int order = 0; order <= 5; ++order) {
      const std::string choice = order > 0 ? " analysis.order=" + std::to_string(order) : "";
      check_same(folder, "analysis.integrator=" + std::string(method) + choice + " analysis.end_time=4");
    }
}

TEST_CASE("So it does a hundred metres from the origin, as one system, and on several ranks", "[serial]") {
  const auto folder = both_models("redundant-four-bar-elsewhere");
  const std::string method = "analysis.integrator=bdf-si2 analysis.order=5 analysis.end_time=4";
  check_same(folder, method + " constants.away=100");
  check_same(folder, method + " -sinew_kkt monolithic");
  check_same(folder, method + " constants.h=4e-3", 2);
}
