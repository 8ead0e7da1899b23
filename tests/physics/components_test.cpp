// Clamps that hold some directions: planes of symmetry and rollers, against closed forms and whole models.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = std::numbers::pi;

/// A bar between two walls that is struck in its middle, whole or up to its plane of symmetry.
std::string struck(bool is_whole) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}}}
bodies: {{bar: {{type: solid, box: {{size: [{}, 0.2, 0.3], elements: [{}, 2, 2]}}, material: m}}}}
joints:
  wall: {{type: clamp, connect: [ground, bar.x-]}}
  far: {{type: clamp, connect: [ground, bar.x+], components: {}}}
forces: {{blow: {{type: traction, on: bar.z+, vector: ["300*t", 0, "-2e5*t"]}}}}
sensors:
  near: {{type: point, of: bar.x-, record: displacement}}
  wall: {{type: joint, of: wall, record: [force, moment.y]}}
  far: {{type: joint, of: far, record: [force, work]}}
  drift: {{type: constraint, record: [position, velocity]}}
  energy: {{type: energy, record: [total, work]}}
analysis: {{end_time: 0.02, step: 5e-4, newton: {{tolerance: 1e-11}}}}
)",
                     is_whole ? "2" : "1", is_whole ? 8 : 4, is_whole ? "[x, y, z]" : "x");
}

}  // namespace

TEST_CASE("a block between three planes of symmetry stretches as uniaxial tension has it", "[serial]") {
  const double E = 1e6, nu = 0.3, P = 2e5;
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies: {block: {type: solid, box: {size: [2, 0.5, 1], elements: [3, 2, 2]}, material: rubber, position: [1, 2, 3]}}
joints:
  middle: {type: clamp, connect: [ground, block.x-], components: x}
  side: {type: clamp, connect: [block.y-, ground], components: [y]}
  floor: {type: clamp, connect: [ground, block.z-], components: [z]}
forces: {pull: {type: traction, on: block.x+, vector: [2e5, 0, 0]}}
sensors:
  end: {type: point, of: block.x+, record: displacement}
  back: {type: point, of: block.y+, record: displacement}
  top: {type: point, of: block.z+, record: displacement}
  middle: {type: joint, of: middle, record: [force, moment]}
  side: {type: joint, of: side, record: [force, moment]}
analysis: {type: static, newton: {tolerance: 1e-12}}
)");
  model.find_rest();
  // P = S l, S = E (l^2 - 1)/2, and across (l_2^2 - 1)/2 = -nu (l^2 - 1)/2
  double l = 1;
  for (int k = 0; k < 50; ++k) l -= (E * l * (l * l - 1) / 2 - P) / (E * (3 * l * l - 1) / 2);
  const double across = std::sqrt(1 - nu * (l * l - 1));
  auto v = model.values();
  CHECK(v["end.displacement.x"] == Approx(2 * (l - 1)).epsilon(1e-9));
  CHECK(v["back.displacement.y"] == Approx(0.5 * (across - 1)).epsilon(1e-9));
  CHECK(v["top.displacement.z"] == Approx(1.0 * (across - 1)).epsilon(1e-9));
  CHECK(v["middle.force.x"] == Approx(P * 0.5).epsilon(1e-9));
  CHECK(std::abs(v["middle.force.y"]) < 1e-9 * P);
  CHECK(std::abs(v["side.force.y"]) < 1e-9 * P);
  // About where the middle of the face was: the resultant has moved with the face, which became thinner.
  CHECK(v["middle.moment.z"] == Approx(-P * 0.5 * 0.25 * (across - 1)).epsilon(1e-8));
  CHECK(v["middle.moment.y"] == Approx(P * 0.5 * 0.5 * (across - 1)).epsilon(1e-8));
}

