#include "model/signal_flow.hpp"

#include "base/error.hpp"
#include "model/framed_number.hpp"
#include "model/measures.hpp"
#include "model/nearest_name.hpp"
#include "model/resolve.hpp"
#include "model/run_length.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

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

/// An expression that is being followed, with what its first sources are; the next one is where it leads just now.
struct OpenStep {
  const SignalExpression* signal = nullptr;
  SignalOwner own;
  SignalStep step;
  std::optional<OutputRef> output = {};  ///< whose expression it is; none: that of who asks
  const SignalSource& next() const { return signal->sources[step.variables.size()]; }
};

}  // namespace

/// Every output on the way becomes a step before those that use it. What is open is a list, not a recursion: chains of outputs
/// may be long.
class SignalTracer::Search {
 public:
  explicit Search(const Model& whole) : model(whole) {}

  MaybeFault add(const SignalExpression& signal, const Indices& indices, const SignalOwner& own) {
    open_.push_back({&signal, own, {&signal.value, indices, {}}});
    return follow();
  }

  MaybeFault add(const OutputRef& output) {
    if (steps_.count(output) > 0) return {};
    open(output);
    return follow();
  }

  int step(const OutputRef& output) const { return steps_.at(output); }

  std::vector<SignalLeaf> leaves(int step) {
    while (leaves_of_step_.size() <= static_cast<std::size_t>(step)) {
      const std::size_t number = leaves_of_step_.size();
      std::vector<int> found;
      is_found_.resize(flow.leaves.size(), 0);
      const auto add = [&](int leaf) {
        if (std::exchange(is_found_[static_cast<std::size_t>(leaf)], 1) == 0) found.push_back(leaf);
      };
      for (const int v : flow.steps[number].variables)
        if (v >= 0)
          add(v);
        else
          for (const int leaf : leaves_of_step_[static_cast<std::size_t>(-1 - v)]) add(leaf);
      for (const int leaf : found) is_found_[static_cast<std::size_t>(leaf)] = 0;
      leaves_of_step_.push_back(std::move(found));
    }
    std::vector<SignalLeaf> leaves;
    for (const int leaf : leaves_of_step_[static_cast<std::size_t>(step)])
      leaves.push_back(flow.leaves[static_cast<std::size_t>(leaf)]);
    return leaves;
  }

  const Model& model;
  SignalFlow flow;

 private:
  static constexpr int on_the_way = -1;  ///< instead of its step

  /// Follows what is open until nothing is. Of an output with a fault nothing is kept.
  MaybeFault follow() {
    while (!open_.empty()) {
      OpenStep& last = open_.back();
      if (last.step.variables.size() < last.signal->sources.size()) {
        if (auto wrong = find(last.next(), last.step.indices, last.own)) {
          for (const OpenStep& each : open_)
            if (each.output) steps_.erase(*each.output);
          open_.clear();
          return wrong;
        }
        continue;
      }
      const auto number = static_cast<int>(flow.steps.size());
      if (last.output) steps_[*last.output] = number;
      flow.steps.push_back(std::move(last.step));
      open_.pop_back();
      if (!open_.empty()) take(-1 - number);
    }
    return {};
  }

  void open(const OutputRef& output) {
    const ControlItem& control = model.controls[static_cast<std::size_t>(output.control.item)];
    const SignalExpression& signal = control.outputs[static_cast<std::size_t>(output.number)].value;
    const Indices indices = control.repeat.indices(output.control.instance);
    steps_[output] = on_the_way;
    open_.push_back({&signal, {SignalOwner::Kind::control, output.control}, {&signal.value, indices, {}}, output});
  }

  /// The variable that the next source of the last open expression is.
  void take(int variable) { open_.back().step.variables.push_back(variable); }

  static MaybeFault fault(const SignalSource& source, const std::string& message, const std::string& remedy = "") {
    return Fault{source.mark, "'" + source.text + "': " + message, remedy};
  }

  /// Takes the variable that a source is, or opens the output that it is.
  MaybeFault find(const SignalSource& source, const Indices& indices, const SignalOwner& own) {
    switch (source.kind) {
      case SignalSource::Kind::own_state: {
        const auto kind = own.kind == SignalOwner::Kind::force ? SignalLeaf::Kind::own : SignalLeaf::Kind::state;
        take_leaf({kind, own.item, {}, source.state});
        return {};
      }
      case SignalSource::Kind::sensor: return find_sensor(source, indices);
      default: return find_control(source, indices, own);
    }
  }

  void take_leaf(const SignalLeaf& leaf) { take(number_of(leaf)); }

