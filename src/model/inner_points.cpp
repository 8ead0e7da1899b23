#include "model/inner_points.hpp"

#include "model/resolve.hpp"

#include <algorithm>
#include <set>

namespace sinew {

namespace {

/// Does an expression of the model name the sensor?
bool is_read(const Model& model, const SensorItem& sensor) {
  const auto reads = [&](const SignalExpression& signal) {
    return std::any_of(signal.sources.begin(), signal.sources.end(), [&](const SignalSource& source) {
      return source.kind == SignalSource::Kind::sensor && source.name.key() == sensor.name.key();
    });
  };
  for (const auto* items : {&model.joints, &model.forces})
    for (const ConnectedItem& item : *items)
      if (item.feedback && reads(*item.feedback)) return true;
  for (const ControlItem& control : model.controls) {
    for (const ControlState& state : control.states)
      if (reads(state.law)) return true;
    for (const ControlOutput& output : control.outputs)
      if (reads(output.value)) return true;
  }
  return false;
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

bool needs_frame(const Model& model, const SensorItem& sensor) { return records_rotation(sensor) || is_read(model, sensor); }

namespace {

/// The numbers of the places on a body that `counts` tells, of a joint or force, or of a sensor that `asks` for them.
template <class Counts, class Asks>
std::vector<int> numbers_in_use(const Model& model, int body, const Counts& counts, const Asks& asks) {
  std::set<int> numbers;
  const auto add = [&](const PlaceItem& place, const Repeat& repeat) {
    if (place.kind != PlaceItem::Kind::body || place.body.key() != model.bodies[static_cast<std::size_t>(body)].name.key())
      return;
    for (std::int64_t k = 0; k < repeat.count(); ++k) {
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
  return numbers_in_use(
      model, body, [&](const PlaceRef& ref) { return is_inside_solid(model, ref); },
      [&](const SensorItem& sensor) { return needs_frame(model, sensor); });
}

std::vector<int> nodes_in_use(const Model& model, int body) {
  return numbers_in_use(
      model, body, [](const PlaceRef& ref) { return ref.anchor == Anchor::node; }, [](const SensorItem&) { return true; });
}

}  // namespace sinew
