#include "base/error.hpp"
#include "kernels/elements/solid_entry.hpp"
#include "model/choices.hpp"
#include "partition/expand.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

/// Family and parameters of one cell.
void fill_cell(CellShape shape, SolidFormulation formulation, const Material& material, const std::vector<Vec3<double>>& x,
               ElementRecord& e) {
  const std::string cell(shape_info(shape).name);
  const SolidEntry* entry = find_solid(cell, name_in_file(formulation), name_in_file(material.law));
  if (entry == nullptr) {
    std::string known;
    for (const SolidEntry& solid : registered_solids())
      if (known.find(solid.cell) == std::string::npos) known += (known.empty() ? "" : ", ") + solid.cell;
    throw InputError(fmt::format("solid elements of shape {} are not built; there are {}", cell, known));
  }
  e.params = entry->make_params(x, {material.youngs_modulus, material.poissons_ratio, material.density, material.damping_alpha,
                                    material.damping_beta, material.viscosity});
  e.family = element_family(entry->family);
}

/// Velocity of a point of a body that moves as if rigid.
Vec3<double> rigid_velocity(const SolidPlacement& p, const Vec3<double>& x) {
  return p.velocity + cross(p.angular_velocity, x - p.frame.x);
}

}  // namespace

void Expansion::add_solid_node(int body, std::int64_t instance, std::int64_t point, const SolidSource& source,
                               Records& out) const {
  const SolidPlacement p = model_.solid_placement(body, instance);
  const Vec3<double> x = placed(p.frame, source.point(point)), v = rigid_velocity(p, x);
  NodeRecord record;
  record.id = numbering_.node(body, instance, static_cast<int>(point));
  for (int i = 0; i < 3; ++i) {
    record.config[i] = x[i];
    record.velocity[i] = v[i];
  }
  out.nodes.push_back(record);
  out.bounds.include(x);
}

void Expansion::add_solid_cell(int body, std::int64_t instance, std::int64_t number, const SolidSource& source,
                               Records& out) const {
  const Frame<double> frame = model_.solid_placement(body, instance).frame;
  const SolidCell cell = source.cell(number);
  ElementRecord e;
  std::vector<Vec3<double>> x;
  for (const Point3& X : cell.x) x.push_back(placed(frame, X));
  for (const int n : cell.nodes) e.nodes.push_back(numbering_.node(body, instance, n));
  const auto& item = std::get<SolidItem>(model_.bodies[static_cast<std::size_t>(body)].shape);
  fill_cell(cell.shape, item.formulation, model_.materials[cell.material], x, e);
  e.origin = {OriginKind::body, body, instance};
  e.anchor = e.nodes[0];
  e.key = (static_cast<std::int64_t>(body) << 40) + instance * numbering_.elements_per_instance(body) + cell.number;
  out.elements.push_back(std::move(e));
}

/// The frame of a surface group in use, and its six rows.
void Expansion::add_attachment(int body, std::int64_t instance, int group, Records& out) const {
  const SolidPlacement p = model_.solid_placement(body, instance);
  NodeRecord record;
  record.id = numbering_.node(body, instance, meshes_.known.at(body).num_points + group);
  record.is_frame = 1;
  const Frame<double> f = attachment_frame(body, instance, group);
  const Quaternion q = quaternion_of(f.R);
  const double config[7] = {f.x[0], f.x[1], f.x[2], q.w, q.x, q.y, q.z};
  std::copy_n(config, 7, record.config);
  const Vec3<double> v = rigid_velocity(p, f.x), omega = transpose_times(f.R, p.angular_velocity);
  for (int i = 0; i < 3; ++i) {
    record.velocity[i] = v[i];
    record.velocity[3 + i] = omega[i];
  }
  out.nodes.push_back(record);
  out.rows.push_back(
      {numbering_.attachment_row(body, instance, group), record.id, 6, 0, {OriginKind::attachment, body, instance}});
}

/// What a node of the surface contributes to the rows that tie the frame to the surface.
void Expansion::add_attached_node(int body, std::int64_t instance, int group, std::int64_t index, const SolidSource& source,
                                  Records& out) const {
  const SurfaceGroup& surface = meshes_.known.at(body).groups[group];
  const SurfaceNode node = source.surface_node(group, index);
  Setup setup;
  setup.places.resize(2);
  setup.places[0].can_turn = false;
  setup.places[0].frame.x = placed(model_.solid_placement(body, instance).frame, source.point(node.node));
  setup.places[1].frame = attachment_frame(body, instance, group);
  setup.fields.set("weight", {node.weight / surface.area});
  setup.fields.set("gyration_radius", {surface.gyration_radius});
  ElementRecord e;
  e.family = joint_family("surface-mean");
  e.origin = {OriginKind::attachment, body, instance};
  e.nodes = {numbering_.node(body, instance, node.node),
             numbering_.node(body, instance, meshes_.known.at(body).num_points + group)};
  e.anchor = e.nodes[0];
  e.first_row = numbering_.attachment_row(body, instance, group);
  e.key = e.first_row * (std::int64_t{1} << 24) + index;
  e.params = all_families()[e.family]->make_params(setup);
  out.elements.push_back(std::move(e));
}

void Expansion::add_solid(int body, const SolidSource& source, Part part, Records& out) const {
  const SolidMesh& known = meshes_.known.at(body);
  const std::int64_t instances = model_.num_instances(body);
  // Calls add(instance, k) for the things of all instances that fall to this part, or that only this rank holds.
  const auto spread = [&](Span held, const auto& add) {
    const Part mine = source.is_whole() ? part : Part{};
    for (std::int64_t i = mine.begin(instances * held.count); i < mine.end(instances * held.count); ++i)
      add(i / held.count, held.first + i % held.count);
  };
  spread(source.points(), [&](std::int64_t instance, std::int64_t n) { add_solid_node(body, instance, n, source, out); });
  spread(source.cells(), [&](std::int64_t instance, std::int64_t c) { add_solid_cell(body, instance, c, source, out); });
  for (std::size_t g = 0; g < known.groups.size(); ++g) {
    const int group = static_cast<int>(g);
    for (std::int64_t i = part.begin(instances); i < part.end(instances); ++i) add_attachment(body, i, group, out);
    spread(source.surface_nodes(group),
           [&](std::int64_t instance, std::int64_t i) { add_attached_node(body, instance, group, i, source, out); });
  }
}

}  // namespace sinew
