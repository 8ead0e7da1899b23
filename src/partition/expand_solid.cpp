#include "base/error.hpp"
#include "kernels/joints/inner_frame.hpp"
#include "kernels/joints/shell_mean.hpp"
#include "kernels/joints/surface_mean.hpp"
#include "model/fault.hpp"
#include "partition/expand.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

/// Velocity of a point of a body that moves as if rigid.
Vec3<double> rigid_velocity(const PlacementAtStart& p, const Vec3<double>& x) {
  return p.velocity + cross(p.angular_velocity, x - p.frame.x);
}

}  // namespace

void Expansion::add_solid_node(int body, std::int64_t instance, std::int64_t point, const SolidSource& source,
                               Records& out) const {
  const PlacementAtStart p = placement(body, instance);
  const Vec3<double> x = placed(p.frame, source.point(point)), v = rigid_velocity(p, x);
  NodeRecord record = model_.body_at(body).meshed()->node_kind() == NodeKind::frame
                          ? record_of({{x, p.frame.R}, {v, transpose_times(p.frame.R, p.angular_velocity)}, NodeKind::frame})
                          : record_of({{x, identity<double, 3>()}, {v, {}}});
  record.id = numbering_.node(body, instance, static_cast<int>(point));
  out.nodes.push_back(record);
  out.include(x);
}

void Expansion::add_solid_cell(int body, std::int64_t instance, std::int64_t number, const SolidSource& source,
                               Records& out) const {
  const Frame<double> frame = placement(body, instance).frame;
  const SolidCell cell = source.cell(number);
  std::vector<Vec3<double>> x;
  for (const Point3& X : cell.x) x.push_back(placed(frame, X));
  const MeshedBody& meshed = *model_.body_at(body).meshed();
  std::optional<ElementAtStart> start = meshed.element_of(cell.shape, model_.materials[cell.material], x, frame);
  if (!start)
    throw InputError(format_error(
        model_.source,
        {meshed.mesh_mark,
         fmt::format("the mesh of body '{}' has cells of shape {}, of which no {} is made",
                     model_.bodies[static_cast<std::size_t>(body)].name.text(), shape_info(cell.shape).name, meshed.type()),
         fmt::format("mesh with elements of shape {} (Gmsh: Mesh.ElementOrder, Mesh.RecombineAll)", meshed.shapes_made())}));
  ElementRecord e;
  e.family = element_family(start->family);
  e.params = std::move(start->params);
  for (const int n : cell.nodes) e.nodes.push_back(numbering_.node(body, instance, n));
  e.origin = {OriginKind::body, body, instance};
  e.anchor = e.nodes[0];
  e.key = (static_cast<std::int64_t>(body) << 40) + instance * numbering_.size(body).elements + cell.number;
  out.elements.push_back(std::move(e));
}

/// The frame of a surface group or point in use, and its six rows.
void Expansion::add_attachment(int body, std::int64_t instance, int attachment, Records& out) const {
  const PlacementAtStart p = placement(body, instance);
  const Frame<double> f = attachment_frame(body, instance, attachment);
  NodeRecord record = record_of({f, {rigid_velocity(p, f.x), transpose_times(f.R, p.angular_velocity)}, NodeKind::frame});
  record.id = numbering_.node(body, instance, meshes_.known.at(body).num_points + attachment);
  out.nodes.push_back(record);
  add_attachment_rows(body, instance, attachment, record.id, out);
}

