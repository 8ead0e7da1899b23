// A soft cable that spins about its pinned end and falls: J. Gerstmayr, A. A. Shabana, Analysis of thin beams and cables using
// the absolute nodal co-ordinate formulation, Nonlinear Dynamics 45 (2006) 109-130.
#include "tests/catch.hpp"
#include "tests/physics/self_convergence.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Length 1, a square section of 2.5e-4 m^2, 320 kg/m^3, E = 1.6e5 N/m^2: it stretches by some percent and hardly resists
/// bending.
std::string spinning_cable(int elements) {
  return fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials: {{soft: {{density: 320, youngs_modulus: 1.6e5, poissons_ratio: 0}}}}
sections: {{square: {{shape: rectangle, width: 0.0158113883008419, height: 0.0158113883008419}}}}
bodies:
  cable: {{type: cable, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: {}}}, section: square, material: soft,
          angular_velocity: [0, 0, -4], points: {{middle: {{at: 0.5}}}}}}
joints:
  pin: {{type: spherical, connect: [ground, cable.start]}}
sensors:
  tip: {{type: point, of: cable.end, record: [position, velocity, acceleration]}}
  middle: {{type: point, of: cable.middle, record: [position]}}
  pin: {{type: joint, of: pin, record: [force]}}
  energy: {{type: energy, record: [kinetic, total]}}
)yaml",
                     elements);
}

Values end_of(int elements, double end_time, double step) {
  RunChoices choices;
  choices.at_every_step = false;
  return run_model(MPI_COMM_SELF,
                   spinning_cable(elements) + fmt::format("analysis: {{end_time: {}, step: {}}}\n", end_time, step), choices)
      .values.back();
}

}  // namespace

/// It starts without the tension that it needs, so that waves run along it: steps that resolve them.
TEST_CASE("a spinning cable moves with order 2, equal steps or alternating ones", "[serial]") {
  check_order(spinning_cable(4), 0.05, 800, {"tip.position", "tip.velocity", "tip.acceleration", "pin.force"});
}

TEST_CASE("a spinning cable keeps its energy to the order of the step", "[serial]") {
  double gain[2] = {};
  for (const int refined : {0, 1}) {
    const std::string analysis = fmt::format("analysis: {{end_time: 1, step: {}}}\n", 2e-3 / (1 + refined));
    const Trajectory run = run_model(MPI_COMM_SELF, spinning_cable(8) + analysis);
    double most = 0;
    for (const Values& v : run.values)
      most = std::max(most, std::abs(v.at("energy.total") - run.values.front().at("energy.total")));
    gain[refined] = most / run.values.front().at("energy.kinetic");
  }
  INFO("part of the kinetic energy: " << gain[0] << ", " << gain[1]);
  CHECK(gain[1] < 1e-3);
  CHECK(gain[1] < 0.3 * gain[0]);
}

TEST_CASE("a spinning cable converges with its elements", "[serial]") {
  const Values fine = end_of(32, 0.4, 1e-3);
  const double eight = distance(end_of(8, 0.4, 1e-3), fine, columns("middle.position")),
               sixteen = distance(end_of(16, 0.4, 1e-3), fine, columns("middle.position"));
  INFO("8 elements " << eight << ", 16 " << sixteen);
  CHECK(sixteen < 1e-4);
  CHECK(sixteen < 0.2 * eight);
}
