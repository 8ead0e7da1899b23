#include "partition/expand.hpp"

#include "base/error.hpp"
#include "model/relation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sinew {

NodeRecord record_of(const NodeAtStart& node) {
  NodeRecord record;
  record.kind = node.kind;
  record.is_slope = node.is_slope ? 1 : 0;
  for (int i = 0; i < std::min(3, record.size().dofs); ++i) {
    record.config[i] = node.frame.x[i];
    record.velocity[i] = node.twist.v[i];
  }
  if (node.kind == NodeKind::frame) {
    for (int i = 0; i < 3; ++i) record.velocity[3 + i] = node.twist.omega[i];
    const Quaternion q = quaternion_of(node.frame.R);
    const double numbers[4] = {q.w, q.x, q.y, q.z};
    std::copy_n(numbers, 4, record.config + 3);
  }
  return record;
}

const BodyAtStart& Expansion::at_start(int body, std::int64_t instance) const {
  if (known_.body != body || known_.instance != instance)
    known_ = {body, instance, model_.body_at(body).at_start({model_, body, instance})};
  return *known_.start;
}

NodeRecord Expansion::initial_node(std::int64_t node) const {
  const NodeHome home = numbering_.locate(node);
  NodeRecord record = record_of(at_start(home.body, home.instance).node(home.local));
  record.id = node;
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
  if (!model_.body_at(body).meshed()) {
    const BodyPlace on = at_start(body, instance).place(ref);
    return {numbering_.node(body, instance, on.node), on.place};
  }
  const SolidMesh& mesh = meshes_.known.at(body);
  if (ref.anchor == Anchor::node) {
    const Frame<double> frame = placement(body, instance).frame;
    found.node = numbering_.node(body, instance, ref.node);
    found.place.frame = {placed(frame, mesh.nodes.at(ref.node)), frame.R};
    return found;
  }
  const int attachment = mesh.attachment(ref);
  if (attachment < 0)
    throw InputError(fmt::format("'{}' has no group called '{}' in its mesh", model_.body_name(body, instance), ref.group));
  found.node = numbering_.node(body, instance, mesh.num_points + attachment);
  found.place.frame = attachment_frame(body, instance, attachment);
  return found;
}

PlacementAtStart Expansion::placement(int body, std::int64_t instance) const {
  const OneBody one{model_, body, instance};
  return evaluate(one.item().body().meshed()->placement, one.indices());
}

Frame<double> Expansion::attachment_frame(int body, std::int64_t instance, int attachment) const {
  Frame<double> frame = placement(body, instance).frame;
  frame.x = frame.x + frame.R * meshes_.known.at(body).attachment_place(attachment);
  return frame;
}

void Expansion::add_body_element(int body, std::int64_t instance, int element, Records& out) const {
  ElementAtStart start = at_start(body, instance).element(element);
  ElementRecord e;
  e.family = start.attachment < 0 ? element_family(start.family) : joint_family(start.family);
  e.origin = {start.attachment < 0 ? OriginKind::body : OriginKind::attachment, body, instance};
  for (const int node : start.nodes) e.nodes.push_back(numbering_.node(body, instance, node));
  e.key = e.anchor = e.nodes[0];
  if (start.attachment >= 0) {
    e.first_row = numbering_.attachment_row(body, instance, start.attachment);
    e.key = order_key(instance, element);
  }
  e.params = std::move(start.params);
  out.elements.push_back(std::move(e));
}

/// The six rows that hold an attachment, which is that node.
void Expansion::add_attachment_rows(int body, std::int64_t instance, int attachment, std::int64_t node, Records& out) const {
  out.rows.push_back(
      {numbering_.attachment_row(body, instance, attachment), node, 6, 0, {OriginKind::attachment, body, instance}, {}});
}

void Expansion::add_bodies(Part part, Records& out) const {
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    if (model_.body_at(body).meshed()) {
      const auto source = meshes_.sources.find(body);
      if (source != meshes_.sources.end()) add_solid(body, *source->second, part, out);
      continue;
    }
    const std::int64_t per = numbering_.size(body).elements, total = model_.num_instances(body) * per;
    for (std::int64_t item = part.begin(total); item < part.end(total); ++item)
      add_body_element(body, item / per, static_cast<int>(item % per), out);
    const std::int64_t held = numbering_.size(body).attachments, all_held = model_.num_instances(body) * held;
    for (std::int64_t item = part.begin(all_held); item < part.end(all_held); ++item) {
      const std::int64_t instance = item / held;
      const auto attachment = static_cast<int>(item % held);
      const int node = at_start(body, instance).attached_node(attachment);
      add_attachment_rows(body, instance, attachment, numbering_.node(body, instance, node), out);
    }
    const std::int64_t first = numbering_.node(body, 0, 0), count = numbering_.node(body, model_.num_instances(body), 0) - first;
    for (std::int64_t n = part.begin(count); n < part.end(count); ++n) {
      out.nodes.push_back(initial_node(first + n));
      const NodeRecord& node = out.nodes.back();
      if (node.is_slope || !node.size().has_vector) continue;
      const Vec3<double> x{{node.config[0], node.config[1], node.config[2]}};
      const bool is_first = node.id == numbering_.node(body, known_.instance, 0);
      out.include(x, is_first ? known_.start->radius() : 0.0);
    }
  }
}

