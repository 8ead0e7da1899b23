#include "model/check.hpp"

#include "base/error.hpp"
#include "model/measures.hpp"
#include "model/nearest_name.hpp"
#include "model/number_range.hpp"
#include "model/resolve.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

/// Checks of one instance, collected.
class InstanceCheck {
 public:
  InstanceCheck(const Repeat& repeat, std::int64_t instance)
      : indices(repeat.indices(instance)), suffix_(repeat.is_single() ? "" : " for " + repeat.describe(instance)) {}

  const Indices indices;
  std::vector<Fault> faults;

  void add(const SourceMark& mark, const std::string& message, const std::string& remedy = "") {
    faults.push_back({mark, message + suffix_, remedy});
  }
  void add(Fault fault) {
    fault.message += suffix_;
    faults.push_back(std::move(fault));
  }
  /// The number, which must be one to compute with; false after a fault, new or known.
  bool finite(const Expression& number, const char* what) {
    if (number.is_unreadable()) return false;
    const double value = number.value(indices);
    if (is_computable(value)) return true;
    if (std::isfinite(value))
      add(number.mark(), std::string(what) + " is " + short_number(value) + ", too large to compute with",
          "write it in other units");
    else
      add(number.mark(), std::string(what) + " is not a finite number",
          "look for a division by zero or a root of a negative number");
    return false;
  }
  template <class Numbers>
  bool all_finite(const Numbers& numbers, const char* what) {
    return std::all_of(numbers.begin(), numbers.end(), [&](const Expression& number) { return finite(number, what); });
  }
  void positive(const Expression& number, const char* what) {
    if (!finite(number, what) || number.value(indices) >= smallest_positive) return;
    if (number.value(indices) > 0)
      return add(number.mark(), std::string(what) + " is " + short_number(number.value(indices)) + ", absurdly small",
                 "write it in other units");
    add(number.mark(), std::string(what) + " must be positive, but is " + short_number(number.value(indices)));
  }
  void not_negative(const Expression& number, const char* what) {
    if (!finite(number, what) || number.value(indices) >= 0) return;
    add(number.mark(), std::string(what) + " must not be negative, but is " + short_number(number.value(indices)));
  }

 private:
  std::string suffix_;
};

/// Principal values of a symmetric matrix by Jacobi rotations.
std::array<double, 3> principal_values(Mat3<double> A) {
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        const double angle = 0.5 * std::atan2(2 * A(p, q), A(q, q) - A(p, p));
        Mat3<double> J = identity<double, 3>();
        J(p, p) = J(q, q) = std::cos(angle);
        J(p, q) = std::sin(angle);
        J(q, p) = -J(p, q);
        A = transpose(J) * A * J;
      }
  std::array<double, 3> values{A(0, 0), A(1, 1), A(2, 2)};
  std::sort(values.begin(), values.end());
  return values;
}

void check_orientation(const OrientationExpression& orientation, InstanceCheck& check) {
  if (!check.all_finite(orientation.numbers, "orientation")) return;
  std::vector<double> n;
  for (const Expression& number : orientation.numbers) n.push_back(number.value(check.indices));
  if (orientation.form == OrientationForm::axis_angle && n[0] == 0 && n[1] == 0 && n[2] == 0)
    check.add(orientation.mark, "the axis of the orientation is zero", "give its direction, like [0, 0, 1]");
  if (orientation.form == OrientationForm::quaternion) {
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
    if (std::fabs(length - 1) > 1e-3)
      check.add(orientation.mark, "the quaternion has length " + short_number(length) + ", not 1",
                "its order is [w, x, y, z], scalar first");
  }
  if (orientation.form == OrientationForm::matrix) {
    Mat3<double> R;
    for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = n[static_cast<std::size_t>(k)];
    const Mat3<double> error = transpose(R) * R - identity<double, 3>();
    double largest = 0;
    for (int k = 0; k < 9; ++k) largest = std::max(largest, std::fabs(error(k / 3, k % 3)));
    if (largest > 1e-3 || determinant(R) < 0)
      check.add(orientation.mark, "the matrix of the orientation is not a rotation",
                "its rows and columns are perpendicular unit vectors, right-handed");
  }
}

void check_placement(const Placement& placement, InstanceCheck& check) {
  check.all_finite(placement.position, "position");
  check_orientation(placement.orientation, check);
  check.all_finite(placement.velocity, "velocity");
  check.all_finite(placement.angular_velocity, "angular_velocity");
}

