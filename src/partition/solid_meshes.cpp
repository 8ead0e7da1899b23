#include "partition/solid_meshes.hpp"

#include "base/error.hpp"
#include "input/box_mesh.hpp"
#include "input/gmsh.hpp"
#include "model/check.hpp"
#include "model/mesh_measure.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <cmath>
#include <set>

namespace sinew {

namespace {

/// The groups of a solid's mesh that joints, forces and sensors take hold of.
std::set<std::string> groups_in_use(const Model& model, int body) {
  std::set<std::string> names;
  const auto add = [&](const PlaceItem& place, const Repeat& repeat) {
    if (place.kind != PlaceItem::Kind::body || place.body.key() != model.bodies[static_cast<std::size_t>(body)].name.key()) return;
    for (std::int64_t k = 0; k < repeat.count(); ++k) {
      const PlaceRef ref = model.place(place, repeat.indices(k));
      if (ref.body.item == body && ref.anchor == Anchor::group) names.insert(ref.group);
      if (place.tail_name.is_plain() && place.body.is_plain()) break;  // the same for all instances
    }
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      for (const PlaceItem& place : item.places) add(place, item.repeat);
  for (const SensorItem& sensor : model.sensors)
    if (sensor.place) add(*sensor.place, sensor.repeat);
  return names;
}

/// Throws InputError, a line for every fault, where the model names groups that the mesh has not, or that hold no cells.
void require_groups(const Model& model, int body, const Mesh& mesh) {
  const auto exists = [&](const std::string& name, int dimension) {
    const PhysicalGroup* group = find_group(mesh, name, dimension);
    return group != nullptr && !group->cells.empty();
  };
  std::string text;
  for (const Fault& fault : check_groups(model, body, exists, list_groups(mesh)))
    text.append(text.empty() ? "" : "\n").append(format_error(model.source, fault));
  if (!text.empty()) throw InputError(text);
}

Mesh load_mesh(const SolidItem& solid) {
  if (solid.box) {
    BoxSpec spec;
    for (int i = 0; i < 3; ++i) spec.size[i] = solid.box->size[i];
    spec.elements = solid.box->elements;
    spec.order = solid.box->order;
    return make_box(spec);
  }
  Mesh mesh = read_gmsh(solid.mesh);
  remove_loose_points(mesh, 3);
  require_solid_mesh(mesh);
  return mesh;
}

SurfaceGroup measure_group(const Mesh& mesh, const PhysicalGroup& group) {
  const NodeWeights w = node_weights(mesh, group);
  SurfaceGroup g;
  g.name = group.name;
  g.num_nodes = static_cast<int>(w.nodes.size());
  g.area = w.total;
  for (std::size_t i = 0; i < w.nodes.size(); ++i)
    for (int c = 0; c < 3; ++c) g.mean[c] += w.weights[i] / w.total * mesh.points[w.nodes[i]][c];
  double square = 0;
  for (std::size_t i = 0; i < w.nodes.size(); ++i)
    for (int c = 0; c < 3; ++c) square += w.weights[i] / w.total * std::pow(mesh.points[w.nodes[i]][c] - g.mean[c], 2);
  g.gyration_radius = std::sqrt(square);
  return g;
}

void broadcast(MPI_Comm comm, std::string& text) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  text.resize(length);
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm);
}

void broadcast(MPI_Comm comm, SolidMesh& mesh) {
  MPI_Bcast(&mesh.num_points, 1, MPI_INT, 0, comm);
  MPI_Bcast(&mesh.num_cells, 1, MPI_INT64_T, 0, comm);
  int count = static_cast<int>(mesh.groups.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, comm);
  mesh.groups.resize(count);
  for (SurfaceGroup& g : mesh.groups) {
    broadcast(comm, g.name);
    double numbers[5] = {g.area, g.mean[0], g.mean[1], g.mean[2], g.gyration_radius};
    MPI_Bcast(&g.num_nodes, 1, MPI_INT, 0, comm);
    MPI_Bcast(numbers, 5, MPI_DOUBLE, 0, comm);
    g.area = numbers[0];
    g.mean = Vec3<double>{{numbers[1], numbers[2], numbers[3]}};
    g.gyration_radius = numbers[4];
  }
}

}  // namespace

int SolidMesh::group(const std::string& name) const {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].name == name) return static_cast<int>(i);
  return -1;
}

SolidMeshes read_solid_meshes(MPI_Comm comm, const Model& model) {
  SolidMeshes meshes;
  throw_together(comm, [&] {
    if (comm_rank(comm) != 0) return;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].kind() != BodyKind::solid) continue;
      Mesh mesh = load_mesh(std::get<SolidItem>(model.bodies[b].shape));
      require_groups(model, static_cast<int>(b), mesh);
      SolidMesh& known = meshes.known[static_cast<int>(b)];
      known.num_points = static_cast<int>(mesh.points.size());
      known.num_cells = count_cells(mesh, 3);
      for (const std::string& name : groups_in_use(model, static_cast<int>(b)))
        if (const PhysicalGroup* group = find_group(mesh, name, 2)) known.groups.push_back(measure_group(mesh, *group));
      meshes.whole.emplace(static_cast<int>(b), std::move(mesh));
    }
  });
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind() == BodyKind::solid) broadcast(comm, meshes.known[static_cast<int>(b)]);
  return meshes;
}

}  // namespace sinew
