#include "partition/solid_meshes.hpp"

#include "base/error.hpp"
#include "input/gmsh.hpp"
#include "model/check.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <set>

namespace sinew {

namespace {

/// The groups of a solid's mesh that joints, forces and sensors take hold of, in the order of their names.
std::vector<std::string> groups_in_use(const Model& model, int body) {
  std::set<std::string> names;
  const auto add = [&](const PlaceItem& place, const Repeat& repeat) {
    if (place.kind != PlaceItem::Kind::body || place.body.key() != model.bodies[static_cast<std::size_t>(body)].name.key())
      return;
    for (std::int64_t k = 0; k < repeat.count(); ++k) {
      const PlaceRef ref = model.place(place, repeat.indices(k));
      if (ref.body.item == body && ref.anchor == Anchor::group) names.insert(ref.group);
      if (place.tail_name.is_plain() && place.body.is_plain()) break;  // the same for all instances
    }
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      for (const PlaceItem& place : item.places) add(place, item.repeat);
  for (const SensorItem& sensor : model.sensors) {
    if (sensor.place) add(*sensor.place, sensor.repeat);
    for (const PlaceItem& place : sensor.between) add(place, sensor.repeat);
  }
  return {names.begin(), names.end()};
}

/// Throws InputError, a line for every fault, where the model names groups that do not exist. `known`: those that do, for the
/// message.
void require_groups(const Model& model, int body, const GroupExists& exists, const std::string& known) {
  std::string text;
  for (const Fault& fault : check_groups(model, body, exists, known))
    text.append(text.empty() ? "" : "\n").append(format_error(model.source, fault));
  if (!text.empty()) throw InputError(text);
}

std::unique_ptr<SolidSource> read_mesh(const Model& model, int body) {
  const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
  Mesh mesh = read_gmsh(std::get<SolidItem>(item.shape).mesh);
  remove_loose_points(mesh, 3);
  require_solid_mesh(mesh);
  const auto exists = [&](const std::string& name, int dimension) {
    const PhysicalGroup* group = find_group(mesh, name, dimension);
    return group != nullptr && !group->cells.empty();
  };
  require_groups(model, body, exists, list_groups(mesh));
  return std::make_unique<MeshSource>(std::move(mesh), model, item, groups_in_use(model, body));
}

std::unique_ptr<SolidSource> make_box(const Model& model, int body) {
  const auto& solid = std::get<SolidItem>(model.bodies[static_cast<std::size_t>(body)].shape);
  const auto exists = [](const std::string& name, int dimension) {
    return dimension == 3 ? name == "volume" : BoxGrid::side(name) >= 0;
  };
  require_groups(model, body, exists, list_box_groups());
  return std::make_unique<BoxSource>(*solid.box, solid.materials.back().material, groups_in_use(model, body));
}

bool is_box(const Model& model, int body) {
  return std::get<SolidItem>(model.bodies[static_cast<std::size_t>(body)].shape).box.has_value();
}

SolidMesh facts_of(const SolidSource& source, std::size_t num_groups) {
  SolidMesh known{source.num_points(), source.num_cells(), {}};
  for (std::size_t g = 0; g < num_groups; ++g) known.groups.push_back(source.group(static_cast<int>(g)));
  return known;
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
  std::vector<int> solids;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].kind() == BodyKind::solid) solids.push_back(static_cast<int>(b));
  throw_together(comm, [&] {
    for (const int body : solids) {
      if (!is_box(model, body) && comm_rank(comm) != 0) continue;
      auto source = is_box(model, body) ? make_box(model, body) : read_mesh(model, body);
      meshes.known[body] = facts_of(*source, groups_in_use(model, body).size());
      meshes.sources.emplace(body, std::move(source));
    }
  });
  for (const int body : solids)
    if (!is_box(model, body)) broadcast(comm, meshes.known[body]);
  return meshes;
}

}  // namespace sinew
