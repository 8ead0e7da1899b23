#include "model/signal_flow.hpp"

#include "base/error.hpp"
#include "model/measures.hpp"
#include "model/nearest_name.hpp"
#include "model/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sinew {

namespace {

using MaybeFault = std::optional<Fault>;

/// An output of one control.
struct OutputRef {
  InstanceRef control;
  int number = 0;
  bool operator==(const OutputRef&) const = default;
  bool operator<(const OutputRef& o) const {
    return std::tie(control.item, control.instance, number) < std::tie(o.control.item, o.control.instance, o.number);
  }
};

/// An output whose expression is being followed, and where that leads just now.
struct OpenOutput {
  OutputRef output;
  const SignalSource* source = nullptr;
};

/// Follows one expression; every output on the way becomes a step before those that use it.
class Tracer {
 public:
  Tracer(const Model& model, SignalFlow& flow) : model_(model), flow_(flow) {}

  MaybeFault add_step(const SignalExpression& signal, const Indices& indices, const SignalOwner& own) {
    SignalStep step{&signal.value, indices, {}};
    for (const SignalSource& source : signal.sources) {
      int variable = 0;
      if (auto wrong = find(source, indices, own, variable)) return wrong;
      step.variables.push_back(variable);
    }
    flow_.steps.push_back(std::move(step));
    return {};
  }

 private:
  static MaybeFault fault(const SignalSource& source, const std::string& message, const std::string& remedy = "") {
    return Fault{source.mark, "'" + source.text + "': " + message, remedy};
  }

  MaybeFault find(const SignalSource& source, const Indices& indices, const SignalOwner& own, int& variable) {
    switch (source.kind) {
      case SignalSource::Kind::own_state: {
        const auto kind = own.kind == SignalOwner::Kind::force ? SignalLeaf::Kind::own : SignalLeaf::Kind::state;
        variable = leaf({kind, own.item, {}, source.state});
        return {};
      }
      case SignalSource::Kind::sensor: return find_sensor(source, indices, variable);
      default: return find_control(source, indices, variable);
    }
  }

  int leaf(const SignalLeaf& wanted) {
    const auto found = std::find(flow_.leaves.begin(), flow_.leaves.end(), wanted);
    const auto number = static_cast<int>(found - flow_.leaves.begin());
    if (found == flow_.leaves.end()) flow_.leaves.push_back(wanted);
    return number;
  }

  MaybeFault find_sensor(const SignalSource& source, const Indices& indices, int& variable) {
    InstanceRef ref;
    if (auto missing = resolve_sensor(model_, source.name, indices, source.mark, ref)) return missing;
    const SensorItem& sensor = model_.sensors[static_cast<std::size_t>(ref.item)];
    if (sensor.kind == SensorKind::control)
      return fault(source, "this sensor looks at a control", "use control." + sensor.control.text() + " itself");
    std::vector<RecordedNumber> numbers;
    if (auto wrong = resolve_numbers(model_, sensor, sensor.repeat.indices(ref.instance), numbers)) return wrong;
    std::vector<std::string> known;
    for (const RecordedNumber& number : numbers) known.push_back(number.name);
    std::string wanted;
    for (const std::string& part : source.path) wanted += (wanted.empty() ? "" : ".") + part;
    if (wanted.empty() && known.size() == 1) wanted = known.front();
    if (wanted.empty())
      return fault(source, "the sensor records " + std::to_string(known.size()) + " numbers",
                   known.empty() ? "" : "write sensor." + source.name.text() + "." + known.front());
    const auto found = std::find(known.begin(), known.end(), wanted);
    if (found == known.end() && (wanted.starts_with("acceleration") || wanted.starts_with("angular_acceleration")))
      return fault(source,
                   "expressions may use what follows from positions and velocities alone: accelerations follow from the "
                   "forces that they act on",
                   "take the velocity, or a filter of it as a control with a state");
    if (found == known.end()) return fault(source, "the sensor does not record '" + wanted + "'", suggestion(wanted, known));
    const RecordedNumber& number = numbers[static_cast<std::size_t>(found - known.begin())];
    if (!is_measurable(sensor.kind, number.quantity))
      return fault(source, "expressions may use what follows from positions and velocities alone, not this",
                   "position, displacement, velocity, orientation and angular_velocity of a point sensor, or a relative sensor");
    variable = leaf({SignalLeaf::Kind::sensor, ref, number.quantity, number.component});
    return {};
  }

