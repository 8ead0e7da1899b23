#include "partition/solid_meshes.hpp"

#include "base/error.hpp"
#include "model/check.hpp"
#include "partition/collective_error.hpp"
#include "partition/mesh_source.hpp"

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

std::unique_ptr<SolidSource> read_mesh(MPI_Comm comm, const Model& model, int body, SolidMesh& known) {
  const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
  MeshSlice slice = read_mesh_slice(comm, item.body().meshed()->mesh);
  const auto exists = [&](const std::string& name, int dimension) { return slice.filled_group(name, dimension) >= 0; };
  require_groups(model, body, exists, list_groups(slice.groups));  // the same on all ranks
  const std::vector<std::string> groups = groups_in_use(model, body);
  known = {static_cast<int>(slice.num_points), slice.num_cells, {}};
  auto source = std::make_unique<MeshSource>(comm, std::move(slice), model, item, groups);
  for (std::size_t g = 0; g < groups.size(); ++g) known.groups.push_back(source->group(static_cast<int>(g)));
  return source;
}

std::unique_ptr<SolidSource> make_box(const Model& model, int body, SolidMesh& known) {
  const MeshedBody& solid = *model.body_at(body).meshed();
  const auto exists = [](const std::string& name, int dimension) {
    return dimension == 3 ? name == "volume" : BoxGrid::side(name) >= 0;
  };
  require_groups(model, body, exists, list_box_groups());
  const std::vector<std::string> groups = groups_in_use(model, body);
  auto source = std::make_unique<BoxSource>(*solid.box, solid.materials.back().material, groups);
  known = {static_cast<int>(source->points().count), source->cells().count, {}};
  for (std::size_t g = 0; g < groups.size(); ++g) known.groups.push_back(source->group(static_cast<int>(g)));
  return source;
}

}  // namespace

int SolidMesh::group(const std::string& name) const {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].name == name) return static_cast<int>(i);
  return -1;
}

SolidMeshes read_solid_meshes(MPI_Comm comm, const Model& model) {
  SolidMeshes meshes;
  std::vector<int> boxes, files;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (const MeshedBody* body = model.bodies[b].body().meshed()) (body->box ? boxes : files).push_back(static_cast<int>(b));
  throw_together(comm, [&] {
    for (const int body : boxes) meshes.sources.emplace(body, make_box(model, body, meshes.known[body]));
  });
  for (const int body : files) meshes.sources.emplace(body, read_mesh(comm, model, body, meshes.known[body]));
  return meshes;
}

}  // namespace sinew
