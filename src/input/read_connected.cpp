#include "input/drives.hpp"
#include "input/in_joint.hpp"
#include "input/repeats.hpp"

#include "model/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace sinew {
namespace {

bool is_in_joint(const ItemDescription& item) { return !item.joints.empty(); }

/// Is it told from others of its type by a direction of its own, which a joint may lend it?
bool has_direction(const ItemDescription& item) {
  return std::any_of(item.fields.begin(), item.fields.end(),
                     [&](const FieldSpec& field) { return field.type == FieldType::direction && field.name == item.key; });
}

/// Reads one entry of joints or forces.
class ConnectedReader {
 public:
  ConnectedReader(const DocumentEntry& entry, const Repeat& repeat, const char* kind, const std::vector<ItemDescription>& types,
                  ReadContext& context)
      : entry_(entry),
        kind_(kind),
        types_(types),
        context_(context),
        what_(std::string(kind) + " '" + entry.key + "'"),
        map_(entry.value, what_, context.faults) {
    item_.repeat = repeat;
    map_.known("repeat");
  }

  /// The item; `is_sound` says whether its type and places are known.
  ConnectedItem read(bool& is_sound) {
    is_sound = false;
    item_.mark = entry_.mark;
    item_.name = read_item_name(entry_, item_.repeat, context_.values(), kind_);
    if (!map_.is_map()) return std::move(item_);
    const DocumentNode* type = map_.require("type", "type: " + (types_.empty() ? std::string("...") : types_.front().word()));
    const ItemDescription* description = type ? choose_type(*type) : nullptr;
    if (!description) {
      map_.forgive();
      return std::move(item_);
    }
    item_.word = type->text;
    const std::size_t before = context_.faults.num_errors();
    read_places(*description);
    const bool knows_places = context_.faults.num_errors() == before;
    if (knows_places) description = settle_shafts(context_, types_, *description, item_);
    item_.type = description->name;
    item_.type_index = static_cast<int>(description - types_.data());
    item_.ground_is_origin = description->ground_is_origin;
    item_.holds_all_nodes = description->holds_all_nodes;
    item_.is_spread = description->is_spread;
    item_.is_line_first = description->is_line_first;
    for (const FieldSpec& field : description->fields) read_field(field, *description);
    if (const DocumentNode* start = is_joint() && !description->is_drive ? map_.find("start") : nullptr)
      item_.starts = read_joint_starts(*start, "start of " + what_, values());
    const auto wanted = static_cast<std::size_t>(std::abs(description->num_places));
    is_sound = knows_places && (item_.of.has_value() ||
                                (description->num_places < 0 ? item_.places.size() >= wanted : item_.places.size() == wanted));
    return std::move(item_);
  }

 private:
  ValueReader values() const { return context_.values(&item_.repeat); }

  bool is_joint() const { return std::string(kind_) == "joint"; }

  /// The types of the model file, each once.
  std::vector<std::string> type_names() const {
    std::vector<std::string> names;
    for (const ItemDescription& type : types_)
      if (std::find(names.begin(), names.end(), type.word()) == names.end()) names.push_back(type.word());
    return names;
  }

  using Candidates = std::vector<const ItemDescription*>;

  /// The kernel of a type: of several that share it the one that the joint or the keys ask for.
  const ItemDescription* choose_type(const DocumentNode& node) {
    const std::string name = values().text(node, "type of " + what_);
    if (name.empty()) return nullptr;
    Candidates candidates;
    for (const ItemDescription& type : types_)
      if (type.word() == name) candidates.push_back(&type);
    if (candidates.empty())
      if (const ItemDescription* alias = find_description(types_, name); alias && alias->type.empty())
        candidates.push_back(alias);
    if (candidates.empty()) {
      context_.faults.error(node.mark, what_ + ": unknown type '" + name + "'", suggestion_or_all(name, type_names()));
      return nullptr;
    }
    if (is_in_joint(*candidates.front())) return choose_in_joint(context_, map_, entry_.mark, item_, candidates, joint_keys_);
    return candidates.size() == 1 ? candidates.front() : choose_by_keys(node, candidates);
  }

  /// `type: motion` stands for the type whose signal is given, angle, position, displacement, velocity ...; `type: spring-damper`
  /// with a table for the one by a table.
  const ItemDescription* choose_by_keys(const DocumentNode& node, const Candidates& candidates) {
    const auto given = [&](const std::string& key) { return key.empty() ? nullptr : map_.node().find(key); };
    std::vector<std::string> driven;
    for (const ItemDescription* type : candidates)
      if (std::find(driven.begin(), driven.end(), driven_by(*type)) == driven.end()) driven.push_back(driven_by(*type));
    if (candidates.front()->is_drive && !drives_one(node, driven)) return nullptr;
    Candidates fitting;
    for (const ItemDescription* type : candidates)
      if (!type->is_drive || given(driven_by(*type))) fitting.push_back(type);
    for (const ItemDescription* type : fitting)
      if (given(type->key)) return type;
    const bool lacks_direction = fitting.front()->is_drive && (given("on") || given("of"));
    const auto is_meant = [&](const ItemDescription* type) { return lacks_direction ? has_direction(*type) : type->key.empty(); };
    const auto found = std::find_if(fitting.begin(), fitting.end(), is_meant);
    return found == fitting.end() ? fitting.front() : *found;
  }

