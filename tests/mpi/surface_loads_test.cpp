// Loads on surfaces, points inside solids and work where a mesh lies on several ranks.
#include "partition/exchange.hpp"
#include "partition/mesh_faces.hpp"
#include "tests/mpi/beside_one_rank.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

constexpr const char* pressed = R"yaml(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, damping: {{beta: 1e-3}}}}}}
bodies:
  tube: {{type: solid, mesh: {}, material: m, points: {{on: [1.5, 0, 0.25], in: [0.3, 1.2, 0.1]}}}}
  bar: {{type: solid, box: {{size: [1, 0.2, 0.2], elements: [6, 2, 2]}}, material: m, position: [3, 0, 0],
        points: {{mid: [0.5, 0.1, 0.1]}}}}
  cart: {{type: rigid, mass: 5, inertia: [1, 1, 1], position: [4.2, 0.1, 0.1]}}
joints:
  hold: {{type: fixed, connect: [ground, tube.v-]}}
  wall: {{type: clamp, connect: [ground, bar.x-]}}
  rail: {{type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}}
  drive: {{type: motion, of: rail, displacement: "0.05*sin(20*t)"}}
forces:
  inner: {{type: pressure, on: tube.w-, pressure: "2e4*sin(30*t)"}}
  outer: {{type: traction, on: tube.w+, vector: [0, 0, "1000*t"], pressure: 500}}
  top: {{type: pressure, on: bar.z+, pressure: "3000*sin(20*t)"}}
  tie: {{type: spring-damper, connect: [bar.x+, cart], stiffness: 3000, damping: 10}}
sensors:
  inner: {{type: force, of: inner, record: [force, area, work]}}
  outer: {{type: force, of: outer, record: [force, area, work]}}
  top: {{type: force, of: top, record: [force, area, work, dissipated]}}
  tie: {{type: force, of: tie, record: [work, dissipated, force]}}
  drive: {{type: joint, of: drive, record: [work, force]}}
  on: {{type: point, of: tube.on, record: [position, velocity, acceleration, stress, strain, von_mises]}}
  in: {{type: point, of: tube.in, record: [displacement, stress.xx, strain]}}
  mid: {{type: point, of: bar.mid, record: [position, stress]}}
  e: {{type: energy, record: [total, work, dissipated]}}
analysis: {{end_time: 0.1, step: 5e-3, newton: {{tolerance: 1e-10}}}}
)yaml";

}  // namespace

TEST_CASE("All ranks together press on surfaces and look into solids as one does alone", "[mpi]") {
  for (const CellShape shape : {CellShape::hex8, CellShape::hex27}) {
    CAPTURE(shape_info(shape).name);
    const auto alone =
        check_beside_one_rank(fmt::format(pressed, shared_mesh("pressed_ring", ring(shape, {8, 1, 2}, 1, 2, 0.5))));
    if (!alone) continue;
    const Values& expected = *alone;
    CHECK(expected.at("e.work") ==
          Approx(expected.at("inner.work") + expected.at("outer.work") + expected.at("top.work") + expected.at("drive.work")));
    CHECK(std::abs(expected.at("inner.work")) > 1);
    CHECK(expected.at("tie.dissipated") > 1e-4);
  }
}

TEST_CASE("Faces between elements are no outside, on any number of ranks", "[mpi]") {
  FileMesh mesh = bent_box(CellShape::hex8, {2, 1, 1}, false, [](double u, double v, double w) {
    return std::array<double, 3>{u, v, w};
  });
  // the two cells share the plane u = 1/2: nodes 2, 5, 8, 11 of three along u
  mesh.elements.push_back({3, 2, 7, {2, 5, 11, 8}});
  mesh.physicals[{2, 7}] = {8};
  mesh.names.push_back({{2, 8}, "inside"});
  const std::string file = shared_mesh("inner_face", mesh);
  const MeshSlice slice = read_mesh_slice(world, file);
  std::vector<SolidFace> faces;
  const bool inside = find_faces(world, slice, slice.filled_group("inside", 2), faces);
  const bool outside = find_faces(world, slice, slice.filled_group("v+", 2), faces);
  int count = static_cast<int>(faces.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, world);
  CHECK_FALSE(inside);
  CHECK(outside);
  CHECK(count == 2);
  const std::string text = fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}}}
bodies: {{cube: {{type: solid, mesh: {}, material: m}}}}
forces: {{p: {{type: pressure, on: cube.inside, pressure: 1}}}}
analysis: {{end_time: 1}}
)",
                                       file);
  const Model model = read_model_text(text, "test.yaml", registered_catalogue());
  std::string said;
  try {
    read_solid_meshes(world, model);
  } catch (const InputError& error) {
    said = error.what();
  }
  CHECK(said.find("test.yaml:3:10: error: faces of 'inside' lie between elements of 'cube'") != std::string::npos);
}
