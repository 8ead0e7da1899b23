#include "partition/find_signals.hpp"

#include "model/expression_switches.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace sinew {

namespace {

void add_signal(const Model& whole, const Expansion& expansion, LocalSignal signal, const SignalExpression& expression,
                LocalModel& model) {
  const bool is_actuator = signal.target == LocalSignal::Target::actuator;
  const Repeat& repeat = is_actuator ? whole.forces[signal.item].repeat : whole.controls[signal.item].repeat;
  const SignalOwner own{is_actuator ? SignalOwner::Kind::force : SignalOwner::Kind::control, {signal.item, signal.instance}};
  signal.flow = signal_flow(whole, expression, repeat.indices(signal.instance), own);
  signal.leaves = expansion.leaves(signal.flow.leaves);
  model.signals.push_back(std::move(signal));
}

/// Which steps of a flow depend on switches; the flow may grow.
class SwitchedSteps {
 public:
  explicit SwitchedSteps(const SignalFlow& flow) : flow_(flow) {}

  bool has(int step) {
    while (is_switched_.size() <= static_cast<std::size_t>(step)) {
      const SignalStep& next = flow_.steps[is_switched_.size()];
      const std::vector<SwitchMark> marks = mark_switches(*next.expression);
      is_switched_.push_back(std::any_of(marks.begin(), marks.end(), [](const SwitchMark& mark) { return mark.number >= 0; }) ||
                             std::any_of(next.variables.begin(), next.variables.end(),
                                         [this](int v) { return v < 0 && is_switched_[static_cast<std::size_t>(-1 - v)]; }));
    }
    return is_switched_[static_cast<std::size_t>(step)];
  }

 private:
  const SignalFlow& flow_;
  std::vector<bool> is_switched_;
};

/// Outputs that depend on switches are signals each for itself, as each is held on its pieces as long as it has a value there.
/// The others are one together: chains of them are not to be followed anew for each. What ends the run is asked about by itself.
void add_outputs(const Model& whole, const Expansion& expansion, const std::vector<ControlRecord>& controls, LocalModel& model) {
  SignalTracer all(whole), smooth(whole);
  SwitchedSteps switched(all.flow());
  LocalSignal together;
  std::size_t place = 0;
  for (const ControlRecord& c : controls) {
    const ControlItem& item = whole.controls[c.control];
    if (item.sampling) continue;
    for (int k = 0; k < static_cast<int>(item.outputs.size()); ++k, ++place) {
      const InstanceRef control{c.control, c.instance};
      const bool ends_run = item.name.text() == stop_condition;
      if (!switched.has(all.step_of_output(control, k)) && !ends_run) {
        together.outputs.push_back({place, smooth.step_of_output(control, k)});
        continue;
      }
      LocalSignal signal;
      signal.item = c.control;
      signal.instance = c.instance;
      signal.number = ends_run ? -1 : k;
      add_signal(whole, expansion, std::move(signal), item.outputs[static_cast<std::size_t>(k)].value, model);
      const auto last = static_cast<int>(model.signals.back().flow.steps.size()) - 1;
      model.signals.back().outputs.push_back({place, last});
    }
  }
  if (together.outputs.empty()) return;
  together.flow = std::move(smooth.flow());
  together.leaves = expansion.leaves(together.flow.leaves);
  model.signals.push_back(std::move(together));
}

/// States first, then outputs, as the control remembers them.
void add_samples(const Model& whole, const Expansion& expansion, const ControlRecord& c, LocalModel& model) {
  const ControlItem& item = whole.controls[c.control];
  const InstanceRef self{c.control, c.instance};
  const Indices indices = item.repeat.indices(c.instance);
  SignalTracer tracer(whole);
  LocalSignal signal;
  signal.target = LocalSignal::Target::sample;
  signal.item = c.control;
  signal.instance = c.instance;
  for (const ControlState& state : item.states)
    signal.outputs.push_back({signal.outputs.size(), tracer.step(state.law, indices, {SignalOwner::Kind::control, self})});
  for (int k = 0; k < static_cast<int>(item.outputs.size()); ++k)
    signal.outputs.push_back({signal.outputs.size(), tracer.step_of_output(self, k)});
  signal.flow = std::move(tracer.flow());
  signal.leaves = expansion.leaves(signal.flow.leaves);
  const auto& [period, offset] = *item.sampling;
  model.samplers.push_back({model.signals.size(), period.value(indices), offset.value(indices), -1});
  model.signals.push_back(std::move(signal));
}

}  // namespace

