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

}  // namespace

std::int64_t Model::num_bodies() const { return total_count(bodies); }
std::int64_t Model::num_joints() const { return total_count(joints); }
std::int64_t Model::num_forces() const { return total_count(forces); }
std::int64_t Model::num_controls() const { return total_count(controls) - (control_names.find(stop_condition) ? 1 : 0); }
std::int64_t Model::num_states() const {
  std::int64_t n = 0;
  for (const ControlItem& control : controls) n += control.num_states() * control.repeat.count();
  return n;
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
