// Where joints start, and which motions would hold them there.

#include "input/drives.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/instance_check.hpp"
#include "model/joint_starts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

/// What the rates of coordinates are called: `rate` of the only one, `rate.angle` of one of several.
std::string rate_of(const std::string& coordinate, const std::vector<std::string>& all) {
  return all.size() == 1 ? "rate" : "rate." + coordinate;
}

/// The motion, not of shafts, that drives a coordinate or its rate; null where there is none.
const ItemDescription* motion_of(const Catalogue& catalogue, const std::string& coordinate) {
  const auto drives = [&](const ItemDescription& type) { return type.is_drive && type.coordinate == coordinate; };
  const auto found = std::find_if(catalogue.joints.begin(), catalogue.joints.end(), drives);
  return found == catalogue.joints.end() ? nullptr : &*found;
}

/// A motion of the same joint that says itself what a start would: of the coordinate, or of a rate whatever drives it.
const JointItem* motion_instead(const ReadContext& context, const JointItem& joint, const JointStart& start,
                                const std::string& coordinate) {
  for (const JointItem& other : context.model.joints) {
    if (!other.of || other.type_index < 0 || other.of->text() != joint.name.text()) continue;
    const std::string& driven = context.catalogue.joints[static_cast<std::size_t>(other.type_index)].coordinate;
    if (driven == coordinate || (start.is_rate && driven == "rate." + coordinate)) return &other;
  }
  return nullptr;
}

/// Of angles beyond the turns that are followed some would be lost.
void check_range(ReadContext& context, const JointItem& joint, const JointStart& start, bool is_angle) {
  for (const std::int64_t instance : sample_instances(joint.repeat)) {
    InstanceCheck check(joint.repeat, instance);
    if (check.finite(start.value, "start") && is_angle && std::abs(start.value.value(check.indices)) > farthest_turn)
      check.add(start.mark,
                fmt::format("joint '{}' starts {} rad from where it is drawn, more than the {} that are followed",
                            joint.name.text(), short_number(start.value.value(check.indices)), farthest_turn),
                "take whole turns off");
    for (Fault& fault : check.faults) context.faults.error(std::move(fault));
    if (!check.faults.empty()) return;
  }
}

void settle_start(ReadContext& context, const JointItem& joint, JointStart& start) {
  const FamilyEntry* entry = find_entry(registered_joints(), joint.type);
  const std::vector<std::string> all = entry ? entry->coordinate_names : std::vector<std::string>{};
  const auto is_meant = [&](const std::string& name) { return start.word == name || start.word == rate_of(name, all); };
  const auto found = std::find_if(all.begin(), all.end(), is_meant);
  if (found == all.end()) {
    std::vector<std::string> known = all;
    for (const std::string& name : all) known.push_back(rate_of(name, all));
    context.faults.error(start.mark,
                         fmt::format("joint '{}' ({}) has no '{}' to start with", joint.name.text(), joint.word, start.word),
                         known.empty() ? "draw its bodies where they start" : fmt::format("it has {}", fmt::join(known, ", ")));
    return;
  }
  start.is_rate = start.word != *found;
  start.axis = only_direction(*entry);
  const ItemDescription* motion = motion_of(context.catalogue, start.is_rate ? "rate." + *found : *found);
  if (!motion || start.axis.empty()) {
    context.faults.error(start.mark,
                         fmt::format("the {} joint '{}' cannot start at a given '{}'", joint.word, joint.name.text(), start.word),
                         "draw its bodies where they start, with the velocities that they have");
    return;
  }
  start.drive = motion->name;
  if (const JointItem* other = motion_instead(context, joint, start, *found))
    context.faults.error(start.mark,
                         fmt::format("the motion '{}' says already how joint '{}' starts", other->name.text(), joint.name.text()),
                         "leave '" + start.word + "' out of its start");
  check_range(context, joint, start, *found == "angle" && !start.is_rate);
}

}  // namespace

std::vector<JointStart> read_joint_starts(const DocumentNode& node, const std::string& what, const ValueReader& values) {
  std::vector<JointStart> starts;
  if (!node.is_map()) {
    values.faults.error(node.mark, what + " must be a map, not " + node.describe(), "write start: {angle: 30 deg, rate: 2}");
    return starts;
  }
  for (const DocumentEntry& entry : node.entries)
    starts.push_back({entry.key, values.number(entry.value, entry.key + " in " + what), entry.mark, {}, {}});
  return starts;
}

void settle_joint_starts(ReadContext& context, JointItem& joint) {
  for (JointStart& start : joint.starts) settle_start(context, joint, start);
}

}  // namespace sinew
