#include "input/section_readers.hpp"

#include <algorithm>
#include <optional>

namespace sinew {
namespace {

std::vector<RecordedQuantity> default_record(SensorKind kind) {
  switch (kind) {
    case SensorKind::point: return {{Quantity::position}};
    case SensorKind::joint: return {{Quantity::force}, {Quantity::moment}};
    case SensorKind::energy: return {{Quantity::kinetic}, {Quantity::strain}, {Quantity::potential}, {Quantity::total}};
    default: break;
  }
  std::vector<RecordedQuantity> all;
  for (const Quantity quantity : quantities_of(kind)) all.push_back({quantity});
  return all;
}

/// `velocity`, or `velocity.x`; nothing if it is neither.
std::optional<RecordedQuantity> find_quantity(const std::string& word, SensorKind kind) {
  for (const Quantity quantity : quantities_of(kind)) {
    const std::string name = quantity_name(quantity);
    if (word == name) return RecordedQuantity{quantity};
    const std::vector<std::string> components = quantity_components(kind, quantity);
    for (std::size_t c = 0; c < components.size(); ++c)
      if (word == name + "." + components[c]) return RecordedQuantity{quantity, static_cast<int>(c)};
  }
  return {};
}

/// `record: [position, velocity.x]`; one word may stand without brackets.
std::vector<RecordedQuantity> read_record(MapReader& map, SensorKind kind, ReadContext& context) {
  const DocumentNode* node = map.find("record");
  if (!node) return default_record(kind);
  std::vector<DocumentNode> words{*node};
  if (node->is_sequence()) words = node->items;
  std::vector<RecordedQuantity> record;
  std::vector<std::string> known;
  for (const Quantity quantity : quantities_of(kind)) known.emplace_back(quantity_name(quantity));
  for (const DocumentNode& word : words) {
    const auto found = word.is_scalar() ? find_quantity(word.text, kind) : std::nullopt;
    if (!found) {
      context.faults.error(word.mark, map.what() + " cannot record " + word.describe(), suggestion(word.text, known));
      continue;
    }
    const auto overlaps = [&](const RecordedQuantity& other) {
      return other.quantity == found->quantity &&
             (other.component < 0 || found->component < 0 || other.component == found->component);
    };
    if (std::any_of(record.begin(), record.end(), overlaps)) {
      context.faults.error(word.mark, map.what() + " records '" + word.text + "' twice");
    } else {
      record.push_back(*found);
    }
  }
  if (words.empty()) context.faults.error(node->mark, map.what() + " records nothing", "list quantities or remove the sensor");
  return record;
}

/// `of: [bodies]` of a system sensor.
std::vector<BodySelection> read_bodies_of(const DocumentNode& node, const ValueReader& values, const std::string& what,
                                          ReadContext& context) {
  std::vector<DocumentNode> words{node};
  if (node.is_sequence()) words = node.items;
  std::vector<BodySelection> bodies;
  for (const DocumentNode& word : words) {
    const std::string name = values.text(word, "of in " + what);
    if (name.empty()) continue;
    BodySelection body;
    body.mark = word.mark;
    for (std::size_t k = 0; k < context.model.bodies.size(); ++k)
      if (!context.model.bodies[k].name.is_plain() && context.model.bodies[k].name.text() == name &&
          values.scope().repeat->is_single())
        body.all_of = static_cast<int>(k);
    body.name = body.all_of >= 0 ? context.model.bodies[static_cast<std::size_t>(body.all_of)].name
                                 : values.pattern(name, word.mark, word.quoted);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

/// `record: [x, u]` of a control sensor: names of states and outputs.
std::vector<std::string> read_signal_names(MapReader& map, const ValueReader& values) {
  const DocumentNode* node = map.find("record");
  if (!node) return {};
  std::vector<DocumentNode> words{*node};
  if (node->is_sequence()) words = node->items;
  std::vector<std::string> names;
  for (const DocumentNode& word : words) {
    const std::string name = values.text(word, "record of " + map.what());
    if (std::find(names.begin(), names.end(), name) != names.end())
      values.faults.error(word.mark, map.what() + " records '" + name + "' twice");
    else if (!name.empty())
      names.push_back(name);
  }
  return names;
}

void read_sensor(const DocumentEntry& entry, ReadContext& context) {
  const std::string what = "sensor '" + entry.key + "'";
  MapReader map(entry.value, what, context.faults);
  if (!map.is_map()) return;
  SensorItem sensor;
  sensor.mark = entry.mark;
  sensor.repeat = read_repeat(map, context.values());
  sensor.name = read_item_name(entry, sensor.repeat, context.values(), "sensor");
  const ValueReader values = context.values(&sensor.repeat);
  const DocumentNode* type = map.require("type", "type: point, joint, energy, constraint, system or control");
  const std::size_t before = context.faults.num_errors();
  if (type) sensor.kind = values.choice(*type, "type of " + what, SensorKind::energy);
  if (!type || context.faults.num_errors() > before) return map.forgive();
  if (sensor.kind == SensorKind::control)
    sensor.signals = read_signal_names(map, values);
  else
    sensor.record = read_record(map, sensor.kind, context);
  if (sensor.kind == SensorKind::point) {
    if (const auto* of = map.require("of", "of: body.point")) sensor.place = read_place(*of, values, "of in " + what);
  } else if (sensor.kind == SensorKind::joint) {
    if (const auto* of = map.require("of", "of: the name of a joint")) {
      sensor.of_mark = of->mark;
      sensor.joint = values.pattern(values.text(*of, "of in " + what), of->mark, of->quoted);
    }
  } else if (sensor.kind == SensorKind::control) {
    if (const auto* of = map.require("of", "of: the name of a control")) {
      sensor.of_mark = of->mark;
      sensor.control = values.pattern(values.text(*of, "of in " + what), of->mark, of->quoted);
    }
  } else if (sensor.kind == SensorKind::system) {
    if (const auto* of = map.find("of")) sensor.bodies = read_bodies_of(*of, values, what, context);
  }
  context.sound_sensors.push_back(sensor.kind == SensorKind::joint     ? !sensor.joint.text().empty()
                                  : sensor.kind == SensorKind::control ? !sensor.control.text().empty()
                                                                       : sensor.kind != SensorKind::point || sensor.place);
  context.model.sensor_names.add(sensor.name, sensor.repeat);
  context.model.sensors.push_back(std::move(sensor));
}

}  // namespace

void read_sensors(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "sensors must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) read_sensor(entry, context);
}

}  // namespace sinew
