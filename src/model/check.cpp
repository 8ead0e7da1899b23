#include "model/check.hpp"

#include "base/error.hpp"
#include "kernels/sweep/registry.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "model/choices.hpp"
#include "model/framed_number.hpp"
#include "model/inner_points.hpp"
#include "model/instance_check.hpp"
#include "model/measures.hpp"
#include "model/nearest_name.hpp"
#include "model/resolve.hpp"
#include "model/shaft_places.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

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

/// Two places of what is connected: a joint or force between a body and itself holds or does nothing, and a gear between them
/// locks it.
void check_pair(const Model& model, const ConnectedItem& item, const PlaceRef& one, const PlaceRef& other, InstanceCheck& check) {
  if (one.is_ground && other.is_ground)
    return check.add(item.mark, "'" + item.name.text() + "' connects the ground with itself", "name a place of a body");
  if (one.is_ground || other.is_ground) return;
  const bool same = one.body.item == other.body.item && one.body.instance == other.body.instance;
  if (same && model.body_at(one.body.item).is_one_node(one, other))
    check.add(item.mark,
              "'" + item.name.text() + "' connects '" + model.body_name(one.body.item, one.body.instance) + "' with itself",
              "name places of two bodies");
}

/// Is it over as many places as the model file connects?
bool has_open_list(const ConnectedItem& item) {
  const FamilyEntry* entry = find_entry(registered_forces(), item.type);
  return entry && entry->shape.is_open;
}

void check_place_pairs(const Model& model, const ConnectedItem& item, const std::vector<PlaceRef>& refs, InstanceCheck& check) {
  if (refs.size() == 1 && refs[0].is_ground)
    check.add(item.mark, "'" + item.name.text() + "' is fixed to the ground alone", "name a place of a body");
  if (has_open_list(item)) {  // a rope runs over several places of the ground, and twice over one body
    const bool is_held = std::all_of(refs.begin(), refs.end(), [](const PlaceRef& ref) { return ref.is_ground; });
    if (is_held) check.add(item.mark, "'" + item.name.text() + "' connects the ground with itself", "name a place of a body");
    return;
  }
  for (std::size_t i = 0; i < refs.size(); ++i)
    for (std::size_t j = i + 1; j < refs.size() && check.faults.empty(); ++j) check_pair(model, item, refs[i], refs[j], check);
}

/// Sensors look at places.
void check_has_place(const Model& model, const PlaceItem& place, const PlaceRef& ref, InstanceCheck& check) {
  if (is_scalar(model, ref))
    check.add(place.mark, "'" + place.text + "' is a shaft, which has an angle and no place",
              "record its angle and rate with a sensor of type point");
}

/// True where a sensor can measure a rotation.
bool can_turn(const Model& model, const PlaceRef& ref) {
  return !ref.is_ground && turns(model.body_at(ref.body.item).form_of(ref));
}

/// Is it a point of solids that lies elsewhere in each of them?
bool is_unlike_in_each(const Model& model, const PlaceRef& ref) {
  if (!is_inside_solid(model, ref)) return false;
  const BodyItem& body = model.bodies[static_cast<std::size_t>(ref.body.item)];
  const auto& coordinates = std::get<VectorExpression>(body.points[static_cast<std::size_t>(ref.node)].place);
  return std::any_of(coordinates.begin(), coordinates.end(), [](const Expression& x) { return x.uses_indices(); });
}

/// What has a frame in a solid is found once for all bodies of a repeat.
void check_inner_place(const Model& model, const PlaceItem& place, const PlaceRef& ref, InstanceCheck& check) {
  if (is_unlike_in_each(model, ref))
    check.add(place.mark, "'" + place.text + "' lies elsewhere in each of the solids that repeat",
              "sensors of positions and stress alone can look there; make solids of their own, or points with fixed coordinates");
}

}  // namespace

std::string inertia_fault(const Mat3<double>& inertia, bool of_a_body) {
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
  constexpr double rounded = 0.01;  // each of three digits may be off by half a hundredth
  if (of_a_body && values[2] > (values[0] + values[1]) * (1 + rounded))
    return "no body has this inertia: the largest principal value exceeds the sum of the others (" + list + ")";
  return "";
}

