#include "model/measures.hpp"

#include "base/error.hpp"
#include "kernels/registration.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "model/choices.hpp"
#include "model/nearest_name.hpp"
#include "model/resolve.hpp"

#include <algorithm>

namespace sinew {
namespace {

using MaybeFault = std::optional<Fault>;

std::vector<NamedQuantity> named(const std::vector<MeasureSpec>& measures) {
  std::vector<NamedQuantity> quantities;
  for (const MeasureSpec& spec : measures)
    quantities.push_back({spec.name,
                          spec.components == 3 ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{""},
                          spec.is_again});
  return quantities;
}

std::string full_name(const NamedQuantity& quantity, const std::string& component) {
  return component.empty() ? quantity.name : quantity.name + '.' + component;
}

std::string list_of(const std::vector<NamedQuantity>& quantities) {
  std::string list;
  for (const NamedQuantity& quantity : quantities) list += (list.empty() ? "" : ", ") + quantity.name;
  return list;
}

/// The types of registered joints that leave something free, for messages.
std::string types_with_coordinates() {
  std::string list;
  for (const JointEntry& entry : registered_joints())
    if (!entry.coordinate_names.empty() && !joint_registration(entry.name).is_drive)
      list += (list.empty() ? "" : ", ") + entry.name;
  return list;
}

/// What a sensor looks at and the quantities that this names.
struct Target {
  std::string what;  ///< for messages
  std::vector<NamedQuantity> quantities;
};

/// Coordinates and their rates.
std::vector<NamedQuantity> with_rates(const std::vector<std::string>& coordinates) {
  std::vector<NamedQuantity> quantities;
  for (const std::string& name : coordinates) quantities.push_back({name, {""}});
  quantities.push_back({"rate", coordinates.size() == 1 ? std::vector<std::string>{""} : coordinates});
  return quantities;
}

/// Two places, of which directions are measured where some are given.
MaybeFault find_places(const Model& model, const SensorItem& sensor, const Indices& indices, Target& target) {
  if (!sensor.axis && sensor.directions.empty()) {
    target = {"the distance of two places", with_rates({"distance"})};
    return {};
  }
  bool can_turn[2] = {};
  for (std::size_t k = 0; k < 2; ++k) {
    PlaceRef ref;
    if (auto wrong = resolve_place(model, sensor.between[k], indices, true, ref)) return wrong;
    can_turn[k] = ref.is_ground || turns(model.body_at(ref.body.item).form_of(ref));
  }
  const std::size_t needed = sensor.axis ? 1 : 2;
  for (std::size_t k = 0; k < needed; ++k)
    if (!can_turn[k])
      return Fault{sensor.between[k].mark, "'" + sensor.between[k].text + "' does not turn: it carries no direction",
                   sensor.axis ? "name the ground, or a place of a body that turns, first" : ""};
  std::vector<std::string> coordinates;
  if (!sensor.axis || can_turn[1]) coordinates.emplace_back("angle");
  if (sensor.axis) coordinates.emplace_back("distance");
  target = {"what is between two places", with_rates(coordinates)};
  return {};
}

MaybeFault find_joint(const Model& model, const SensorItem& sensor, const Indices& indices, Target& target) {
  if (!sensor.between.empty()) return find_places(model, sensor, indices, target);
  InstanceRef ref;
  if (auto missing = resolve_measured_joint(model, sensor, indices, ref)) return missing;
  const JointItem& joint = model.joints[static_cast<std::size_t>(ref.item)];
  const std::string name = model.joint_name(ref.item, ref.instance);
  target = {"joint '" + name + "' (" + joint.word + ")", quantities_of_joint(joint.type)};
  if (!target.quantities.empty()) return {};
  return Fault{sensor.of_mark, target.what + " has no relative coordinates; these have: " + types_with_coordinates(),
               "measure a distance with between: [place, place], or orientations with sensors of type point"};
}

/// What a joint exerts, and its work.
MaybeFault find_reactions(const Model& model, const SensorItem& sensor, const Indices& indices, Target& target) {
  InstanceRef ref;
  if (auto missing = resolve_joint(model, sensor.joint, indices, sensor.of_mark, ref)) return missing;
  const JointItem& joint = model.joints[static_cast<std::size_t>(ref.item)];
  target = {"joint '" + model.joint_name(ref.item, ref.instance) + "' (" + joint.word + ")", reactions_of_joint(joint.type)};
  target.quantities.push_back({"work", {""}, true});
  return {};
}

MaybeFault find_force(const Model& model, const SensorItem& sensor, const Indices& indices, Target& target) {
  InstanceRef ref;
  if (auto missing = resolve_force(model, sensor.force, indices, sensor.of_mark, ref)) {
    if (model.joint_names.find(sensor.force, indices)) missing->remedy = "it is a joint: write type: joint, or type: relative";
    return missing;
  }
  const ForceItem& force = model.forces[static_cast<std::size_t>(ref.item)];
  target = {"force '" + model.force_names.name(ref) + "' (" + force.word + ")", quantities_of_force(force.type)};
  const bool is_extra = !target.quantities.empty();
  for (const char* exchanged : {"work", "dissipated"}) target.quantities.push_back({exchanged, {""}, is_extra});
  return {};
}

MaybeFault find_section(const Model& model, const SensorItem& sensor, const Indices& indices, Target& target) {
  InstanceRef ref;
  if (auto missing = resolve_body(model, sensor.body, indices, sensor.of_mark, ref)) return missing;
  const Body& body = model.body_at(ref.item);
  target = {"the " + std::string(body.type()) + " '" + model.body_name(ref.item, ref.instance) + "'",
            quantities_of_sections(body)};
  if (!target.quantities.empty()) return {};
  return Fault{sensor.of_mark, target.what + " has no sections", "name a beam or a cable"};
}

MaybeFault find_target(const Model& model, const SensorItem& sensor, const Indices& indices, Target& target) {
  switch (sensor.kind) {
    case SensorKind::relative: return find_joint(model, sensor, indices, target);
    case SensorKind::joint: return find_reactions(model, sensor, indices, target);
    case SensorKind::force: return find_force(model, sensor, indices, target);
    default: return find_section(model, sensor, indices, target);
  }
}

/// Adds the numbers that a word stands for; false if it stands for none.
bool add_numbers(const std::vector<NamedQuantity>& quantities, const std::string& word, std::vector<RecordedNumber>& numbers) {
  const std::size_t before = numbers.size();
  int number = 0;
  for (const NamedQuantity& quantity : quantities)
    for (const std::string& component : quantity.components) {
      const std::string name = full_name(quantity, component);
      if (word == quantity.name || word == name) numbers.push_back({name, Quantity::named, number});
      ++number;
    }
  return numbers.size() > before;
}

/// The remedy where what a sensor of a joint does not record is what another one does: forces, or coordinates.
std::string other_sensor(const Model& model, SensorItem sensor, const Indices& indices, const std::string& word) {
  if (sensor.kind != SensorKind::joint && sensor.kind != SensorKind::relative) return "";
  const bool is_reaction = sensor.kind == SensorKind::joint;
  sensor.kind = is_reaction ? SensorKind::relative : SensorKind::joint;
  Target other;
  std::vector<RecordedNumber> numbers;
  if (find_target(model, sensor, indices, other) || !add_numbers(other.quantities, word, numbers)) return "";
  return is_reaction ? "what a joint leaves free is recorded by type: relative"
                     : "what a joint exerts is recorded by type: joint";
}

MaybeFault find_named_numbers(const Model& model, const SensorItem& sensor, const Indices& indices,
                              std::vector<RecordedNumber>& numbers) {
  Target target;
  if (auto wrong = find_target(model, sensor, indices, target)) return wrong;
  const std::vector<NamedQuantity>& quantities = target.quantities;
  if (sensor.words.empty())
    for (const NamedQuantity& quantity : quantities)
      if (!quantity.is_extra) add_numbers(quantities, quantity.name, numbers);
  for (const RecordedWord& word : sensor.words) {
    const std::size_t before = numbers.size();
    if (!add_numbers(quantities, word.text, numbers)) {
      std::vector<std::string> known;
      for (const NamedQuantity& quantity : quantities) known.push_back(quantity.name);
      const std::string nearest = nearest_name(word.text, known);
      return Fault{word.mark, target.what + " has no '" + word.text + "'; it has " + list_of(quantities),
                   nearest.empty() ? other_sensor(model, sensor, indices, word.text) : "did you mean '" + nearest + "'?"};
    }
    const auto is_old = [&](const RecordedNumber& one) {
      return std::any_of(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(before),
                         [&](const RecordedNumber& other) { return other.component == one.component; });
    };
    if (std::any_of(numbers.begin() + static_cast<std::ptrdiff_t>(before), numbers.end(), is_old))
      return Fault{word.mark, "sensor '" + sensor.name.text() + "' records '" + word.text + "' twice", ""};
  }
  return {};
}

MaybeFault find_signals(const Model& model, const SensorItem& sensor, const Indices& indices,
                        std::vector<RecordedNumber>& numbers) {
  InstanceRef ref;
  if (auto missing = resolve_control(model, sensor.control, indices, sensor.of_mark, ref)) return missing;
  const std::vector<std::string> known = model.controls[static_cast<std::size_t>(ref.item)].signal_names();
  for (const std::string& name : sensor.signals.empty() ? known : sensor.signals) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      return Fault{sensor.mark,
                   "control '" + model.control_name(ref.item, ref.instance) + "' has no state or output '" + name + "'",
                   suggestion(name, known)};
    numbers.push_back({name, Quantity::named, static_cast<int>(found - known.begin())});
  }
  return {};
}

}  // namespace