/// What a node of the surface contributes to the rows that tie the frame to the surface.
void Expansion::add_attached_node(int body, std::int64_t instance, int group, std::int64_t index, const SolidSource& source,
                                  Records& out) const {
  const SurfaceGroup& surface = meshes_.known.at(body).groups[group];
  const SurfaceNode node = source.surface_node(group, index);
  const MeshedBody& meshed = *model_.body_at(body).meshed();
  Setup setup;
  setup.places.resize(2);
  setup.places[0].frame.x = placed(placement(body, instance).frame, source.point(node.node));
  setup.places[1].frame = attachment_frame(body, instance, group);
  setup.fields.set("weight", {node.weight / surface.area});
  ElementRecord e;
  if (meshed.node_kind() == NodeKind::frame) {
    setup.places[0].frame.R = placement(body, instance).frame.R;
    const Mat3<double>& spread = surface.spread;
    const double r = meshed.node_gyration(), trace = spread(0, 0) + spread(1, 1) + spread(2, 2);
    std::vector<double> inertia(9);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) inertia[static_cast<std::size_t>(3 * i + j)] = (i == j ? trace + r * r : 0) - spread(i, j);
    setup.fields.set("inertia", std::move(inertia));
    setup.fields.set("gyration_radius", {r});
    e.family = joint_family(ShellMean::name);
  } else {
    setup.places[0].can_turn = false;
    const Vec3<double> moment = (1 / surface.area) * node.moment;
    setup.fields.set("moment", {moment[0], moment[1], moment[2]});
    setup.fields.set("gyration_radius", {surface.gyration_radius});
    e.family = joint_family(SurfaceMean::name);
  }
  e.origin = {OriginKind::attachment, body, instance};
  e.nodes = {numbering_.node(body, instance, node.node),
             numbering_.node(body, instance, meshes_.known.at(body).num_points + group)};
  e.anchor = e.nodes[0];
  e.first_row = numbering_.attachment_row(body, instance, group);
  e.key = e.first_row * (std::int64_t{1} << 24) + index;
  e.params = all_families()[e.family]->make_params(setup);
  out.elements.push_back(std::move(e));
}

/// A node of a shell as joints see it.
NodePlace Expansion::frame_node(int body, std::int64_t instance, int node, const SolidSource& source) const {
  NodePlace found{numbering_.node(body, instance, node), {}};
  const Frame<double> frame = placement(body, instance).frame;
  found.place.frame = {placed(frame, source.point(node)), frame.R};
  return found;
}

/// Holds the frame of a group to a node, or to the ground (a place without one).
void Expansion::add_held_frame(int body, std::int64_t instance, int group, const NodePlace& carrier, Records& out) const {
  NodePlace held{numbering_.node(body, instance, meshes_.known.at(body).num_points + group), {}};
  held.place.frame = attachment_frame(body, instance, group);
  const Origin origin{OriginKind::attachment, body, instance};
  out.elements.push_back(fixed_to(carrier, held, numbering_.attachment_row(body, instance, group), origin));
  out.elements.back().key *= std::int64_t{1} << 24;
}

/// The same of a node beside a curve or points: it has no share in the mean, and turns the frame by a moment.
void Expansion::add_node_beside(int body, std::int64_t instance, int group, std::int64_t index, const SolidSource& source,
                                Records& out) const {
  const SolidMesh& mesh = meshes_.known.at(body);
  const SurfaceGroup& known = mesh.groups[static_cast<std::size_t>(group)];
  const SurfaceNode node = source.node_beside(group, index);
  const Vec3<double> gradient = (1 / (known.area * known.gyration_radius * known.gyration_radius)) * node.moment;
  Setup setup;
  setup.places.resize(2);
  setup.fields.set("weight", {0.0});
  setup.fields.set("gradient", {gradient[0], gradient[1], gradient[2]});
  ElementRecord e;
  e.family = joint_family(InnerFrame::name);
  e.origin = {OriginKind::attachment, body, instance};
  e.nodes = {numbering_.node(body, instance, node.node), numbering_.node(body, instance, mesh.num_points + group)};
  e.anchor = e.nodes[0];
  e.first_row = numbering_.attachment_row(body, instance, group);
  e.key = e.first_row * (std::int64_t{1} << 24) + known.num_nodes + index;
  e.params = all_families()[static_cast<std::size_t>(e.family)]->make_params(setup);
  out.elements.push_back(std::move(e));
}

