#include "input/section_readers.hpp"

#include "model/resolve.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// Types of the model file that stand for several kernels, told apart by their keys: `motion` for motion-angle and its like.
constexpr const char* families_of_types[] = {"motion", "actuator", "friction", "stop"};

/// A type whose key may be given in place of a type's own: `table` in place of `stiffness` makes spring-damper-table of
/// spring-damper. `coordinate`: what an expression may call its angle or length.
struct Variant {
  const char* type;
  const char* key;
  const char* kernel;
  const char* coordinate;
};
constexpr Variant variants[] = {{"spring-damper", "table", "spring-damper-table", ""},
                                {"spring-damper", "force", "spring-damper-law", "length"},
                                {"torsional-spring", "table", "torsional-spring-table", ""},
                                {"torsional-spring", "moment", "torsional-spring-law", "angle"}};

bool belongs_to(const ItemDescription& item, const std::string& type) { return item.name.rfind(type + "-", 0) == 0; }
bool is_motion(const ItemDescription& item) { return belongs_to(item, "motion"); }
bool is_actuator(const ItemDescription& item) { return belongs_to(item, "actuator"); }
bool is_one_of_several(const ItemDescription& item) {
  return std::any_of(std::begin(families_of_types), std::end(families_of_types),
                     [&](const char* family) { return belongs_to(item, family); });
}
bool is_in_joint(const ItemDescription& item) { return !item.joints.empty(); }
bool is_variant(const ItemDescription& item) {
  return std::any_of(std::begin(variants), std::end(variants), [&](const Variant& v) { return item.name == v.kernel; });
}

/// Reads one entry of joints or forces.
class ConnectedReader {
 public:
  ConnectedReader(const DocumentEntry& entry, const char* kind, const std::vector<ItemDescription>& types, ReadContext& context)
      : entry_(entry),
        kind_(kind),
        types_(types),
        context_(context),
        what_(std::string(kind) + " '" + entry.key + "'"),
        map_(entry.value, what_, context.faults) {}

  /// The item; `is_sound` says whether its type and places are known.
  ConnectedItem read(bool& is_sound) {
    is_sound = false;
    item_.mark = entry_.mark;
    item_.repeat = read_repeat(map_, context_.values());
    item_.name = read_item_name(entry_, item_.repeat, context_.values(), kind_);
    if (!map_.is_map()) return std::move(item_);
    const DocumentNode* type = map_.require("type", "type: " + (types_.empty() ? std::string("...") : types_.front().name));
    const ItemDescription* description = nullptr;
    if (type && type->is_scalar() && type->text == "motion") {
      description = choose_motion(*type);
    } else if (type && type->is_scalar() && type->text == "actuator" && std::any_of(types_.begin(), types_.end(), is_actuator)) {
      description = choose_actuator(*type);
    } else if (type && type->is_scalar() && stands_for_joints(type->text)) {
      description = choose_by_joint(type->text);
    } else if (type) {
      description = choose_type(*type);
    }
    if (!description) {
      map_.forgive();
      return std::move(item_);
    }
    item_.type = description->name;
    item_.type_index = static_cast<int>(description - types_.data());
    item_.ground_is_origin = description->ground_is_origin;
    read_places(*description);
    for (const FieldSpec& field : description->fields) read_field(field, *description);
    is_sound = item_.of.has_value() || item_.places.size() == static_cast<std::size_t>(description->num_places);
    return std::move(item_);
  }

 private:
  ValueReader values() const { return context_.values(&item_.repeat); }

  std::vector<std::string> type_names() const {
    std::vector<std::string> names;
    for (const ItemDescription& type : types_)
      if (!is_one_of_several(type) && !is_variant(type)) names.push_back(type.name);
    for (const char* family : families_of_types)
      if (std::any_of(types_.begin(), types_.end(), [&](const ItemDescription& type) { return belongs_to(type, family); }))
        names.emplace_back(family);
    return names;
  }

  const ItemDescription* choose_type(const DocumentNode& node) {
    const std::string name = values().text(node, "type of " + what_);
    if (name.empty()) return nullptr;
    for (const Variant& variant : variants)
      if (name == variant.type && map_.node().find(variant.key)) return find_description(types_, variant.kernel);
    const ItemDescription* found = find_description(types_, name);
    if (found && !is_variant(*found)) return found;
    context_.faults.error(node.mark, what_ + ": unknown type '" + name + "'", suggestion_or_all(name, type_names()));
    return nullptr;
  }

