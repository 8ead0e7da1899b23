#include "input/repeats.hpp"
#include "model/measures.hpp"
#include "model/resolve.hpp"

#include <algorithm>
#include <optional>

namespace sinew {
namespace {

std::vector<RecordedQuantity> default_record(SensorKind kind) {
  switch (kind) {
    case SensorKind::point: return {{Quantity::position}};
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
  if (words.empty()) values.faults.error(node.mark, "of in " + what + " names no body", "leave it out, which means all of them");
  for (const DocumentNode& word : words) {
    const std::string name = values.text(word, "of in " + what);
    if (name.empty()) continue;
    const auto all = context.items_of_entry.find(name);
    const bool is_single = values.scope().repeat->is_single() && !context.is_written_out;
    if (is_single && all != context.items_of_entry.end()) {
      for (int k = all->second.first; k < all->second.second; ++k)
        bodies.push_back({context.model.bodies[static_cast<std::size_t>(k)].name, k, word.mark});
      continue;
    }
    bodies.push_back({values.pattern(name, word.mark, word.quoted), -1, word.mark});
  }
  return bodies;
}

/// `record: [x, u]` where what the sensor looks at names its quantities: they are looked for in check_model.
std::vector<RecordedWord> read_words(MapReader& map, const ValueReader& values) {
  const DocumentNode* node = map.find("record");
  if (!node) return {};
  std::vector<DocumentNode> items{*node};
  if (node->is_sequence()) items = node->items;
  std::vector<RecordedWord> words;
  for (const DocumentNode& item : items) {
    const std::string name = values.text(item, "record of " + map.what());
    const auto is_same = [&](const RecordedWord& word) { return word.text == name; };
    if (std::any_of(words.begin(), words.end(), is_same))
      values.faults.error(item.mark, map.what() + " records '" + name + "' twice");
    else if (!name.empty())
      words.push_back({name, item.mark});
  }
  if (items.empty()) values.faults.error(node->mark, map.what() + " records nothing", "list quantities or remove the sensor");
  return words;
}

/// `of: NAME` as a pattern; an empty one after a fault.
NamePattern read_of(MapReader& map, const ValueReader& values, const char* kind, SensorItem& sensor) {
  const DocumentNode* of = map.require("of", std::string("of: the name of a ") + kind);
  if (!of) return {};
  sensor.of_mark = of->mark;
  return values.pattern(values.text(*of, "of in " + map.what()), of->mark, of->quoted);
}

/// `of: joint` or `between: [place, place]` of a relative sensor, and what is measured between them; true if one is there.
bool read_relative(MapReader& map, const ValueReader& values, SensorItem& sensor) {
  const DocumentNode* between = map.find("between");
  if (!between) {
    if (!map.find("of")) {
      map.missing("of", sensor.mark, map.what() + " has no 'of'", "add of: the name of a joint, or between: [place, place]");
      return false;
    }
    sensor.joint = read_of(map, values, "joint", sensor);
    return !sensor.joint.text().empty();
  }
  sensor.of_mark = between->mark;
  if (const DocumentNode* of = map.find("of")) {
    values.faults.error(of->mark, map.what() + " has 'of' and 'between'", "give one of them");
    return false;
  }
  if (!between->is_sequence() || between->items.size() != 2) {
    values.faults.error(between->mark, "between of " + map.what() + " must list 2 places, not " + between->describe(),
                        "write [ground, body.point]");
    return false;
  }
  for (const DocumentNode& place : between->items)
    sensor.between.push_back(read_place(place, values, "between of " + map.what()));
  if (const std::string& text = sensor.between[0].text; !text.empty() && text == sensor.between[1].text) {
    values.faults.error(between->mark, "between of " + map.what() + " names one place twice, '" + text + "'", "name two places");
    return false;
  }
  const DocumentNode *axis = map.find("axis"), *directions = map.find("directions");
  if (axis) sensor.axis = values.vector(*axis, "axis of " + map.what());
  if (!directions) return true;
  if (axis) {
    values.faults.error(directions->mark, map.what() + " has 'axis' and 'directions'", "give one of them");
    return false;
  }
  if (!directions->is_sequence() || directions->items.size() != 2) {
    values.faults.error(directions->mark,
                        "directions of " + map.what() + " must list 2 directions, not " + directions->describe(),
                        "write [[1, 0, 0], [0, 1, 0]]");
    return false;
  }
  for (const DocumentNode& direction : directions->items)
    sensor.directions.push_back(values.vector(direction, "direction of " + map.what()));
  return true;
}

/// `of: body` and `at: fraction` of a section sensor; true if both are there.
bool read_section(MapReader& map, const ValueReader& values, SensorItem& sensor) {
  sensor.body = read_of(map, values, "beam", sensor);
  const DocumentNode* at = map.require("at", "at: 0.5, a fraction of the length");
  if (at) sensor.at = values.number(*at, "at of " + map.what());
  return at && !sensor.body.text().empty();
}

/// Is its place a shaft, as far as that is known?
bool is_shaft(const Model& model, const SensorItem& sensor) {
  PlaceRef ref;
  if (resolve_place(model, *sensor.place, sensor.repeat.indices(0), true, ref)) return false;
  return !ref.is_ground && model.body_at(ref.body.item).form_of(ref) == PlaceForm::scalar;
}

/// What the sensor looks at, and what it records of it; true if that can be checked further.
bool read_target(MapReader& map, const ValueReader& values, ReadContext& context, SensorItem& sensor) {
  if (names_quantities_itself(sensor.kind)) {
    sensor.words = read_words(map, values);
  } else if (sensor.kind == SensorKind::control) {
    for (RecordedWord& word : read_words(map, values)) sensor.signals.push_back(std::move(word.text));
  } else {
    sensor.record = read_record(map, sensor.kind, context);
  }
  switch (sensor.kind) {
    case SensorKind::point: {
      const std::size_t before = values.faults.num_errors();
      if (const auto* of = map.require("of", "of: body.point")) sensor.place = read_place(*of, values, "of in " + map.what());
      if (sensor.place && !map.has("record") && is_shaft(context.model, sensor))
        sensor.record = {{Quantity::angle}, {Quantity::rate}};
      return sensor.place.has_value() && values.faults.num_errors() == before;
    }
    case SensorKind::joint: sensor.joint = read_of(map, values, "joint", sensor); return !sensor.joint.text().empty();
    case SensorKind::force: sensor.force = read_of(map, values, "force", sensor); return !sensor.force.text().empty();
    case SensorKind::control: sensor.control = read_of(map, values, "control", sensor); return !sensor.control.text().empty();
    case SensorKind::relative: return read_relative(map, values, sensor);
    case SensorKind::section: return read_section(map, values, sensor);
    case SensorKind::system:
      if (const auto* of = map.find("of")) sensor.bodies = read_bodies_of(*of, values, map.what(), context);
      return true;
    default: return true;
  }
}

/// `point, joint, ... or control`.
std::string kinds() {
  const auto all = choices_of<SensorKind>();
  std::string list;
  for (std::size_t k = 0; k < all.size(); ++k)
    list += (k == 0 ? "" : k + 1 < all.size() ? ", " : " or ") + std::string(all[k].name);
  return list;
}

/// May a sensor of this kind be told along the axes of a place?
bool records_vectors(SensorKind kind) {
  return kind == SensorKind::point || kind == SensorKind::joint || kind == SensorKind::force || kind == SensorKind::section ||
         kind == SensorKind::system;
}

/// What records the motion of the place whose axes a sensor uses.
SensorItem read_frame(const DocumentNode& node, const SensorItem& sensor, const ValueReader& values, const std::string& what) {
  SensorItem frame;
  std::vector<std::string> literals = sensor.name.literals();
  literals.back() += ".frame";  // a name that no sensor of a file has
  frame.name = NamePattern(sensor.name.text() + ".frame", std::move(literals), sensor.name.holes());
  frame.mark = sensor.mark;
  frame.repeat = sensor.repeat;
  frame.kind = SensorKind::point;
  frame.record = {{Quantity::position}, {Quantity::orientation}};
  frame.place = read_place(node, values, "frame of " + what);
  frame.is_frame = true;
  return frame;
}

AddItem read_sensor(const DocumentEntry& entry, const Repeat& repeat, ReadContext& context) {
  const std::string what = "sensor '" + entry.key + "'";
  MapReader map(entry.value, what, context.faults);
  map.known("repeat");
  if (!map.is_map()) return {};
  SensorItem sensor;
  sensor.mark = entry.mark;
  sensor.repeat = repeat;
  sensor.name = read_item_name(entry, sensor.repeat, context.values(), "sensor");
  const ValueReader values = context.values(&sensor.repeat);
  const DocumentNode* type = map.require("type", "type: " + kinds());
  const std::size_t before = context.faults.num_errors();
  if (type) sensor.kind = values.choice(*type, "type of " + what, SensorKind::energy);
  if (!type || context.faults.num_errors() > before) {
    map.forgive();
    return {};
  }
  const auto add = [&](SensorItem item, bool is_sound) {
    return add_to(context.model.sensors, context.model.sensor_names, context.sound_sensors, std::move(item), is_sound);
  };
  AddItem add_frame = [] {};
  bool is_sound = read_target(map, values, context, sensor);
  const DocumentNode* frame = records_vectors(sensor.kind) ? map.find("frame") : nullptr;
  if (frame) {
    const std::size_t others = context.faults.num_errors();
    SensorItem of_frame = read_frame(*frame, sensor, values, what);
    const bool is_read = context.faults.num_errors() == others;
    add_frame = add(std::move(of_frame), is_read);
    is_sound = is_sound && is_read;
    sensor.has_frame = true;
  }
  return [add_frame, add_sensor = add(std::move(sensor), is_sound)] {
    add_frame();
    add_sensor();
  };
}

}  // namespace

void read_sensors(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "sensors must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) read_repeated(entry, "sensor", context, read_sensor);
}

}  // namespace sinew