  int number_of(const SignalLeaf& leaf) {
    const auto [known, is_new] =
        leaves_.insert({{leaf.kind, leaf.item.item, leaf.item.instance, leaf.quantity, leaf.component}, flow.leaves.size()});
    if (is_new) flow.leaves.push_back(leaf);
    return static_cast<int>(known->second);
  }

  /// A component along the axes of a frame: a step of its own, of what the sensor and that of its frame measure.
  void take_framed(const InstanceRef& sensor, Quantity quantity, const FramedNumber& number) {
    const InstanceRef frame{sensor.item - 1, sensor.instance};
    SignalStep step{&framed_expression(number.rule, number.component), {}, {}};
    const auto add = [&](const InstanceRef& of, Quantity each, int count) {
      for (int k = 0; k < count; ++k) step.variables.push_back(number_of({SignalLeaf::Kind::sensor, of, each, k}));
    };
    add(sensor, quantity, static_cast<int>(number.whole.size()));
    add(frame, Quantity::orientation, 4);
    if (number.rule == FrameRule::place) add(frame, Quantity::position, 3);
    flow.steps.push_back(std::move(step));
    take(-static_cast<int>(flow.steps.size()));
  }

  MaybeFault find_sensor(const SignalSource& source, const Indices& indices) {
    InstanceRef ref;
    if (auto missing = resolve_sensor(model, source.name, indices, source.mark, ref)) return missing;
    const SensorItem& sensor = model.sensors[static_cast<std::size_t>(ref.item)];
    if (sensor.kind == SensorKind::control)
      return fault(source, "this sensor looks at a control", "use control." + sensor.control.text() + " itself");
    std::vector<RecordedNumber> numbers;
    if (auto wrong = resolve_numbers(model, sensor, sensor.repeat.indices(ref.instance), numbers)) return wrong;
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
      return fault(
          source, "expressions may use sensors of type point and relative alone, and of these no accelerations or stress",
          "position, displacement, velocity, orientation and angular_velocity of a point sensor, angle and rate of one of a "
          "shaft, or a relative sensor");
    if (const FramedNumber framed = framed_number(number); sensor.has_frame && framed.rule != FrameRule::none)
      take_framed(ref, number.quantity, framed);
    else
      take_leaf({SignalLeaf::Kind::sensor, ref, number.quantity, number.component});
    return {};
  }

  /// What another control remembers is a leaf; at a sample its own outputs are those of that sample.
  MaybeFault find_control(const SignalSource& source, const Indices& indices, const SignalOwner& own) {
    InstanceRef ref;
    if (auto missing = resolve_control(model, source.name, indices, source.mark, ref)) return missing;
    const ControlItem& control = model.controls[static_cast<std::size_t>(ref.item)];
    const std::vector<std::string> known = control.signal_names();
    if (source.path.size() != 1)
      return fault(source, "which state or output of the control is meant?",
                   known.empty() ? "" : "write control." + source.name.text() + "." + known.back());
    const std::string& wanted = source.path.front();
    const int output = control.output(wanted);
    if (control.state(wanted) < 0 && output < 0)
      return fault(source, "the control has no state or output '" + wanted + "'",
                   wanted.find('{') == std::string::npos
                       ? suggestion(wanted, known)
                       : "braces stand in names of controls alone: give it a `repeat`, and write control.NAME{i}.x");
    const bool is_own = own.kind == SignalOwner::Kind::control && own.item == ref;
    const int remembered = is_own ? control.state(wanted) : control.remembered(wanted);
    if (remembered < 0) return find_output({ref, output});
    take_leaf({SignalLeaf::Kind::state, ref, {}, remembered});
    return {};
  }

  MaybeFault find_output(const OutputRef& output) {
    const auto known = steps_.find(output);
    if (known == steps_.end())
      open(output);
    else if (known->second != on_the_way)
      take(-1 - known->second);
    else
      return circle(output);
    return {};
  }

  /// The same words wherever the circle is entered: it begins with its first output.
  MaybeFault circle(const OutputRef& again) const {
    const auto first = std::find_if(open_.begin(), open_.end(), [&](const OpenStep& open) { return open.output == again; });
    std::vector<const OpenStep*> members;
    for (auto open = first; open != open_.end(); ++open) members.push_back(&*open);
    const auto before = [](const OpenStep* a, const OpenStep* b) { return *a->output < *b->output; };
    std::rotate(members.begin(), std::min_element(members.begin(), members.end(), before), members.end());
    std::string way;
    for (const OpenStep* member : members) way += name_of(*member->output) + " -> ";
    return fault(members.front()->next(), "these outputs depend on themselves: " + way + name_of(*members.front()->output),
                 "let a state stand between them");
  }

