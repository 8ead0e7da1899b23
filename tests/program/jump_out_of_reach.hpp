/// \file
/// A motion that has no solution from some time on.
#pragma once

namespace sinew::test {

/// A slider on a rail and a bob that two rods hold between it and the origin; at t = 0.1 the slider is to jump to where they do
/// not reach.
inline constexpr const char* jump_out_of_reach = R"yaml(sinew: 1
bodies:
  slider: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.8, 0, 0]}
  bob: {type: point-mass, mass: 1, position: [0.4, 0.3, 0]}
joints:
  rail: {type: prismatic, connect: [ground, slider], axis: [1, 0, 0]}
  left: {type: distance, connect: [ground, bob], distance: 0.5}
  right: {type: distance, connect: [slider, bob], distance: 0.5}
  drive: {type: motion, of: rail, displacement: "if(t < 0.1, 0, 5)"
}
analysis: {end_time: 0.2, step: {tolerance: 1e-4}}
)yaml";

}  // namespace sinew::test
