#include "input/names.hpp"
#include "input/unlike_instances.hpp"
#include "model/resolve.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew {
namespace {

/// A place of the first instance; none of the ground, and of what is reported with its instance.
std::optional<PlaceRef> resolved(const Model& model, const JointItem& joint, const PlaceItem& place) {
  PlaceRef ref;
  if (!place.is_on_body() || resolve_place(model, place, joint.repeat.indices(0), false, ref)) return {};
  return ref;
}

/// What a place is; none of the ground.
std::optional<PlaceForm> form_of(const Model& model, const JointItem& joint, const PlaceItem& place) {
  const auto ref = resolved(model, joint, place);
  if (!ref) return {};
  return is_inside_solid(model, *ref) ? PlaceForm::frame : model.body_at(ref->body.item).form_of(*ref);
}

bool can_turn(std::optional<PlaceForm> form) { return form && turns(*form); }

/// Is the place a group of nodes that turn?
bool is_group_of_frames(const Model& model, const JointItem& joint, const PlaceItem& place) {
  const auto ref = resolved(model, joint, place);
  if (!ref) return false;
  const MeshedBody* mesh = model.body_at(ref->body.item).meshed();
  return ref->anchor == Anchor::group && mesh && mesh->node_kind() == NodeKind::frame;
}

/// Are both places the same surface of the same body?
bool is_one_surface(const Model& model, const JointItem& joint) {
  const auto one = resolved(model, joint, joint.places[0]), other = resolved(model, joint, joint.places[1]);
  return one && other && one->anchor == Anchor::group && other->anchor == Anchor::group && one->body.item == other->body.item &&
         one->body.instance == other->body.instance && one->group == other->group;
}

/// The first place of a clamp without ground carries what it holds of the second: it must turn, and the second must be what has
/// the nodes. False where it is at fault.
bool check_carrier(ReadContext& context, const JointItem& joint) {
  const auto first = form_of(context.model, joint, joint.places[0]), second = form_of(context.model, joint, joint.places[1]);
  if (!first || !second || *first == PlaceForm::scalar || *second == PlaceForm::scalar) return false;  // reported
  const std::string one = "'" + joint.places[0].text + "'", other = "'" + joint.places[1].text + "'";
  if (!turns(*first)) {
    const bool are_points = !turns(*second);
    context.faults.error(joint.mark,
                         "what a " + joint.word + " holds keeps its place in the axes of the first place, but " + one +
                             " is a point without orientation",
                         are_points ? "name a body that can turn, or ground, first; two points are connected with spherical"
                                    : "name " + other + ", which can turn, or ground, first");
    return false;
  }
  if (*first == PlaceForm::surface && *second != PlaceForm::surface) {
    context.faults.error(
        joint.mark, "a " + joint.word + " holds all nodes of its second place, but here the surface " + one + " is the first",
        turns(*second) ? "write [" + joint.places[1].text + ", " + joint.places[0].text +
                             "], or take fixed, which holds the mean motion of the surface"
                       : "take spherical, which holds the mean place of the surface");
    return false;
  }
  if (is_one_surface(context.model, joint)) {
    context.faults.error(joint.mark, "'" + joint.name.text() + "' holds the nodes of " + other + " to their own mean motion",
                         "a surface becomes rigid by a rigid body without mass that stands first in its place");
    return false;
  }
  return true;
}

/// Can what is held there turn, or stretch, while its place stays?
bool has_more_than_place(const Model& model, const JointItem& joint, const PlaceItem& place) {
  const auto form = form_of(model, joint, place);
  return form == PlaceForm::frame || form == PlaceForm::line || is_group_of_frames(model, joint, place);
}

/// A clamp that holds some directions only: the joint of one direction stands in for it at every node. True where it is one. All
/// three directions are some of what there is to hold where more than a place is.
bool is_partial_clamp(ReadContext& context, JointItem& joint) {
  const ItemDescription& description = description_of(context, joint);
  if (!joint.holds_all_nodes || description.one_way.empty()) return false;
  std::vector<int> held;
  for (const FieldExpression& field : joint.fields)
    for (int k = 0; field.type == FieldType::flags && k < 3; ++k)
      if (field.numbers[static_cast<std::size_t>(k)].value() != 0) held.push_back(k);
  const bool has_more = has_more_than_place(context.model, joint, joint.places[held_place(joint)]);
  if (held.empty() || (held.size() == 3 && !has_more)) return false;
  joint.type = is_held_by_body(joint) ? description.body_way : description.one_way;
  joint.components = std::move(held);
  if (is_held_by_body(joint)) check_carrier(context, joint);
  return true;
}

/// The end of a cable whose place and direction a body holds, or the ground where it is not clamped: its stretch is free then.
/// True where nothing is left to be checked of it.
bool is_held_line(ReadContext& context, JointItem& joint) {
  const std::string on_line = description_of(context, joint).on_line;
  const auto form = [&](std::size_t k) { return form_of(context.model, joint, joint.places[k]); };
  if (joint.places.size() != 2 || on_line.empty()) return false;
  const auto can_hold = [&](std::size_t k) {
    return can_turn(form(k)) || (!joint.holds_all_nodes && !joint.places[k].is_on_body());
  };
  if (can_hold(0) && form(1) == PlaceForm::line) {
    joint.type = on_line;
    joint.holds_all_nodes = false;
    return true;
  }
  if (can_hold(1) && form(0) == PlaceForm::line) {
    context.faults.error(joint.mark,
                         "the body that holds the direction of a cable is the first place of '" + joint.name.text() + "'",
                         "name it first, the cable second");
    return true;
  }
  return false;
}

/// Another joint takes the clamp's part.
void stand_in(const ReadContext& context, JointItem& joint, const std::string& name, bool holds_all_nodes) {
  const ItemDescription* other = find_description(context.catalogue.joints, name);
  if (!other) return;
  joint.type = other->name;
  joint.type_index = static_cast<int>(other - context.catalogue.joints.data());
  joint.holds_all_nodes = holds_all_nodes;
}

/// What decides which joint a clamp becomes.
struct Held {
  std::optional<PlaceForm> form;
  bool is_group_of_frames = false;
  bool operator==(const Held&) const = default;
};
Held held_at(const Model& model, const JointItem& joint, const PlaceItem& place) {
  return {form_of(model, joint, place), is_group_of_frames(model, joint, place)};
}

/// What a clamp holds by nodes that are points it holds itself to the ground, and to a body by the joint that stands in for it
/// there. A place that is one node, and every node of a group of nodes that turn, another joint holds.
void check_clamp(ReadContext& context, JointItem& joint) {
  if (!joint.holds_all_nodes) return;
  const ItemDescription& description = description_of(context, joint);
  const bool by_body = is_held_by_body(joint);
  if (by_body && !check_carrier(context, joint)) return;
  for (std::size_t k = by_body ? 1 : 0; k < joint.places.size(); ++k) {
    const auto form = form_of(context.model, joint, joint.places[k]);
    if (is_group_of_frames(context.model, joint, joint.places[k]))
      stand_in(context, joint, description.on_frame, true);
    else if (form == PlaceForm::frame)
      stand_in(context, joint, description.on_frame, false);
    else if (by_body)
      stand_in(context, joint, description.on_body, true);
  }
}

void settle(ReadContext& context, JointItem& joint) {
  if (!is_partial_clamp(context, joint) && !is_held_line(context, joint)) check_clamp(context, joint);
}

}  // namespace

/// As the first instance has it, like which the others must be.
void settle_clamp(ReadContext& context, JointItem& joint) {
  const ItemDescription& description = description_of(context, joint);
  const bool is_chosen = description.holds_all_nodes || !description.one_way.empty() || !description.on_line.empty();
  const JointItem given = joint;
  settle(context, joint);
  if (!is_chosen || given.repeat.count() == 1) return;
  std::vector<std::vector<Held>> seen;
  for (const std::int64_t instance : sample_instances(given.repeat)) {
    JointItem alone = given;
    alone.repeat = only(given.repeat, instance);
    std::vector<Held> held;
    for (const PlaceItem& place : alone.places) held.push_back(held_at(context.model, alone, place));
    if (std::find(seen.begin(), seen.end(), held) != seen.end()) continue;
    seen.push_back(std::move(held));
    const std::size_t before = context.faults.num_errors();
    if (instance > 0) settle(context, alone);
    if (context.faults.num_errors() > before) return;
    if (instance > 0 &&
        (alone.type != joint.type || alone.holds_all_nodes != joint.holds_all_nodes || alone.components != joint.components))
      return report_unlike(context, joint.mark, given, instance, "holds what is of another kind");
  }
}

}  // namespace sinew
