#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A top on a universal joint, and the same with a massless frame between two revolute joints: M is then singular, but not where
/// G allows motion.
std::string top(bool has_frame, double step) {
  const std::string joints = has_frame
                                 ? "  base: {type: revolute, connect: [ground, frame], axis: [0, 0, 1]}\n"
                                   "  hinge: {type: revolute, connect: [frame, top.pivot], axis: [0, 1, 0]}\n"
                                 : "  base: {type: universal, connect: [ground, top.pivot], axis: [0, 0, 1], axis2: [0, 1, 0]}\n";
  return "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n" +
         std::string(has_frame ? "  frame: {type: rigid, mass: 0, inertia: [0, 0, 0], position: [0, 0, 0]}\n" : "") +
         "  top: {type: rigid, mass: 2, inertia: [0.02, 0.03, 0.04], position: [0.3, 0, 0], velocity: [0, 0.6, 0],\n"
         "        angular_velocity: [0, 0, 2], points: {pivot: [-0.3, 0, 0]}}\njoints:\n" +
         joints +
         "sensors:\n  top: {type: point, of: top, record: [position, velocity, acceleration]}\n"
         "  base: {type: joint, of: base, record: [force]}\n"
         "analysis: {end_time: 0.5, step: [" +
         std::to_string(step) + ", " + std::to_string(step / 2) + "], newton: {tolerance: 1e-12}}\n";
}

/// Largest difference of a quantity over its largest value, at the end.
double difference(const Values& a, const Values& b, const std::string& quantity) {
  double gap = 0, size = 0;
  for (const auto& [name, value] : a) {
    if (name.find(quantity) == std::string::npos) continue;
    gap = std::max(gap, std::abs(value - b.at(name)));
    size = std::max(size, std::abs(value));
  }
  return gap / size;
}

}  // namespace

TEST_CASE("A heavy top on a massless frame moves and pulls like one without", "[serial]") {
  const Values with = run_model(MPI_COMM_SELF, top(true, 4e-3)).values.back();
  const Values without = run_model(MPI_COMM_SELF, top(false, 4e-3)).values.back();
  for (const char* quantity : {"top.position", "top.velocity", "top.acceleration", "base.force"}) {
    INFO(quantity);
    CHECK(difference(without, with, quantity) < 1e-9);
  }
}
