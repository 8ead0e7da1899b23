#include "kernels/shape/hermite.hpp"
#include "partition/expand.hpp"

namespace sinew {

PlaceProbe Expansion::probe(const PlaceRef& ref) const {
  PlaceProbe probe;
  if (ref.is_ground) {
    probe.place = probe.start = ref.point;
    return probe;
  }
  if (ref.anchor != Anchor::station) {
    const NodePlace found = find(ref);
    probe.kind = found.place.can_turn ? PlaceProbe::Kind::frame : PlaceProbe::Kind::points;
    probe.num_nodes = 1;
    probe.natural[0] = found.node;
    probe.weight[0] = 1;
    probe.place = found.place.point;
    probe.start = found.place.position();
    return probe;
  }
  // r(xi) = sum H_k(xi) r_k over the positions and slopes of an element's two ends
  const CableInstance cable = model_.cable(ref.body.item, ref.body.instance);
  const int e = ref.station.element;
  probe.kind = PlaceProbe::Kind::points;
  probe.num_nodes = 4;
  CubicHermite::values(ref.station.xi, cable.element_length(e), probe.weight);
  const CableNode first = cable.node(e), second = cable.node(e + 1);
  const Vec3<double> at[4] = {first.x, first.slope, second.x, second.slope};
  for (int k = 0; k < 4; ++k) {
    probe.natural[k] = numbering_.node(ref.body.item, ref.body.instance, 2 * e + k);
    probe.start += probe.weight[k] * at[k];
  }
  return probe;
}

std::vector<LocalLeaf> Expansion::leaves(const SignalFlow& flow) const {
  std::vector<LocalLeaf> found;
  for (const SignalLeaf& leaf : flow.leaves) {
    LocalLeaf local;
    if (leaf.kind == SignalLeaf::Kind::state) {
      local.natural = numbering_.state(leaf.item.item, leaf.item.instance) + leaf.component;
    } else {
      const SensorItem& sensor = model_.sensors[static_cast<std::size_t>(leaf.item.item)];
      local.probe = probe(model_.place(*sensor.place, sensor.repeat.indices(leaf.item.instance), true));
    }
    found.push_back(std::move(local));
  }
  return found;
}

/// The nodes whose motion a signal depends on.
std::vector<std::int64_t> Expansion::watched_nodes(const SignalFlow& flow) const {
  std::vector<std::int64_t> nodes;
  for (const LocalLeaf& leaf : leaves(flow))
    nodes.insert(nodes.end(), leaf.probe.natural, leaf.probe.natural + leaf.probe.num_nodes);
  return nodes;
}

/// The states of a control live beside the first node that it watches.
void Expansion::add_control(int control, std::int64_t instance, Records& out) const {
  std::vector<std::int64_t> nodes;
  const ControlItem& item = model_.controls[static_cast<std::size_t>(control)];
  const auto watch = [&](const SignalExpression& signal) {
    for (const std::int64_t node : watched_nodes(signal_flow(model_, signal, item.repeat.indices(instance), {control, instance})))
      nodes.push_back(node);
  };
  for (const ControlState& state : item.states) watch(state.derivative);
  for (const ControlOutput& output : item.outputs) watch(output.value);
  const std::int64_t anchor = nodes.empty() ? 0 : nodes.front();
  out.controls.push_back({numbering_.state(control, instance), anchor, control, instance});
  for (const std::int64_t node : nodes) out.ties.emplace_back(anchor, node);
}

}  // namespace sinew
