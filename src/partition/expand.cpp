#include "partition/expand.hpp"

#include "base/error.hpp"
#include "kernels/elements/cable.hpp"
#include "kernels/elements/point_mass.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "kernels/joints/fixed_line.hpp"
#include "model/relation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sinew {

namespace {

void set_config(const Frame<double>& frame, NodeRecord& record) {
  const Quaternion q = quaternion_of(frame.R);
  const double values[7] = {frame.x[0], frame.x[1], frame.x[2], q.w, q.x, q.y, q.z};
  std::copy_n(values, 7, record.config);
  record.is_frame = 1;
}

void set_point(const Vec3<double>& x, const Vec3<double>& v, NodeRecord& record) {
  for (int i = 0; i < 3; ++i) {
    record.config[i] = x[i];
    record.velocity[i] = v[i];
  }
}

}  // namespace

NodeRecord Expansion::initial_node(std::int64_t node) const {
  const NodeHome home = numbering_.locate(node);
  NodeRecord record;
  record.id = node;
  switch (model_.bodies[home.body].kind()) {
    case BodyKind::rigid: {
      const RigidBodyInstance body = model_.rigid_body(home.body, home.instance);
      set_config(body.frame, record);
      for (int i = 0; i < 3; ++i) {
        record.velocity[i] = body.twist.v[i];
        record.velocity[3 + i] = body.twist.omega[i];
      }
      break;
    }
    case BodyKind::point_mass: {
      const PointMassInstance mass = model_.point_mass(home.body, home.instance);
      set_point(mass.x, mass.v, record);
      break;
    }
    case BodyKind::cable: {
      const CableNode n = model_.cable(home.body, home.instance).node(home.local / 2);
      if (home.local % 2 == 0) {
        set_point(n.x, n.v, record);
      } else {
        set_point(n.slope, n.slope_rate, record);
        record.is_slope = 1;
      }
      break;
    }
    case BodyKind::beam: {
      const BeamInstance& line = beam(home.body, home.instance);
      set_config(line.node_frame(home.local), record);
      const Twist<double> twist = line.node_twist(home.local);
      for (int i = 0; i < 3; ++i) {
        record.velocity[i] = twist.v[i];
        record.velocity[3 + i] = twist.omega[i];
      }
      break;
    }
    case BodyKind::solid: break;  // solids' nodes come from the ranks that hold the mesh
  }
  return record;
}

NodePlace Expansion::find(const PlaceRef& ref) const {
  NodePlace found;
  if (ref.is_ground) {
    found.place.is_ground = true;
    found.place.point = ref.point;
    return found;
  }
  const int body = ref.body.item;
  const std::int64_t instance = ref.body.instance;
  switch (model_.bodies[body].kind()) {
    case BodyKind::rigid:
      found.node = numbering_.node(body, instance, 0);
      found.place.frame = model_.rigid_body(body, instance).frame;
      found.place.point = ref.point;
      break;
    case BodyKind::point_mass:
      found.node = numbering_.node(body, instance, 0);
      found.place.frame.x = model_.point_mass(body, instance).x;
      found.place.can_turn = false;
      break;
    case BodyKind::cable: {
      int node = ref.node;
      if (ref.anchor == Anchor::station) {
        if (ref.station.xi > 1e-9 && ref.station.xi < 1 - 1e-9)
          throw InputError(
              fmt::format("a place on '{}' lies inside an element; joints and forces take hold of nodes: choose a fraction k/{} "
                          "of the length",
                          model_.body_name(body, instance), model_.cable_elements(body)));
        node = ref.station.element + (ref.station.xi > 0.5 ? 1 : 0);
      }
      found.node = numbering_.node(body, instance, 2 * node);
      found.place.frame.x = model_.cable(body, instance).node(node).x;
      found.place.can_turn = false;
      break;
    }
    case BodyKind::beam:
      found.node = numbering_.node(body, instance, ref.node);
      found.place.frame = beam(body, instance).node_frame(ref.node);
      found.place.point = -beam(body, instance).centre(ref.node);
      break;
    case BodyKind::solid: {
      const SolidMesh& mesh = meshes_.known.at(body);
      if (ref.anchor == Anchor::point)
        throw InputError(fmt::format("joints and forces at points of a solid are not built yet; name a surface of '{}'",
                                     model_.body_name(body, instance)));
      const int group = mesh.group(ref.group);
      if (group < 0)
        throw InputError(
            fmt::format("'{}' has no surface group called '{}' in its mesh", model_.body_name(body, instance), ref.group));
      found.node = numbering_.node(body, instance, mesh.num_points + group);
      found.place.frame = attachment_frame(body, instance, group);
      break;
    }
  }
  return found;
}