  std::string name_of(const OutputRef& output) const {
    const ControlItem& control = model.controls[static_cast<std::size_t>(output.control.item)];
    return model.control_name(output.control.item, output.control.instance) + "." +
           control.outputs[static_cast<std::size_t>(output.number)].name;
  }

  std::map<OutputRef, int> steps_;
  std::map<std::tuple<SignalLeaf::Kind, int, std::int64_t, Quantity, int>, std::size_t> leaves_;
  std::vector<OpenStep> open_;
  std::vector<std::vector<int>> leaves_of_step_;  ///< as far as they have been asked for
  std::vector<char> is_found_;                    ///< of leaves, while they are gathered
};

namespace {

void require_none(const Model& model, const MaybeFault& wrong) {
  if (wrong) throw InputError(format_error(model.source, *wrong));
}

}  // namespace

SignalTracer::SignalTracer(const Model& model) : search_(std::make_unique<Search>(model)) {}
SignalTracer::~SignalTracer() = default;

std::optional<Fault> SignalTracer::add(const SignalExpression& signal, const Indices& indices, const SignalOwner& own) {
  return search_->add(signal, indices, own);
}

std::optional<Fault> SignalTracer::add_output(const InstanceRef& control, int number) { return search_->add({control, number}); }

int SignalTracer::step(const SignalExpression& signal, const Indices& indices, const SignalOwner& own) {
  require_none(search_->model, add(signal, indices, own));
  return static_cast<int>(search_->flow.steps.size()) - 1;
}

int SignalTracer::step_of_output(const InstanceRef& control, int number) {
  require_none(search_->model, add_output(control, number));
  return search_->step({control, number});
}

SignalFlow& SignalTracer::flow() { return search_->flow; }

std::vector<SignalLeaf> SignalTracer::leaves(int step) { return search_->leaves(step); }

std::optional<Fault> resolve_signal(const Model& model, const SignalExpression& signal, const Indices& indices,
                                    const SignalOwner& own, SignalFlow& flow) {
  SignalTracer tracer(model);
  auto wrong = tracer.add(signal, indices, own);
  flow = std::move(tracer.flow());
  return wrong;
}

SignalFlow signal_flow(const Model& model, const SignalExpression& signal, const Indices& indices, const SignalOwner& own) {
  SignalFlow flow;
  require_none(model, resolve_signal(model, signal, indices, own, flow));
  return flow;
}

std::vector<Fault> check_control(const Model& model, int control, std::int64_t instance, SignalTracer& tracer) {
  const ControlItem& item = model.controls[static_cast<std::size_t>(control)];
  const Indices indices = item.repeat.indices(instance);
  const std::string suffix = item.repeat.is_single() ? "" : " for " + item.repeat.describe(instance);
  std::vector<Fault> faults;
  const auto note = [&](std::optional<Fault> wrong) {
    if (wrong) faults.push_back(std::move(*wrong));
  };
  if (item.sampling) {
    const auto& [period, offset] = *item.sampling;
    const auto require = [&](const Expression& time, bool is_right, const char* what) {
      if (!time.is_unreadable() && !is_right) faults.push_back({time.mark(), what + suffix, ""});
    };
    require(period, std::isfinite(period.value(indices)) && period.value(indices) > 0,
            "the time between two samples must be a finite number above 0");
    const bool is_run = model.analysis.type == AnalysisType::dynamic && period.value(indices) > 0;
    require(period, !is_run || model.analysis.end_time <= longest_run * period.value(indices),
            "the time between two samples is absurdly small: the run would take more than 1e10 steps");
    require(offset, std::isfinite(offset.value(indices)) && offset.value(indices) >= 0,
            "the time of the first sample must be a finite number, and not before the start");
  }
  for (const ControlState& state : item.states) {
    if (!state.initial.is_unreadable() && !std::isfinite(state.initial.value(indices)))
      faults.push_back({state.initial.mark(), "the initial value of '" + state.name + "' is not a finite number" + suffix, ""});
    if (state.size && !state.size->is_unreadable()) {
      const double size = state.size->value(indices);
      if (!(std::isfinite(size) && size > 0))
        faults.push_back({state.size->mark(), "the size of '" + state.name + "' must be a finite number above 0" + suffix, ""});
    }
    note(tracer.add(state.law, indices, {SignalOwner::Kind::control, {control, instance}}));
  }
  for (std::size_t k = 0; k < item.outputs.size(); ++k) note(tracer.add_output({control, instance}, static_cast<int>(k)));
  return faults;
}

}  // namespace sinew