void check_shape(const Model& model, int body, std::int64_t instance, const RigidBodyItem& rigid, InstanceCheck& check) {
  check.not_negative(rigid.mass, "mass");  // massless frames are held by joints
  check_placement(rigid.placement, check);
  if (rigid.inertia.empty() || !check.all_finite(rigid.inertia, "inertia")) return;
  const std::string fault = inertia_fault(model.rigid_body(body, instance).inertia);
  if (!fault.empty()) check.add(rigid.inertia.front().mark(), fault, "it is taken about the centre of mass, in body axes");
}

void check_shape(const Model&, int, std::int64_t, const PointMassItem& mass, InstanceCheck& check) {
  check.positive(mass.mass, "mass");
  check.all_finite(mass.position, "position");
  check.all_finite(mass.velocity, "velocity");
}

void check_shape(const Model& model, int body, std::int64_t instance, const CableItem& cable, InstanceCheck& check) {
  for (const VectorExpression& point : cable.points)
    if (!check.all_finite(point, "point of the cable")) return;
  check.all_finite(cable.velocity, "velocity");
  check.all_finite(cable.angular_velocity, "angular_velocity");
  if (cable.section < 0 || cable.points.size() < 2) return;
  const CableInstance numbers = model.cable(body, instance);
  for (std::size_t k = 0; k + 1 < numbers.points.size(); ++k)
    if (norm(numbers.points[k + 1] - numbers.points[k]) == 0)
      return check.add(cable.points[k + 1][0].mark(), cable.is_polyline ? "two neighbouring points of the cable coincide"
                                                                        : "the cable has no length: its ends coincide");
}

void check_shape(const Model&, int, std::int64_t, const SolidItem& solid, InstanceCheck& check) {
  check_placement(solid.placement, check);
}

/// What a beam has at places from 0 to 1, in rising order: of three or more, two inside may be one where it may jump.
template <class Item>
bool check_places(const std::vector<Item>& items, const char* what, bool may_jump, InstanceCheck& check) {
  if (items.size() < 2) return true;
  std::vector<double> at;
  for (const Item& item : items) {
    if (!check.finite(item.at, what)) return false;
    at.push_back(item.at.value(check.indices));
  }
  const std::string name = what;
  if (at.front() != 0 || at.back() != 1) {
    check.add(items.front().at.mark(), "`" + name + "` goes from " + short_number(at.front()) + " to " + short_number(at.back()),
              "it begins at 0 and ends at 1, the ends of the beam");
    return false;
  }
  for (std::size_t k = 1; k < at.size(); ++k) {
    const bool is_inside = k > 1 && k + 1 < at.size();
    const bool is_single = k < 2 || at[k] != at[k - 2];
    if (at[k] > at[k - 1] || (at[k] == at[k - 1] && may_jump && is_inside && is_single)) continue;
    check.add(items[k].at.mark(), "`" + name + "` names " + short_number(at[k]) + " after " + short_number(at[k - 1]),
              may_jump ? "places rise; one may stand twice, where the section jumps" : "places rise");
    return false;
  }
  return true;
}

void check_shape(const Model& model, int body, std::int64_t instance, const BeamItem& beam, InstanceCheck& check) {
  for (const VectorExpression& point : beam.points)
    if (!check.all_finite(point, "point of the beam")) return;
  if (beam.curve && !(check.all_finite(*beam.curve, "curve") && check.all_finite(beam.range, "range"))) return;
  if (beam.up && !check.all_finite(*beam.up, "up")) return;
  if (!check.finite(beam.twist, "twist")) return;
  for (const BeamTwistItem& one : beam.twists)
    if (!check.finite(one.angle, "twist")) return;
  if (!check_places(beam.sections, "section", true, check) || !check_places(beam.twists, "twist", false, check)) return;
  check.all_finite(beam.velocity, "velocity");
  check.all_finite(beam.angular_velocity, "angular_velocity");
  try {
    if (beam.num_elements > 0) BeamLine(beam, check.indices, 1);
    if (beam.num_elements > 0) beam_division(model.bodies[static_cast<std::size_t>(body)], instance);
  } catch (const InputError& fault) {
    check.add(model.bodies[static_cast<std::size_t>(body)].mark,
              "beam '" + model.body_name(body, instance) + "': " + fault.what());
  }
}

void check_points(const BodyItem& item, InstanceCheck& check) {
  for (const NamedPoint& point : item.points) {
    if (const auto* vector = std::get_if<VectorExpression>(&point.place)) {
      check.all_finite(*vector, "point");
      continue;
    }
    const Expression& fraction = std::get<Expression>(point.place);
    if (!check.finite(fraction, "at")) continue;
    const double value = fraction.value(check.indices);
    if (!(value >= 0 && value <= 1))
      check.add(fraction.mark(), "`at` must lie between 0 and 1, but is " + short_number(value),
                "it is a fraction of the length");
  }
}

