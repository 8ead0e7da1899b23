#include "base/error.hpp"
#include "kernels/elements/solid_hex8_linear.hpp"
#include "kernels/elements/solid_hex8_neo_hookean.hpp"
#include "kernels/elements/solid_hex8_saint_venant.hpp"
#include "kernels/elements/solid_tet10_linear.hpp"
#include "kernels/elements/solid_tet10_neo_hookean.hpp"
#include "kernels/elements/solid_tet10_saint_venant.hpp"
#include "kernels/elements/solid_tet4_linear.hpp"
#include "kernels/elements/solid_tet4_neo_hookean.hpp"
#include "kernels/elements/solid_tet4_saint_venant.hpp"
#include "partition/expand.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

LameConstants lame(const Material& m) {
  const double E = m.youngs_modulus, nu = m.poissons_ratio;
  return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
}

/// Family and parameters of one cell.
template <class Element>
void fill(const Material& material, const std::vector<Vec3<double>>& x, ElementRecord& e) {
  typename Element::Material m;
  m.law = lame(material);
  m.density = material.density;
  m.alpha = material.damping_alpha;
  m.beta = material.damping_beta;
  m.viscosity = material.viscosity;
  Vec3<double> corners[Element::num_nodes];
  std::copy_n(x.begin(), Element::num_nodes, corners);
  e.params = packed(Element::make(corners, m));
  e.family = element_family(Element::name);
}

template <class SaintVenant, class Linear, class Neo>
void fill_law(const Material& material, const std::vector<Vec3<double>>& x, ElementRecord& e) {
  switch (material.law) {
    case MaterialLaw::st_venant_kirchhoff: return fill<SaintVenant>(material, x, e);
    case MaterialLaw::linear_elastic: return fill<Linear>(material, x, e);
    case MaterialLaw::neo_hookean: return fill<Neo>(material, x, e);
  }
}

void fill_cell(CellShape shape, const Material& material, const std::vector<Vec3<double>>& x, ElementRecord& e) {
  switch (shape) {
    case CellShape::hex8: return fill_law<Hex8SaintVenant, Hex8Linear, Hex8NeoHookean>(material, x, e);
    case CellShape::tet4: return fill_law<Tet4SaintVenant, Tet4Linear, Tet4NeoHookean>(material, x, e);
    case CellShape::tet10: return fill_law<Tet10SaintVenant, Tet10Linear, Tet10NeoHookean>(material, x, e);
    default:
      throw InputError(fmt::format("solid elements of shape {} are not built; use hex8, tet4 or tet10", shape_info(shape).name));
  }
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
  fill_cell(cell.shape, model_.materials[cell.material], x, e);
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