void find_signals(const Model& whole, const Expansion& expansion, const std::vector<ElementRecord>& elements,
                  const std::vector<ControlRecord>& controls, LocalModel& model) {
  for (const ElementRecord& e : elements) {
    if (e.origin.kind != OriginKind::force || !whole.forces[e.origin.item].feedback) continue;
    LocalSignal signal;
    signal.target = LocalSignal::Target::actuator;
    signal.item = e.origin.item;
    signal.instance = e.origin.instance;
    add_signal(whole, expansion, std::move(signal), *whole.forces[e.origin.item].feedback, model);
  }
  for (const ControlRecord& c : controls) {
    if (whole.controls[c.control].sampling) continue;
    const std::vector<ControlState>& states = whole.controls[c.control].states;
    for (std::size_t k = 0; k < states.size(); ++k) {
      LocalSignal signal;
      signal.target = LocalSignal::Target::state;
      signal.item = c.control;
      signal.instance = c.instance;
      signal.number = static_cast<int>(k);
      add_signal(whole, expansion, std::move(signal), states[k].law, model);
    }
  }
  add_outputs(whole, expansion, controls, model);
  for (const ControlRecord& c : controls)
    if (whole.controls[c.control].sampling) add_samples(whole, expansion, c, model);
}

void place_signals(const Model& whole, LocalModel& model) {
  std::map<std::int64_t, int> dof_of_state;
  std::map<std::pair<int, std::int64_t>, int> first_dof;
  for (const LocalControl& c : model.controls) {
    first_dof[{c.control, c.instance}] = c.dof;
    for (int k = 0; k < c.num_states; ++k) dof_of_state[c.natural + k] = c.dof + k;
  }
  std::map<std::pair<int, std::int64_t>, std::pair<int, int>> actuators;
  for (std::size_t f = 0; f < model.families.size(); ++f)
    for (std::size_t e = 0; e < model.families[f].origins.size(); ++e) {
      const Origin& origin = model.families[f].origins[e];
      if (origin.kind == OriginKind::force && whole.forces[origin.item].feedback)
        actuators[{origin.item, origin.instance}] = {static_cast<int>(f), static_cast<int>(e)};
    }
  const auto place = [&model](PlaceProbe& probe) {
    for (int k = 0; k < probe.num_nodes; ++k) probe.node[k] = model.local_node(probe.natural[k]);
  };
  for (LocalRelative& relative : model.relatives)
    for (PlaceProbe& probe : relative.place) place(probe);
  for (LocalSampler& sampler : model.samplers) {
    const LocalSignal& signal = model.signals[sampler.signal];
    sampler.dof = first_dof.at({signal.item, signal.instance});
  }
  for (LocalSignal& signal : model.signals) {
    if (signal.target == LocalSignal::Target::actuator)
      std::tie(signal.family, signal.element) = actuators.at({signal.item, signal.instance});
    if (signal.target == LocalSignal::Target::state) signal.dof = first_dof.at({signal.item, signal.instance}) + signal.number;
    for (LocalLeaf& leaf : signal.leaves) {
      if (leaf.natural >= 0) leaf.dof = dof_of_state.at(leaf.natural);
      place(leaf.probe);
    }
  }
}

}  // namespace sinew
