// Steps that alternate by far, with methods that damp much: what their updates have wrong must not grow from step to step.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

Trajectory alternating(const std::string& model, double rho_inf, double h, double ratio, double end,
                       const std::string& more = "") {
  return run_model(MPI_COMM_SELF, fmt::format("sinew: 1\n{}\nanalysis: {{end_time: {}, step: [{}, {}], rho_inf: {}{}}}\n", model,
                                              end, h, ratio * h, rho_inf, more));
}

constexpr const char* spun = R"(
bodies: {top: {type: rigid, mass: 2, inertia: [0.2, 0.25, 0.3], position: [0, 0, 0], angular_velocity: [0, 0, 1.2]}}
forces: {turn: {type: torque, on: top, vector: [0, 0, 0.5]}}
sensors: {top: {type: point, of: top, record: [angular_velocity]}})";

constexpr const char* circling = R"(bodies: {bob: {type: point-mass, mass: 2, position: [1, 0, 0], velocity: [0, 1.5, 0]}}
joints: {rod: {type: distance, connect: [ground, bob]}}
sensors: {bob: {type: point, of: bob, record: [position]}, rod: {type: joint, of: rod, record: force}})";

/// A beam on a driven hinge, whose fast vibrations lie far beyond the steps.
constexpr const char* beam = R"yaml(
sections: {bar: {stiffness: [1e7, 1e6, 1e6, 500, 1000, 1000], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies:
  beam: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 3}, section: bar}
joints:
  hinge: {type: revolute, connect: [ground, beam.start], axis: [0, 0, 1]}
  drive: {type: motion, of: hinge, angle: "0.3*sin(5*t)"}
sensors: {tip: {type: point, of: beam.end, record: [position, velocity]}, hinge: {type: joint, of: hinge, record: force}})yaml";

}  // namespace

TEST_CASE("a torque turns a body as it should under steps that keep changing", "[serial]") {
  for (const auto& [rho, ratio] : {std::pair(0.0, 2.0), std::pair(0.0, 3.0), std::pair(0.2, 5.0), std::pair(0.5, 12.0)}) {
    CAPTURE(rho, ratio);
    const Trajectory run = alternating(spun, rho, 1e-3, ratio, 2);
    CHECK(run.values.back().at("top.angular_velocity.z") == Approx(1.2 + 2 * 0.5 / 0.3).epsilon(1e-9));
  }
}

TEST_CASE("constraints do not let what updates have wrong grow under steps that keep changing", "[serial]") {
  for (const char* method : {"soi2", "gen-alpha-ggl"})
    for (const auto& [rho, ratio] : {std::pair(0.0, 9.0), std::pair(0.5, 9.0), std::pair(0.7, 9.0), std::pair(0.8, 9.0)}) {
      CAPTURE(method, rho, ratio);
      const Trajectory run = alternating(circling, rho, 1e-3, ratio, 4, std::string(", integrator: ") + method);
      const Values& end = run.values.back();
      CHECK(end.at("bob.position.x") == Approx(std::cos(6.0)).margin(2e-4));
      CHECK(std::hypot(end.at("rod.force.x"), end.at("rod.force.y")) == Approx(4.5).epsilon(1e-3));
    }
}

TEST_CASE("vibrations beyond the steps are damped under steps that keep changing", "[serial]") {
  const Trajectory fine = alternating(beam, 0.8, 2.5e-5, 1, 0.2);
  for (const auto& [rho, ratio] : {std::pair(0.0, 3.0), std::pair(0.2, 5.0), std::pair(0.5, 9.0)}) {
    CAPTURE(rho, ratio);
    const Trajectory run = alternating(beam, rho, 2e-4, ratio, 0.2);
    for (const char* name : {"tip.position.x", "tip.position.y"})
      CHECK(run.values.back().at(name) == Approx(fine.values.back().at(name)).margin(2e-3));
    CHECK(std::abs(run.values.back().at("tip.velocity.y") - fine.values.back().at("tip.velocity.y")) < 0.1);
  }
}