void check_place_pair(const Model& model, const ConnectedItem& item, const std::vector<PlaceRef>& refs, InstanceCheck& check) {
  if (refs.size() == 1 && refs[0].is_ground)
    check.add(item.mark, "'" + item.name.text() + "' is fixed to the ground alone", "name a place of a body");
  if (refs.size() != 2) return;
  if (refs[0].is_ground && refs[1].is_ground)
    return check.add(item.mark, "'" + item.name.text() + "' connects the ground with itself", "name a place of a body");
  if (refs[0].is_ground || refs[1].is_ground) return;
  const bool same = refs[0].body.item == refs[1].body.item && refs[0].body.instance == refs[1].body.instance;
  const BodyKind kind = model.bodies[static_cast<std::size_t>(refs[0].body.item)].kind();
  if (same && (kind == BodyKind::rigid || kind == BodyKind::point_mass))
    check.add(
        item.mark,
        "'" + item.name.text() + "' connects '" + model.body_name(refs[0].body.item, refs[0].body.instance) + "' with itself",
        "name places of two bodies");
}

bool needs_rotation(Quantity quantity) {
  return quantity == Quantity::orientation || quantity == Quantity::angular_velocity ||
         quantity == Quantity::angular_acceleration;
}

/// True where a sensor can measure a rotation.
bool can_turn(const Model& model, const PlaceRef& ref) {
  if (ref.is_ground) return false;
  const BodyKind kind = model.bodies[static_cast<std::size_t>(ref.body.item)].kind();
  return kind == BodyKind::rigid || kind == BodyKind::beam || (kind == BodyKind::solid && ref.anchor == Anchor::group);
}

}  // namespace

std::string inertia_fault(const Mat3<double>& inertia) {
  double scale = 0, skewness = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      scale = std::max(scale, std::fabs(inertia(i, j)));
      skewness = std::max(skewness, std::fabs(inertia(i, j) - inertia(j, i)));
    }
  if (skewness > 1e-9 * scale) return "the inertia is not symmetric";
  const auto values = principal_values(inertia);
  const std::string list =
      "principal values " + short_number(values[0]) + ", " + short_number(values[1]) + ", " + short_number(values[2]);
  if (values[0] < -1e-12 * values[2] || values[2] < 0) return "the inertia is negative: " + list;
  if (values[2] > (values[0] + values[1]) * (1 + 1e-6))
    return "no body has this inertia: the largest principal value exceeds the sum of the others (" + list + ")";
  return "";
}

std::vector<Fault> check_body(const Model& model, const BodyItem& item, std::int64_t instance) {
  InstanceCheck check(item.repeat, instance);
  const int body = static_cast<int>(&item - model.bodies.data());
  std::visit([&](const auto& shape) { check_shape(model, body, instance, shape, check); }, item.shape);
  check_points(item, check);
  return std::move(check.faults);
}

std::vector<Fault> check_fields(const Model&, const ConnectedItem& item, std::int64_t instance) {
  InstanceCheck check(item.repeat, instance);
  for (const FieldExpression& field : item.fields) {
    if (!check.all_finite(field.numbers, field.name.c_str())) continue;
    const auto value = [&](const Expression& number) { return number.value(check.indices); };
    const bool zero = std::all_of(field.numbers.begin(), field.numbers.end(), [&](const Expression& n) { return value(n) == 0; });
    if (field.type == FieldType::direction && zero)
      check.add(field.mark, "'" + field.name + "' is the zero vector", "give its direction, like [0, 0, 1]");
    for (const Expression& number : field.numbers) {
      if (field.check == FieldCheck::positive) check.positive(number, field.name.c_str());
      if (field.check == FieldCheck::nonnegative && !(value(number) >= 0))
        check.add(number.mark(), field.name + " must not be negative, but is " + short_number(value(number)));
    }
  }
  for (const Expression& signal : item.signals)
    if (!signal.is_unreadable() && !std::isfinite(signal.value(check.indices)))
      check.add(signal.mark(), "'" + signal.text() + "' is not a finite number at t = 0");
  return std::move(check.faults);
}

std::vector<Fault> check_places(const Model& model, const ConnectedItem& item, std::int64_t instance) {
  InstanceCheck check(item.repeat, instance);
  std::vector<PlaceRef> refs;
  if (item.of) {
    if (auto fault = resolve_places(model, item, check.indices, refs)) check.add(std::move(*fault));
  }
  refs.resize(item.of ? refs.size() : item.places.size());
  for (std::size_t k = 0; k < item.places.size(); ++k)
    if (auto fault = resolve_place(model, item.places[k], check.indices, item.ground_is_origin, refs[k]))
      check.add(std::move(*fault));
  if (check.faults.empty()) check_place_pair(model, item, refs, check);
  return std::move(check.faults);
}

