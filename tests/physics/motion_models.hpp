/// \file
/// Models that turn, for modes about their motions.
#pragma once

#include "tests/catch.hpp"
#include "tests/physics/moving.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sinew::test::motion_models {

/// The mode whose frequency is nearest, rad/s.
inline double nearest(const std::vector<Mode>& modes, double omega) {
  double best = 0;
  for (const Mode& m : modes)
    if (std::abs(m.omega() - omega) < std::abs(best - omega)) best = m.omega();
  return best;
}

inline std::string rotor(const std::string& inertia, const std::string& analysis) {
  return fmt::format(R"(sinew: 1
bodies:
  rotor: {{type: rigid, mass: 2, inertia: {}, position: [0, 0, 0], angular_velocity: [0, 0, 100]}}
forces:
  bearing: {{type: bushing, connect: [ground, rotor], stiffness: [800, 800, 900, 30, 30, 0]}}
analysis: {{type: modes, about: motion{}}}
)",
                     inertia, analysis);
}

inline std::string top(double spin) {
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  top: {{type: rigid, mass: 2, inertia: [0.03, 0.03, 0.02], position: [0, 0, 0.2], angular_velocity: [0, 0, {}],
         points: {{tip: [0, 0, -0.2]}}}}
joints:
  tip: {{type: spherical, connect: [ground, top.tip]}}
analysis: {{type: modes, about: motion}}
)",
                     spin);
}

/// A hub that turns about z with 12 rad/s and one or two straight arms on one line with it, which gravity or a force bends up or
/// down; the state given is not bent. `arms` are lines of bodies, `joints` and `forces` those of the sections.
inline std::string bodies_on_a_line(const std::string& arms, const std::string& joints, const std::string& forces,
                                    const std::string& analysis) {
  return fmt::format(R"(sinew: 1
constants: {{W: 12}}
sections: {{s: {{stiffness: [1e5, 5e4, 5e4, 50, 100, 300], inertia: [0.5, 0.5, 0.5, 1e-4, 5e-5, 5e-5]}}}}
bodies:
  hub: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], angular_velocity: [0, 0, W],
         points: {{a: [0.1, 0, 0], b: [-0.1, 0, 0]}}}}
{}joints:
{}{}analysis: {{type: modes, about: motion{}}}
)",
                     arms, joints, forces, analysis);
}

}  // namespace sinew::test::motion_models