TEST_CASE("a beam on a pin and a roller bends as between simple supports, and the roller lets it move along", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
sections: {bar: {stiffness: [1e6, 1e8, 1e8, 50, 100, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies: {beam: {type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 8, order: 3}, section: bar}}
joints:
  pin: {type: revolute, connect: [ground, beam.start], axis: [0, 1, 0]}
  roller: {type: clamp, connect: [ground, beam.end], components: [y, z]}
forces:
  load: {type: force, on: "beam.node[12]", vector: [0, 0, -0.05]}
  push: {type: force, on: beam.end, vector: [20, 0, 0]}
sensors:
  middle: {type: point, of: "beam.node[12]", record: displacement}
  end: {type: point, of: beam.end, record: displacement}
  roller: {type: joint, of: roller, record: [force, moment]}
analysis: {type: static, newton: {tolerance: 1e-12}}
)",
                   {"forces.push.vector.0=0"});
  model.find_rest();
  auto v = model.values();
  CHECK(v["middle.displacement.z"] == Approx(-0.05 * 8 / (48 * 100)).epsilon(1e-4));
  CHECK(v["roller.force.z"] == Approx(-0.025).epsilon(1e-6));
  CHECK(std::abs(v["roller.force.x"]) < 1e-12);
  CHECK(std::abs(v["roller.moment.y"]) < 1e-7);
  Stationary pushed(MPI_COMM_SELF, R"(sinew: 1
sections: {bar: {stiffness: [1e6, 1e8, 1e8, 50, 100, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies:
  cable: {type: cable, line: {from: [0, 1, 0], to: [2, 1, 0], elements: 4}, section: bar}
  mass: {type: point-mass, mass: 2, position: [0, 3, 0]}
  beam: {type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 4}, section: bar}
joints:
  pin: {type: revolute, connect: [ground, beam.start], axis: [0, 1, 0]}
  roller: {type: clamp, connect: [ground, beam.end], components: [y, z]}
  hook: {type: spherical, connect: [ground, cable.start]}
  rail: {type: clamp, connect: [ground, cable.end], components: [y, z]}
  slot: {type: clamp, connect: [mass, ground], components: z}
forces:
  push: {type: force, on: beam.end, vector: [20, 0, 0]}
  pull: {type: force, on: cable.end, vector: [30, 0, 0]}
  spring: {type: spring-damper, connect: [[0, 3.2, 0], mass], stiffness: 100, length: 0.1}
  weight: {type: force, on: mass, vector: [0, 0, -5]}
  side: {type: spring-damper, connect: [[1, 3, 0], mass], stiffness: 50}
sensors:
  end: {type: point, of: beam.end, record: displacement}
  cable: {type: point, of: cable.end, record: displacement}
  slot: {type: joint, of: slot, record: force}
analysis: {type: static, newton: {tolerance: 1e-12}}
)");
  pushed.find_rest();
  v = pushed.values();
  CHECK(v["end.displacement.x"] == Approx(2 * 20 / 1e6).epsilon(1e-9));
  CHECK(v["cable.displacement.x"] == Approx(2 * 30 / 1e6).epsilon(1e-6));
  CHECK(v["slot.force.z"] == Approx(5.0));  // on the mass, which is named first
}

TEST_CASE("all three components hold a place and leave its turning free", "[serial]") {
  const auto lowest = [](const std::string& pin, const std::string& carrier) {
    Stationary model(MPI_COMM_SELF, R"(sinew: 1
sections: {bar: {stiffness: [1e8, 1e8, 1e8, 50, 100, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies:
  beam: {type: beam, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 8, order: 3}, section: bar}
)" + carrier + R"(joints:
  start: {)" + pin + R"(}
  end: {type: clamp, connect: [ground, beam.end], components: [y, z]}
  roll: {type: clamp, connect: [ground, "beam.node[12]"], components: y}
analysis: {type: modes}
)");
    const std::vector<double> all = model.frequencies(3);
    return *std::find_if(all.begin(), all.end(), [](double f) { return f > 1; });  // behind the roll about the line
  };
  const double pinned = lowest("type: spherical, connect: [ground, beam.start]", "");
  CHECK(pinned == Approx(std::pow(pi / 2, 2) * std::sqrt(100 / 1.0) / (2 * pi)).epsilon(5e-3));
  for (const char* components : {"[x, y, z]", "[z, x, y]"}) {
    const std::string by = std::string(", components: ") + components;
    CHECK(lowest("type: clamp, connect: [ground, beam.start]" + by, "") == Approx(pinned).epsilon(1e-9));
    CHECK(lowest("type: clamp, connect: [beam.start, ground]" + by, "") == Approx(pinned).epsilon(1e-9));
  }
  CHECK(lowest("type: clamp, connect: [ground, beam.start]", "") > 1.4 * pinned);
  Stationary hung(MPI_COMM_SELF, R"(sinew: 1
bodies:
  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  bar: {type: rigid, mass: 2, inertia: [0.3, 0.3, 0.3], position: [0, 0, -1], points: {top: [0, 0, 1]}}
joints:
  foot: {type: fixed, connect: [ground, hub]}
  pin: {type: clamp, connect: [hub, bar.top], components: [x, y, z]}
gravity: [0, 0, -9.81]
analysis: {type: modes}
)");
  hung.find_rest();
  const std::vector<double> swings = hung.frequencies(3);
  REQUIRE(swings.size() == 3);  // two of a pendulum, and the turn about the vertical
  for (const std::size_t k : {1U, 2U}) CHECK(swings[k] == Approx(std::sqrt(2 * 9.81 / 2.3) / (2 * pi)).epsilon(1e-8));
}

TEST_CASE("half a bar with its plane of symmetry swings as the whole does where that is symmetric", "[serial]") {
  Stationary half(MPI_COMM_SELF, struck(false)), whole(MPI_COMM_SELF, struck(true));
  const std::vector<double> few = half.frequencies(4), all = whole.frequencies(12);
  for (const double f : few) {
    INFO(f);
    CHECK(std::any_of(all.begin(), all.end(), [&](double g) { return std::abs(f - g) < 1e-7 * f; }));
  }
}

TEST_CASE("half a bar with its plane of symmetry moves as the whole does, at every level of the constraints", "[serial]") {
  for (const char* integrator : {"soi2", "bdf-si2", "gen-alpha-ggl"}) {
    CAPTURE(integrator);
    const std::vector<std::string> set{std::string("analysis.integrator=") + integrator, "forces.blow.vector.0=0"};
    const RunChoices choices{.at_every_step = false, .overrides = set};
    const Values half = run_model(MPI_COMM_SELF, struck(false), choices).values.back();
    const Values whole = run_model(MPI_COMM_SELF, struck(true), choices).values.back();
    CHECK(half.at("wall.force.z") == Approx(whole.at("wall.force.z")).epsilon(1e-6));
    CHECK(half.at("wall.moment.y") == Approx(whole.at("wall.moment.y")).epsilon(1e-6));
    CHECK(half.at("wall.force.x") == Approx(whole.at("wall.force.x")).epsilon(1e-6));
    CHECK(half.at("drift.position") < 1e-12);
    CHECK(half.at("drift.velocity") < 1e-10);
    CHECK(std::abs(half.at("far.work")) < 1e-12);
    CHECK(2 * half.at("energy.total") == Approx(whole.at("energy.total")).epsilon(1e-6));
  }
}

TEST_CASE("a block that is held on all sides but one rests under a pressure of any size", "[serial]") {
  // Nothing pulls the frames of the surfaces but rounding. In plane strain, for small strains: (1 - nu^2) p/E along the pressure.
  for (const double E : {1e-3, 1.0, 1e9}) {
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1, youngs_modulus: {}, poissons_ratio: 0.3}}}}
bodies: {{b: {{type: solid, box: {{size: [1, 1, 0.25], elements: [2, 2, 1]}}, material: m}}}}
joints:
  x: {{type: clamp, connect: [ground, b.x-], components: x}}
  y: {{type: clamp, connect: [ground, b.y-], components: y}}
  z: {{type: clamp, connect: [ground, b.z-], components: z}}
  Z: {{type: clamp, connect: [ground, b.z+], components: z}}
forces: {{p: {{type: pressure, on: b.x+, pressure: {}}}}}
sensors: {{end: {{type: point, of: b.x+, record: displacement}}}}
analysis: {{type: static}}
)",
                                                E, 1e-5 * E));
    model.find_rest();
    CHECK(model.values()["end.displacement.x"] == Approx(-0.91e-5).epsilon(1e-4));
  }
}
