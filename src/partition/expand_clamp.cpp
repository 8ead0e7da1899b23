#include "kernels/joints/fixed.hpp"
#include "partition/expand.hpp"

namespace sinew {

namespace {

/// What holds a node where it is at the start, as the first place of a joint: a point of the ground, or of the carrier's axes.
Place holder_of(const NodePlace& carrier, const Vec3<double>& x) {
  Place holder = carrier.place;
  holder.is_ground = carrier.node < 0;
  holder.point = holder.is_ground ? x : carrier.place.local(x - carrier.place.frame.x);
  return holder;
}

Vec3<double> axis(int k) {
  Vec3<double> e;
  e[k] = 1;
  return e;
}

}  // namespace

ElementRecord fixed_to(const NodePlace& carrier, const NodePlace& held, std::int64_t row, const Origin& origin) {
  Setup setup;
  setup.places = {holder_of(carrier, held.place.frame.x), held.place};
  ElementRecord e;
  e.family = joint_family(Fixed::name);
  e.origin = origin;
  e.nodes = {carrier.node, e.anchor = held.node};
  e.key = e.first_row = row;
  e.params = all_families()[static_cast<std::size_t>(e.family)]->make_params(setup);
  return e;
}

/// The rows of one node, by the kernel that the clamp has: all of its rows, or one for each direction that is held. Kernels of
/// one node hold to the ground, the others to their first place.
void Expansion::add_clamped_node(const Clamping& clamp, const NodePlace& held, std::int64_t row, Records& out) const {
  const JointItem& item = model_.joints[static_cast<std::size_t>(clamp.joint)];
  const int family = joint_family(item.type);
  const FamilyEntry& entry = *all_families()[static_cast<std::size_t>(family)];
  const bool on_ground = clamp.carrier.node < 0, has_carrier = entry.shape.nodes_per_element == 2;
  const char* const key = on_ground ? "direction" : "normal";  // of coordinate-fixed, of point-on-plane
  Bounds at;
  if (!on_ground) at.include(held.place.position());
  Setup setup;
  if (has_carrier) setup.places.push_back(holder_of(clamp.carrier, held.place.position()));
  setup.places.push_back(held.place);
  const auto add = [&] {
    ElementRecord e;
    e.family = family;
    e.origin = {OriginKind::joint, clamp.joint, clamp.instance};
    if (has_carrier) e.nodes.push_back(clamp.carrier.node);
    e.nodes.push_back(e.anchor = held.node);
    e.key = e.first_row = row;
    e.params = entry.make_params(setup);
    out.rows.push_back({row, held.node, entry.shape.rows(), 0, e.origin, at});
    out.elements.push_back(std::move(e));
    row += entry.shape.rows();
  };
  if (item.components.empty()) return add();
  for (const int k : item.components) {
    setup.fields.set(key, {axis(k)[0], axis(k)[1], axis(k)[2]});
    add();
  }
}

/// A clamp of anything but a surface. The slope of a cable is held where all directions are.
void Expansion::add_clamped_place(const Clamping& clamp, const PlaceRef& ref, const NodePlace& found, Records& out) const {
  const JointItem& item = model_.joints[static_cast<std::size_t>(clamp.joint)];
  const std::int64_t row = numbering_.joint_row(clamp.joint, clamp.instance);
  if (!item.components.empty()) return add_clamped_node(clamp, found, row, out);
  const int count = model_.body_at(ref.body.item).form_of(ref) == PlaceForm::line ? 2 : 1;
  for (int i = 0; i < count; ++i) {
    const NodeRecord start = initial_node(found.node + i);
    NodePlace node{found.node + i, {}};
    node.place.can_turn = false;
    node.place.frame.x = Vec3<double>{{start.config[0], start.config[1], start.config[2]}};
    add_clamped_node(clamp, node, row + 3 * i, out);
  }
}

/// Of a mesh every rank adds the nodes that it holds, of a box its part of them.
void Expansion::add_clamped_surface(const Clamping& clamp, const PlaceRef& ref, Part part, Records& out) const {
  const auto source = meshes_.sources.find(ref.body.item);
  if (source == meshes_.sources.end()) return;
  const JointItem& item = model_.joints[static_cast<std::size_t>(clamp.joint)];
  const std::int64_t first = numbering_.joint_row(clamp.joint, clamp.instance);
  const int rows = all_families()[static_cast<std::size_t>(joint_family(item.type))]->shape.rows();
  const int per_node = item.components.empty() ? rows : rows * static_cast<int>(item.components.size());
  const bool turns = model_.body_at(ref.body.item).meshed()->node_kind() == NodeKind::frame;
  const Frame<double> frame = placement(ref.body.item, ref.body.instance).frame;
  const int group = meshes_.known.at(ref.body.item).group(ref.group);
  const Part mine = source->second->is_whole() ? part : Part{};
  const Span held = source->second->surface_nodes(group);
  for (std::int64_t j = mine.begin(held.count); j < mine.end(held.count); ++j) {
    const std::int64_t i = held.first + j;
    const int n = source->second->surface_node(group, i).node;
    NodePlace node{numbering_.node(ref.body.item, ref.body.instance, n), {}};
    node.place.can_turn = turns && item.components.empty();
    node.place.frame = {placed(frame, source->second->point(n)), turns ? frame.R : identity<double, 3>()};
    add_clamped_node(clamp, node, first + per_node * i, out);
  }
}

/// Rows for every node that the clamp holds. `part`: of the nodes of boxes; clamps of no surface fall to the first part.
void Expansion::add_clamp(int joint, std::int64_t instance, Part part, Records& out) const {
  const JointItem& item = model_.joints[static_cast<std::size_t>(joint)];
  const std::size_t held = held_place(item);
  const PlaceRef ref = model_.places(item, instance)[held];
  const std::vector<NodePlace> found = places(item, instance);
  Clamping clamp{joint, instance, {}};
  if (is_held_by_body(item)) clamp.carrier = found[0];
  if (clamp.carrier.node >= 0) out.include(clamp.carrier.place);
  if (ref.anchor == Anchor::group)
    add_clamped_surface(clamp, ref, part, out);
  else if (part.rank == 0)
    add_clamped_place(clamp, ref, found[held], out);
}

}  // namespace sinew
