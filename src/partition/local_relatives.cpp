#include "partition/local_relatives.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace sinew {

void find_relatives(const Model& model, const Expansion& expansion, LocalModel& local) {
  const auto is_owned = [&](std::int64_t node) {
    return std::binary_search(local.node_id.begin(), local.node_id.begin() + local.num_owned_nodes, node);
  };
  std::map<std::tuple<int, std::int64_t, int>, int> known;
  const auto add = [&](const LocalRelative& relative) {
    const auto [place, is_new] =
        known.insert({{relative.sensor, relative.instance, relative.number}, static_cast<int>(local.relatives.size())});
    if (is_new) local.relatives.push_back(relative);
    return place->second;
  };
  for (std::size_t s = 0; s < model.sensors.size(); ++s) {
    const SensorItem& sensor = model.sensors[s];
    for (std::int64_t k = 0; sensor.kind == SensorKind::relative && k < sensor.repeat.count(); ++k)
      for (const LocalRelative& relative : expansion.relatives(static_cast<int>(s), k))
        if (is_owned(relative.anchor())) add(relative);
  }
  local.num_recorded_relatives = static_cast<int>(local.relatives.size());
  for (LocalSignal& signal : local.signals)
    for (std::size_t l = 0; l < signal.leaves.size(); ++l) {
      const SignalLeaf& leaf = signal.flow.leaves[l];
      if (!expansion.is_relative(leaf)) continue;
      signal.leaves[l].relative = add(expansion.relative(leaf, signal.leaves[l].is_rate));
    }
}

}  // namespace sinew