  /// `type: motion` stands for the type whose signal is given: angle, position, displacement, velocity ...
  const ItemDescription* choose_motion(const DocumentNode& node) {
    const ItemDescription* chosen = nullptr;
    std::string list;
    for (const ItemDescription& type : types_) {
      if (!is_motion(type)) continue;
      for (const FieldSpec& field : type.fields) {
        if (field.type != FieldType::signal) continue;
        list += (list.empty() ? "" : ", ") + std::string(field.name);
        const DocumentNode* given = map_.find(field.name);
        if (!given) continue;
        if (chosen) context_.faults.error(given->mark, what_ + " drives two things at once", "make two motions of it");
        chosen = &type;
      }
    }
    if (!chosen) {
      for (const char* key : {"of", "connect", "axis", "direction"}) map_.known(key);
      context_.faults.error(node.mark, what_ + " does not say what it drives", list.empty() ? "" : "give one of: " + list);
    }
    return chosen;
  }

  /// `type: actuator` stands for the type that its keys belong to.
  const ItemDescription* choose_actuator(const DocumentNode& node) {
    const auto given = [&](const char* key) { return map_.node().find(key); };
    if (given("force") && given("torque")) {
      context_.faults.error(given("torque")->mark, what_ + " exerts two things at once", "make two actuators of it");
      return nullptr;
    }
    if (!given("force") && !given("torque")) {
      context_.faults.error(node.mark, what_ + " does not say what it exerts", "give one of: force, torque");
      return nullptr;
    }
    if (given("torque")) return find_description(types_, "actuator-torque");
    if (given("direction_local")) return find_description(types_, "actuator-follower");
    return find_description(types_, given("direction") || given("on") || given("of") ? "actuator-direction" : "actuator-line");
  }

  /// Are there types of that family, one for each type of joint?
  bool stands_for_joints(const std::string& family) const {
    return std::any_of(types_.begin(), types_.end(),
                       [&](const ItemDescription& type) { return is_in_joint(type) && belongs_to(type, family); });
  }

  /// `type: friction` stands for the type that is in the joint which `of` names.
  const ItemDescription* choose_by_joint(const std::string& family) {
    const DocumentNode* of = map_.node().find("of");
    if (!of) {
      map_.missing("of", entry_.mark, what_ + " has no 'of'", "add of: the joint that it is in");
      return nullptr;
    }
    const std::string name = values().text(*of, "of in " + what_);
    if (name.empty()) return nullptr;
    const NamePattern pattern = values().pattern(name, of->mark, of->quoted);
    InstanceRef found;
    if (const auto missing = resolve_joint(context_.model, pattern, item_.repeat.indices(0), of->mark, found)) {
      context_.faults.error(missing->mark, missing->message, missing->remedy);
      return nullptr;
    }
    const JointItem& joint = context_.model.joints[static_cast<std::size_t>(found.item)];
    if (!context_.sound_joints[static_cast<std::size_t>(found.item)]) return nullptr;  // reported with the joint
    for (const FieldExpression& field : joint.fields) joint_keys_.push_back(field.name);
    std::string able;
    for (const ItemDescription& type : types_) {
      if (!is_in_joint(type) || !belongs_to(type, family)) continue;
      if (std::find(type.joints.begin(), type.joints.end(), joint.type) != type.joints.end()) return &type;
      for (const std::string& other : type.joints) able += (able.empty() ? "" : ", ") + other;
    }
    context_.faults.error(of->mark, what_ + ": a joint of type '" + joint.type + "' takes no '" + family + "'",
                          "joints that do: " + able);
    return nullptr;
  }

