// Clamps that hold some directions where a solid, beams and cables lie on several ranks.
#include "tests/mpi/beside_one_rank.hpp"
#include "tests/physics/stationary.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr const char* held = R"yaml(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, damping: {{beta: 1e-3}}}}}}
sections: {{bar: {{stiffness: [1e4, 1e5, 1e5, 50, 100, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}}}
bodies:
  ring: {{type: solid, mesh: {}, material: m}}
  block: {{type: solid, box: {{size: [1, 0.2, 0.4], elements: [6, 2, 2]}}, material: m, position: [3, 0, 0]}}
  beam: {{type: beam, line: {{from: [0, 5, 0], to: [2, 5, 0], elements: 8}}, section: bar}}
  "rope{{i}}": {{repeat: {{i: 1..3}}, type: cable, line: {{from: [0, 5 + i, 0], to: [2, 5 + i, 0], elements: 4}}, section: bar}}
joints:
  ring: {{type: clamp, connect: [ground, ring.v-], components: [y, z]}}
  far: {{type: clamp, connect: [ring.v+, ground], components: x}}
  x: {{type: clamp, connect: [ground, block.x-], components: x}}
  y: {{type: clamp, connect: [ground, block.y-], components: y}}
  z: {{type: clamp, connect: [ground, block.z-], components: z}}
  pin: {{type: revolute, connect: [ground, beam.start], axis: [0, 1, 0]}}
  roller: {{type: clamp, connect: [ground, beam.end], components: [y, z]}}
  "hook{{i}}": {{repeat: {{i: 1..3}}, type: spherical, connect: [ground, "rope{{i}}.start"]}}
  "rail{{i}}": {{repeat: {{i: 1..3}}, type: clamp, connect: [ground, "rope{{i}}.end"], components: [y, z]}}
forces:
  inner: {{type: pressure, on: ring.w-, pressure: "2e4*sin(30*t)"}}
  pull: {{type: traction, on: block.x+, vector: ["1e5*sin(20*t)", 0, 0]}}
  load: {{type: force, on: "beam.node[3]", vector: [0, 0, "-20*sin(20*t)"]}}
  "load{{i}}": {{repeat: {{i: 1..3}}, type: force, on: "rope{{i}}.node[2]", vector: ["i", 0, "-5*sin(20*t)"]}}
sensors:
  ring: {{type: joint, of: ring, record: [force, moment, work]}}
  far: {{type: joint, of: far, record: [force, moment]}}
  x: {{type: joint, of: x, record: [force, moment]}}
  y: {{type: joint, of: y, record: [force, moment]}}
  roller: {{type: joint, of: roller, record: [force, moment]}}
  rail: {{type: joint, of: rail2, record: [force, moment]}}
  end: {{type: point, of: block.x+, record: [displacement, velocity, acceleration]}}
  on: {{type: point, of: ring.v+, record: [displacement, velocity]}}
  tip: {{type: point, of: beam.end, record: [displacement, velocity]}}
  drift: {{type: constraint, record: [position, velocity]}}
  energy: {{type: energy, record: [total, work]}}
analysis: {{end_time: 0.1, step: 5e-3, newton: {{tolerance: 1e-10}}}}
)yaml";

}  // namespace

TEST_CASE("All ranks together hold single directions as one does alone", "[mpi]") {
  const std::string mesh = shared_mesh("held_ring", ring(CellShape::hex8, {8, 1, 2}, 1, 2, 0.5));
  const auto alone = check_beside_one_rank(fmt::format(held, mesh));
  if (!alone) return;
  CHECK(std::abs(alone->at("x.force.x")) > 10);
  CHECK(std::abs(alone->at("roller.force.z")) > 0.1);
  CHECK(std::abs(alone->at("ring.work")) < 1e-12);
  CHECK(alone->at("drift.position") < 1e-9);
  CHECK(alone->at("drift.velocity") < 1e-8);
}

TEST_CASE("A block between planes of symmetry is stretched alike on any number of ranks", "[mpi]") {
  Stationary model(MPI_COMM_WORLD, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, law: linear-elastic}}
bodies: {block: {type: solid, box: {size: [2, 0.5, 1], elements: [6, 2, 3]}, material: m}}
joints:
  x: {type: clamp, connect: [ground, block.x-], components: x}
  y: {type: clamp, connect: [ground, block.y-], components: y}
  z: {type: clamp, connect: [ground, block.z-], components: z}
forces: {pull: {type: traction, on: block.x+, vector: [1e4, 0, 0]}}
sensors:
  end: {type: point, of: block.x+, record: displacement}
  top: {type: point, of: block.z+, record: displacement}
  x: {type: joint, of: x, record: force}
analysis: {type: static, newton: {tolerance: 1e-12}}
)");
  model.find_rest();
  auto v = model.values();
  if (comm_rank(MPI_COMM_WORLD) != 0) return;
  CHECK(v["end.displacement.x"] == Approx(0.02).epsilon(1e-8));  // L P/E, and -nu P/E across
  CHECK(v["top.displacement.z"] == Approx(-0.003).epsilon(1e-8));
  CHECK(v["x.force.x"] == Approx(5000).epsilon(1e-8));
}

TEST_CASE("a repeated clamp holds surfaces of different meshes, each with its own number of nodes", "[mpi]") {
  Stationary model(MPI_COMM_WORLD, R"yaml(sinew: 1
gravity: [0, 0, -10]
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  b1: {type: solid, box: {size: [0.4, 0.1, 0.1], elements: [4, 1, 1]}, material: rubber}
  b2: {type: solid, box: {size: [0.2, 0.1, 0.1], elements: [3, 2, 2]}, material: rubber, position: [0, 1, 0]}
  b3: {type: solid, box: {size: [0.6, 0.1, 0.1], elements: [4, 1, 2]}, material: rubber, position: [0, 2, 0]}
joints:
  "wall{i}": {repeat: {i: 1..3}, type: clamp, connect: [ground, "b{i}.x-"]}
  "side{i}": {repeat: {i: 1..3}, type: clamp, connect: [ground, "b{i}.x+"], components: y}
sensors:
  "wall{i}": {repeat: {i: 1..3}, type: joint, of: "wall{i}", record: force}
analysis: {type: static}
)yaml");
  model.find_rest();
  auto v = model.values();
  if (comm_rank(MPI_COMM_WORLD) != 0) return;
  CHECK(v["wall1.force.z"] == Approx(-40).epsilon(1e-8));
  CHECK(v["wall2.force.z"] == Approx(-20).epsilon(1e-8));
  CHECK(v["wall3.force.z"] == Approx(-60).epsilon(1e-8));
}