Frame<double> Expansion::attachment_frame(int body, std::int64_t instance, int group) const {
  const SolidPlacement placement = model_.solid_placement(body, instance);
  Frame<double> frame = placement.frame;
  frame.x = placement.frame.x + placement.frame.R * meshes_.known.at(body).groups[group].mean;
  return frame;
}

void Expansion::add_body_element(int body, std::int64_t item, Records& out) const {
  const std::int64_t instance = item / numbering_.elements_per_instance(body);
  ElementRecord e;
  e.origin = {OriginKind::body, body, instance};
  e.nodes = {e.anchor = numbering_.node(body, instance, 0)};
  if (model_.bodies[body].kind() == BodyKind::rigid) {
    const RigidBodyInstance rigid = model_.rigid_body(body, instance);
    RigidBody::Params p;
    p.mass = rigid.mass;
    p.inertia = rigid.inertia;
    e.params = packed(p);
    e.family = element_family(RigidBody::name);
    // Half the trace of the inertia is the integral of r^2 dm: a body is about as large as its radius of gyration about the
    // centre of mass.
    const Mat3<double>& J = p.inertia;
    if (p.mass > 0) out.bounds.include(rigid.frame.x, std::sqrt(0.5 * (J(0, 0) + J(1, 1) + J(2, 2)) / p.mass));
  } else {
    PointMass::Params p;
    p.mass = model_.point_mass(body, instance).mass;
    e.params = packed(p);
    e.family = element_family(PointMass::name);
  }
  e.key = e.nodes[0];
  out.elements.push_back(std::move(e));
}

void Expansion::add_cable_element(int body, std::int64_t instance, int element, Records& out) const {
  const CableInstance cable = model_.cable(body, instance);
  Cable::Params p;
  p.length = cable.element_length(element);
  p.axial_stiffness = cable.axial_stiffness;
  p.bending_stiffness = cable.bending_stiffness;
  p.mass_per_length = cable.mass_per_length;
  p.axial_viscosity = cable.damping_beta * cable.axial_stiffness;
  p.alpha = cable.damping_alpha;
  ElementRecord e;
  e.family = element_family(Cable::name);
  e.origin = {OriginKind::body, body, instance};
  for (int k = 0; k < 4; ++k) e.nodes.push_back(numbering_.node(body, instance, 2 * element + k));
  e.key = e.anchor = e.nodes[0];
  e.params = packed(p);
  out.elements.push_back(std::move(e));
}

void Expansion::add_bodies(Part part, Records& out) const {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    const BodyKind kind = model_.bodies[b].kind();
    if (kind == BodyKind::solid) {
      const auto source = meshes_.sources.find(body);
      if (source != meshes_.sources.end()) add_solid(body, *source->second, part, out);
      continue;
    }
    const std::int64_t per = numbering_.elements_per_instance(body);
    const std::int64_t total = model_.num_instances(body) * per;
    for (std::int64_t item = part.begin(total); item < part.end(total); ++item) {
      if (kind == BodyKind::cable) {
        add_cable_element(body, item / per, static_cast<int>(item % per), out);
      } else if (kind == BodyKind::beam) {
        add_beam_element(body, item / per, static_cast<int>(item % per), out);
      } else {
        add_body_element(body, item, out);
      }
    }
    const std::int64_t first = numbering_.node(body, 0, 0), count = numbering_.node(body, model_.num_instances(body), 0) - first;
    for (std::int64_t n = part.begin(count); n < part.end(count); ++n) {
      out.nodes.push_back(initial_node(first + n));
      const NodeRecord& node = out.nodes.back();
      if (!node.is_slope) out.bounds.include({{node.config[0], node.config[1], node.config[2]}});
    }
  }
}

std::vector<NodePlace> Expansion::places(const ConnectedItem& item, std::int64_t instance) const {
  std::vector<NodePlace> found;
  const std::vector<PlaceRef> refs = model_.places(item, instance);
  try {
    for (const PlaceRef& ref : refs) found.push_back(find(ref));
  } catch (const InputError& fault) {
    throw InputError(fmt::format("{}: error: {} '{}': {}", model_.source.locate(item.mark), item.type,
                                 item.name.expand(item.repeat.indices(instance)), fault.what()));
  }
  for (std::size_t i = 0; i < refs.size(); ++i)
    if (refs[i].is_ground && refs[i].anchor == Anchor::unlocated && refs.size() == 2)
      found[i].place.point = found[1 - i].place.position();
  if (refs.size() == 2 && refs[0].is_ground && refs[0].anchor == Anchor::unlocated) locate_ground(item, instance, found);
  return found;
}

