#include "model/resolve.hpp"

#include "model/nearest_name.hpp"
#include "model/place_on_body.hpp"

#include <algorithm>

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
  std::vector<std::string> known = sample_names(table);
  if (kind == "body") known.emplace_back("ground");
  const std::string hint = suggestion(name, known);
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
      return place_fault(item, "the ground has no points", "write ground, or a point of it as [x, y, z]");
    return missing;
  }
  const BodyItem& body = model.bodies[static_cast<std::size_t>(ref.body.item)];
  const std::string tail = item.tail == PlaceItem::Tail::name ? item.tail_name.expand(indices) : std::string();
  return body.body().resolve({model, ref.body.item, ref.body.instance}, item, tail, indices, ref);
}

namespace {

/// What a place that is a line, all of it, is to its force, in words.
struct LineRole {
  std::string what;           ///< it has to be
  std::string other;          ///< comes before what a body is that is no line
  std::string instead;        ///< the remedy there
  std::string whole, behind;  ///< the remedy for a place on a line, before and behind the line's name
};

LineRole role_of_line(const ConnectedItem& item) {
  if (item.is_spread)
    return {"a " + item.word + " acts all along a beam, a cable or a ring", ", not on a ",
            "take type: force, or traction on the surface of a solid",
            "write on: ", "; a profile says which part of it is loaded"};
  return {"the first place of a " + item.word + " is a beam, a cable or a ring, all of it", ", not a ",
          "name the line first; between bodies that do not bend take a joint, or type: contact", "write connect: [", ", ...]"};
}

MaybeFault resolve_line(const Model& model, const PlaceItem& place, const LineRole& role, const Indices& indices, PlaceRef& ref) {
  ref = PlaceRef{};
  if (!place.is_on_body()) return place_fault(place, role.what, "name one");
  if (auto missing = resolve_body(model, place.body, indices, place.mark, ref.body)) return missing;
  const Body& body = model.body_at(ref.body.item);
  if (!body.line()) return place_fault(place, role.what + role.other + body.type() + " body", role.instead);
  if (place.tail != PlaceItem::Tail::none) return place_fault(place, role.what, role.whole + place.body.text() + role.behind);
  ref.is_ground = false;
  ref.anchor = Anchor::whole;
  return {};
}

}  // namespace

std::optional<Fault> resolve_place(const Model& model, const ConnectedItem& item, std::size_t k, const Indices& indices,
                                   PlaceRef& ref) {
  if (item.is_spread || (item.is_line_first && k == 0))
    return resolve_line(model, item.places[k], role_of_line(item), indices, ref);
  return resolve_place(model, item.places[k], indices, item.ground_is_origin, ref);
}

InstanceSpan instances_near(const Model& model, int body, const PlaceItem& place, const Repeat& repeat) {
  const NamePattern& name = model.bodies[static_cast<std::size_t>(body)].name;
  if (!place.is_on_body() || place.body.key() != name.key()) return {};
  if (!name.is_plain()) return {0, repeat.count()};
  if (place.body.is_plain()) return {0, place.body.text() == name.text() ? repeat.count() : 0};
  const auto tells = [](const Expression& hole) { return hole.linear_form()->slope[0] != 0; };
  if (!place.body.is_linear() || repeat.ranges().size() != 1 || std::ranges::none_of(place.body.holes(), tells))
    return {0, repeat.count()};
  PatternTree pattern;
  pattern.add(place.body, 0);
  InstanceSpan span;
  for (const PatternTree::Reading& reading : pattern.readings(name.text())) {
    const auto instance = place.body.find_instance(reading.values, repeat);
    if (!instance) continue;  // no instance has this name
    if (span.behind > 0) return {0, repeat.count()};
    span = {*instance, *instance + 1};
  }
  return span;
}

bool is_inside_solid(const Model& model, const PlaceRef& ref) {
  return !ref.is_ground && ref.anchor == Anchor::point && model.body_at(ref.body.item).meshed() != nullptr;
}

std::optional<Fault> resolve_places(const Model& model, const ConnectedItem& item, const Indices& indices,
                                    std::vector<PlaceRef>& refs) {
  if (item.of) {
    InstanceRef of;
    if (auto missing = resolve_joint(model, *item.of, indices, item.of_mark, of)) {
      const std::string name = item.of->expand(indices);
      if (const auto body = model.body_names.find(*item.of, indices)) {
        const bool is_shaft = model.body_at(body->item).place_form() == PlaceForm::scalar;
        missing->remedy = "'" + name + "' is a body, but of: names a joint; write " +
                          (is_shaft ? "on: " + name : "connect: [ground, " + name + "]");
      }
      return missing;
    }
    const JointItem& joint = model.joints[static_cast<std::size_t>(of.item)];
    if (joint.of)
      return Fault{item.of_mark, "joint '" + item.of->expand(indices) + "' is a motion itself", "name the joint that it drives"};
    return resolve_places(model, joint, joint.repeat.indices(of.instance), refs);
  }
  refs.resize(item.places.size());
  for (std::size_t k = 0; k < item.places.size(); ++k)
    if (auto wrong = resolve_place(model, item, k, indices, refs[k])) return wrong;
  return {};
}

}  // namespace sinew
