// States of rest on contacts that bodies are drawn away from.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

/// A ball of 0.1 m between a ball of the same size that stands still at (-0.05, 0.1) and a wall at x = 0.15: it rests on both,
/// where the forces of its weight press it into them by a tenth of a millimetre.
TEST_CASE("a ball comes to rest between another one and a wall, from however high it is drawn", "[serial]") {
  for (const double height : {0.28, 0.5, 1.0, 3.0, 10.0}) {
    INFO("drawn " << height << " m high");
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  b: {{type: point-mass, mass: 1, position: [0.03, 0, {}]}}
joints:
  plane: {{type: point-on-plane, connect: [ground, b], normal: [0, 1, 0]}}
forces:
  ball: {{type: contact, connect: [[-0.05, 0, 0.1], b], first_radius: 0.1, radius: 0.1, stiffness: 1e5}}
  left: {{type: contact, connect: [[-0.15, 0, 0], b], normal: [1, 0, 0], radius: 0.1, stiffness: 1e5}}
  right: {{type: contact, connect: [[0.15, 0, 0], b], normal: [-1, 0, 0], radius: 0.1, stiffness: 1e5}}
sensors: {{b: {{type: point, of: b}}}}
analysis: {{type: static}}
)",
                                                height));
    const EquilibriumReport report = model.find_rest();
    CHECK(report.is_stable);
    // 0.2 m apart, 0.1 m of it along the wall
    CHECK(model.values().at("b.position.x") == Approx(0.05).margin(1e-4));
    CHECK(model.values().at("b.position.z") == Approx(0.1 + std::sqrt(0.03)).margin(3e-4));
  }
}

/// A rope of 2.1 m between supports that are 2 m apart would sag by 0.27 m: the drum below its middle begins 0.24 m down.
TEST_CASE("a rope that is drawn above a drum lies on it, and does not go through", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {hemp: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {rope: {shape: circle, diameter: 0.02}}
bodies:
  rope: {type: cable, section: rope, material: hemp, line: {from: [-1.05, 0, 0], to: [1.05, 0, 0], elements: 32}}
joints:
  left: {type: spherical, connect: [[-1, 0, 0], rope.start]}
  right: {type: spherical, connect: [[1, 0, 0], rope.end]}
forces:
  "touch{i}":
    repeat: {i: 1..31}
    type: contact
    connect: [[0, 0, -0.5], "rope.node[{i}]"]
    axis: [0, 1, 0]
    first_radius: 0.25
    radius: 0.01
    stiffness: 1e4
sensors: {middle: {type: point, of: "rope.node[16]"}, left: {type: joint, of: left, record: force}}
analysis: {type: static}
)");
  model.find_rest();
  CHECK(model.values().at("middle.position.z") == Approx(-0.24).margin(2e-3));
  CHECK(std::abs(model.values().at("left.force.x")) < 20);
}