  void read_places(const ItemDescription& description) {
    if (description.num_places == 0) return;  // its expression names what it holds
    if (is_in_joint(description)) {
      const DocumentNode* of = map_.find("of");
      const std::string name = values().text(*of, "of in " + what_);
      item_.of = values().pattern(name, of->mark, of->quoted);
      item_.of_mark = of->mark;
      return;
    }
    const bool may_name_joint = is_motion(description) || is_actuator(description);
    const DocumentNode* of = may_name_joint ? map_.find("of") : nullptr;
    const bool one_place = description.num_places == 1;
    const bool may_stand_on_one = one_place || is_actuator(description);
    const DocumentNode* on = may_stand_on_one ? map_.find("on") : nullptr;
    const DocumentNode* connect = map_.find("connect");
    if (of) {
      const std::string name = values().text(*of, "of in " + what_);
      item_.of = values().pattern(name, of->mark, of->quoted);
      item_.of_mark = of->mark;
      for (const DocumentNode* places : {connect, on})
        if (places)
          context_.faults.error(places->mark, what_ + " has 'of' and places as well", "'of' takes the places of the joint");
      return;
    }
    if (on && connect) context_.faults.error(connect->mark, what_ + " has 'on' and 'connect'", "give one of them");
    if (on) {
      if (!one_place) item_.places.emplace_back();  // the ground takes the opposite
      item_.places.push_back(read_place(*on, values(), "on in " + what_));
    } else if (connect) {
      read_connect(*connect, description);
    } else if (one_place && std::string(kind_) == "force") {
      map_.missing("on", entry_.mark, what_ + " has no 'on'", "add on: body.point");
    } else {
      map_.missing("connect", entry_.mark, what_ + " has no 'connect'",
                   may_name_joint ? "add of: a joint, or connect: [ground, body.point]" : "add connect: [ground, body.point]");
    }
  }

  void read_connect(const DocumentNode& node, const ItemDescription& description) {
    const auto wanted = static_cast<std::size_t>(std::max(2, description.num_places));
    if (!node.is_sequence() || node.items.size() != wanted) {
      context_.faults.error(node.mark,
                            "connect of " + what_ + " must list " + std::to_string(wanted) + " places, not " + node.describe(),
                            "write [ground, body.point]");
      return;
    }
    for (const DocumentNode& item : node.items) item_.places.push_back(read_place(item, values(), "connect of " + what_));
    if (description.num_places != 1) return;
    item_.ground_is_first = item_.places.front().kind != PlaceItem::Kind::body;
    std::vector<PlaceItem> moving;
    for (const PlaceItem& place : item_.places)
      if (place.kind == PlaceItem::Kind::body) moving.push_back(place);
    if (moving.size() != 1)
      context_.faults.error(node.mark, what_ + " holds one place of a body to the ground", "write connect: [ground, body.point]");
    item_.places = std::move(moving);
  }

  void read_field(const FieldSpec& field, const ItemDescription& description) {
    const DocumentNode* node = map_.find(field.name);
    if (!node && is_motion(description) && std::string(field.name) == "axis") node = map_.find("direction");
    if (field.type == FieldType::feedback || field.type == FieldType::relation) return read_feedback(field, node);
    if (signals_of(field.type) > 0) return read_signal(field, node);
    const bool joint_has_it = std::find(joint_keys_.begin(), joint_keys_.end(), field.name) != joint_keys_.end();
    if (!node && is_in_joint(description) && (field.type == FieldType::direction || (field.required && joint_has_it))) {
      item_.inherited.push_back({field.name, field.name});
      return;
    }
    if (!node && item_.of && !is_in_joint(description)) {
      item_.inherited.push_back({field.name, field.type == FieldType::direction ? "axis" : field.name});
      return;
    }
    if (!node) {
      if (field.required)
        map_.missing(field.name, entry_.mark, what_ + " has no '" + field.name + "'",
                     std::string(field.name) + ": " + field.help);
      return;
    }
    const std::string name = std::string(field.name) + " of " + what_;
    FieldExpression value;
    value.name = field.name;
    value.type = field.type;
    value.check = field.check;
    value.mark = node->mark;
    switch (field.type) {
      case FieldType::number: value.numbers = {values().number(*node, name)}; break;
      case FieldType::vector:
      case FieldType::direction: value.numbers = values().numbers(*node, 3, name); break;
      case FieldType::matrix6: value.numbers = full_matrix(values().matrix(*node, 6, name), 6); break;
      case FieldType::inertia: value.numbers = full_matrix(values().matrix(*node, 3, name), 3); break;
      case FieldType::flags: value.numbers = read_flags(*node, name); break;
      case FieldType::table: value.numbers = read_rows(*node, name, 2, "write [[0.1, -5], [0.2, 0], [0.3, 8]]"); break;
      case FieldType::points: value.numbers = read_rows(*node, name, 3, "write [[0, 0, 0], [1, 0, 0.2], [2, 0, 0]]"); break;
      default: break;
    }
    if (!value.numbers.empty()) item_.fields.push_back(std::move(value));
  }