namespace {

/// The two places of a relative sensor.
void check_between(const Model& model, const SensorItem& sensor, InstanceCheck& check) {
  PlaceRef refs[2];
  for (std::size_t k = 0; k < sensor.between.size(); ++k) {
    if (auto fault = resolve_place(model, sensor.between[k], check.indices, true, refs[k])) return check.add(std::move(*fault));
    if (refs[k].is_ground || refs[k].anchor != Anchor::point) continue;
    if (model.bodies[static_cast<std::size_t>(refs[k].body.item)].kind() == BodyKind::solid)
      check.add(sensor.between[k].mark, "points inside a solid are not built yet", "name a surface group of its mesh");
  }
  if (!sensor.between.empty() && refs[0].is_ground && refs[1].is_ground)
    check.add(sensor.of_mark, "sensor '" + sensor.name.text() + "' measures between two places of the ground",
              "name a place of a body");
}

void check_fraction(const SensorItem& sensor, InstanceCheck& check) {
  if (!check.finite(sensor.at, "at")) return;
  const double at = sensor.at.value(check.indices);
  if (!(at >= 0 && at <= 1))
    check.add(sensor.at.mark(), "`at` must lie between 0 and 1, but is " + short_number(at),
              "it is a fraction of the arc length");
}

}  // namespace

std::vector<Fault> check_sensor(const Model& model, const SensorItem& sensor, std::int64_t instance) {
  InstanceCheck check(sensor.repeat, instance);
  if (sensor.place) {
    PlaceRef ref;
    if (auto fault = resolve_place(model, *sensor.place, check.indices, true, ref)) {
      check.add(std::move(*fault));
    } else if (!can_turn(model, ref)) {
      for (const RecordedQuantity& recorded : sensor.record)
        if (needs_rotation(recorded.quantity))
          check.add(sensor.place->mark,
                    "'" + sensor.place->text + "' does not turn: it has no " + quantity_name(recorded.quantity));
    }
  }
  InstanceRef ref;
  if (sensor.kind == SensorKind::joint)
    if (auto fault = resolve_joint(model, sensor.joint, check.indices, sensor.of_mark, ref)) check.add(std::move(*fault));
  std::vector<RecordedNumber> numbers;
  if (auto fault = resolve_numbers(model, sensor, check.indices, numbers)) check.add(std::move(*fault));
  check_between(model, sensor, check);
  if (sensor.kind == SensorKind::section) check_fraction(sensor, check);
  for (const BodySelection& body : sensor.bodies)
    if (body.all_of < 0)
      if (auto fault = resolve_body(model, body.name, check.indices, body.mark, ref)) check.add(std::move(*fault));
  return std::move(check.faults);
}

namespace {

/// Large repeats are looked at this far; a solid is hardly repeated more often.
constexpr std::int64_t max_group_checks = 10000;

/// The group of a solid that a place names but the solid's mesh has not; empty if all is well.
std::string missing_group(const Model& model, int body, const PlaceItem& place, const Repeat& repeat, const GroupExists& exists) {
  const NamePattern& name = model.bodies[static_cast<std::size_t>(body)].name;
  if (place.kind != PlaceItem::Kind::body || place.body.key() != name.key()) return "";
  for (std::int64_t k = 0; k < std::min(repeat.count(), max_group_checks); ++k) {
    PlaceRef ref;
    if (resolve_place(model, place, repeat.indices(k), false, ref)) continue;
    if (ref.body.item == body && ref.anchor == Anchor::group && !exists(ref.group, 2)) return ref.group;
  }
  return "";
}

}  // namespace

std::vector<Fault> check_groups(const Model& model, int body, const GroupExists& exists, const std::string& known) {
  std::vector<Fault> faults;
  const SolidItem& solid = std::get<SolidItem>(model.bodies[static_cast<std::size_t>(body)].shape);
  for (const SolidMaterial& material : solid.materials)
    if (!material.group.empty() && !exists(material.group, 3))
      faults.push_back({material.mark, "the mesh has no volume group '" + material.group + "'", "its groups: " + known});
  const auto look_at = [&](const PlaceItem& place, const Repeat& repeat) {
    const std::string missing = missing_group(model, body, place, repeat, exists);
    if (missing.empty()) return;
    faults.push_back(
        {place.mark, "place '" + place.text + "': the mesh has no surface group '" + missing + "'", "its groups: " + known});
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      for (const PlaceItem& place : item.places) look_at(place, item.repeat);
  for (const SensorItem& sensor : model.sensors) {
    if (sensor.place) look_at(*sensor.place, sensor.repeat);
    for (const PlaceItem& place : sensor.between) look_at(place, sensor.repeat);
  }
  return faults;
}

}  // namespace sinew
