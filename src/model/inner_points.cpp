#include "model/inner_points.hpp"

#include "model/resolve.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

namespace sinew {

namespace {

/// Keys of the sensors that expressions of the model name.
std::unordered_set<std::string> sensors_read(const Model& model) {
  std::unordered_set<std::string> keys;
  const auto add = [&](const SignalExpression& signal) {
    for (const SignalSource& source : signal.sources)
      if (source.kind == SignalSource::Kind::sensor) keys.insert(source.name.key());
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      if (item.feedback) add(*item.feedback);
  for (const ControlItem& control : model.controls) {
    for (const ControlState& state : control.states) add(state.law);
    for (const ControlOutput& output : control.outputs) add(output.value);
  }
  return keys;
}

}  // namespace

bool is_rotational(Quantity quantity) {
  return quantity == Quantity::orientation || quantity == Quantity::angular_velocity ||
         quantity == Quantity::angular_acceleration;
}

bool records_rotation(const SensorItem& sensor) {
  return std::any_of(sensor.record.begin(), sensor.record.end(),
                     [](const RecordedQuantity& recorded) { return is_rotational(recorded.quantity); });
}

bool needs_frame(const Model& model, const SensorItem& sensor) {
  return records_rotation(sensor) || sensors_read(model).contains(sensor.name.key());
}

namespace {

/// The numbers of the places on a body that `counts` tells, of a joint or force, or of a sensor that `asks` for them.
template <class Counts, class Asks>
std::vector<int> numbers_in_use(const Model& model, int body, const Counts& counts, const Asks& asks) {
  std::set<int> numbers;
  const auto add = [&](const PlaceItem& place, const Repeat& repeat) {
    const InstanceSpan near = instances_near(model, body, place, repeat);
    for (std::int64_t k = near.first; k < near.behind; ++k) {
      const PlaceRef ref = model.place(place, repeat.indices(k));
      if (ref.body.item == body && counts(ref)) numbers.insert(ref.node);
      const bool is_plain = place.tail != PlaceItem::Tail::node || place.node.is_constant();
      if (place.tail_name.is_plain() && place.body.is_plain() && is_plain) break;  // the same for all instances
    }
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      for (const PlaceItem& place : item.places) add(place, item.repeat);
  for (const SensorItem& sensor : model.sensors) {
    if (sensor.place && asks(sensor)) add(*sensor.place, sensor.repeat);
    for (const PlaceItem& place : sensor.between) add(place, sensor.repeat);
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace

std::vector<int> points_with_frames(const Model& model, int body) {
  const std::unordered_set<std::string> read = sensors_read(model);
  return numbers_in_use(
      model, body, [&](const PlaceRef& ref) { return is_inside_solid(model, ref); },
      [&](const SensorItem& sensor) { return records_rotation(sensor) || read.contains(sensor.name.key()); });
}

std::vector<int> nodes_in_use(const Model& model, int body) {
  return numbers_in_use(
      model, body, [](const PlaceRef& ref) { return ref.anchor == Anchor::node; }, [](const SensorItem&) { return true; });
}

}  // namespace sinew