  void read_feedback(const FieldSpec& field, const DocumentNode* node) {
    const auto variant =
        std::find_if(std::begin(variants), std::end(variants), [&](const Variant& v) { return item_.type == v.kernel; });
    std::vector<std::string> own;
    if (variant != std::end(variants)) own = {variant->coordinate, "rate"};
    if (node)
      item_.feedback =
          values().with_signals(own.empty() ? nullptr : &own).signal(*node, std::string(field.name) + " of " + what_);
    else
      map_.missing(field.name, entry_.mark, what_ + " has no '" + field.name + "'", std::string(field.name) + ": " + field.help);
    if (field.type == FieldType::relation) item_.signals.push_back(parse_expression("t", {nullptr, nullptr, true}));
  }

  void read_signal(const FieldSpec& field, const DocumentNode* node) {
    const auto count = static_cast<std::size_t>(signals_of(field.type));
    const std::string name = std::string(field.name) + " of " + what_;
    if (!node) {
      if (field.required)
        map_.missing(field.name, entry_.mark, what_ + " has no '" + field.name + "'",
                     std::string(field.name) + ": " + field.help);
      item_.signals.insert(item_.signals.end(), count, default_signal(field));
    } else if (count == 1) {
      item_.signals.push_back(values().with_time().number(*node, name));
    } else {
      for (Expression& component : values().with_time().numbers(*node, 3, name)) item_.signals.push_back(std::move(component));
    }
  }

  static Expression default_signal(const FieldSpec& field) {
    try {
      return parse_expression(field.default_text, {nullptr, nullptr, true});
    } catch (const ExpressionError&) {
      return Expression(0.0);
    }
  }

  /// n diagonal entries or n * n entries as n * n entries.
  static std::vector<Expression> full_matrix(std::vector<Expression> entries, std::size_t n) {
    if (entries.size() != n) return entries;
    std::vector<Expression> full(n * n);
    for (std::size_t k = 0; k < n; ++k) full[k * n + k] = std::move(entries[k]);
    return full;
  }

  /// Rows of numbers, `[[x, y], [x, y]]`, as numbers one after the other.
  std::vector<Expression> read_rows(const DocumentNode& node, const std::string& name, std::size_t width,
                                    const char* example) const {
    if (!node.is_sequence() || node.items.size() < 2) {
      context_.faults.error(node.mark, name + " must list two or more rows, not " + node.describe(), example);
      return {};
    }
    std::vector<Expression> numbers;
    for (const DocumentNode& row : node.items)
      for (Expression& number : values().numbers(row, width, "row of " + name)) numbers.push_back(std::move(number));
    return numbers;
  }

  /// `[x, z]` or `x` as three numbers 0 or 1.
  std::vector<Expression> read_flags(const DocumentNode& node, const std::string& name) const {
    double flags[3] = {};
    DocumentNode alone = node;
    std::vector<DocumentNode> words = node.is_sequence() ? node.items : std::vector<DocumentNode>{alone};
    for (const DocumentNode& word : words) {
      const std::size_t k = word.is_scalar() && word.text.size() == 1 ? std::string("xyz").find(word.text) : std::string::npos;
      if (k == std::string::npos) {
        context_.faults.error(word.mark, name + " must list some of x, y, z, not " + word.describe(), "write [x, y, z]");
        return {};
      }
      flags[k] = 1;
    }
    if (words.empty()) context_.faults.error(node.mark, name + " is empty", "list some of x, y, z");
    return {Expression(flags[0]), Expression(flags[1]), Expression(flags[2])};
  }

  const DocumentEntry& entry_;
  const char* kind_;
  const std::vector<ItemDescription>& types_;
  ReadContext& context_;
  std::string what_;
  MapReader map_;
  ConnectedItem item_;
  std::vector<std::string> joint_keys_;  ///< of the joint that a force is in
};

}  // namespace

void read_joints(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "joints must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) {
    bool is_sound = false;
    context.model.joints.push_back(ConnectedReader(entry, "joint", context.catalogue.joints, context).read(is_sound));
    context.sound_joints.push_back(is_sound);
    const JointItem& joint = context.model.joints.back();
    context.model.joint_names.add(joint.name, joint.repeat);
  }
}

void read_forces(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "forces must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) {
    bool is_sound = false;
    context.model.forces.push_back(ConnectedReader(entry, "force", context.catalogue.forces, context).read(is_sound));
    context.sound_forces.push_back(is_sound);
    const ForceItem& force = context.model.forces.back();
    context.model.force_names.add(force.name, force.repeat);
  }
}

}  // namespace sinew
