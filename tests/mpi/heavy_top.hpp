/// \file
/// The heavy top of the Lie-group literature, as a model file.
#pragma once

#include <fmt/format.h>

#include <string>

namespace sinew::test {

inline std::string heavy_top_until(double end_time) {
  return fmt::format(R"(sinew: 1
title: Heavy top
gravity: [0, 0, -9.81]
bodies:
  top: {{type: rigid, mass: 15, inertia: [0.234375, 0.46875, 0.234375], position: [0, 1, 0], velocity: [4.61538, 0, 0],
        angular_velocity_local: [0, 150, -4.61538], points: {{tip: [0, -1, 0]}}}}
joints:
  pivot: {{type: spherical, connect: [ground, top.tip]}}
sensors:
  top: {{type: point, of: top, record: [position, velocity, acceleration, angular_velocity]}}
  pivot: {{type: joint, of: pivot, record: [force]}}
analysis: {{end_time: {}, step: 1e-3, rho_inf: 0.9, newton: {{tolerance: 1e-12}}}}
)",
                     end_time);
}

}  // namespace sinew::test
