#include "model/joint_starts.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// `start of hinge{i}`: no name of the model file holds blanks.
NamePattern name_of_start(const NamePattern& joint) {
  const std::string before = "start of ";
  std::vector<std::string> literals = joint.literals();
  literals.front() = before + literals.front();
  return {before + joint.text(), std::move(literals), joint.holes()};
}

JointItem motion_to(const JointItem& joint, const JointStart& start) {
  JointItem motion;
  motion.name = name_of_start(joint.name);
  motion.repeat = joint.repeat;
  motion.mark = motion.of_mark = start.mark;
  motion.type = start.drive;
  motion.word = "start";
  motion.of = joint.name;
  motion.inherited = {{"axis", start.axis}};
  motion.signals = {start.value};
  return motion;
}

}  // namespace

std::optional<Model> held_at_starts(const Model& model, StartLevel level) {
  std::vector<JointItem> motions;
  for (const JointItem& joint : model.joints)
    for (const JointStart& start : joint.starts)
      if (start.is_rate == (level == StartLevel::velocity)) motions.push_back(motion_to(joint, start));
  if (motions.empty()) return {};
  Model held = model;
  for (JointItem& motion : motions) {
    held.joint_names.add(motion.name, motion.repeat);
    held.joints.push_back(std::move(motion));
  }
  return held;
}

}  // namespace sinew