std::vector<Fault> check_body(const Model& model, const BodyItem& item, std::int64_t instance) {
  InstanceCheck check(item.repeat, instance);
  const int body = static_cast<int>(&item - model.bodies.data());
  item.body().check({model, body, instance}, check);
  check_points(item, check);
  return std::move(check.faults);
}

namespace {

/// Velocities and accelerations at the start follow from the derivatives of what is prescribed: both of a position, the first of
/// a velocity. Where nothing moves they are not asked for.
void check_derivatives(const Model& model, const ConnectedItem& item, InstanceCheck& check) {
  const FamilyEntry* joint = find_entry(registered_joints(), item.type);
  if (model.analysis.type != AnalysisType::dynamic || !joint || joint->shape.num_signals == 0) return;
  for (const Expression& signal : item.signals) {
    if (signal.is_unreadable()) continue;
    const TimeValue start = signal.at(0.0, check.indices);
    const bool needs_second = joint->shape.position_rows > 0;
    if (!std::isfinite(start.value) || (std::isfinite(start.rate) && (!needs_second || std::isfinite(start.acceleration))))
      continue;
    check.add(signal.mark(),
              std::string("the ") + (std::isfinite(start.rate) ? "second" : "first") + " derivative of '" + signal.text() +
                  "' is not a finite number at t = 0",
              "let the motion begin smoothly, or give its first moments another piece: t < 1e-3 ? ... : ...");
  }
}

}  // namespace

std::vector<Fault> check_fields(const Model& model, const ConnectedItem& item, std::int64_t instance) {
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
  check_derivatives(model, item, check);
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
    if (auto fault = resolve_place(model, item, k, check.indices, refs[k])) check.add(std::move(*fault));
  for (std::size_t k = 0; check.faults.empty() && k < item.places.size(); ++k)
    check_inner_place(model, item.places[k], refs[k], check);
  if (check.faults.empty()) check_shaft_places(model, item, refs, check);
  if (check.faults.empty()) check_place_pairs(model, item, refs, check);
  return std::move(check.faults);
}

