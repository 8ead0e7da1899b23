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
#include "model/mesh_measure.hpp"
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

/// Material of every volume cell, block by block.
std::vector<std::vector<int>> materials_of_cells(const Model& model, const BodyItem& item, const SolidItem& solid, const Mesh& mesh) {
  std::vector<std::vector<int>> of(mesh.volumes.size());
  for (std::size_t b = 0; b < of.size(); ++b) of[b].assign(static_cast<std::size_t>(mesh.volumes[b].size()), -1);
  for (const SolidMaterial& m : solid.materials) {
    if (m.group.empty()) {
      for (auto& block : of) std::fill(block.begin(), block.end(), m.material);
      continue;
    }
    const PhysicalGroup* group = find_group(mesh, m.group, 3);
    if (group == nullptr)
      throw InputError(fmt::format("{}: error: the mesh of '{}' has no volume group '{}'; it has {}", model.source.locate(m.mark),
                                   item.name.text(), m.group, list_groups(mesh)));
    for (const CellRef& cell : group->cells) of[cell.block][cell.cell] = m.material;
  }
  for (const auto& block : of)
    for (int m : block)
      if (m < 0)
        throw InputError(fmt::format("{}: error: '{}' has elements without a material; name their volume groups ({})",
                                     model.source.locate(item.mark), item.name.text(), list_groups(mesh)));
  return of;
}

}  // namespace

void Expansion::add_solid_cells(int body, std::int64_t instance, const SolidPlacement& placement, Records& out) const {
  const Mesh& mesh = meshes_.whole.at(body);
  const auto& item = model_.bodies[body];
  const auto materials = materials_of_cells(model_, item, std::get<SolidItem>(item.shape), mesh);
  std::int64_t cell_number = 0;
  for (std::size_t b = 0; b < mesh.volumes.size(); ++b)
    for (int c = 0; c < mesh.volumes[b].size(); ++c) {
      ElementRecord e;
      std::vector<Vec3<double>> x;
      for (int n : mesh.volumes[b].cell(c)) {
        const Point3& X = mesh.points[n];
        x.push_back(placement.frame.x + placement.frame.R * Vec3<double>{{X[0], X[1], X[2]}});
        e.nodes.push_back(numbering_.node(body, instance, n));
      }
      fill_cell(mesh.volumes[b].shape, model_.materials[materials[b][c]], x, e);
      e.origin = {OriginKind::body, body, instance};
      e.anchor = e.nodes[0];
      e.key = (static_cast<std::int64_t>(body) << 40) + instance * numbering_.elements_per_instance(body) + cell_number++;
      out.elements.push_back(std::move(e));
    }
}

/// The frame of every used surface group, and the rows that tie it to the surface's nodes.
void Expansion::add_attachments(int body, std::int64_t instance, const SolidPlacement& placement, Records& out) const {
  const Mesh& mesh = meshes_.whole.at(body);
  const SolidMesh& known = meshes_.known.at(body);
  const int family = joint_family("surface-mean");
  for (std::size_t g = 0; g < known.groups.size(); ++g) {
    const SurfaceGroup& group = known.groups[g];
    const NodeWeights weights = node_weights(mesh, *find_group(mesh, group.name, 2));
    const std::int64_t frame = numbering_.node(body, instance, known.num_points + static_cast<int>(g));
    const std::int64_t row = numbering_.attachment_row(body, instance, static_cast<int>(g));
    const Origin origin{OriginKind::attachment, body, instance};
    out.rows.push_back({row, frame, 6, 0, origin});
    Setup setup;
    setup.places.resize(2);
    setup.places[0].can_turn = false;
    setup.places[1].frame = attachment_frame(body, instance, static_cast<int>(g));
    for (std::size_t i = 0; i < weights.nodes.size(); ++i) {
      const Point3& X = mesh.points[weights.nodes[i]];
      setup.places[0].frame.x = placement.frame.x + placement.frame.R * Vec3<double>{{X[0], X[1], X[2]}};
      setup.fields.set("weight", {weights.weights[i] / weights.total});
      setup.fields.set("gyration_radius", {group.gyration_radius});
      ElementRecord e;
      e.family = family;
      e.origin = origin;
      e.nodes = {numbering_.node(body, instance, weights.nodes[i]), frame};
      e.anchor = e.nodes[0];
      e.first_row = row;
      e.key = row * (std::int64_t{1} << 24) + static_cast<std::int64_t>(i);
      e.params = all_families()[family]->make_params(setup);
      out.elements.push_back(std::move(e));
    }
  }
}

void Expansion::add_solid(int body, Records& out) const {
  const Mesh& mesh = meshes_.whole.at(body);
  const SolidMesh& known = meshes_.known.at(body);
  for (std::int64_t instance = 0; instance < model_.num_instances(body); ++instance) {
    const SolidPlacement p = model_.solid_placement(body, instance);
    const auto rigid_velocity = [&](const Vec3<double>& x) { return p.velocity + cross(p.angular_velocity, x - p.frame.x); };
    for (int n = 0; n < known.num_points; ++n) {
      NodeRecord record;
      record.id = numbering_.node(body, instance, n);
      const Vec3<double> x = p.frame.x + p.frame.R * Vec3<double>{{mesh.points[n][0], mesh.points[n][1], mesh.points[n][2]}};
      const Vec3<double> v = rigid_velocity(x);
      for (int i = 0; i < 3; ++i) {
        record.config[i] = x[i];
        record.velocity[i] = v[i];
      }
      out.nodes.push_back(record);
    }
    for (std::size_t g = 0; g < known.groups.size(); ++g) {
      NodeRecord record;
      record.id = numbering_.node(body, instance, known.num_points + static_cast<int>(g));
      record.is_frame = 1;
      const Frame<double> f = attachment_frame(body, instance, static_cast<int>(g));
      const Quaternion q = quaternion_of(f.R);
      const double config[7] = {f.x[0], f.x[1], f.x[2], q.w, q.x, q.y, q.z};
      std::copy_n(config, 7, record.config);
      const Vec3<double> v = rigid_velocity(f.x), omega = transpose_times(f.R, p.angular_velocity);
      for (int i = 0; i < 3; ++i) {
        record.velocity[i] = v[i];
        record.velocity[3 + i] = omega[i];
      }
      out.nodes.push_back(record);
    }
    add_solid_cells(body, instance, p, out);
    add_attachments(body, instance, p, out);
  }
}

}  // namespace sinew
