// Modal bodies beside the solids that they stand for: vibrations, motions, rotation, and what free bodies keep.
#include "tests/catch.hpp"
#include "tests/physics/moving.hpp"
#include "tests/physics/short_models.hpp"
#include "tests/physics/stationary.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A rubber bar along x, `as` a solid or a modal body; `more`: keys of the body.
std::string bar(const std::string& as, const std::string& more, const std::string& damping = "") {
  const std::string modal = as == "modal" ? "    interfaces: [x-, x+]\n    modes: 8\n" : "";
  return "materials: {rubber: {density: 1000, youngs_modulus: 2e7, poissons_ratio: 0.3" + damping + R"(}}
bodies:
  bar:
    type: )" +
         as + R"(
    box: {size: [0.5, 0.05, 0.04], elements: [8, 1, 1], element: hex20}
    material: rubber
)" + modal +
         more;
}

/// Held at one end; hanging from a hinge there.
const std::string clamped = R"(joints: {wall: {type: fixed, connect: [ground, bar.x-]}}
sensors: {tip: {type: point, of: bar.x+}}
analysis: {type: static}
)";
const std::string hinged = R"(gravity: [0, 0, -9.81]
joints: {hinge: {type: revolute, connect: [ground, bar.x-], axis: [0, 1, 0]}}
)";

/// The largest difference of a column between two runs of the same steps.
double largest_difference(const Trajectory& a, const Trajectory& b, const std::string& column) {
  double largest = 0;
  for (std::size_t n = 0; n < a.time.size(); ++n)
    largest = std::max(largest, std::abs(a.values[n].at(column) - b.values[n].at(column)));
  return largest;
}

}  // namespace

TEST_CASE("a clamped modal body has the lowest frequencies of its mesh", "[serial]") {
  const std::vector<double> solid = Stationary(MPI_COMM_SELF, "sinew: 1\n" + bar("solid", "") + clamped).frequencies(8),
                            modal = Stationary(MPI_COMM_SELF, "sinew: 1\n" + bar("modal", "") + clamped).frequencies(8);
  for (std::size_t k = 0; k < solid.size(); ++k) {
    INFO("mode " << k << ": " << modal[k] << " Hz, of the mesh " << solid[k]);
    CHECK(modal[k] >= solid[k] * (1 - 1e-7));  // of fewer shapes none is slower
    CHECK(modal[k] == Approx(solid[k]).epsilon(k < 2 ? 1e-4 : k < 4 ? 1e-3 : 1e-2));
  }
}

TEST_CASE("a modal body bends under loads at its interfaces as its mesh does", "[serial]") {
  const std::string rest = R"(joints: {wall: {type: fixed, connect: [ground, bar.x-]}}
forces:
  across: {type: force, on: bar.x+, vector: [0.2, 0, -0.1]}
  about: {type: torque, on: bar.x+, vector: [0.01, 0.02, 0]}
sensors: {tip: {type: point, of: bar.x+, record: [displacement]}, wall: {type: joint, of: wall}, e: {type: energy}}
analysis: {type: static}
)";
  Stationary solid(MPI_COMM_SELF, "sinew: 1\n" + bar("solid", "") + rest),
      modal(MPI_COMM_SELF, "sinew: 1\n" + bar("modal", "") + rest);
  solid.find_rest();
  modal.find_rest();
  const Values is = modal.values(), should = solid.values();
  const double deflection = std::abs(should.at("tip.displacement.z"));
  CHECK(deflection > 1e-3);
  // the body's static shapes hold it exactly, but for squares of the turn
  for (const char* axis : {"x", "y", "z"}) {
    const std::string tip = std::string("tip.displacement.") + axis;
    CHECK(is.at(tip) == Approx(should.at(tip)).margin(5e-3 * deflection));
  }
  CHECK(is.at("wall.force.z") == Approx(-0.1).epsilon(1e-9));
  CHECK(is.at("wall.moment.y") == Approx(should.at("wall.moment.y")).epsilon(1e-3));
  CHECK(is.at("e.strain") == Approx(should.at("e.strain")).epsilon(1e-2));
}

TEST_CASE("materials damp a modal body as they damp its mesh, whatever brakes what", "[serial]") {
  for (const char* damping :
       {", damping: {alpha: 20}", ", damping: {beta: 1e-3}", ", viscosity: 1e4", ", damping: {alpha: 5, beta: 1e-4}"}) {
    INFO(damping);
    Stationary solid(MPI_COMM_SELF, "sinew: 1\n" + bar("solid", "", damping) + clamped),
        modal(MPI_COMM_SELF, "sinew: 1\n" + bar("modal", "", damping) + clamped);
    const std::vector<Mode> should = solid.modes(4), is = modal.modes(4);
    for (std::size_t k = 0; k < 4; ++k) CHECK(is[k].damping_ratio() == Approx(should[k].damping_ratio()).epsilon(5e-3));
  }
}

TEST_CASE("a free modal body that its material brakes loses its momentum as its mesh does", "[serial]") {
  const std::string more = "    velocity: [1, 2, 0]\n    angular_velocity: [0, 3, 4]\n", damping = ", damping: {alpha: 4}",
                    sensors = "sensors: {whole: {type: system}}\n", analysis = "{end_time: 0.3, step: 2e-3}";
  const Trajectory solid = run_short(bar("solid", more, damping) + sensors, analysis),
                   modal = run_short(bar("modal", more, damping) + sensors, analysis);
  for (const char* column : {"whole.momentum.x", "whole.momentum.y", "whole.angular_momentum.z"}) {
    const double left = modal.values.back().at(column) / modal.values.front().at(column);
    CHECK(left == Approx(std::exp(-4 * 0.3)).epsilon(2e-3));
    CHECK(modal.values.back().at(column) == Approx(solid.values.back().at(column)).epsilon(2e-3));
  }
}