/// The bare `ground` of a joint that knows better than the other place where it lies.
void Expansion::locate_ground(const ConnectedItem& item, std::int64_t instance, std::vector<NodePlace>& found) const {
  const FamilyEntry* joint = find_entry(registered_joints(), item.type);
  if (!joint || !joint->ground_place) return;
  const Setup setup{{found[0].place, found[1].place}, model_.fields(item, instance)};
  found[0].place.point = joint->ground_place(setup);
}

Setup Expansion::setup(const ConnectedItem& item, std::int64_t instance, const std::vector<NodePlace>& found) const {
  Setup setup;
  setup.fields = model_.fields(item, instance);
  for (const NodePlace& p : found) setup.places.push_back(p.place);
  return setup;
}

ElementRecord Expansion::connected(int family, const ConnectedItem& item, std::int64_t instance,
                                   const std::vector<NodePlace>& found) const {
  ElementRecord e;
  e.family = family;
  for (const NodePlace& p : found) {
    e.nodes.push_back(p.node);
    if (e.anchor < 0) e.anchor = p.node;
  }
  try {
    e.params = all_families()[family]->make_params(setup(item, instance, found));
  } catch (const std::invalid_argument& fault) {
    throw InputError(fmt::format("{}: error: {} '{}': {}", model_.source.locate(item.mark), item.type,
                                 item.name.expand(item.repeat.indices(instance)), fault.what()));
  }
  return e;
}

/// The slope of a cable at one of its nodes.
NodePlace Expansion::slope_behind(const NodePlace& end) const {
  NodePlace slope;
  slope.node = end.node + 1;
  const NodeRecord start = initial_node(slope.node);
  slope.place.frame.x = Vec3<double>{{start.config[0], start.config[1], start.config[2]}};
  slope.place.can_turn = false;
  return slope;
}

void Expansion::add_joint(int joint, std::int64_t instance, Part part, Records& out) const {
  const JointItem& item = model_.joints[joint];
  if (item.type == "clamp") return add_clamp(joint, instance, part, out);
  if (is_relation(item)) return add_relation(joint, instance, out);
  const int family = joint_family(item.type);
  std::vector<NodePlace> found = places(item, instance);
  for (const NodePlace& p : found) out.bounds.include(p.place.position());
  if (item.type == FixedLine::name) found.push_back(slope_behind(found[1]));
  ElementRecord e = connected(family, item, instance, found);
  e.origin = {OriginKind::joint, joint, instance};
  e.first_row = numbering_.joint_row(joint, instance);
  e.key = e.first_row;
  if (e.anchor < 0)
    throw InputError(fmt::format("{}: error: joint '{}' connects the ground with itself; one of its places must be on a body",
                                 model_.source.locate(item.mark), model_.joint_name(joint, instance)));
  const FamilyShape& shape = all_families()[family]->shape;
  out.rows.push_back({e.first_row, e.anchor, shape.position_rows, shape.velocity_rows, e.origin});
  out.elements.push_back(std::move(e));
}

void Expansion::add_clamped_node(int joint, std::int64_t instance, std::int64_t node, const Vec3<double>& x, std::int64_t row,
                                 Records& out) const {
  Place place;
  place.can_turn = false;
  place.frame.x = x;
  Setup setup;
  setup.places = {place};
  ElementRecord e;
  e.family = joint_family("clamp");
  e.origin = {OriginKind::joint, joint, instance};
  e.nodes = {e.anchor = node};
  e.key = e.first_row = row;
  e.params = all_families()[e.family]->make_params(setup);
  out.rows.push_back({row, node, 3, 0, e.origin});
  out.elements.push_back(std::move(e));
}