/// What the nodes around a point contribute to the rows that tie the frame there to the material.
void Expansion::add_point_nodes(int body, std::int64_t instance, int attachment, Records& out) const {
  const SolidMesh& mesh = meshes_.known.at(body);
  const AttachedPoint& point = mesh.points[static_cast<std::size_t>(attachment) - mesh.groups.size()];
  Setup setup;
  setup.places.resize(2);
  for (std::size_t a = 0; a < point.nodes.size(); ++a) {
    const Vec3<double>& g = point.gradients[a];
    setup.fields.set("weight", {point.weights[a]});
    setup.fields.set("gradient", {g[0], g[1], g[2]});
    ElementRecord e;
    e.family = joint_family(InnerFrame::name);
    e.origin = {OriginKind::attachment, body, instance};
    e.nodes = {numbering_.node(body, instance, point.nodes[a]), numbering_.node(body, instance, mesh.num_points + attachment)};
    e.anchor = e.nodes[0];
    e.first_row = numbering_.attachment_row(body, instance, attachment);
    e.key = e.first_row * (std::int64_t{1} << 24) + static_cast<std::int64_t>(a);
    e.params = all_families()[static_cast<std::size_t>(e.family)]->make_params(setup);
    out.elements.push_back(std::move(e));
  }
}

/// An element for every face of the surface that falls to this part, or that only this rank holds.
void Expansion::add_surface_load(int force, std::int64_t instance, Part part, Records& out) const {
  const ForceItem& item = model_.forces[static_cast<std::size_t>(force)];
  const PlaceRef ref = model_.places(item, instance).at(0);
  const int body = ref.body.item;
  const auto held = meshes_.sources.find(body);
  if (held == meshes_.sources.end()) return;
  const SolidSource& source = *held->second;
  const int group = meshes_.known.at(body).loaded_group(ref.group);
  const Frame<double> frame = placement(body, ref.body.instance).frame;
  Setup setup;
  setup.fields = model_.fields(item, instance);
  const Span faces = source.faces(group);
  const Part mine = source.is_whole() ? part : Part{};
  for (std::int64_t k = mine.begin(faces.count); k < mine.end(faces.count); ++k) {
    const SolidFace face = source.face(group, faces.first + k);
    setup.places.assign(face.nodes.size(), {});
    ElementRecord e;
    for (std::size_t a = 0; a < face.nodes.size(); ++a) {
      setup.places[a].can_turn = false;
      setup.places[a].frame.x = placed(frame, face.x[a]);
      e.nodes.push_back(numbering_.node(body, ref.body.instance, face.nodes[a]));
    }
    setup.fields.set("side", {face.side});
    e.family = surface_load_family(item.type, std::string(shape_info(face.shape).name));
    e.origin = {OriginKind::force, force, instance};
    e.anchor = e.nodes[0];
    e.key = order_key(instance, face.number);
    e.params = all_families()[static_cast<std::size_t>(e.family)]->make_params(setup);
    out.elements.push_back(std::move(e));
  }
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
  const auto num_groups = static_cast<int>(known.groups.size());
  const bool is_shell = model_.body_at(body).meshed()->node_kind() == NodeKind::frame;
  // The frame of a shell's group that is only clamped stays where it is, or where a body carries the group's first node: what it
  // would follow touches all nodes, and multipliers that carry nothing would be rounding alone, which no state of rest can be
  // judged by.
  const auto is_held = [&](int k) { return is_shell && k < num_groups && known.groups[k].is_only_clamped; };
  for (int k = 0; k < known.num_attachments(); ++k)
    for (std::int64_t i = part.begin(instances); i < part.end(instances); ++i) {
      add_attachment(body, i, k, out);
      if (is_held(k) && !known.groups[static_cast<std::size_t>(k)].is_carried) add_held_frame(body, i, k, {}, out);
      if (k >= num_groups) add_point_nodes(body, i, k, out);
    }
  for (int group = 0; group < num_groups; ++group) {
    if (is_held(group) && !known.groups[static_cast<std::size_t>(group)].is_carried) continue;
    spread(source.surface_nodes(group), [&](std::int64_t instance, std::int64_t i) {
      if (!is_held(group))
        add_attached_node(body, instance, group, i, source, out);
      else if (i == 0)
        add_held_frame(body, instance, group, frame_node(body, instance, source.surface_node(group, i).node, source), out);
    });
    spread(source.nodes_beside(group),
           [&](std::int64_t instance, std::int64_t i) { add_node_beside(body, instance, group, i, source, out); });
  }
}

}  // namespace sinew
