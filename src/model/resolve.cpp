#include "model/resolve.hpp"

#include "base/error.hpp"
#include "model/nearest_name.hpp"

#include <cmath>

namespace sinew {
namespace {

/// First and last name of every item, for suggestions.
std::vector<std::string> sample_names(const NameTable& table) {
  std::vector<std::string> names;
  for (int item = 0; item < table.size(); ++item) {
    names.push_back(table.name({item, 0}));
    if (table.repeat(item).count() > 1) names.push_back(table.name({item, table.repeat(item).count() - 1}));
  }
  return names;
}

/// What to say about a name that nothing has.
std::string name_remedy(const NameTable& table, const std::string& kind, const std::string& name) {
  for (int item = 0; item < table.size(); ++item)
    if (!table.pattern(item).is_plain() && table.pattern(item).key() == pattern_key(name))
      return "'" + table.pattern(item).text() + "' goes from " + table.name({item, 0}) + " to " +
             table.name({item, table.repeat(item).count() - 1});
  const std::string hint = suggestion(name, sample_names(table));
  return hint.empty() ? "define it under " + (kind == "body" ? "bodies" : kind + "s") : hint;
}

/// The fault of a name that nothing has.
Fault unknown_name(const NameTable& table, const std::string& kind, const std::string& name, const SourceMark& mark) {
  return {mark, "there is no " + kind + " '" + name + "'", name_remedy(table, kind, name)};
}

using MaybeFault = std::optional<Fault>;

MaybeFault find_instance(const NameTable& table, const std::string& kind, const NamePattern& name, const Indices& indices,
                         const SourceMark& mark, InstanceRef& ref) {
  if (const auto found = table.find(name, indices)) {
    ref = *found;
    return {};
  }
  return unknown_name(table, kind, name.expand(indices), mark);
}

MaybeFault fault(const PlaceItem& item, const std::string& message, const std::string& remedy = "") {
  return Fault{item.mark, "place '" + item.text + "': " + message, remedy};
}

/// The named point that a place means, or null.
const NamedPoint* find_point(const BodyItem& body, std::int64_t instance, const std::string& name) {
  for (const NamedPoint& point : body.points)
    if (point.name.is_plain() ? point.name.text() == name : point.name.expand(body.repeat.indices(instance)) == name)
      return &point;
  return nullptr;
}

std::string point_remedy(const BodyItem& body, const std::string& name, std::vector<std::string> known) {
  for (const NamedPoint& point : body.points) known.push_back(point.name.text());
  const std::string hint = suggestion(name, known);
  return hint.empty() ? "add it under points of '" + body.name.text() + "'" : hint;
}

MaybeFault resolve_rigid(const PlaceItem& item, const BodyItem& body, const std::string& tail, PlaceRef& ref) {
  ref.anchor = Anchor::point;
  if (item.tail == PlaceItem::Tail::none) return {};
  if (item.tail == PlaceItem::Tail::node) return fault(item, "a rigid body has no nodes", "name one of its points");
  const NamedPoint* point = find_point(body, ref.body.instance, tail);
  if (!point) return fault(item, "the body has no point '" + tail + "'", point_remedy(body, tail, {}));
  ref.point = evaluate(std::get<VectorExpression>(point->place), body.repeat.indices(ref.body.instance)) -
              std::get<RigidBodyItem>(body.shape).centre();
  return {};
}

/// Node `last` is the last one.
MaybeFault resolve_cable_node(const PlaceItem& item, int last, const Indices& indices, PlaceRef& ref) {
  if (item.node.is_unreadable()) return {};
  const double k = item.node.value(indices);
  if (!(std::fabs(k - std::round(k)) < 1e-9)) return fault(item, "the number of the node is not whole");
  if (k < 0 || k > last)
    return fault(item, "there is no node " + std::to_string(static_cast<long long>(k)),
                 "its nodes are 0 to " + std::to_string(last));
  ref.anchor = Anchor::node;
  ref.node = static_cast<int>(std::lround(k));
  return {};
}

MaybeFault resolve_cable(const Model& model, const PlaceItem& item, const std::string& tail, const Indices& indices,
                         PlaceRef& ref) {
  const BodyItem& body = model.bodies[static_cast<std::size_t>(ref.body.item)];
  const int num_elements = std::get<CableItem>(body.shape).num_elements;
  if (item.tail == PlaceItem::Tail::node) return resolve_cable_node(item, num_elements, indices, ref);
  if (item.tail == PlaceItem::Tail::none)
    return fault(item, "a cable is not a place", "write " + item.text + ".start, .end, .node[k] or a named point");
  ref.anchor = Anchor::node;
  ref.node = tail == "end" ? num_elements : 0;
  if (tail == "start" || tail == "end") return {};
  const NamedPoint* point = find_point(body, ref.body.instance, tail);
  if (!point) return fault(item, "the cable has no point '" + tail + "'", point_remedy(body, tail, {"start", "end"}));
  const double fraction = std::get<Expression>(point->place).value(body.repeat.indices(ref.body.instance));
  if (!(fraction >= 0 && fraction <= 1)) return {};  // reported with the point
  ref.station = model.cable(ref.body.item, ref.body.instance).station(fraction);
  const double nearest = std::round(ref.station.xi);
  ref.node = ref.station.element + static_cast<int>(nearest);
  if (std::fabs(ref.station.xi - nearest) > 1e-9) ref.anchor = Anchor::station;
  return {};
}

/// Named points of a beam are nodes. Without a division into elements there is none: that is reported with the beam.
MaybeFault resolve_beam(const PlaceItem& item, const BodyItem& body, const std::string& tail, const Indices& indices,
                        PlaceRef& ref) {
  const BeamItem& beam = std::get<BeamItem>(body.shape);
  const int last = beam.num_elements * beam.order;
  if (item.tail == PlaceItem::Tail::node) return resolve_cable_node(item, last, indices, ref);
  if (item.tail == PlaceItem::Tail::none)
    return fault(item, "a beam is not a place", "write " + item.text + ".start, .end, .node[k] or a named point");
  ref.anchor = Anchor::node;
  ref.node = tail == "end" ? last : 0;
  if (tail == "start" || tail == "end") return {};
  const NamedPoint* point = find_point(body, ref.body.instance, tail);
  if (!point) return fault(item, "the beam has no point '" + tail + "'", point_remedy(body, tail, {"start", "end"}));
  const double fraction = std::get<Expression>(point->place).value(body.repeat.indices(ref.body.instance));
  if (!(fraction >= 0 && fraction <= 1)) return {};  // reported with the point
  try {
    beam_division(body, ref.body.instance).station(fraction, ref.node);
  } catch (const InputError&) {
    ref.node = 0;
  }
  return {};
}

MaybeFault resolve_solid(const PlaceItem& item, const BodyItem& body, const std::string& tail, PlaceRef& ref) {
  static const std::vector<std::string> box_groups{"x-", "x+", "y-", "y+", "z-", "z+", "volume"};
  const SolidItem& solid = std::get<SolidItem>(body.shape);
  if (item.tail == PlaceItem::Tail::none)
    return fault(item, "a solid is not a place",
                 solid.box ? "name a surface, like " + item.text + ".x-" : "name a group of its mesh");
  if (item.tail == PlaceItem::Tail::node) return fault(item, "nodes of a solid have no numbers here", "name a point or a group");
  if (const NamedPoint* point = find_point(body, ref.body.instance, tail)) {
    ref.anchor = Anchor::point;
    ref.point = evaluate(std::get<VectorExpression>(point->place), body.repeat.indices(ref.body.instance));
    return {};
  }
  if (solid.box && std::find(box_groups.begin(), box_groups.end(), tail) == box_groups.end())
    return fault(item, "the box has no surface or point '" + tail + "'", point_remedy(body, tail, box_groups));
  ref.anchor = Anchor::group;
  ref.group = tail;
  return {};
}

}  // namespace

std::optional<Fault> resolve_body(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                  InstanceRef& ref) {
  return find_instance(model.body_names, "body", name, indices, mark, ref);
}

std::optional<Fault> resolve_joint(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                   InstanceRef& ref) {
  return find_instance(model.joint_names, "joint", name, indices, mark, ref);
}

std::optional<Fault> resolve_force(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                   InstanceRef& ref) {
  return find_instance(model.force_names, "force", name, indices, mark, ref);
}

std::optional<Fault> resolve_control(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                     InstanceRef& ref) {
  return find_instance(model.control_names, "control", name, indices, mark, ref);
}

std::optional<Fault> resolve_sensor(const Model& model, const NamePattern& name, const Indices& indices, const SourceMark& mark,
                                    InstanceRef& ref) {
  return find_instance(model.sensor_names, "sensor", name, indices, mark, ref);
}

std::optional<Fault> resolve_place(const Model& model, const PlaceItem& item, const Indices& indices, bool ground_is_origin,
                                   PlaceRef& ref) {
  ref = PlaceRef{};
  if (item.kind == PlaceItem::Kind::ground) {
    if (ground_is_origin) ref.anchor = Anchor::point;
    return {};
  }
  if (item.kind == PlaceItem::Kind::ground_point) {
    ref.anchor = Anchor::point;
    ref.point = evaluate(item.point, indices);
    return {};
  }
  ref.is_ground = false;
  if (auto missing = resolve_body(model, item.body, indices, item.mark, ref.body)) {
    if (item.body.is_plain() && item.body.text() == "ground")
      return fault(item, "the ground has no points", "write ground, or a point of it as [x, y, z]");
    return missing;
  }
  const BodyItem& body = model.bodies[static_cast<std::size_t>(ref.body.item)];
  const std::string tail = item.tail == PlaceItem::Tail::name ? item.tail_name.expand(indices) : std::string();
  switch (body.kind()) {
    case BodyKind::rigid: return resolve_rigid(item, body, tail, ref);
    case BodyKind::cable: return resolve_cable(model, item, tail, indices, ref);
    case BodyKind::solid: return resolve_solid(item, body, tail, ref);
    case BodyKind::beam: return resolve_beam(item, body, tail, indices, ref);
    default: break;
  }
  ref.anchor = Anchor::point;
  if (item.tail != PlaceItem::Tail::none) return fault(item, "a point mass has no points", "write the body's name alone");
  return {};
}

std::optional<Fault> resolve_places(const Model& model, const ConnectedItem& item, const Indices& indices,
                                    std::vector<PlaceRef>& refs) {
  if (item.of) {
    InstanceRef of;
    if (auto missing = resolve_joint(model, *item.of, indices, item.of_mark, of)) return missing;
    const JointItem& joint = model.joints[static_cast<std::size_t>(of.item)];
    if (joint.of)
      return Fault{item.of_mark, "joint '" + item.of->expand(indices) + "' is a motion itself", "name the joint that it drives"};
    return resolve_places(model, joint, joint.repeat.indices(of.instance), refs);
  }
  refs.resize(item.places.size());
  for (std::size_t k = 0; k < item.places.size(); ++k)
    if (auto wrong = resolve_place(model, item.places[k], indices, item.ground_is_origin, refs[k])) return wrong;
  return {};
}

}  // namespace sinew
