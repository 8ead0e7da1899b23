// Where constraints are linear in the positions those of the velocities follow from them: SOI2 has nothing to project.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

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