/// Three rows for every node that the clamp holds. `part`: of the nodes of boxes; of a mesh every rank adds the nodes that it
/// holds, the other clamps fall to the first part.
void Expansion::add_clamp(int joint, std::int64_t instance, Part part, Records& out) const {
  const JointItem& item = model_.joints[joint];
  std::int64_t row = numbering_.joint_row(joint, instance);
  const std::vector<PlaceRef> refs = model_.places(item, instance);
  const std::vector<NodePlace> found = places(item, instance);
  for (std::size_t k = 0; k < refs.size(); ++k) {
    const PlaceRef& ref = refs[k];
    if (ref.is_ground) continue;
    const int body = ref.body.item;
    const BodyKind kind = model_.bodies[body].kind();
    if (kind != BodyKind::solid) {
      const int count = kind == BodyKind::cable ? 2 : 1;
      for (int i = 0; i < count && part.rank == 0; ++i) {
        const NodeRecord start = initial_node(found[k].node + i);
        add_clamped_node(joint, instance, found[k].node + i, Vec3<double>{{start.config[0], start.config[1], start.config[2]}},
                         row + 3 * i, out);
      }
      row += 3 * count;
      continue;
    }
    const SolidMesh& known = meshes_.known.at(body);
    const int group = known.group(ref.group), count = known.groups[group].num_nodes;
    const auto source = meshes_.sources.find(body);
    if (source != meshes_.sources.end()) {
      const Part mine = source->second->is_whole() ? part : Part{};
      const Span held = source->second->surface_nodes(group);
      for (std::int64_t j = mine.begin(held.count); j < mine.end(held.count); ++j) {
        const std::int64_t i = held.first + j;
        const int n = source->second->surface_node(group, i).node;
        add_clamped_node(joint, instance, numbering_.node(body, ref.body.instance, n),
                         placed(model_.solid_placement(body, ref.body.instance).frame, source->second->point(n)), row + 3 * i,
                         out);
      }
    }
    row += 3 * count;
  }
}

/// The joints that the instances of a force are in are of one type: the kernel was chosen by that of the first.
void Expansion::require_type(const ForceItem& item, const std::vector<std::string>& types, const InstanceRef& of,
                             std::int64_t instance) const {
  const std::string& type = model_.joints[of.item].type;
  if (std::find(types.begin(), types.end(), type) != types.end()) return;
  throw InputError(
      fmt::format("{}: error: '{}' is in a joint of type '{}', and others of the same item are in one of type '{}': make an "
                  "item of its own for each type",
                  model_.source.locate(item.of_mark), item.name.expand(item.repeat.indices(instance)), type, types.front()));
}

void Expansion::add_force(int force, std::int64_t instance, Records& out) const {
  const ForceItem& item = model_.forces[force];
  const std::vector<NodePlace> found = places(item, instance);
  for (const NodePlace& p : found) out.bounds.include(p.place.position());
  ElementRecord e = connected(force_family(item.type), item, instance, found);
  e.origin = {OriginKind::force, force, instance};
  e.key = instance;
  if (const FamilyEntry& entry = *all_families()[e.family]; !entry.joints.empty()) {
    const InstanceRef of = model_.joint(*item.of, item.repeat.indices(instance), item.of_mark);
    require_type(item, entry.joints, of, instance);
    if (entry.shape.num_multipliers > 0) e.first_row = numbering_.joint_row(of.item, of.instance);
  }
  if (e.anchor < 0)
    throw InputError(fmt::format("{}: error: force '{}' acts on the ground alone", model_.source.locate(item.mark),
                                 item.name.expand(item.repeat.indices(instance))));
  if (item.feedback)
    for (const std::int64_t node : watched_nodes(signal_flow(model_, *item.feedback, item.repeat.indices(instance), {})))
      out.ties.emplace_back(e.anchor, node);
  out.elements.push_back(std::move(e));
}

Records Expansion::share(Part part) const {
  Records out;
  std::string faults;
  int count = 0;
  const auto guarded = [&](auto work) {
    try {
      work();
    } catch (const InputError& fault) {
      if (++count <= 20) faults += (faults.empty() ? "" : "\n") + std::string(fault.what());
    }
  };
  guarded([&] { add_bodies(part, out); });
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    // A clamp may hold as many nodes as a side of a solid has: all ranks share each one.
    const bool is_shared = model_.joints[k].type == "clamp" && !meshes_.known.empty();
    const Part items = is_shared ? Part{} : part, nodes = is_shared ? part : Part{};
    const std::int64_t total = model_.joints[k].repeat.count();
    for (std::int64_t i = items.begin(total); i < items.end(total); ++i)
      guarded([&] { add_joint(static_cast<int>(k), i, nodes, out); });
  }
  for (std::size_t k = 0; k < model_.forces.size(); ++k) {
    const std::int64_t total = model_.forces[k].repeat.count();
    for (std::int64_t i = part.begin(total); i < part.end(total); ++i) guarded([&] { add_force(static_cast<int>(k), i, out); });
  }
  for (std::size_t k = 0; k < model_.controls.size(); ++k) {
    const std::int64_t total = model_.controls[k].repeat.count();
    for (std::int64_t i = part.begin(total); i < part.end(total); ++i) guarded([&] { add_control(static_cast<int>(k), i, out); });
  }
  if (!faults.empty()) throw InputError(faults);
  return out;
}

}  // namespace sinew
