#include "input/in_joint.hpp"

#include "input/drives.hpp"
#include "input/unlike_instances.hpp"
#include "kernels/algebra/vec.hpp"
#include "model/resolve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

using Candidates = std::vector<const ItemDescription*>;

/// Those that a joint of that type takes.
Candidates that_fit(const Candidates& candidates, const std::string& joint_type) {
  Candidates fitting;
  for (const ItemDescription* type : candidates)
    if (std::find(type->joints.begin(), type->joints.end(), joint_type) != type->joints.end()) fitting.push_back(type);
  return fitting;
}

/// Of these the one that `coordinate` names. Null where there is none: faults go to the context.
const ItemDescription* with_coordinate(ReadContext& context, const MapReader& map, const ValueReader& values,
                                       const DocumentNode& node, const std::string& joint, const Candidates& fitting) {
  const std::string name = values.text(node, "coordinate of " + map.what());
  if (name.empty()) return nullptr;
  std::vector<std::string> free;
  for (const ItemDescription* type : fitting) {
    if (type->coordinate == name) return type;
    free.push_back(type->coordinate);
  }
  context.faults.error(node.mark, map.what() + ": a joint of type '" + joint + "' has no coordinate '" + name + "' to limit",
                       fmt::format("write coordinate: {}", fmt::join(free, " or ")));
  return nullptr;
}

/// Do a direction of the item and one of the joint differ by more than their sign, or numbers?
bool contradicts(const FieldExpression& own, const FieldExpression& theirs, const Indices& of_item, const Indices& of_joint) {
  constexpr double noticeable = 1e-6;  // more than what rounding makes of numbers written by hand
  if (own.type == FieldType::number) {
    const double a = own.numbers.front().value(of_item), b = theirs.numbers.front().value(of_joint);
    return std::abs(a - b) > noticeable * std::abs(b);
  }
  const auto direction = [](const FieldExpression& field, const Indices& indices) {
    return Vec3<double>{{field.numbers[0].value(indices), field.numbers[1].value(indices), field.numbers[2].value(indices)}};
  };
  const Vec3<double> a = direction(own, of_item), b = direction(theirs, of_joint);
  return norm(cross(a, b)) > noticeable * norm(a) * norm(b);
}

}  // namespace

const ItemDescription* choose_in_joint(ReadContext& context, MapReader& map, const SourceMark& mark, const ConnectedItem& item,
                                       const Candidates& candidates, std::vector<std::string>& joint_keys) {
  const DocumentNode* of = map.node().find("of");
  if (!of) {
    map.missing("of", mark, map.what() + " has no 'of'", "add of: the joint that it is in");
    return nullptr;
  }
  const ValueReader values = context.values(&item.repeat);
  const std::string name = values.text(*of, "of in " + map.what());
  if (name.empty()) return nullptr;
  const NamePattern pattern = values.pattern(name, of->mark, of->quoted);
  InstanceRef found;
  if (const auto missing = resolve_joint(context.model, pattern, item.repeat.indices(0), of->mark, found)) {
    context.faults.error(missing->mark, missing->message, missing->remedy);
    return nullptr;
  }
  const JointItem& joint = context.model.joints[static_cast<std::size_t>(found.item)];
  if (!context.sound_joints[static_cast<std::size_t>(found.item)]) return nullptr;  // reported with the joint
  for (const FieldExpression& field : joint.fields) joint_keys.push_back(field.name);
  const Candidates fitting = that_fit(candidates, joint.type);
  if (fitting.empty()) {
    std::vector<std::string> able;
    for (const ItemDescription* type : candidates)
      for (const std::string& other : type->joints)
        if (std::find(able.begin(), able.end(), other) == able.end()) able.push_back(other);
    context.faults.error(of->mark,
                         map.what() + ": a joint of type '" + joint.word + "' takes no '" + candidates.front()->word() + "'",
                         fmt::format("joints that do: {}", fmt::join(able, ", ")));
    return nullptr;
  }
  if (const DocumentNode* node = fitting.front()->coordinate.empty() ? nullptr : map.find("coordinate"))
    return with_coordinate(context, map, values, *node, joint.word, fitting);
  for (const auto& [other, instance] : joints_met(context, item.repeat, pattern)) {
    const JointItem& theirs = context.model.joints[static_cast<std::size_t>(other)];
    const Candidates ways = that_fit(candidates, theirs.type);
    if (!ways.empty() && ways.front() != fitting.front())
      report_unlike(context, of->mark, item, instance, "is in a joint of type '" + theirs.word + "'");
  }
  return fitting.front();
}

std::vector<Fault> check_own_keys(const Model& model, const ConnectedItem& item, std::int64_t instance) {
  std::vector<Fault> faults;
  if (!item.of) return faults;
  const Indices indices = item.repeat.indices(instance);
  const auto found = model.joint_names.find(*item.of, indices);
  if (!found) return faults;  // reported elsewhere
  const JointItem& joint = model.joints[static_cast<std::size_t>(found->item)];
  const FamilyEntry* entry = find_entry(registered_joints(), joint.type);
  for (const FieldExpression& own : item.fields) {
    const bool is_direction = own.type == FieldType::direction;
    if (!is_direction && own.type != FieldType::number) continue;
    const std::string key = is_direction && own.name == "axis" && entry != nullptr ? only_direction(*entry) : own.name;
    for (const FieldExpression& theirs : joint.fields)
      if (theirs.name == key && theirs.type == own.type &&
          contradicts(own, theirs, indices, joint.repeat.indices(found->instance)))
        faults.push_back({own.mark,
                          item.word + " '" + item.name.expand(indices) + "' has another '" + own.name + "' than the joint '" +
                              joint.name.expand(joint.repeat.indices(found->instance)) + "' that it is in",
                          "leave it out: it is that of the joint"});
  }
  return faults;
}

}  // namespace sinew