bool names_quantities_itself(SensorKind kind) {
  return kind == SensorKind::joint || kind == SensorKind::relative || kind == SensorKind::force || kind == SensorKind::section;
}

std::vector<NamedQuantity> quantities_of_joint(const std::string& type) {
  const FamilyEntry* entry = find_entry(registered_joints(), type);
  if (!entry || entry->coordinate_names.empty()) return {};
  return with_rates(entry->coordinate_names);
}

std::vector<NamedQuantity> reactions_of_joint(const std::string& type) {
  const FamilyEntry* entry = find_entry(registered_joints(), type);
  const int places = entry ? entry->shape.nodes_per_element : 0;
  int shafts = 0;
  for (int k = 0; k < places && entry->shape.is_scalar; ++k) shafts += entry->shape.is_scalar(k) ? 1 : 0;
  std::vector<NamedQuantity> quantities;
  if (shafts == 0 || shafts < places) quantities = {{"force", {"x", "y", "z"}}, {"moment", {"x", "y", "z"}}};
  if (shafts > 0) quantities.push_back({"torque", {""}});
  return quantities;
}

std::vector<NamedQuantity> quantities_of_force(const std::string& type) {
  const FamilyEntry* entry = find_force_type(type);
  return entry ? named(entry->measures) : std::vector<NamedQuantity>{};
}

