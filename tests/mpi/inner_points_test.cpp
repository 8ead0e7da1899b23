// Joints, forces and sensors at points inside solids where a mesh lies on several ranks.
#include "partition/exchange.hpp"
#include "tests/mpi/beside_one_rank.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

/// Points within elements, on a face between elements and in a node that many share; of a mesh from a file and of a box.
constexpr const char* held = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, damping: {{beta: 1e-3}}}}}}
bodies:
  tube: {{type: solid, mesh: {}, material: m, points: {{on: [1.5, 0, 0.25], in: [0.3, 1.2, 0.1], far: [-1.3, -0.4, 0.3]}}}}
  "bar{{i}}": {{repeat: {{i: 1..2}}, type: solid, box: {{size: [1, 0.2, 0.2], elements: [6, 2, 2]}}, material: m,
        position: [2.53 + 0.47*i, 0.03*(i - 1), 0.07*(1 - i)], points: {{"mid{{i}}": [0.5, 0.1, 0.1], end: [0.97, 0.13, 0.03]}}}}
  cart: {{type: rigid, mass: 5, inertia: [1, 1, 1], position: [5.2, 0.1, 0.1]}}
joints:
  hold: {{type: fixed, connect: [ground, tube.far]}}
  wall: {{type: clamp, connect: [ground, bar1.x-]}}
  link: {{type: revolute, connect: [bar1.end, bar2.mid2], axis: [0, 1, 0]}}
  drive: {{type: motion, connect: [ground, bar2.end], axis: [0, 1, 0], angle: "0.1*sin(10*t)"}}
forces:
  push: {{type: force, on: tube.in, vector: [0, "100*t", 20]}}
  twist: {{type: torque, on: bar1.mid1, vector: [5, 0, 0]}}
  tie: {{type: spring-damper, connect: [bar2.end, cart], stiffness: 3000, damping: 10}}
  servo: {{type: actuator, on: tube.on, direction: [1, 0, 0], force: "-200*sensor.on.velocity.x"}}
sensors:
  on: {{type: point, of: tube.on, record: [position, velocity]}}
  in: {{type: point, of: tube.in, record: [displacement, acceleration]}}
  turn: {{type: point, of: tube.on, record: [orientation, angular_velocity, angular_acceleration]}}
  link: {{type: joint, of: link}}
  bend: {{type: relative, of: link}}
  gap: {{type: relative, between: [tube.in, bar2.end], record: [distance, rate]}}
  tie: {{type: force, of: tie, record: [work, dissipated, force]}}
  e: {{type: energy, record: [total, work, dissipated]}}
analysis: {{end_time: 0.05, step: 5e-3, newton: {{tolerance: 1e-10}}}}
)yaml";

}  // namespace

TEST_CASE("All ranks together take hold of points inside solids as one does alone", "[mpi]") {
  for (const CellShape shape : {CellShape::hex8, CellShape::hex27}) {
    CAPTURE(shape_info(shape).name);
    const auto alone = check_beside_one_rank(fmt::format(held, shared_mesh("held_ring", ring(shape, {8, 1, 2}, 1, 2, 0.5))));
    if (alone) CHECK(std::abs(alone->at("tie.work") + alone->at("tie.dissipated")) > 1e-6);
  }
}

TEST_CASE("A point outside of its solid is refused by all ranks alike", "[mpi]") {
  const std::string text = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies: {bar: {type: solid, box: {size: [1, 1, 1], elements: [3, 2, 2]}, material: m, points: {p: [1.01, 0.5, 0.5]}}}
forces: {push: {type: force, on: bar.p, vector: [1, 0, 0]}}
analysis: {end_time: 1}
)";
  const Model model = read_model_text(text, "test.yaml", registered_catalogue());
  std::string said;
  try {
    read_solid_meshes(world, model);
  } catch (const InputError& error) {
    said = error.what();
  }
  CHECK(said == "test.yaml:3:96: error: the point 'p' lies outside of the solid 'bar', where nothing can take hold of it");
}
