#include "partition/solid_meshes.hpp"

#include "base/error.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "model/check.hpp"
#include "model/resolve.hpp"
#include "partition/collective_error.hpp"
#include "partition/group_elements.hpp"
#include "partition/mesh_flaws.hpp"
#include "partition/mesh_source.hpp"
#include "partition/mesh_warnings.hpp"
#include "partition/solid_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {

namespace {

/// The groups of a mesh that joints, forces and sensors take hold of, in the order of their names.
UsedGroups groups_in_use(const Model& model, int body) {
  std::set<std::string> places, loaded, beside_clamps, carried;
  const auto add = [&](const PlaceItem& place, const Repeat& repeat, std::set<std::string>& names, std::set<std::string>* kind) {
    const InstanceSpan near = instances_near(model, body, place, repeat);
    for (std::int64_t k = near.first; k < near.behind; ++k) {
      const PlaceRef ref = model.place(place, repeat.indices(k));
      if (ref.body.item == body && ref.anchor == Anchor::group) {
        names.insert(ref.group);
        if (kind) kind->insert(ref.group);
      }
      if (place.tail_name.is_plain() && place.body.is_plain()) break;  // the same for all instances
    }
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      for (std::size_t k = 0; k < item.places.size(); ++k) {
        const bool is_clamped = item.holds_all_nodes && k == held_place(item);
        std::set<std::string>* const kind = !is_clamped ? &beside_clamps : is_held_by_body(item) ? &carried : nullptr;
        add(item.places[k], item.repeat, is_surface_load(item.type) ? loaded : places, kind);
      }
  for (const SensorItem& sensor : model.sensors) {
    if (sensor.place) add(*sensor.place, sensor.repeat, places, &beside_clamps);
    for (const PlaceItem& place : sensor.between) add(place, sensor.repeat, places, &beside_clamps);
  }
  return {{places.begin(), places.end()}, {loaded.begin(), loaded.end()}, std::move(beside_clamps), std::move(carried)};
}

template <class Source>
std::vector<SurfaceGroup> known_groups(const Source& source, const UsedGroups& used) {
  std::vector<SurfaceGroup> groups;
  for (std::size_t g = 0; g < used.places.size(); ++g) {
    groups.push_back(source.group(static_cast<int>(g)));
    groups.back().is_only_clamped = used.beside_clamps.count(used.places[g]) == 0;
    groups.back().is_carried = used.carried.count(used.places[g]) != 0;
  }
  return groups;
}

/// Throws InputError, a line for every fault, where the model names groups that do not exist. `known`: those that do, for the
/// message.
void require_groups(const Model& model, int body, const GroupExists& exists, const std::string& known) {
  std::string text;
  for (const Fault& fault : check_groups(model, body, exists, known))
    text.append(text.empty() ? "" : "\n").append(format_error(model.source, fault));
  if (!text.empty()) throw InputError(text);
}

std::unique_ptr<SolidSource> read_mesh(MPI_Comm comm, const Model& model, int body, SolidMesh& known,
                                       std::vector<std::string>& warnings) {
  const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
  MeshSlice slice = read_mesh_slice(comm, item.body().meshed()->mesh, item.body().meshed()->dimension());
  const auto exists = [&](const std::string& name, int dimension) { return slice.filled_group(name, dimension) >= 0; };
  require_groups(model, body, exists, list_groups(slice.groups, &slice.is_filled));  // the same on all ranks
  const UsedGroups groups = groups_in_use(model, body);
  const std::vector<int> held = groups_called(slice, groups.all());
  const auto of_mesh = [&](const char* kind) {
    return fmt::format("{}: {}: the mesh of body '{}'", model.source.locate(item.mark), kind, item.name.text());
  };
  require_same_order(comm, slice, held, of_mesh("error"));
  const std::string of = of_mesh("warning");
  for (std::string& warning : left_out_warnings(slice, held, of)) warnings.push_back(std::move(warning));
  for (std::string& warning : mesh_warnings(comm, slice, of)) warnings.push_back(std::move(warning));
  for (const NamedPoint& point : item.points)
    if (point.name.is_plain() && slice.place_group(point.name.text()) >= 0)
      warnings.push_back(fmt::format(
          "{}: warning: body '{}' has a point '{}', and its mesh a group of that name: places called so are the point",
          model.source.locate(point.mark), item.name.text(), point.name.text()));
  if (const double thickness = std::sqrt(12.0) * item.body().meshed()->node_gyration(); thickness > 0)
    if (std::string warped = warp_warning(comm, slice, thickness, of); !warped.empty()) warnings.push_back(std::move(warped));
  if (slice.dimension == 2 && !groups.loaded.empty())
    if (const MeshFlaws odd = find_odd_edges(comm, slice); odd.count > 0)
      warnings.push_back(fmt::format(
          "{}: warning: body '{}' bears a pressure or traction, and elements on the two sides of {} of its edges, one at "
          "({:.3g}, {:.3g}, {:.3g}) of the mesh, have their normals on opposite sides: what pushes along them does so likewise "
          "(turn "
          "surfaces round, in Gmsh by `ReverseMesh Surface`)",
          model.source.locate(item.mark), item.name.text(), odd.count, odd.one[0], odd.one[1], odd.one[2]));
  known = {static_cast<int>(slice.num_points), slice.num_cells, {}, groups.loaded, {}, {}};
  auto source = std::make_unique<MeshSource>(comm, std::move(slice), model, item, groups);
  for (const std::string& group : source->overruled_groups())
    warnings.push_back(fmt::format(
        "{}: warning: no element of '{}' has the material of its group '{}': groups behind it have them all (of groups that "
        "overlap the last one counts)",
        model.source.locate(item.mark), item.name.text(), group));
  known.groups = known_groups(*source, groups);
  return source;
}

/// A box or plate that the program meshes. `list`: its groups, for messages.
template <class Source, class Shape>
std::unique_ptr<SolidSource> make_generated(const Model& model, int body, const Shape& shape, const GroupExists& exists,
                                            const std::string& list, SolidMesh& known) {
  require_groups(model, body, exists, list);
  const UsedGroups groups = groups_in_use(model, body);
  auto source = std::make_unique<Source>(shape, model.body_at(body).meshed()->materials.back().material, groups);
  known = {static_cast<int>(source->points().count), source->cells().count, known_groups(*source, groups), groups.loaded, {}, {}};
  return source;
}

std::unique_ptr<SolidSource> make_box(const Model& model, int body, SolidMesh& known) {
  const auto exists = [](const std::string& name, int dimension) { return BoxGrid::group_dimension(name) == dimension; };
  return make_generated<BoxSource>(model, body, *model.body_at(body).meshed()->box, exists, list_box_groups(), known);
}

std::unique_ptr<SolidSource> make_plate(const Model& model, int body, SolidMesh& known) {
  const auto exists = [](const std::string& name, int dimension) { return PlateGrid::group_dimension(name) == dimension; };
  return make_generated<PlateSource>(model, body, *model.body_at(body).meshed()->plate, exists, list_plate_groups(), known);
}

}  // namespace

int SolidMesh::group(const std::string& name) const {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].name == name) return static_cast<int>(i);
  return -1;
}