  /// Whether just one of the keys is given that say what a motion drives or an actuator exerts.
  bool drives_one(const DocumentNode& node, const std::vector<std::string>& keys) {
    const std::string does = is_joint() ? "drives" : "exerts";
    int count = 0;
    std::string list;
    for (const std::string& key : keys) {
      list += (list.empty() ? "" : ", ") + key;
      const DocumentNode* given = map_.node().find(key);
      if (given && ++count == 2)
        context_.faults.error(given->mark, what_ + " " + does + " two things at once", "make two " + node.text + "s of it");
    }
    if (count == 0) context_.faults.error(node.mark, what_ + " does not say what it " + does, "give one of: " + list);
    return count == 1;
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
    const bool may_name_joint = description.is_drive;
    const DocumentNode* of = may_name_joint ? map_.find("of") : nullptr;
    const bool one_place = description.num_places == 1;
    const bool may_drive_shaft = is_joint() && drive_of_shafts(types_, description, 1) != nullptr;
    const bool may_stand_on_one = one_place || (description.is_drive && !is_joint()) || may_drive_shaft;
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
      if (!one_place && !may_drive_shaft) item_.places.emplace_back();  // the ground takes the opposite
      item_.places.push_back(read_place(*on, values(), "on in " + what_));
    } else if (connect) {
      read_connect(*connect, description);
    } else if (one_place && !is_joint()) {
      map_.missing("on", entry_.mark, what_ + " has no 'on'",
                   description.is_spread ? "add on: a beam or a cable" : "add on: body.point");
    } else {
      map_.missing("connect", entry_.mark, what_ + " has no 'connect'",
                   may_name_joint ? "add of: a joint, or connect: [ground, body.point]" : "add connect: [ground, body.point]");
    }
  }

  void read_connect(const DocumentNode& node, const ItemDescription& description) {
    const bool is_open = description.num_places < 0;
    const auto wanted = static_cast<std::size_t>(std::max(2, std::abs(description.num_places)));
    if (!node.is_sequence() || (is_open ? node.items.size() < wanted : node.items.size() != wanted)) {
      std::string example = "write [ground";
      for (std::size_t n = 1; n < wanted; ++n) example += ", body.point";
      context_.faults.error(node.mark,
                            "connect of " + what_ + " must list " + std::to_string(wanted) + (is_open ? " or more" : "") +
                                " places, not " + node.describe(),
                            example + (is_open ? ", ...]" : "]"));
      return;
    }
    for (const DocumentNode& item : node.items) item_.places.push_back(read_place(item, values(), "connect of " + what_));
    if (description.num_places != 1) return;
    item_.ground_is_first = !item_.places.front().is_on_body();
    std::vector<PlaceItem> moving;
    for (const PlaceItem& place : item_.places)
      if (place.is_on_body()) moving.push_back(place);
    if (moving.size() != 1)
      context_.faults.error(node.mark,
                            what_ + (is_joint() ? " holds one place of a body to the ground" : " acts on one place of a body"),
                            is_joint() ? "write connect: [ground, body.point]" : "write on: body.point");
    item_.places = std::move(moving);
  }

  void read_field(const FieldSpec& field, const ItemDescription& description) {
    const DocumentNode* node = map_.find(field.name);
    if (!node && description.is_drive && is_joint() && std::string(field.name) == "axis") node = map_.find("direction");
    if (field.type == FieldType::feedback || field.type == FieldType::relation) return read_feedback(field, node, description);
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
      case FieldType::table: {
        const std::string usual = field.default_text;
        value.numbers = read_rows(*node, name, 2, "write " + (usual.empty() ? "[[0.1, -5], [0.2, 0], [0.3, 8]]" : usual));
        break;
      }
      case FieldType::points: value.numbers = read_rows(*node, name, 3, "write [[0, 0, 0], [1, 0, 0.2], [2, 0, 0]]"); break;
      default: break;
    }
    if (!value.numbers.empty()) item_.fields.push_back(std::move(value));
  }

  void read_feedback(const FieldSpec& field, const DocumentNode* node, const ItemDescription& description) {
    std::vector<std::string> own;
    if (!description.own.empty()) own = {description.own, "rate"};
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
                                    const std::string& example) const {
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

AddItem read_joint(const DocumentEntry& entry, const Repeat& repeat, ReadContext& context) {
  bool is_sound = false;
  JointItem joint = ConnectedReader(entry, repeat, "joint", context.catalogue.joints, context).read(is_sound);
  return add_to(context.model.joints, context.model.joint_names, context.sound_joints, std::move(joint), is_sound);
}

AddItem read_force(const DocumentEntry& entry, const Repeat& repeat, ReadContext& context) {
  bool is_sound = false;
  ForceItem force = ConnectedReader(entry, repeat, "force", context.catalogue.forces, context).read(is_sound);
  return add_to(context.model.forces, context.model.force_names, context.sound_forces, std::move(force), is_sound);
}

}  // namespace

void read_joints(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "joints must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) read_repeated(entry, "joint", context, read_joint);
}

void read_forces(const DocumentNode& node, ReadContext& context) {
  if (!node.is_map()) return context.faults.error(node.mark, "forces must be a map, not " + node.describe());
  for (const DocumentEntry& entry : node.entries) read_repeated(entry, "force", context, read_force);
}

}  // namespace sinew
