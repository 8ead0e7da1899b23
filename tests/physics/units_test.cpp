// The unit of length, time or mass changes no digit of a motion: nothing in Sinew weighs metres against radians or counts from 1.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A cable that carries two bodies on joints and a spring, in units of `length` m and `time` s, started while it moves.
std::string hanging(const std::string& integrator, double length, double time) {
  return fmt::format(
      R"(sinew: 1
constants: {{l: {length:.17g}, tau: {time:.17g}}}
gravity: [0, 0, -9.81*l/tau^2]
materials: {{m: {{density: 1200/l^3, youngs_modulus: 5e7/(l*tau^2), poissons_ratio: 0.3}}}}
sections: {{s: {{area: 1e-4*l^2, iy: 8e-10*l^4, iz: 8e-10*l^4, j: 1.6e-9*l^4}}}}
bodies:
  cable: {{type: cable, line: {{from: [0, 0, 0], to: [l, 0, 0], elements: 12}}, section: s, material: m}}
  one: {{type: rigid, mass: 0.5, inertia: [1e-3*l^2, 2e-3*l^2, 2.5e-3*l^2], position: [1.1*l, 0, 0], velocity: [0, 0, 0.1*l/tau],
    angular_velocity: [3/tau, 1/tau, 0], points: {{a: [-0.1*l, 0, 0], b: [0.1*l, 0, 0]}}}}
  two: {{type: rigid, mass: 0.8, inertia: [4e-3*l^2, 2e-3*l^2, 2.5e-3*l^2], position: [1.5*l, 0, 0],
         points: {{a: [-0.3*l, 0, 0]}}}}
joints:
  top: {{type: spherical, connect: [ground, cable.start]}}
  end: {{type: spherical, connect: [cable.end, one.a]}}
  cross: {{type: universal, connect: [one.b, two.a], axis: [1, 0, 0]}}
forces:
  spring: {{type: spring-damper, connect: [[0.5*l, l, 0], two], stiffness: 30/tau^2, damping: 0.3/tau}}
sensors:
  two: {{type: point, of: two, record: [position, velocity]}}
  end: {{type: joint, of: end, record: [force]}}
analysis: {{end_time: 0.1*tau, step: 2e-3*tau, integrator: {integrator}}}
)",
      fmt::arg("length", length), fmt::arg("time", time), fmt::arg("integrator", integrator));
}

}  // namespace

TEST_CASE("A model of cables, bodies and joints moves alike in all units, with every integrator", "[serial]") {
  struct Method {
    std::string integrator;
    KktForm kkt;
  };
  for (const auto& [integrator, kkt] : {Method{"soi2", KktForm::automatic},
                                        {"soi2", KktForm::monolithic},
                                        {"gen-alpha", KktForm::automatic},
                                        {"gen-alpha-ggl", KktForm::monolithic},
                                        {"newmark", KktForm::automatic},
                                        {"bdf-si2", KktForm::automatic}}) {
    RunChoices choices;
    choices.kkt = kkt;
    choices.at_every_step = false;
    const Trajectory given = run_model(MPI_COMM_SELF, hanging(integrator, 1, 1), choices);
    for (const auto& [length, time] : {std::pair{1e-6, 1.0}, {1e-3, 1.0}, {1e3, 1.0}, {1.0, 1e3}, {1e3, 1e-3}}) {
      INFO(integrator << ", lengths times " << length << ", times times " << time);
      const Trajectory scaled = run_model(MPI_COMM_SELF, hanging(integrator, length, time), choices);
      CHECK(scaled.summary.newton == given.summary.newton);
      CHECK(scaled.values.back().at("two.position.z") / length ==
            Approx(given.values.back().at("two.position.z")).epsilon(1e-10));
      CHECK(scaled.values.back().at("two.velocity.z") / length * time ==
            Approx(given.values.back().at("two.velocity.z")).epsilon(1e-9));
      CHECK(scaled.values.back().at("end.force.x") / length * time * time ==
            Approx(given.values.back().at("end.force.x")).epsilon(1e-7));
    }
  }
}