namespace {

/// The two places of a relative sensor, and the directions that are measured there.
void check_between(const Model& model, const SensorItem& sensor, InstanceCheck& check) {
  const auto require_direction = [&](const VectorExpression& d, const char* what) {
    if (!check.all_finite(d, what)) return;
    if (norm(evaluate(d, check.indices)) == 0) check.add(d[0].mark(), std::string("the ") + what + " is the zero vector");
  };
  if (sensor.axis) require_direction(*sensor.axis, "axis");
  for (const VectorExpression& d : sensor.directions) require_direction(d, "direction");
  PlaceRef refs[2];
  for (std::size_t k = 0; k < sensor.between.size(); ++k) {
    if (auto fault = resolve_place(model, sensor.between[k], check.indices, true, refs[k])) return check.add(std::move(*fault));
    check_has_place(model, sensor.between[k], refs[k], check);
    check_inner_place(model, sensor.between[k], refs[k], check);
  }
  if (!sensor.between.empty() && refs[0].is_ground && refs[1].is_ground)
    check.add(sensor.of_mark, "sensor '" + sensor.name.text() + "' measures between two places of the ground",
              "name a place of a body");
}

/// Stress and strain are there in the points of solids alone, where turns are told by a frame of its own.
void check_material(const Model& model, const SensorItem& sensor, const PlaceRef& ref, InstanceCheck& check) {
  if (is_inside_solid(model, ref)) {
    const bool looks_into = std::any_of(sensor.record.begin(), sensor.record.end(),
                                        [](const RecordedQuantity& recorded) { return is_of_material(recorded.quantity); });
    if (looks_into && records_rotation(sensor))
      check.add(sensor.mark, "sensor '" + sensor.name.text() + "' records turns and stress or strain", "make two sensors of it");
    if (is_unlike_in_each(model, ref) && needs_frame(model, sensor)) check_inner_place(model, *sensor.place, ref, check);
    return;
  }
  for (const RecordedQuantity& recorded : sensor.record)
    if (is_of_material(recorded.quantity))
      check.add(sensor.place->mark,
                "'" + sensor.place->text + "' is no point of a solid: it has no " + quantity_name(recorded.quantity),
                "name a point under `points` of a solid");
}

/// Shafts have no place in space: no mass, no centre of mass, no momentum there.
void check_has_mass(const Model& model, const SensorItem& sensor, InstanceCheck& check) {
  const auto is_shaft = [&](int body) { return !model.body_at(body).is_in_space(); };
  bool has_others = false;
  for (int k = 0; sensor.bodies.empty() && k < static_cast<int>(model.bodies.size()); ++k)
    has_others = has_others || !is_shaft(k);
  for (const BodySelection& body : sensor.bodies) {
    InstanceRef ref;
    if (body.all_of >= 0) {
      has_others = has_others || !is_shaft(body.all_of);
    } else if (body.name.text() == "ground") {
      return check.add(body.mark, "sensor '" + sensor.name.text() + "' adds up the ground, which has no mass and does not move",
                       "name the bodies whose centre of mass and momentum are wanted");
    } else if (auto fault = resolve_body(model, body.name, check.indices, body.mark, ref)) {
      return check.add(std::move(*fault));
    } else {
      has_others = has_others || !is_shaft(ref.item);
    }
  }
  if (!has_others && !model.bodies.empty())
    check.add(sensor.mark,
              "sensor '" + sensor.name.text() + "' adds up shafts alone, which have no mass in space and no centre of it",
              "record the kinetic energy with type: energy, or the angle and the rate of a shaft-torque");
}

void check_fraction(const SensorItem& sensor, InstanceCheck& check) {
  if (!check.finite(sensor.at, "at")) return;
  const double at = sensor.at.value(check.indices);
  if (!(at >= 0 && at <= 1))
    check.add(sensor.at.mark(), "`at` must lie between 0 and 1, but is " + short_number(at),
              "it is a fraction of the arc length");
}

}  // namespace

std::optional<Fault> check_samples(const Model& model) {
  const Analysis& analysis = model.analysis;
  const bool is_dynamic = analysis.type == AnalysisType::dynamic;
  if (is_dynamic && analysis.initial != InitialValues::statics) return {};
  const std::string what = is_dynamic ? "a start at rest" : std::string("analysis '") + name_of(analysis.type) + "'";
  for (const ControlItem& control : model.controls)
    if (control.sampling)
      return Fault{
          control.mark,
          "control '" + control.name.text() + "' is sampled (it has a 'period'), which " + what + " cannot take into account",
          "write the law that acts all the time in its place, with derivative instead of next, or take it out"};
  return {};
}

namespace {

/// Does a sensor of a place record what a shaft has, and nothing else, where it is one, and none of it where it is not?
bool fits_shaft(const SensorItem& sensor, bool is_shaft) {
  return std::all_of(sensor.record.begin(), sensor.record.end(),
                     [&](const RecordedQuantity& recorded) { return is_of_shaft(recorded.quantity) == is_shaft; });
}

}  // namespace

