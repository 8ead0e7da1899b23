#include "model/relation.hpp"
#include "system/place_motion.hpp"
#include "system/sensor_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// What a joint exerts on a part: force, moment, torque. Its work is told once for the joint.
constexpr int force_number = 0, moment_number = 3, torque_number = 6, work_number = 7;

int number_of(const RecordedNumber& recorded) {
  if (recorded.name == "work") return work_number;
  return recorded.name == "torque" ? torque_number : recorded.component;  // force and moment stand first where there are any
}

int find_family(const LocalModel& local, int family) {
  for (std::size_t f = 0; f < local.families.size(); ++f)
    if (local.families[f].family == family) return static_cast<int>(f);
  return -1;
}

}  // namespace

JointSensors::JointSensors(const Model& model, const SolidMeshes& meshes, const Numbering& numbering, const System& system)
    : model_(model),
      numbering_(numbering),
      system_(system),
      expansion_(model, meshes, numbering),
      here_(system.local(), OriginKind::joint) {}

void JointSensors::add(const SensorInstance& sensor) {
  const InstanceRef joint = model_.joint(sensor.item->joint, sensor.indices, sensor.item->of_mark);
  const JointItem& item = model_.joints[joint.item];
  Probe probe;
  probe.joint = joint.item;
  probe.instance = joint.instance;
  probe.family = find_family(system_.local(), joint_family(item.type));
  probe.is_clamp = item.holds_all_nodes && !is_held_by_body(item);
  probe.is_relation = is_relation(item);
  if (probe.is_relation)
    probe.place = expansion_.relation_places(item, joint.instance).front().place;
  else
    find_first_place(item, joint.instance, probe);
  if (probe.family >= 0) parts_[probe.family];
  if (!here_.has(joint, probe.family)) return;
  probe.first_value = columns().size();
  for (const RecordedNumber& recorded : recorded_numbers(model_, *sensor.item, sensor.indices)) {
    claim_column(sensor.first_column + static_cast<std::int64_t>(probe.numbers.size()));
    probe.numbers.push_back(number_of(recorded));
  }
  wanted_[{joint.item, joint.instance}].push_back(static_cast<int>(probes_.size()));
  probes_.push_back(probe);
}

void JointSensors::find_first_place(const JointItem& item, std::int64_t instance, Probe& probe) const {
  const Place first = expansion_.places(item, instance).at(0).place;
  probe.first_is_ground = first.is_ground;
  probe.place = first.point;
  if (probe.is_clamp && !first.is_ground) probe.place = first.position();  // what is clamped stays where it is
  if (item.ground_is_first) {  // a joint of one place: the ground takes the opposite, where the place was at the start
    probe.is_clamp = probe.first_is_ground = true;
    probe.place = first.position();
  }
}

/// Those of the probes, with a sign for every node that counts.
void JointSensors::find_elements() {
  const LocalModel& local = system_.local();
  for (const auto& [family, ignored] : parts_) {
    const std::vector<Origin>& origins = local.families[static_cast<std::size_t>(family)].origins;
    for (std::size_t e = 0; e < origins.size(); ++e) {
      if (origins[e].kind != OriginKind::joint) continue;
      const auto found = wanted_.find({origins[e].item, origins[e].instance});
      if (found == wanted_.end()) continue;
      for (const int probe : found->second) add_parts(probe, static_cast<int>(e));
    }
  }
  wanted_.clear();
  here_ = {};
}

bool JointSensors::is_shaft(const Probe& probe, int place) const {
  const FamilyShape& shape = system_.families()[static_cast<std::size_t>(probe.family)]->shape();
  return shape.is_scalar != nullptr && shape.is_scalar(place);
}

void JointSensors::add_parts(int p, int element) {
  const Probe& probe = probes_[static_cast<std::size_t>(p)];
  std::vector<Part>& parts = parts_[probe.family];
  const int count = system_.families()[static_cast<std::size_t>(probe.family)]->shape().nodes_per_element;
  int shaft = 0;
  while (shaft < count && !is_shaft(probe, shaft)) ++shaft;
  if (shaft < count) parts.push_back({p, element, shaft, 1.0});
  if (shaft == 0) return;  // no place in space
  if (probe.is_relation) {
    add_first_body(p, element, parts);
  } else if (probe.is_clamp) {
    parts.push_back({p, element, count - 1, probe.first_is_ground ? -1.0 : 1.0});  // of a node that turns, behind the ground
  } else if (!probe.first_is_ground) {
    parts.push_back({p, element, 0, 1.0});
  } else {
    for (int k = 1; k < count; ++k)
      if (!is_shaft(probe, k)) parts.push_back({p, element, k, -1.0});
  }
}

