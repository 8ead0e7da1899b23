// Curves and points of meshes of solids as places.
#include "tests/mpi/beside_one_rank.hpp"

#include <array>
#include <string>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A box of 1 x 0.2 x 0.1 as a file would have it, with an edge, two points of a line and one more.
FileMesh box_with_edges(CellShape shape) {
  FileMesh mesh = bent_box(shape, {4, 2, 1}, false, [](double u, double v, double w) {
    return std::array<double, 3>{u, 0.2 * v, 0.1 * w};
  });
  const int order = shape_info(shape).order, steps = 4 * order + 1, plane = steps * (2 * order + 1);
  for (int e = 0; e < 4; ++e) {
    const int first = 1 + order * e;
    mesh.elements.push_back(order == 1 ? FileMesh::Element{1, 1, 1, {first, first + 1}}
                                       : FileMesh::Element{8, 1, 1, {first, first + 2, first + 1}});
  }
  for (const int node : {steps, steps + 2 * order * steps}) mesh.elements.push_back({15, 0, 1, {node}});
  mesh.elements.push_back({15, 0, 2, {steps + order * plane}});
  mesh.physicals[{1, 1}] = {20};
  mesh.physicals[{0, 1}] = {21};
  mesh.physicals[{0, 2}] = {22};
  mesh.names.push_back({{1, 20}, "edge"});
  mesh.names.push_back({{0, 21}, "tips"});
  mesh.names.push_back({{0, 22}, "eye"});
  return mesh;
}

/// It hangs by its edge, with a weight on one corner. `body`: its mesh; places: the edge and the corner.
std::string hung(const std::string& body, const std::string& edge, const std::string& corner, const std::string& more) {
  return R"(sinew: 1
gravity: [0, 1, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  b: {type: solid, )" +
         body + R"(, material: m}
  bob: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.02], position: [1, 0, 0.1]}
joints:
  hinge: {type: revolute, connect: [ground, b.)" +
         edge + R"(], axis: [1, 0, 0]}
  weight: {type: fixed, connect: [bob, b.)" +
         corner + R"(]}
forces:
  twist: {type: torque, on: b.)" +
         edge + R"(, vector: [0.5, 0, 0]}
sensors:
  edge: {type: point, of: b.)" +
         edge + R"(, record: [position, orientation, acceleration]}
  corner: {type: point, of: b.)" +
         corner + R"(, record: [position, orientation]}
  hinge: {type: joint, of: hinge, record: [force, moment]}
)" + more +
         "analysis: {end_time: 0.05, step: 5e-3}\n";
}

}  // namespace

TEST_CASE("Curves and points of a mesh are places on any number of ranks, as edges and corners of a box are", "[mpi]") {
  for (const auto& [shape, name] :
       {std::pair{CellShape::hex8, "hex8"}, std::pair{CellShape::hex20, "hex20"}, std::pair{CellShape::hex27, "hex27"}}) {
    INFO(name);
    const std::string file = shared_mesh(std::string("edges_") + name, box_with_edges(shape));
    const auto mesh = check_beside_one_rank(
        hung("mesh: " + file, "edge", "eye", "  tips: {type: point, of: b.tips, record: [position, orientation]}\n"));
    if (!mesh) continue;
    const std::string box = std::string("box: {size: [1, 0.2, 0.1], elements: [4, 2, 1], element: ") + name + "}";
    const Trajectory made = run_model(MPI_COMM_SELF, hung(box, "y-z-", "x+y-z+", ""), {.at_every_step = false, .overrides = {}});
    for (const auto& [column, value] : made.values.back()) {
      CAPTURE(column);
      CHECK(mesh->at(column) == Approx(value).epsilon(1e-7).margin(1e-7));
    }
    CHECK(std::abs(mesh->at("corner.position.z") - 0.1) > 1e-3);
  }
}

TEST_CASE("Clamps hold every node of a curve and of points, and no node beside them", "[mpi]") {
  const std::string file = shared_mesh("held_edges", box_with_edges(CellShape::hex20));
  const auto values = check_beside_one_rank(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies: {b: {type: solid, mesh: )" + file + R"(, material: m, points: {beside: [0.5, 0.1, 0]}}}
joints:
  edge: {type: clamp, connect: [ground, b.edge]}
  eye: {type: clamp, connect: [ground, b.eye], components: [x, z]}
sensors:
  edge: {type: point, of: b.edge, record: [displacement]}
  eye: {type: point, of: b.eye, record: [displacement]}
  beside: {type: point, of: b.beside, record: [displacement]}
  held: {type: joint, of: edge, record: [force]}
analysis: {end_time: 0.05, step: 5e-3}
)");
  if (!values) return;
  for (const char* component : {"x", "y", "z"})
    CHECK(std::abs(values->at(std::string("edge.displacement.") + component)) < 1e-12);
  for (const char* component : {"x", "z"}) CHECK(std::abs(values->at(std::string("eye.displacement.") + component)) < 1e-12);
  CHECK(values->at("beside.displacement.z") < -1e-3);
}