std::vector<Fault> check_sensor(const Model& model, const SensorItem& sensor, std::int64_t instance) {
  InstanceCheck check(sensor.repeat, instance);
  if (sensor.place) {
    PlaceRef ref;
    if (auto fault = resolve_place(model, *sensor.place, check.indices, true, ref)) {
      check.add(std::move(*fault));
    } else if (sensor.is_frame) {
      if (!ref.is_ground && !can_turn(model, ref))
        check.add(sensor.place->mark, "'" + sensor.place->text + "' does not turn: it has no axes",
                  "name a body that turns, or a place on one");
    } else if (const bool is_shaft = is_scalar(model, ref); !fits_shaft(sensor, is_shaft)) {
      check.add(sensor.place->mark,
                "'" + sensor.place->text + (is_shaft ? "' is a shaft, which has an angle and no place" : "' is no shaft"),
                is_shaft ? "record: [angle, rate]" : "angles of bodies: type: relative, or record: orientation");
    } else if (!can_turn(model, ref)) {
      for (const RecordedQuantity& recorded : sensor.record)
        if (is_rotational(recorded.quantity))
          check.add(sensor.place->mark,
                    "'" + sensor.place->text + "' does not turn: it has no " + quantity_name(recorded.quantity));
    }
    if (check.faults.empty()) check_material(model, sensor, ref, check);
  }
  std::vector<RecordedNumber> numbers;
  if (auto fault = resolve_numbers(model, sensor, check.indices, numbers)) check.add(std::move(*fault));
  const auto is_turned = [](const RecordedNumber& number) { return framed_number(number).rule != FrameRule::none; };
  if (sensor.has_frame && check.faults.empty() && !numbers.empty() && std::none_of(numbers.begin(), numbers.end(), is_turned))
    check.add(sensor.mark, "sensor '" + sensor.name.text() + "' has a frame, but records nothing that has a direction",
              "take the frame away");
  check_between(model, sensor, check);
  if (sensor.kind == SensorKind::section) check_fraction(sensor, check);
  if (sensor.kind == SensorKind::system) check_has_mass(model, sensor, check);
  return std::move(check.faults);
}

namespace {

/// Large repeats are looked at this far; a solid is hardly repeated more often.
constexpr std::int64_t max_group_checks = 10000;

/// The group of a solid that a place names but the solid's mesh has not; empty if all is well.
std::string missing_group(const Model& model, int body, const PlaceItem& place, const Repeat& repeat, bool is_loaded,
                          const GroupExists& exists) {
  const InstanceSpan near = instances_near(model, body, place, repeat);
  for (std::int64_t k = near.first; k < std::min(near.behind, near.first + max_group_checks); ++k) {
    PlaceRef ref;
    if (resolve_place(model, place, repeat.indices(k), false, ref)) continue;
    if (ref.body.item != body || ref.anchor != Anchor::group) continue;
    if (!exists(ref.group, 2) && (is_loaded || (!exists(ref.group, 1) && !exists(ref.group, 0)))) return ref.group;
  }
  return "";
}

}  // namespace

std::vector<Fault> check_groups(const Model& model, int body, const GroupExists& exists, const std::string& known) {
  std::vector<Fault> faults;
  const bool is_surface = model.body_at(body).meshed()->dimension() == 2;
  for (const SolidMaterial& material : model.body_at(body).meshed()->materials)
    if (!material.group.empty() && !exists(material.group, is_surface ? 2 : 3))
      faults.push_back({material.mark,
                        std::string("the mesh has no ") + (is_surface ? "surface" : "volume") + " group '" + material.group + "'",
                        "its groups: " + known});
  const auto look_at = [&](const PlaceItem& place, const Repeat& repeat, bool is_loaded) {
    const std::string missing = missing_group(model, body, place, repeat, is_loaded, exists);
    if (missing.empty()) return;
    const std::string kind = is_loaded ? "surface group" : "surface, curve or point group";
    if (exists(missing, 3))
      return faults.push_back({place.mark, "place '" + place.text + "' is a volume of the mesh, which carries a material",
                               "joints, forces and sensors take hold of surfaces, curves and points; its groups: " + known});
    if (is_loaded && (exists(missing, 1) || exists(missing, 0)))
      return faults.push_back({place.mark, "place '" + place.text + "' is an edge or a point of the mesh, not a surface",
                               "a load of type force acts on its mean motion; its groups: " + known});
    faults.push_back(
        {place.mark, "place '" + place.text + "': the mesh has no " + kind + " '" + missing + "'", "its groups: " + known});
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      for (const PlaceItem& place : item.places) look_at(place, item.repeat, is_surface_load(item.type));
  for (const SensorItem& sensor : model.sensors) {
    if (sensor.place) look_at(*sensor.place, sensor.repeat, false);
    for (const PlaceItem& place : sensor.between) look_at(place, sensor.repeat, false);
  }
  return faults;
}

}  // namespace sinew
