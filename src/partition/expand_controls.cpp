#include "base/error.hpp"
#include "model/measures.hpp"
#include "partition/expand.hpp"

namespace sinew {

namespace {

PlaceProbe probe_of(const NodePlace& found) {
  PlaceProbe probe;
  probe.place = found.place.point;
  probe.start = found.place.position();
  if (found.place.is_ground) return probe;
  probe.kind = found.place.can_turn ? PlaceProbe::Kind::frame : PlaceProbe::Kind::points;
  probe.num_nodes = 1;
  probe.natural[0] = found.node;
  probe.weight[0] = 1;
  return probe;
}

}  // namespace

bool Expansion::is_relative(const SignalLeaf& leaf) const {
  if (leaf.kind == SignalLeaf::Kind::own) return true;
  return leaf.kind == SignalLeaf::Kind::sensor &&
         model_.sensors[static_cast<std::size_t>(leaf.item.item)].kind == SensorKind::relative;
}

PlaceProbe Expansion::probe(const PlaceRef& ref) const {
  PlaceProbe probe;
  if (ref.is_ground || ref.anchor != Anchor::station) {
    probe = probe_of(find(ref));
    if (!ref.is_ground && model_.body_at(ref.body.item).form_of(ref) == PlaceForm::scalar) probe.kind = PlaceProbe::Kind::scalar;
    return probe;
  }
  const InnerPlace inner = at_start(ref.body.item, ref.body.instance).inner_place(ref.station);
  probe.kind = PlaceProbe::Kind::points;
  probe.num_nodes = 4;
  probe.start = inner.start;
  for (int k = 0; k < 4; ++k) {
    probe.natural[k] = numbering_.node(ref.body.item, ref.body.instance, inner.nodes[k]);
    probe.weight[k] = inner.weights[k];
  }
  return probe;
}

std::vector<LocalLeaf> Expansion::leaves(const std::vector<SignalLeaf>& leaves) const {
  std::vector<LocalLeaf> found;
  for (const SignalLeaf& leaf : leaves) {
    LocalLeaf local;
    if (leaf.kind == SignalLeaf::Kind::state) {
      local.natural = numbering_.state(leaf.item.item, leaf.item.instance) + leaf.component;
    } else if (!is_relative(leaf)) {
      const SensorItem& sensor = model_.sensors[static_cast<std::size_t>(leaf.item.item)];
      local.probe = probe(model_.place(*sensor.place, sensor.repeat.indices(leaf.item.instance), true));
    }
    found.push_back(std::move(local));
  }
  return found;
}

/// Coordinates of two places by directions that they carry.
std::vector<RelativeCoordinate> Expansion::directed(const SensorItem& item, const Indices& indices) const {
  const auto unit = [&](const VectorExpression& direction) {
    const Vec3<double> d = evaluate(direction, indices);
    return (1 / norm(d)) * d;
  };
  Setup setup;
  for (const PlaceItem& item_place : item.between) {
    const PlaceRef ref = model_.place(item_place, indices, true);
    if (ref.is_ground || ref.anchor != Anchor::station) {
      setup.places.push_back(find(ref).place);
      continue;
    }
    Place point;  // inside an element of a line, where nothing turns
    point.frame.x = at_start(ref.body.item, ref.body.instance).inner_place(ref.station).start;
    point.can_turn = false;
    setup.places.push_back(point);
  }
  if (!item.axis) return {angle_between(setup, unit(item.directions[0]), unit(item.directions[1]))};
  const Vec3<double> axis = unit(*item.axis);
  if (!has_axes(setup.places[1])) return {along_axis(setup, axis)};
  return {angle_about(setup, axis), along_axis(setup, axis)};
}

std::vector<LocalRelative> Expansion::relatives(int sensor, std::int64_t instance) const {
  const SensorItem& item = model_.sensors[static_cast<std::size_t>(sensor)];
  const Indices indices = item.repeat.indices(instance);
  LocalRelative one;
  one.sensor = sensor;
  one.instance = instance;
  std::vector<RelativeCoordinate> coordinates(1);  // the distance of two places
  if (item.between.empty()) {
    InstanceRef ref;
    if (const auto wrong = resolve_measured_joint(model_, item, indices, ref))
      throw InputError(format_error(model_.source, *wrong));
    const JointItem& joint = model_.joints[static_cast<std::size_t>(ref.item)];
    const std::vector<NodePlace> found = places(joint, ref.instance);
    coordinates =
        all_families()[static_cast<std::size_t>(joint_family(joint.type))]->coordinates(setup(joint, ref.instance, found));
    for (std::size_t k = 0; k < 2; ++k) one.place[k] = probe_of(found[k]);
  }
  for (std::size_t k = 0; k < item.between.size(); ++k) one.place[k] = probe(model_.place(item.between[k], indices, true));
  if (item.axis || !item.directions.empty()) coordinates = directed(item, indices);
  std::vector<LocalRelative> all;
  for (const RelativeCoordinate& coordinate : coordinates) {
    one.coordinate = coordinate;
    one.number = static_cast<int>(all.size());
    all.push_back(one);
  }
  return all;
}

/// The one coordinate that a force has.
LocalRelative Expansion::own_coordinate(const InstanceRef& force) const {
  const ForceItem& item = model_.forces[static_cast<std::size_t>(force.item)];
  const std::vector<NodePlace> found = places(item, force.instance);
  LocalRelative one;
  one.sensor = -1 - force.item;
  one.instance = force.instance;
  one.coordinate =
      all_families()[static_cast<std::size_t>(force_family(item.type))]->coordinates(setup(item, force.instance, found)).at(0);
  for (std::size_t k = 0; k < 2; ++k) one.place[k] = probe_of(found[k]);
  return one;
}

/// Values stand before rates.
LocalRelative Expansion::relative(const SignalLeaf& leaf, bool& is_rate) const {
  if (leaf.kind == SignalLeaf::Kind::own) {
    is_rate = leaf.component == 1;
    return own_coordinate(leaf.item);
  }
  const std::vector<LocalRelative> all = relatives(leaf.item.item, leaf.item.instance);
  const auto count = static_cast<int>(all.size());
  is_rate = leaf.component >= count;
  return all.at(static_cast<std::size_t>(leaf.component % count));
}

/// The nodes whose motion a signal of these leaves depends on.
std::vector<std::int64_t> Expansion::watched_nodes(const std::vector<SignalLeaf>& leaves) const {
  std::vector<std::int64_t> nodes;
  const auto add = [&nodes](const PlaceProbe& probe) {
    nodes.insert(nodes.end(), probe.natural, probe.natural + probe.num_nodes);
  };
  for (const LocalLeaf& leaf : this->leaves(leaves)) add(leaf.probe);
  for (const SignalLeaf& leaf : leaves) {
    if (!is_relative(leaf)) continue;
    bool is_rate = false;
    const LocalRelative relative = this->relative(leaf, is_rate);
    for (const PlaceProbe& place : relative.place) add(place);
  }
  return nodes;
}

/// The natural numbers of the controls' states that a signal of these leaves depends on.
std::vector<std::int64_t> Expansion::read_states(const std::vector<SignalLeaf>& leaves) const {
  std::vector<std::int64_t> states;
  for (const SignalLeaf& leaf : leaves)
    if (leaf.kind == SignalLeaf::Kind::state)
      states.push_back(numbering_.state(leaf.item.item, leaf.item.instance) + leaf.component);
  return states;
}

/// The states of a control live beside the first node that it watches. One tracer serves all controls.
void Expansion::add_control(int control, std::int64_t instance, SignalTracer& tracer, Records& out) const {
  std::vector<std::int64_t> nodes, states;
  const ControlItem& item = model_.controls[static_cast<std::size_t>(control)];
  const InstanceRef self{control, instance};
  const auto watch = [&](int step) {
    const std::vector<SignalLeaf>& leaves = tracer.leaves(step);
    for (const std::int64_t node : watched_nodes(leaves)) nodes.push_back(node);
    for (const std::int64_t state : read_states(leaves)) states.push_back(state);
  };
  for (const ControlState& state : item.states)
    watch(tracer.step(state.law, item.repeat.indices(instance), {SignalOwner::Kind::control, self}));
  for (std::size_t k = 0; k < item.outputs.size(); ++k) watch(tracer.step_of_output(self, static_cast<int>(k)));
  const std::int64_t anchor = nodes.empty() ? -1 : nodes.front(), first = numbering_.state(control, instance);
  out.controls.push_back({first, anchor, control, instance});
  for (const std::int64_t node : nodes) out.ties.emplace_back(anchor, node);
  const std::int64_t reader = anchor < 0 && item.num_states() > 0 ? first : -1;
  for (const std::int64_t state : states)
    if (state < first || state >= first + item.num_states()) out.state_ties.push_back({state, anchor, reader});
}

}  // namespace sinew