std::vector<NamedQuantity> quantities_of_sections(const Body& body) {
  const FamilyEntry* entry = body.line() ? find_entry(registered_elements(), body.line()->element_family()) : nullptr;
  return entry ? named(entry->measures) : std::vector<NamedQuantity>{};
}

std::optional<Fault> resolve_measured_joint(const Model& model, const SensorItem& sensor, const Indices& indices,
                                            InstanceRef& joint) {
  if (auto missing = resolve_joint(model, sensor.joint, indices, sensor.of_mark, joint)) {
    if (model.force_names.find(sensor.joint, indices)) missing->remedy = "it is a force: write type: force";
    return missing;
  }
  const JointItem& item = model.joints[static_cast<std::size_t>(joint.item)];
  if (!item.of) return {};
  return resolve_joint(model, *item.of, item.repeat.indices(joint.instance), item.of_mark, joint);
}

int count_coordinates(const Model& model, const SensorItem& sensor, const Indices& indices) {
  Target target;
  if (find_joint(model, sensor, indices, target)) return 0;
  return static_cast<int>(target.quantities.size()) - 1;  // `rate` is one, however many components it has
}

std::optional<Fault> resolve_numbers(const Model& model, const SensorItem& sensor, const Indices& indices,
                                     std::vector<RecordedNumber>& numbers) {
  numbers.clear();
  if (sensor.kind == SensorKind::control) return find_signals(model, sensor, indices, numbers);
  if (names_quantities_itself(sensor.kind)) return find_named_numbers(model, sensor, indices, numbers);
  numbers = recorded_numbers(sensor);
  return {};
}

std::vector<RecordedNumber> recorded_numbers(const Model& model, const SensorItem& sensor, const Indices& indices) {
  std::vector<RecordedNumber> numbers;
  if (const auto wrong = resolve_numbers(model, sensor, indices, numbers)) throw InputError(format_error(model.source, *wrong));
  return numbers;
}

}  // namespace sinew
