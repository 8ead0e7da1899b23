#include "partition/find_signals.hpp"

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
  signal.leaves = expansion.leaves(signal.flow);
  model.signals.push_back(std::move(signal));
}

}  // namespace

void find_signals(const Model& whole, const Expansion& expansion, const std::vector<ElementRecord>& elements,
                  const std::vector<ControlRecord>& controls, LocalModel& model) {
  using Target = LocalSignal::Target;
  for (const ElementRecord& e : elements) {
    if (e.origin.kind != OriginKind::force || !whole.forces[e.origin.item].feedback) continue;
    LocalSignal signal;
    signal.target = Target::actuator;
    signal.item = e.origin.item;
    signal.instance = e.origin.instance;
    add_signal(whole, expansion, std::move(signal), *whole.forces[e.origin.item].feedback, model);
  }
  for (const Target target : {Target::state, Target::output})
    for (const ControlRecord& c : controls) {
      const ControlItem& item = whole.controls[c.control];
      const std::size_t count = target == Target::state ? item.states.size() : item.outputs.size();
      for (std::size_t k = 0; k < count; ++k) {
        LocalSignal signal;
        signal.target = target;
        signal.item = c.control;
        signal.instance = c.instance;
        signal.number = static_cast<int>(k);
        add_signal(whole, expansion, std::move(signal),
                   target == Target::state ? item.states[k].derivative : item.outputs[k].value, model);
      }
    }
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
