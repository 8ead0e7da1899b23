#include "input/drives.hpp"
#include "input/in_joint.hpp"
#include "input/unlike_instances.hpp"
#include "kernels/elements/solid_entry.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/relation.hpp"
#include "model/resolve.hpp"
#include "model/signal_flow.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

namespace sinew {
namespace {

/// Entries of which something has been said. Items that are written out of one entry (input/repeats.hpp) stand together and have
/// its mark: what is said of one is not said of the others again.
class SaidOnce {
 public:
  bool is_said(const SourceMark& entry) const { return are_same(entry, last_) && entry.line > 0; }
  void say(const SourceMark& entry) { last_ = entry; }

 private:
  SourceMark last_;
};

/// Is an item one of several that are written out of one entry?
template <class Item>
bool is_written_out(const std::vector<Item>& items, const Item& item) {
  const auto has_mark = [&](const Item& other) { return are_same(other.mark, item.mark); };
  return (&item != &items.front() && has_mark(*(&item - 1))) || (&item != &items.back() && has_mark(*(&item + 1)));
}

/// Runs a check on the instances of an item until one of them has a fault.
template <class Item, class Check>
void check_instances(const std::vector<Item>& items, const Item& item, SaidOnce& said, Faults& faults, const Check& check) {
  if (said.is_said(item.mark)) return;
  for (const std::int64_t instance : sample_instances(item.repeat)) {
    std::vector<Fault> found = check(instance);
    if (found.empty()) continue;
    for (Fault& fault : found) {
      const bool is_named = fault.message.find("'" + item.name.text() + "'") != std::string::npos;
      if (!is_named && is_written_out(items, item)) fault.message += " in '" + item.name.text() + "'";
      faults.error(std::move(fault));
    }
    return said.say(item.mark);
  }
}

template <class Items>
void check_list_names(const Items& items, const std::string& kind, Faults& faults) {
  NameTable table;
  std::vector<SourceMark> marks;
  for (const auto& item : items) {
    table.add(item.name, item.repeat);
    marks.push_back(item.mark);
  }
  check_unique_names(table, marks, kind, faults);
}

/// In expressions a `-` takes away: `sensor.x-1` is less than `sensor.x` by 1, also where a sensor is called `x-1`.
template <class Items>
void warn_of_dashes(const Items& items, const std::string& kind, Faults& faults) {
  std::unordered_set<std::string> names;
  for (const auto& item : items)
    if (item.name.is_plain()) names.insert(item.name.text());
  for (const std::string& name : names) {
    const std::size_t dash = name.find('-');
    if (dash == std::string::npos || !names.contains(name.substr(0, dash))) continue;
    const auto item = std::find_if(items.begin(), items.end(), [&](const auto& other) { return other.name.text() == name; });
    faults.warning(item->mark,
                   "in expressions '" + kind + '.' + name + "' is what '" + name.substr(0, dash) + "' is, less '" +
                       name.substr(dash + 1) + "', and not the " + kind + " '" + name + "'",
                   "write names that expressions read with _");
  }
}

/// True if a place is on a body that was not read well: what is said about it would be noise.
bool is_on_unsound(const ReadContext& context, const PlaceItem& place, const Indices& indices) {
  if (!place.is_on_body()) return false;
  const auto found = context.model.body_names.find(place.body, indices);
  return found && !context.sound_bodies[static_cast<std::size_t>(found->item)];
}

/// What presses on a surface needs one: a group of a solid's mesh, or a side of its box.
std::optional<Fault> surface_fault(const Model& model, const ForceItem& force, const Indices& indices) {
  PlaceRef ref;
  const PlaceItem& place = force.places.front();
  if (resolve_place(model, place, indices, false, ref) || ref.is_ground || ref.anchor == Anchor::group) return {};
  return Fault{place.mark,
               force.word + " '" + force.name.expand(indices) + "' acts on a surface, but '" + place.text + "' is none",
               "name a surface of a solid, like block.x+, or a surface group of its mesh"};
}

std::vector<Fault> check_connected(const ReadContext& context, const ConnectedItem& item, std::int64_t instance, bool is_joint) {
  const Indices indices = item.repeat.indices(instance);
  std::vector<Fault> faults = check_fields(context.model, item, instance);
  SignalFlow flow;
  if (item.feedback) {
    const auto kind = is_joint ? SignalOwner::Kind::joint : SignalOwner::Kind::force;
    auto wrong = resolve_signal(context.model, *item.feedback, indices, {kind, {}}, flow);
    if (!wrong && is_joint) wrong = check_relation(context.model, item, flow);
    if (wrong) faults.push_back(std::move(*wrong));
  }
  const auto unsound = [&](const PlaceItem& place) { return is_on_unsound(context, place, indices); };
  if (std::any_of(item.places.begin(), item.places.end(), unsound)) {
    PlaceRef ref;
    for (std::size_t k = 0; k < item.places.size(); ++k)
      if (!unsound(item.places[k]))
        if (auto fault = resolve_place(context.model, item, k, indices, ref)) faults.push_back(std::move(*fault));
    return faults;
  }
  if (item.of) {
    const auto of = context.model.joint_names.find(*item.of, indices);
    if (of && !context.sound_joints[static_cast<std::size_t>(of->item)]) return faults;
  }
  for (Fault& fault : check_places(context.model, item, instance)) faults.push_back(std::move(fault));
  for (Fault& fault : check_own_keys(context.model, item, instance)) faults.push_back(std::move(fault));
  if (!is_joint && context.catalogue.forces[static_cast<std::size_t>(item.type_index)].is_on_surface)
    if (auto fault = surface_fault(context.model, item, indices)) faults.push_back(std::move(*fault));
  return faults;
}

/// True if a sensor looks at something that was not read well.
bool looks_at_unsound(const ReadContext& context, const SensorItem& sensor, const Indices& indices) {
  const Model& model = context.model;
  const auto is_unsound = [&](const NameTable& names, const NamePattern& name, const std::vector<bool>& sound) {
    const auto found = names.find(name, indices);
    return found && !sound[static_cast<std::size_t>(found->item)];
  };
  const auto is_on = [&](const PlaceItem& place) { return is_on_unsound(context, place, indices); };
  if (sensor.place && is_on(*sensor.place)) return true;
  if (std::any_of(sensor.between.begin(), sensor.between.end(), is_on)) return true;
  switch (sensor.kind) {
    case SensorKind::relative: return sensor.between.empty() && is_unsound(model.joint_names, sensor.joint, context.sound_joints);
    case SensorKind::force: return is_unsound(model.force_names, sensor.force, context.sound_forces);
    case SensorKind::section: return is_unsound(model.body_names, sensor.body, context.sound_bodies);
    default: return false;
  }
}

/// The coordinate that is all that a joint leaves free; empty where it leaves more.
std::string only_coordinate(const JointItem& joint) {
  const FamilyEntry* entry = find_entry(registered_joints(), joint.type);
  if (!entry || entry->coordinate_names.size() != 1 || entry->shape.rows() != 5) return "";
  return entry->coordinate_names.front();
}

/// Does a motion or an actuator turn what it drives? Its signal is then an angle, or a rate of one, or a moment.
bool is_rotational(const ItemDescription& drive) {
  return std::any_of(drive.fields.begin(), drive.fields.end(), [](const FieldSpec& field) {
    const std::string unit = field.unit;
    return signals_of(field.type) > 0 && (unit.rfind("rad", 0) == 0 || unit == "N m");
  });
}

/// The key of the direction about which the angle of a joint is counted; empty where it has no angle or several directions.
std::string key_of_angle(const JointItem& joint) {
  const FamilyEntry* entry = find_entry(registered_joints(), joint.type);
  if (!entry) return "";
  const std::vector<std::string>& free = entry->coordinate_names;
  return std::find(free.begin(), free.end(), "angle") == free.end() ? "" : only_direction(*entry);
}

/// What turns a joint, or limits its turn, takes its axis from the direction of the joint's angle, whatever that is called.
void settle_axis(const ReadContext& context, ConnectedItem& drive, const ItemDescription& description) {
  if (!drive.of || !(description.is_drive ? is_rotational(description) : description.coordinate == "angle")) return;
  std::string key;
  for (const auto& [joint, instance] : joints_met(context, drive.repeat, *drive.of)) {
    const JointItem& theirs = context.model.joints[static_cast<std::size_t>(joint)];
    const std::string other = key_of_angle(theirs);
    if (!key.empty() && !other.empty() && other != key)
      report_unlike(context, drive.of_mark, drive, instance, "is of a joint of type '" + theirs.word + "'");
    if (key.empty()) key = other;
  }
  for (InheritedField& inherited : drive.inherited)
    if (inherited.theirs == "axis" && !key.empty()) inherited.theirs = key;
}

/// A motion or an actuator of a joint: the joint must have the axis, and must leave free what is driven. What else is in a joint
/// was chosen by its type.
void check_drive_of(ReadContext& context, const ConnectedItem& drive, const ItemDescription& description, bool is_motion,
                    const JointItem& joint, const std::string& name) {
  for (const InheritedField& inherited : drive.inherited) {
    const auto is_meant = [&](const FieldSpec& field) { return field.name == inherited.name && field.required; };
    const auto has = [&](const FieldExpression& value) { return value.name == inherited.theirs; };
    if (std::any_of(description.fields.begin(), description.fields.end(), is_meant) &&
        std::none_of(joint.fields.begin(), joint.fields.end(), has))
      context.faults.error(drive.of_mark,
                           "the joint '" + name + "' (" + joint.word + ") has no '" + inherited.theirs + "' that the " +
                               drive.word + " could take",
                           "give the " + drive.word + " one");
  }
  const std::string free = only_coordinate(joint);
  const bool turns = is_rotational(description);
  if (free == "angle" && !turns)
    context.faults.error(drive.mark, "the " + joint.word + " joint '" + name + "' does not slide",
                         is_motion ? "drive its angle" : "exert a torque");
  if (free == "distance" && turns)
    context.faults.error(drive.mark, "the " + joint.word + " joint '" + name + "' does not turn",
                         is_motion ? "drive its displacement, position or velocity" : "exert a force");
}

void check_drive(ReadContext& context, const ConnectedItem& drive, const ItemDescription& description, bool is_motion) {
  if (!description.joints.empty()) return;
  for (const auto& [joint, instance] : joints_met(context, drive.repeat, *drive.of))
    check_drive_of(context, drive, description, is_motion, context.model.joints[static_cast<std::size_t>(joint)],
                   drive.of->expand(drive.repeat.indices(instance)));
}

/// Does it leave two bodies no motion against each other?
bool holds_all(const JointItem& joint) {
  const FamilyEntry* entry = find_entry(registered_joints(), joint.type);
  return (joint.holds_all_nodes && joint.components.empty()) || (entry && entry->shape.rows() == 6);
}

/// Small-strain bodies that may turn deserve a word.
void warn_linear_elastic(ReadContext& context) {
  const Model& model = context.model;
  SaidOnce said;
  for (const BodyItem& body : model.bodies) {
    const MeshedBody* solid = body.body().meshed();
    if (!solid || said.is_said(body.mark)) continue;
    const auto is_linear = [&](const SolidMaterial& entry) {
      if (entry.material < 0) return false;
      const auto law = static_cast<std::size_t>(model.materials[static_cast<std::size_t>(entry.material)].law);
      return !registered_laws()[law].finite_strain;
    };
    if (std::none_of(solid->materials.begin(), solid->materials.end(), is_linear)) continue;
    bool is_held = false;
    std::set<int> components;  // surfaces held in two directions let the body shift and stretch, not turn
    for (const JointItem& joint : model.joints) {
      const auto is_here = [&](const PlaceItem& place) { return place.is_on_body() && place.body.key() == body.name.key(); };
      if (std::ranges::all_of(joint.places, &PlaceItem::is_on_body) ||
          std::none_of(joint.places.begin(), joint.places.end(), is_here))
        continue;
      is_held = is_held || holds_all(joint);
      components.insert(joint.components.begin(), joint.components.end());
    }
    if (is_held || components.size() >= 2) continue;
    said.say(body.mark);
    context.faults.warning(
        body.mark, "body '" + body.name.text() + "' is free to turn, but its material is linear-elastic: turning will strain it",
        "take law: st-venant-kirchhoff");
  }
}

/// Load factors of bodies whose axial forces do not bend them are too high, and the frequencies of those that turn fast too low.
void warn_of_reduced_bending(ReadContext& context) {
  const Analysis& analysis = context.model.analysis;
  const bool buckles = analysis.type == AnalysisType::buckling;
  if (!buckles && !(analysis.type == AnalysisType::modes && analysis.about == ModesAbout::motion)) return;
  for (const BodyItem& body : context.model.bodies)
    if (body.body().reduced())
      context.faults.warning(body.mark,
                             (buckles ? "buckling of body '" + body.name.text() + "' itself is not found"
                                      : "body '" + body.name.text() + "' does not get stiffer as it turns") +
                                 ": a " + body.body().type() + " body does not know what its axial forces do to its bending",
                             "take type: solid");
}

/// A body without mass goes where joints take it; without any it cannot be computed.
void check_massless(ReadContext& context) {
  const Model& model = context.model;
  std::unordered_set<std::string> held;  // keys of names
  for (const JointItem& joint : model.joints)
    for (const PlaceItem& place : joint.places)
      if (place.is_on_body()) held.insert(place.body.key());
  for (std::size_t k = 0; k < model.bodies.size(); ++k) {
    const BodyItem& body = model.bodies[k];
    if (!context.sound_bodies[k] || !body.body().is_massless(body.repeat.indices(0))) continue;
    if (!held.contains(body.name.key()))
      context.faults.error(body.mark, "body '" + body.name.text() + "' has no mass, and no joint holds it", "give it a mass");
  }
}

/// A force of springs and dampers alone, of which none has any: forgotten, rather than meant.
void warn_idle_force(ReadContext& context, const ForceItem& force, const ItemDescription& description) {
  std::string amounts;
  for (const FieldSpec& field : description.fields) {
    if (signals_of(field.type) > 0 || field.type == FieldType::feedback || field.type == FieldType::table) return;
    if (std::string(field.unit).rfind("N", 0) != 0) continue;
    amounts += (amounts.empty() ? "'" : " or '") + std::string(field.name) + "'";
    const auto is_it = [&](const FieldExpression& value) { return value.name == field.name; };
    const auto given = std::find_if(force.fields.begin(), force.fields.end(), is_it);
    const auto is_zero = [](const Expression& number) { return number.is_constant() && number.value() == 0; };
    if (given != force.fields.end() && !std::all_of(given->numbers.begin(), given->numbers.end(), is_zero)) return;
  }
  if (amounts.empty() || !description.joints.empty()) return;
  context.faults.warning(force.mark,
                         "force '" + force.name.text() + "' (" + force.word + ") has no " + amounts + ": it does nothing",
                         "give it one, or take it out");
}

void settle_axes(ReadContext& context) {
  Model& model = context.model;
  for (std::size_t k = 0; k < model.joints.size(); ++k)
    if (context.sound_joints[k]) settle_axis(context, model.joints[k], description_of(context, model.joints[k]));
  for (std::size_t k = 0; k < model.forces.size(); ++k)
    if (context.sound_forces[k])
      settle_axis(context, model.forces[k], context.catalogue.forces[static_cast<std::size_t>(model.forces[k].type_index)]);
}

}  // namespace

void check_model(ReadContext& context) {
  Model& model = context.model;
  Faults& faults = context.faults;
  settle_axes(context);
  check_list_names(model.bodies, "bodies", faults);
  check_list_names(model.joints, "joints", faults);
  check_list_names(model.forces, "forces", faults);
  check_list_names(model.controls, "controls", faults);
  check_list_names(model.sensors, "sensors", faults);
  warn_of_dashes(model.sensors, "sensor", faults);
  warn_of_dashes(model.controls, "control", faults);
  SaidOnce said;
  for (std::size_t k = 0; k < model.bodies.size(); ++k)
    if (context.sound_bodies[k])
      check_instances(model.bodies, model.bodies[k], said, faults,
                      [&](std::int64_t n) { return check_body(model, model.bodies[k], n); });
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    JointItem& joint = model.joints[k];
    if (!context.sound_joints[k]) continue;
    check_instances(model.joints, joint, said, faults, [&](std::int64_t n) { return check_connected(context, joint, n, true); });
    if (joint.of) check_drive(context, joint, description_of(context, joint), true);
    settle_joint_starts(context, joint);
    settle_clamp(context, joint);
  }
  for (std::size_t k = 0; k < model.forces.size(); ++k) {
    const ForceItem& force = model.forces[k];
    if (!context.sound_forces[k]) continue;
    check_instances(model.forces, force, said, faults, [&](std::int64_t n) { return check_connected(context, force, n, false); });
    warn_idle_force(context, force, context.catalogue.forces[static_cast<std::size_t>(force.type_index)]);
    if (force.of) check_drive(context, force, context.catalogue.forces[static_cast<std::size_t>(force.type_index)], false);
  }
  if (auto wrong = check_samples(model)) faults.error(wrong->mark, wrong->message, wrong->remedy);
  SignalTracer tracer(model);
  for (std::size_t k = 0; k < model.controls.size(); ++k)
    check_instances(model.controls, model.controls[k], said, faults,
                    [&](std::int64_t n) { return check_control(model, static_cast<int>(k), n, tracer); });
  for (std::size_t k = 0; k < model.sensors.size(); ++k) {
    const SensorItem& sensor = model.sensors[k];
    if (!context.sound_sensors[k]) continue;
    check_instances(model.sensors, sensor, said, faults, [&](std::int64_t n) {
      if (looks_at_unsound(context, sensor, sensor.repeat.indices(n))) return std::vector<Fault>{};
      return check_sensor(model, sensor, n);
    });
  }
  check_massless(context);
  warn_linear_elastic(context);
  warn_of_reduced_bending(context);
}

}  // namespace sinew
