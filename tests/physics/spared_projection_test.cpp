// What the projection of velocities is spared: where constraints are linear in the positions those of the velocities follow from
// them, and where bodies turn little in a step the tangent's factors serve.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A cable of ten elements falls about a joint at its end.
std::string falling_cable(const std::string& integrator) {
  return "sinew: 1\ngravity: [0, -9.81, 0]\n"
         "materials: {rope: {density: 1, youngs_modulus: 1e5, poissons_ratio: 0}}\n"
         "sections: {rope: {area: 1, iy: 5e-4, iz: 5e-4, j: 1e-3}}\n"
         "bodies:\n  cable: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0.2], elements: 10}, section: rope, material: "
         "rope}\n"
         "joints:\n  pin: {type: spherical, connect: [ground, cable.start]}\n"
         "sensors:\n  tip: {type: point, of: cable.end, record: [position, velocity, acceleration]}\n"
         "  pin: {type: joint, of: pin, record: [force]}\n"
         "analysis: {end_time: 0.3, step: 0.01, rho_inf: 0.8, integrator: " +
         integrator + "}\n";
}

/// The same at the end of a rod that turns: its joints are not linear.
std::string cable_on_rod() {
  std::string text = falling_cable("soi2");
  const std::string rod =
      "  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [-0.5, 0, 0], "
      "points: {far: [-0.5, 0, 0], near: [0.5, 0, 0]}}\n";
  text.insert(text.find("joints:"), rod);
  text.replace(text.find("ground, cable.start]}"), 21,
               "rod.near, cable.start]}\n  hinge: {type: spherical, connect: [ground, rod.far]}");
  return text;
}

/// A net of N x N rods, held at one side, falls.
std::string falling_net(const std::string& integrator, double step, int rods = 4) {
  return "sinew: 1\nconstants: {N: " + std::to_string(rods) +
         "}\ngravity: [0, 0, -9.81]\nbodies:\n"
         "  \"warp{i*(N+1)+j}\": {repeat: {i: 1..N, j: 0..N}, type: rigid, mass: 1, inertia: [0.002, 0.1, 0.1], "
         "position: [i-0.5, j, 0], points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}\n"
         "  \"weft{i*(N+1)+j}\": {repeat: {i: 1..N, j: 1..N}, type: rigid, mass: 1, inertia: [0.1, 0.002, 0.1], "
         "position: [i, j-0.5, 0], points: {start: [0, -0.5, 0], end: [0, 0.5, 0]}}\n"
         "joints:\n"
         "  \"wall{j}\": {repeat: {j: 0..N}, type: spherical, connect: [ground, \"warp{(N+1)+j}.start\"]}\n"
         "  \"along{i*(N+1)+j}\": {repeat: {i: 2..N, j: 0..N}, type: spherical, "
         "connect: [\"warp{(i-1)*(N+1)+j}.end\", \"warp{i*(N+1)+j}.start\"]}\n"
         "  \"upper{i*(N+1)+j}\": {repeat: {i: 1..N, j: 1..N}, type: spherical, "
         "connect: [\"warp{i*(N+1)+j}.end\", \"weft{i*(N+1)+j}.end\"]}\n"
         "  \"lower{i*(N+1)+j}\": {repeat: {i: 1..N, j: 1..N}, type: spherical, "
         "connect: [\"warp{i*(N+1)+j-1}.end\", \"weft{i*(N+1)+j}.start\"]}\n"
         "sensors:\n  corner: {type: point, of: warp" +
         std::to_string(rods * (rods + 2)) +
         ".end, record: [position, velocity, acceleration]}\n"
         "  wall: {type: joint, of: wall2, record: [force]}\n"
         "analysis: {end_time: 0.1, step: " +
         std::to_string(step) + ", rho_inf: 0.8, integrator: " + integrator + "}\n";
}

std::string with_tolerance(std::string model) { return model.insert(model.rfind('}'), ", newton: {tolerance: 1e-8}"); }

Trajectory run(const std::string& text, KktForm kkt = KktForm::block) {
  RunChoices choices;
  choices.kkt = kkt;
  return run_model(MPI_COMM_SELF, text, choices);
}

}  // namespace

TEST_CASE("a cable on the ground moves by SOI2 as by generalized-alpha with positions alone, to the last bit", "[serial]") {
  const Trajectory both = run(falling_cable("soi2")), positions = run(falling_cable("gen-alpha"));
  REQUIRE(both.values.size() == 31);
  REQUIRE(positions.values.size() == 31);
  for (std::size_t i = 0; i < both.values.size(); ++i) CHECK(both.values[i] == positions.values[i]);
  CHECK(both.summary.newton == positions.summary.newton);
  CHECK(both.summary.factorizations == positions.summary.factorizations);
}

TEST_CASE("a cable on a rod that turns has its velocities projected", "[serial]") {
  const Trajectory blocks = run(cable_on_rod()), whole = run(cable_on_rod(), KktForm::monolithic);
  REQUIRE(blocks.values.size() == whole.values.size());
  for (const auto& [name, value] : whole.values.back()) {
    INFO(name);
    CHECK(blocks.values.back().at(name) == Approx(value).epsilon(1e-5).margin(1e-5));
  }
}

TEST_CASE("a net of rods has its velocities projected with the tangent's factors alone", "[serial]") {
  const Trajectory both = run(falling_net("soi2", 0.002)), positions = run(falling_net("gen-alpha", 0.002));
  CHECK(both.summary.factorizations <= positions.summary.factorizations + 2);
  const Trajectory whole = run(falling_net("soi2", 0.002), KktForm::monolithic);
  for (const auto& [name, value] : whole.values.back()) {
    INFO(name);
    CHECK(both.values.back().at(name) == Approx(value).epsilon(1e-6).margin(1e-6));
  }
}

// Large enough for factors with leaves and fronts, which solve for both systems at once. To a tolerance that is a number.
TEST_CASE("corrections of velocities that go along with those of positions leave what one system for all leaves", "[serial]") {
  const std::string exact = with_tolerance(falling_net("soi2", 0.01, 16));
  const Trajectory both = run(exact), positions = run(with_tolerance(falling_net("gen-alpha", 0.01, 16)));
  CHECK(both.summary.factorizations <= positions.summary.factorizations + 2);
  const Trajectory whole = run(exact, KktForm::monolithic);
  for (const auto& [name, value] : whole.values.back()) {
    INFO(name);
    CHECK(both.values.back().at(name) == Approx(value).epsilon(1e-6).margin(1e-6));
  }
}

// Where steps are solved as well as the integrator's error asks for, M delta + G^T mu' = 0 is left open by a hundredth of delta.
TEST_CASE("what such corrections leave by default is a small part of the integrator's error", "[serial]") {
  const std::string net = falling_net("soi2", 0.01, 16);
  const Trajectory both = run(net), whole = run(net, KktForm::monolithic), fine = run(falling_net("soi2", 0.0025, 16));
  for (const auto& [name, value] : whole.values.back()) {
    INFO(name);
    const double error = std::abs(value - fine.values.back().at(name));
    CHECK(std::abs(both.values.back().at(name) - value) <= 0.05 * error + 1e-9);
  }
}
