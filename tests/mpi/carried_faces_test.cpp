// Faces of solids, edges of shells and single nodes that bodies carry, where these lie on several ranks.
#include "tests/mpi/beside_one_rank.hpp"
#include "tests/physics/stationary.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr const char* held = R"yaml(sinew: 1
gravity: [0, 1, -9.81]
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, damping: {{beta: 1e-3}}}}}}
sections: {{bar: {{stiffness: [1e4, 1e5, 1e5, 50, 100, 100], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}}}
bodies:
  hub: {{type: rigid, mass: 10, inertia: [1, 2, 3], position: [1, 0, -1], angular_velocity: [0.2, 0.1, 1],
        points: {{flange: [1, 0, 1.25]}}}}
  ring: {{type: solid, mesh: {}, material: m}}
  block: {{type: solid, box: {{size: [1, 0.2, 0.4], elements: [6, 2, 2]}}, material: m, position: [3, 0, 0]}}
  spin: {{type: gyrostat, mass: 3, inertia: [0.2, 0.2, 0.2], position: [4.2, 0, 0],
         rotors: {{wheel: {{axis: [0, 0, 1], inertia: 0.02, speed: 30}}}}}}
  beam: {{type: beam, line: {{from: [4, 0.1, 0.2], to: [6, 0.1, 0.2], elements: 8}}, section: bar}}
  "flag{{i}}": {{repeat: {{i: 1..2}}, type: shell, plate: {{size: [0.5, 0.4], elements: [4, 3]}}, thickness: 0.02, material: m,
             position: [6, 0.1, "0.3*i"]}}
  ball: {{type: point-mass, mass: 1, position: [5, 1, 0.4]}}
  bead: {{type: point-mass, mass: 0.5, position: [4.3, 0.5, 0], velocity: [0, -1, 0]}}
joints:
  ring: {{type: clamp, connect: [hub.flange, ring.v-]}}
  guide: {{type: clamp, connect: [hub, ring.v+], components: [y, z]}}
  block: {{type: clamp, connect: [hub, block.x-]}}
  slot: {{type: clamp, connect: [spin, bead], components: [x, z]}}
  stay: {{type: fixed, connect: [spin, block.x+]}}
  weld: {{type: clamp, connect: [beam.start, block.x+]}}
  "hem{{i}}": {{repeat: {{i: 1..2}}, type: clamp, connect: [beam.end, "flag{{i}}.x-"]}}
  tie: {{type: clamp, connect: [flag1.x+, flag2.x+], components: [x, y]}}
  ball: {{type: clamp, connect: ["beam.node[4]", ball]}}
forces:
  inner: {{type: pressure, on: ring.w-, pressure: "2e4*sin(30*t)"}}
  drive: {{type: torque, on: hub, vector: [0, "100*sin(20*t)", 50]}}
  wind: {{type: force, on: flag2.x+, vector: [0, 0, "20*sin(40*t)"]}}
sensors:
  ring: {{type: joint, of: ring, record: [force, moment, work]}}
  guide: {{type: joint, of: guide, record: [force, moment]}}
  block: {{type: joint, of: block, record: [force, moment]}}
  weld: {{type: joint, of: weld, record: [force, moment]}}
  hem: {{type: joint, of: hem2, record: [force, moment]}}
  tie: {{type: joint, of: tie, record: force}}
  ball: {{type: joint, of: ball, record: [force, moment]}}
  slot: {{type: joint, of: slot, record: [force, moment]}}
  hub: {{type: point, of: hub, record: [displacement, velocity, angular_velocity]}}
  tip: {{type: point, of: flag1.x+, record: [displacement, velocity]}}
  drift: {{type: constraint, record: [position, velocity]}}
  all: {{type: system, record: momentum}}
  energy: {{type: energy, record: [total, work]}}
analysis: {{end_time: 0.05, step: 5e-3, newton: {{tolerance: 1e-10}}}}
)yaml";

}  // namespace

TEST_CASE("All ranks together carry faces, edges and nodes by bodies as one does alone", "[mpi]") {
  const std::string mesh = shared_mesh("carried_ring", ring(CellShape::hex8, {8, 1, 2}, 1, 2, 0.5));
  const auto alone = check_beside_one_rank(fmt::format(held, mesh));
  if (!alone) return;
  CHECK(std::abs(alone->at("block.force.z")) > 1);
  CHECK(std::abs(alone->at("ring.force.z")) > 10);
  CHECK(std::abs(alone->at("hem.force.z")) > 0.1);
  CHECK(alone->at("drift.position") < 1e-9);
  CHECK(alone->at("drift.velocity") < 1e-8);
}

TEST_CASE("A bar between rigid plates rests, and vibrates, alike on any number of ranks", "[mpi]") {
  const char* const text = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0, law: linear-elastic}}
bodies:
  bar: {type: solid, box: {size: [2, 0.2, 0.2], elements: [8, 2, 2]}, material: m}
  plate: {type: rigid, mass: 4, inertia: [1, 1, 1], position: [2, 0.1, 0.1]}
joints:
  wall: {type: clamp, connect: [ground, bar.x-]}
  flange: {type: clamp, connect: [plate, bar.x+]}
forces: {pull: {type: force, on: plate, vector: [10, 0, 0]}}
sensors:
  end: {type: point, of: bar.x+, record: displacement}
  flange: {type: joint, of: flange, record: [force, moment]}
analysis: {type: static, newton: {tolerance: 1e-12}}
)";
  Stationary model(MPI_COMM_WORLD, text);
  model.find_rest();
  auto v = model.values();
  const std::vector<double> found = model.frequencies(4);
  if (comm_rank(MPI_COMM_WORLD) != 0) return;
  CHECK(v["end.displacement.x"] == Approx(10 * 2 / 4e4).epsilon(1e-8));  // P L/(E A)
  CHECK(v["flange.force.x"] == Approx(-10).epsilon(1e-8));
  CHECK(std::abs(v["flange.moment.y"]) < 1e-7);
  Stationary single(MPI_COMM_SELF, text);
  single.find_rest();
  const std::vector<double> expected = single.frequencies(4);
  for (std::size_t k = 0; k < 4; ++k) CHECK(found[k] == Approx(expected[k]).epsilon(1e-7));
}
