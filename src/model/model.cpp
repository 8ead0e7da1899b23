#include "model/model.hpp"

#include "base/error.hpp"
#include "model/resolve.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

template <class Items>
std::int64_t total_count(const Items& items) {
  std::int64_t n = 0;
  for (const auto& item : items) n += item.repeat.count();
  return n;
}

/// Throws the fault, if there is one, as the reader would have reported it.
void require(const Model& model, const std::optional<Fault>& fault) {
  if (fault) throw InputError(format_error(model.source, *fault));
}

/// Angular velocity of a placement in body axes.
Vec3<double> local_rate(const Placement& placement, const Mat3<double>& R, const Indices& indices) {
  const Vec3<double> omega = evaluate(placement.angular_velocity, indices);
  return placement.angular_velocity_is_local ? omega : transpose_times(R, omega);
}

}  // namespace

int Model::cable_elements(int body) const {
  return std::get<CableItem>(bodies[static_cast<std::size_t>(body)].shape).num_elements;
}
int Model::line_elements(int body) const {
  const auto* beam = std::get_if<BeamItem>(&bodies[static_cast<std::size_t>(body)].shape);
  return beam ? beam->num_elements : cable_elements(body);
}
int Model::line_order(int body) const {
  const auto* beam = std::get_if<BeamItem>(&bodies[static_cast<std::size_t>(body)].shape);
  return beam ? beam->order : 1;
}
bool Model::has_eccentric_mass(int body) const {
  const auto* beam = std::get_if<BeamItem>(&bodies[static_cast<std::size_t>(body)].shape);
  if (!beam) return false;
  return std::any_of(beam->sections.begin(), beam->sections.end(), [this](const BeamStationItem& station) {
    const Section& section = sections[static_cast<std::size_t>(station.section)];
    return section.matrices && norm(first_moment(section.matrices->inertia)) > 0;
  });
}
std::int64_t Model::num_bodies() const { return total_count(bodies); }
std::int64_t Model::num_joints() const { return total_count(joints); }
std::int64_t Model::num_forces() const { return total_count(forces); }
std::int64_t Model::num_controls() const { return total_count(controls); }
std::int64_t Model::num_states() const {
  std::int64_t n = 0;
  for (const ControlItem& control : controls) n += control.num_states() * control.repeat.count();
  return n;
}

RigidBodyInstance Model::rigid_body(int body, std::int64_t instance) const {
  const BodyItem& item = bodies[static_cast<std::size_t>(body)];
  const RigidBodyItem& rigid = std::get<RigidBodyItem>(item.shape);
  const Indices indices = item.repeat.indices(instance);
  RigidBodyInstance result;
  result.mass = rigid.mass.value(indices);
  for (int k = 0; k < static_cast<int>(rigid.inertia.size()); ++k) {
    const double entry = rigid.inertia[static_cast<std::size_t>(k)].value(indices);
    if (rigid.inertia.size() == 3) {
      result.inertia(k, k) = entry;
    } else {
      result.inertia(k / 3, k % 3) = entry;
    }
  }
  result.frame.x = evaluate(rigid.placement.position, indices);
  result.frame.R = evaluate(rigid.placement.orientation, indices);
  result.twist.v = evaluate(rigid.placement.velocity, indices);
  result.twist.omega = local_rate(rigid.placement, result.frame.R, indices);
  result.frame.x = result.frame.x + result.frame.R * rigid.centre();
  result.twist.v = result.twist.v + result.frame.R * cross(result.twist.omega, rigid.centre());
  return result;
}

PointMassInstance Model::point_mass(int body, std::int64_t instance) const {
  const BodyItem& item = bodies[static_cast<std::size_t>(body)];
  const PointMassItem& mass = std::get<PointMassItem>(item.shape);
  const Indices indices = item.repeat.indices(instance);
  return {mass.mass.value(indices), evaluate(mass.position, indices), evaluate(mass.velocity, indices)};
}

CableInstance Model::cable(int body, std::int64_t instance) const {
  const BodyItem& item = bodies[static_cast<std::size_t>(body)];
  const CableItem& cable = std::get<CableItem>(item.shape);
  const Indices indices = item.repeat.indices(instance);
  const Section& section = sections[static_cast<std::size_t>(cable.section)];
  CableInstance result;
  result.num_elements = cable.num_elements;
  if (cable.material >= 0) {
    const Material& material = materials[static_cast<std::size_t>(cable.material)];
    result.axial_stiffness = material.youngs_modulus * section.area;
    result.bending_stiffness = material.youngs_modulus * section.iy;
    result.mass_per_length = material.density * section.area;
    result.damping_alpha = material.damping_alpha;
    result.damping_beta = material.damping_beta;
    result.viscosity = material.viscosity;
  }
  if (section.matrices) {
    result.axial_stiffness = section.matrices->stiffness(0, 0);
    result.bending_stiffness = section.matrices->stiffness(4, 4);
    result.mass_per_length = section.matrices->inertia(0, 0);
  }
  for (const VectorExpression& point : cable.points) result.points.push_back(evaluate(point, indices));
  result.velocity = evaluate(cable.velocity, indices);
  result.angular_velocity = evaluate(cable.angular_velocity, indices);
  return result;
}