int SolidMesh::loaded_group(const std::string& name) const {
  const auto found = std::find(loaded.begin(), loaded.end(), name);
  return found == loaded.end() ? -1 : static_cast<int>(found - loaded.begin());
}

int SolidMesh::attachment(const PlaceRef& place) const {
  if (place.anchor == Anchor::group) return group(place.group);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].number == place.node) return static_cast<int>(groups.size() + i);
  return -1;
}

Vec3<double> SolidMesh::attachment_place(int attachment) const {
  const auto k = static_cast<std::size_t>(attachment);
  return k < groups.size() ? groups[k].mean : points[k - groups.size()].place;
}

SolidMeshes read_solid_meshes(MPI_Comm comm, const Model& model) {
  SolidMeshes meshes;
  std::vector<int> generated, files;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (const MeshedBody* body = model.bodies[b].body().meshed())
      (body->is_generated() ? generated : files).push_back(static_cast<int>(b));
  throw_together(comm, [&] {
    for (const int body : generated) {
      const auto make = model.body_at(body).meshed()->box ? make_box : make_plate;
      meshes.sources.emplace(body, make(model, body, meshes.known[body]));
    }
  });
  for (const int body : files) meshes.sources.emplace(body, read_mesh(comm, model, body, meshes.known[body], meshes.warnings));
  for (auto& [body, mesh] : meshes.known) {
    locate_points(comm, model, body, *meshes.sources.at(body), mesh);
    locate_nodes(comm, model, body, *meshes.sources.at(body), mesh);
  }
  return meshes;
}

}  // namespace sinew
