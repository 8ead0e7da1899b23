#include "tests/physics/stationary.hpp"
#include "tests/catch.hpp"

#include "partition/exchange.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// Two cables with a rigid body between them, and a pendulum on it.
const std::string bridge = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e9, damping: {beta: 1e-4}}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  left: {type: cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 12}, section: s, material: m}
  hub: {type: rigid, mass: 0.5, inertia: [0.01, 0.02, 0.03], position: [1, 0, 0], points: {low: [0, 0, -0.1]}}
  right: {type: cable, line: {from: [1, 0, 0], to: [2, 0, 0], elements: 12}, section: s, material: m}
  bob: {type: point-mass, mass: 0.2, position: [1, 0.1, -0.6]}
joints:
  wall: {type: clamp, connect: [ground, left.start]}
  a: {type: spherical, connect: [left.end, hub]}
  b: {type: spherical, connect: [hub, right.start]}
  roller: {type: point-on-line, connect: [ground, right.end], axis: [1, 0, 0]}
  string: {type: distance, connect: [hub.low, bob]}
sensors:
  bob: {type: point, of: bob, record: [position]}
analysis: {type: static}
)";

const std::string pressed_column = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 16}, section: s, material: m}
joints:
  foot: {type: clamp, connect: [ground, c.start]}
forces:
  press: {type: force, on: c.end, vector: [0, 0, -2]}
analysis: {type: buckling}
)";

}  // namespace

TEST_CASE("Rest and modes are the same on any number of ranks", "[mpi]") {
  Stationary shared(MPI_COMM_WORLD, bridge), alone(MPI_COMM_SELF, bridge);
  shared.find_rest();
  alone.find_rest();
  const auto values = shared.values(), own_values = alone.values();
  const std::vector<Mode> modes = shared.modes(6), own_modes = alone.modes(6);
  if (comm_rank(MPI_COMM_WORLD) == 0)
    for (const auto& [name, value] : values) CHECK(value == Approx(own_values.at(name)).margin(1e-7));
  CHECK(modes.size() == own_modes.size());
  for (std::size_t i = 0; i < std::min(modes.size(), own_modes.size()); ++i) {
    CHECK(modes[i].real == Approx(own_modes[i].real).margin(1e-6 * own_modes[i].omega()));
    CHECK(modes[i].imaginary == Approx(own_modes[i].imaginary).margin(1e-6 * own_modes[i].omega()));
  }
}

TEST_CASE("Load factors are the same on any number of ranks", "[mpi]") {
  Stationary shared(MPI_COMM_WORLD, pressed_column), alone(MPI_COMM_SELF, pressed_column);
  const std::vector<double> factors = shared.buckling(4), own_factors = alone.buckling(4);
  CHECK(factors.size() == own_factors.size());
  for (std::size_t i = 0; i < std::min(factors.size(), own_factors.size()); ++i)
    CHECK(factors[i] == Approx(own_factors[i]).epsilon(1e-7));
}