std::vector<NodePlace> Expansion::places(const ConnectedItem& item, std::int64_t instance) const {
  std::vector<NodePlace> found;
  const std::vector<PlaceRef> refs = model_.places(item, instance);
  try {
    for (const PlaceRef& ref : refs) found.push_back(find(ref));
  } catch (const InputError& fault) {
    throw_with_line(item, instance, fault.what());
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
  e.params = made_params(family, item, instance, setup(item, instance, found));
  return e;
}

/// What `make` says of the places and keys of an item; a fault with its line.
std::vector<double> Expansion::made_params(int family, const ConnectedItem& item, std::int64_t instance,
                                           const Setup& setup) const {
  try {
    return all_families()[static_cast<std::size_t>(family)]->make_params(setup);
  } catch (const std::invalid_argument& fault) {
    throw_with_line(item, instance, fault.what());
  }
}

void Expansion::throw_with_line(const ConnectedItem& item, std::int64_t instance, const std::string& fault) const {
  throw InputError(fmt::format("{}: error: {} '{}': {}", model_.source.locate(item.mark), item.word,
                               item.name.expand(item.repeat.indices(instance)), fault));
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

namespace {

/// A rod to the ground says how far its end goes from there; the place of a line or a plane on the ground does not.
bool is_rod(const JointItem& item) { return item.type == "distance"; }

}  // namespace

void Expansion::add_joint(int joint, std::int64_t instance, Part part, Records& out) const {
  const JointItem& item = model_.joints[joint];
  if (item.holds_all_nodes) return add_clamp(joint, instance, part, out);
  if (is_relation(item)) return add_relation(joint, instance, out);
  const int family = joint_family(item.type);
  std::vector<NodePlace> found = places(item, instance);
  Bounds at;
  for (const NodePlace& p : found) {
    at.include(p.place.position());
    out.include(p.place, is_rod(item));
  }
  const FamilyShape& shape = all_families()[family]->shape;
  if (shape.is_slope != nullptr && shape.is_slope(static_cast<int>(found.size()))) found.push_back(slope_behind(found[1]));
  ElementRecord e = connected(family, item, instance, found);
  e.origin = {OriginKind::joint, joint, instance};
  e.first_row = numbering_.joint_row(joint, instance);
  e.key = e.first_row;
  if (e.anchor < 0)
    throw InputError(fmt::format("{}: error: joint '{}' connects the ground with itself; one of its places must be on a body",
                                 model_.source.locate(item.mark), model_.joint_name(joint, instance)));
  out.rows.push_back({e.first_row, e.anchor, shape.position_rows, shape.velocity_rows, e.origin, at});
  out.elements.push_back(std::move(e));
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
  if (item.is_line_first) return add_force_on_line(force, instance, out);
  const std::vector<NodePlace> found = places(item, instance);
  for (const NodePlace& p : found) out.include(p.place);
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
  if (item.feedback) {
    const SignalOwner own{SignalOwner::Kind::force, {force, instance}};
    const SignalFlow flow = signal_flow(model_, *item.feedback, item.repeat.indices(instance), own);
    for (const std::int64_t node : watched_nodes(flow.leaves)) out.ties.emplace_back(e.anchor, node);
    for (const std::int64_t state : read_states(flow.leaves)) out.state_ties.push_back({state, e.anchor, -1});
  }
  out.elements.push_back(std::move(e));
}

Records Expansion::share(Part part) const {
  Records out;
  std::string faults = find_faults(part);
  if (!faults.empty()) throw InputError(faults);
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
    const bool is_shared = model_.joints[k].holds_all_nodes && !meshes_.known.empty();
    const Part items = is_shared ? Part{} : part, nodes = is_shared ? part : Part{};
    const std::int64_t total = model_.joints[k].repeat.count();
    for (std::int64_t i = items.begin(total); i < items.end(total); ++i)
      guarded([&] { add_joint(static_cast<int>(k), i, nodes, out); });
  }
  for (std::size_t k = 0; k < model_.forces.size(); ++k) {
    const std::int64_t total = model_.forces[k].repeat.count();
    if (is_surface_load(model_.forces[k].type)) {  // a surface has many faces: all ranks share each one
      for (std::int64_t i = 0; i < total; ++i) guarded([&] { add_surface_load(static_cast<int>(k), i, part, out); });
      continue;
    }
    if (model_.forces[k].is_spread) {  // a line has many nodes: where lines are few, all ranks share each one
      const bool is_shared = total < part.size;
      const Part items = is_shared ? Part{} : part, nodes = is_shared ? part : Part{};
      for (std::int64_t i = items.begin(total); i < items.end(total); ++i)
        guarded([&] { add_spread_load(static_cast<int>(k), i, nodes, out); });
      continue;
    }
    for (std::int64_t i = part.begin(total); i < part.end(total); ++i) guarded([&] { add_force(static_cast<int>(k), i, out); });
  }
  SignalTracer tracer(model_);
  for (std::size_t k = 0; k < model_.controls.size(); ++k) {
    const std::int64_t total = model_.controls[k].repeat.count();
    for (std::int64_t i = part.begin(total); i < part.end(total); ++i)
      guarded([&] { add_control(static_cast<int>(k), i, tracer, out); });
  }
  if (!faults.empty()) throw InputError(faults);
  return out;
}

}  // namespace sinew