TEST_CASE("a modal body swings on a hinge as its mesh does", "[serial]") {
  const std::string rest = hinged + R"(sensors:
  tip: {type: point, of: bar.x+, record: [position, velocity]}
  hinge: {type: joint, of: hinge, record: [force]}
  whole: {type: system, record: [mass, center_of_mass, momentum, angular_momentum]}
)";
  const std::string analysis = "{end_time: 0.6, step: 2e-3}", damping = ", damping: {beta: 2e-3}";
  const Trajectory solid = run_short(bar("solid", "", damping) + rest, analysis),
                   modal = run_short(bar("modal", "", damping) + rest, analysis);
  CHECK(modal.values[0].at("whole.mass") == Approx(solid.values[0].at("whole.mass")).epsilon(1e-12));
  CHECK(modal.values[0].at("whole.center_of_mass.x") == Approx(0.25).epsilon(1e-12));
  CHECK(largest_difference(solid, modal, "tip.position.z") < 2e-4 * 0.5);
  CHECK(largest_difference(solid, modal, "tip.position.x") < 2e-4 * 0.5);
  CHECK(largest_difference(solid, modal, "hinge.force.z") < 1e-2 * 25);  // at the lowest place five halves of the weight
  CHECK(largest_difference(solid, modal, "whole.momentum.x") < 1e-3 * 1.9);
  CHECK(largest_difference(solid, modal, "whole.angular_momentum.y") < 1e-4 * 0.6);
}

TEST_CASE("a spinning modal body has the forward and backward whirl of its mesh", "[serial]") {
  const std::string spinning =
      "    angular_velocity: [60, 0, 0]\n    position: [0, -0.025, -0.02]\n    velocity: [0, 1.2, -1.5]\n";
  const std::string rest = R"(joints: {bearing: {type: revolute, connect: [ground, bar.x-], axis: [1, 0, 0]}}
sensors: {tip: {type: point, of: bar.x+}}
analysis: {type: modes, about: motion, count: 6}
)";
  Moving solid(MPI_COMM_SELF, "sinew: 1\n" + bar("solid", spinning) + rest),
      modal(MPI_COMM_SELF, "sinew: 1\n" + bar("modal", spinning) + rest);
  const MotionModes is = modal.modes(6), should = solid.modes(6);
  REQUIRE(is.modes.size() >= 6);
  for (std::size_t k = 0; k < 6; ++k) {
    INFO("mode " << k << ": " << is.modes[k].frequency() << " Hz, of the mesh " << should.modes[k].frequency());
    CHECK(is.modes[k].frequency() == Approx(should.modes[k].frequency()).epsilon(3e-3).margin(1e-3));
  }
}

TEST_CASE("a free modal body keeps its momenta, and its energy to second order", "[serial]") {
  const std::string moving = "    angular_velocity: [3, 8, 5]\n    velocity: [1, 0, 0]\n";
  const std::string sensors = R"(sensors:
  whole: {type: system}
  e: {type: energy, record: [kinetic, strain, total]}
)";
  double change[2] = {};
  for (int k = 0; k < 2; ++k) {
    const Trajectory run = run_short(bar("modal", moving) + sensors,
                                     k == 0 ? "{end_time: 1, step: 4e-3, rho_inf: 1}" : "{end_time: 1, step: 2e-3, rho_inf: 1}");
    const Values &first = run.values.front(), &last = run.values.back();
    for (const char* axis : {"x", "y", "z"}) {
      const std::string momentum = std::string("whole.momentum.") + axis, spin = std::string("whole.angular_momentum.") + axis;
      CHECK(last.at(momentum) == Approx(first.at(momentum)).margin(1e-9));
      CHECK(last.at(spin) == Approx(first.at(spin)).margin(2e-3 * std::abs(first.at("whole.angular_momentum.y"))));
    }
    double strain = 0;
    for (std::size_t n = 0; n < run.time.size(); ++n) {
      change[k] = std::max(change[k], std::abs(run.values[n].at("e.total") - first.at("e.total")));
      strain = std::max(strain, run.values[n].at("e.strain"));
    }
    CHECK(strain > 1e-4);
    CHECK(change[k] < 2e-4 * first.at("e.total"));
  }
  CHECK(change[1] < change[0] / 3);
}

TEST_CASE("positions, reactions and accelerations of a modal body are of second order under changing steps", "[serial]") {
  const std::string rest = hinged + R"(sensors:
  tip: {type: point, of: bar.x+, record: [position, acceleration]}
  hinge: {type: joint, of: hinge, record: [force]}
)";
  const auto run = [&](double h) {
    std::string steps("[");
    steps.append(std::to_string(h / 3)).append(", ").append(std::to_string(2 * h / 3)).append("]");
    return run_short(bar("modal", "    damping_ratio: 0.2\n") + rest, "{end_time: 0.24, rho_inf: 0.5, step: " + steps + "}")
        .values.back();
  };
  const Values fine = run(3e-4), half = run(3e-3), whole = run(6e-3);
  for (const std::string column : {"tip.position.z", "tip.acceleration.z", "hinge.force.x", "hinge.force.z"}) {
    const double order = std::log2(std::abs(whole.at(column) - fine.at(column)) / std::abs(half.at(column) - fine.at(column)));
    INFO(column << ": order " << order);
    CHECK(order > 1.8);
  }
}