  MaybeFault find_control(const SignalSource& source, const Indices& indices, int& variable) {
    InstanceRef ref;
    if (auto missing = resolve_control(model_, source.name, indices, source.mark, ref)) return missing;
    const ControlItem& control = model_.controls[static_cast<std::size_t>(ref.item)];
    const std::vector<std::string> known = control.signal_names();
    if (source.path.size() != 1)
      return fault(source, "which state or output of the control is meant?",
                   known.empty() ? "" : "write control." + source.name.text() + "." + known.back());
    const std::string& wanted = source.path.front();
    const int state = control.state(wanted), output = control.output(wanted);
    if (state < 0 && output < 0)
      return fault(source, "the control has no state or output '" + wanted + "'", suggestion(wanted, known));
    if (state >= 0) {
      variable = leaf({SignalLeaf::Kind::state, ref, {}, state});
      return {};
    }
    return find_output({ref, output}, source, variable);
  }

  MaybeFault find_output(const OutputRef& output, const SignalSource& source, int& variable) {
    const auto known = std::find(outputs_.begin(), outputs_.end(), output);
    if (known != outputs_.end()) {
      variable = -1 - steps_[static_cast<std::size_t>(known - outputs_.begin())];
      return {};
    }
    if (!open_.empty()) open_.back().source = &source;
    const auto again = std::find_if(open_.begin(), open_.end(), [&](const OpenOutput& open) { return open.output == output; });
    if (again != open_.end()) return circle({again, open_.end()});
    const ControlItem& control = model_.controls[static_cast<std::size_t>(output.control.item)];
    open_.push_back({output});
    if (auto wrong = add_step(control.outputs[static_cast<std::size_t>(output.number)].value,
                              control.repeat.indices(output.control.instance), {SignalOwner::Kind::control, output.control}))
      return wrong;
    open_.pop_back();
    outputs_.push_back(output);
    steps_.push_back(static_cast<int>(flow_.steps.size()) - 1);
    variable = -1 - steps_.back();
    return {};
  }

  /// The same words wherever the circle is entered: it begins with its first output.
  MaybeFault circle(std::vector<OpenOutput> members) const {
    const auto before = [](const OpenOutput& a, const OpenOutput& b) { return a.output < b.output; };
    std::rotate(members.begin(), std::min_element(members.begin(), members.end(), before), members.end());
    std::string way;
    for (const OpenOutput& member : members) way += name_of(member.output) + " -> ";
    return fault(*members.front().source, "these outputs depend on themselves: " + way + name_of(members.front().output),
                 "let a state stand between them");
  }

  std::string name_of(const OutputRef& output) const {
    const ControlItem& control = model_.controls[static_cast<std::size_t>(output.control.item)];
    return model_.control_name(output.control.item, output.control.instance) + "." +
           control.outputs[static_cast<std::size_t>(output.number)].name;
  }

  const Model& model_;
  SignalFlow& flow_;
  std::vector<OutputRef> outputs_;  ///< done
  std::vector<int> steps_;          ///< of those done
  std::vector<OpenOutput> open_;    ///< on the way
};

}  // namespace

std::optional<Fault> resolve_signal(const Model& model, const SignalExpression& signal, const Indices& indices,
                                    const SignalOwner& own, SignalFlow& flow) {
  flow = {};
  return Tracer(model, flow).add_step(signal, indices, own);
}

SignalFlow signal_flow(const Model& model, const SignalExpression& signal, const Indices& indices, const SignalOwner& own) {
  SignalFlow flow;
  if (const auto wrong = resolve_signal(model, signal, indices, own, flow)) throw InputError(format_error(model.source, *wrong));
  return flow;
}

std::vector<Fault> check_control(const Model& model, int control, std::int64_t instance) {
  const ControlItem& item = model.controls[static_cast<std::size_t>(control)];
  const Indices indices = item.repeat.indices(instance);
  const std::string suffix = item.repeat.is_single() ? "" : " for " + item.repeat.describe(instance);
  std::vector<Fault> faults;
  SignalFlow flow;
  const auto check = [&](const SignalExpression& signal) {
    if (auto wrong = resolve_signal(model, signal, indices, {SignalOwner::Kind::control, {control, instance}}, flow))
      faults.push_back(std::move(*wrong));
  };
  for (const ControlState& state : item.states) {
    if (!state.initial.is_unreadable() && !std::isfinite(state.initial.value(indices)))
      faults.push_back({state.initial.mark(), "the initial value of '" + state.name + "' is not a finite number" + suffix, ""});
    check(state.derivative);
  }
  for (const ControlOutput& output : item.outputs) check(output.value);
  return faults;
}

}  // namespace sinew