BeamDivision Model::beam_division(int body, std::int64_t instance) const {
  const BodyItem& item = bodies[static_cast<std::size_t>(body)];
  try {
    return sinew::beam_division(item, instance);
  } catch (const InputError& fault) {
    throw InputError(format_error(source, {item.mark, "beam '" + body_name(body, instance) + "': " + fault.what(), ""}));
  }
}

BeamInstance Model::beam(int body, std::int64_t instance) const {
  const BodyItem& item = bodies[static_cast<std::size_t>(body)];
  const BeamItem& beam = std::get<BeamItem>(item.shape);
  const Indices indices = item.repeat.indices(instance);
  const Material* material = beam.material < 0 ? nullptr : &materials[static_cast<std::size_t>(beam.material)];
  BeamInstance result;
  result.division = beam_division(body, instance);
  for (const BeamStationItem& station : beam.sections)
    result.stations.push_back(
        {station.at.value(indices), beam_section(sections[static_cast<std::size_t>(station.section)], material)});
  if (material) {
    result.damping_alpha = material->damping_alpha;
    result.damping_beta = material->damping_beta;
  }
  try {
    result.line = BeamLine(beam, indices, 4 * result.division.num_nodes());
  } catch (const InputError& fault) {
    throw InputError(format_error(source, {item.mark, "beam '" + body_name(body, instance) + "': " + fault.what(), ""}));
  }
  result.velocity = evaluate(beam.velocity, indices);
  result.angular_velocity = evaluate(beam.angular_velocity, indices);
  return result;
}

SolidPlacement Model::solid_placement(int body, std::int64_t instance) const {
  const BodyItem& item = bodies[static_cast<std::size_t>(body)];
  const Placement& placement = std::get<SolidItem>(item.shape).placement;
  const Indices indices = item.repeat.indices(instance);
  SolidPlacement result;
  result.frame.x = evaluate(placement.position, indices);
  result.frame.R = evaluate(placement.orientation, indices);
  result.velocity = evaluate(placement.velocity, indices);
  result.angular_velocity = result.frame.R * local_rate(placement, result.frame.R, indices);
  return result;
}

PlaceRef Model::place(const PlaceItem& item, const Indices& indices, bool ground_is_origin) const {
  PlaceRef ref;
  require(*this, resolve_place(*this, item, indices, ground_is_origin, ref));
  return ref;
}

std::vector<PlaceRef> Model::places(const ConnectedItem& item, std::int64_t instance) const {
  std::vector<PlaceRef> refs;
  require(*this, resolve_places(*this, item, item.repeat.indices(instance), refs));
  return refs;
}

InstanceRef Model::joint(const NamePattern& name, const Indices& indices, const SourceMark& mark) const {
  InstanceRef ref;
  require(*this, resolve_joint(*this, name, indices, mark, ref));
  return ref;
}

InstanceRef Model::control(const NamePattern& name, const Indices& indices, const SourceMark& mark) const {
  InstanceRef ref;
  require(*this, resolve_control(*this, name, indices, mark, ref));
  return ref;
}

InstanceRef Model::body(const NamePattern& name, const Indices& indices, const SourceMark& mark) const {
  InstanceRef ref;
  require(*this, resolve_body(*this, name, indices, mark, ref));
  return ref;
}

FieldValues Model::fields(const ConnectedItem& item, std::int64_t instance) const {
  FieldValues values;
  const Indices indices = item.repeat.indices(instance);
  for (const FieldExpression& field : item.fields) {
    std::vector<double> numbers;
    for (const Expression& number : field.numbers) numbers.push_back(number.value(indices));
    if (field.type == FieldType::direction) {
      const double length = std::sqrt(numbers[0] * numbers[0] + numbers[1] * numbers[1] + numbers[2] * numbers[2]);
      for (double& number : numbers) number /= length;
    }
    values.set(field.name, std::move(numbers));
  }
  if (item.of && !item.inherited.empty()) {
    const InstanceRef of = joint(*item.of, indices, item.of_mark);
    const FieldValues theirs = fields(joints[static_cast<std::size_t>(of.item)], of.instance);
    for (const InheritedField& field : item.inherited)
      if (theirs.has(field.theirs)) values.set(field.name, theirs.at(field.theirs));
  }
  return values;
}

std::vector<TimeValue> signals_at(const ConnectedItem& item, std::int64_t instance, double t) {
  const Indices indices = item.repeat.indices(instance);
  std::vector<TimeValue> values;
  for (const Expression& signal : item.signals) values.push_back(signal.at(t, indices));
  return values;
}

}  // namespace sinew