/// The nodes of the first body that a relation reads.
void JointSensors::add_first_body(int p, int element, std::vector<Part>& parts) const {
  const Family& family = *system_.families()[static_cast<std::size_t>(probes_[static_cast<std::size_t>(p)].family)];
  const LocalModel& local = system_.local();
  const int count = family.shape().nodes_per_element;
  const int* nodes = family.data().nodes.data() + static_cast<std::ptrdiff_t>(element) * count;
  const NodeHome first = numbering_.locate(local.node_id[nodes[0]]);
  for (int k = 0; k < count; ++k) {
    if (nodes[k] == local.ground()) continue;
    const NodeHome home = numbering_.locate(local.node_id[nodes[k]]);
    if (home.body == first.body && home.instance == first.instance) parts.push_back({p, element, k, 1.0});
  }
}

/// A node's generalised force as force and moment about the probe's place. That of a cable's slope node turns with the slope:
/// f . (theta x r') = theta . (r' x f). That of a shaft is a torque about its own axis.
void JointSensors::add_part(const Part& part, const std::vector<double>& slots, const double* config, double* values) const {
  const LocalModel& local = system_.local();
  const Probe& probe = probes_[static_cast<std::size_t>(part.probe)];
  const Family& family = *system_.families()[static_cast<std::size_t>(probe.family)];
  const FamilyShape& shape = family.shape();
  const int* nodes = family.data().nodes.data() + static_cast<std::ptrdiff_t>(part.element) * shape.nodes_per_element;
  const int node = nodes[part.place];
  if (node == local.ground() && !is_shaft(probe, part.place)) return;  // the ground bears a torque as a shaft does
  const double* f = slots.data() + static_cast<std::ptrdiff_t>(part.element) * shape.dofs() + Pose::dofs * part.place;
  const Frame<double> frame = node_frame(local, node, config);
  Vec3<double> force = vec3_at(f), moment;
  double torque = 0;
  if (is_shaft(probe, part.place)) {
    torque = f[0];
    force = {};
  } else if (local.is_slope[static_cast<std::size_t>(node)]) {
    moment = cross(frame.x, force);
    force = {};
  } else {
    const bool is_fixed = probe.is_clamp || probe.first_is_ground;
    const Vec3<double> about = is_fixed ? probe.place : place_of(node_frame(local, nodes[0], config), probe.place);
    moment = cross(frame.x - about, force);
    if (local.turns(node)) moment += frame.R * vec3_at(f + 3);
  }
  double exerted[work_number + 1] = {};
  std::copy_n(force.data, 3, exerted + force_number);
  std::copy_n(moment.data, 3, exerted + moment_number);
  exerted[torque_number] = torque;
  for (std::size_t k = 0; k < probe.numbers.size(); ++k) values[probe.first_value + k] += part.sign * exerted[probe.numbers[k]];
}

/// What the joint has done since the start, as far as this rank has its elements.
void JointSensors::add_work(const Probe& probe, double* values) const {
  for (std::size_t k = 0; k < probe.numbers.size(); ++k)
    if (probe.numbers[k] == work_number)
      values[probe.first_value + k] = system_.ledger().share(OriginKind::joint, probe.joint, probe.instance).work;
}

void JointSensors::measure(const Stage& stage, PetscVec, double* values) const {
  if (parts_.empty()) return;
  if (!stage.lambda) throw std::logic_error("joint sensors need multipliers, but none were given");
  std::fill_n(values, columns().size(), 0.0);
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values);
  for (const auto& [family, parts] : parts_) {
    const std::vector<double> slots = system_.family_forces(static_cast<std::size_t>(family), stage);
    for (const Part& part : parts) add_part(part, slots, config.data(), values);
  }
  for (const Probe& probe : probes_) add_work(probe, values);
}

}  // namespace sinew
