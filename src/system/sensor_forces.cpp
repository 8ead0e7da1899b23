#include "model/resolve.hpp"
#include "system/place_motion.hpp"
#include "system/sensor_groups.hpp"

#include <map>
#include <set>
#include <utility>

namespace sinew {

void ForceSensors::add(const SensorInstance& sensor) {
  const std::vector<RecordedNumber> numbers = recorded_numbers(model_, *sensor.item, sensor.indices);
  InstanceRef force;
  resolve_force(model_, sensor.item->force, sensor.indices, sensor.item->of_mark, force);
  has_feedback_ = has_feedback_ || model_.forces[static_cast<std::size_t>(force.item)].feedback.has_value();
  is_empty_ = false;
  if (here_.has(force)) wanted_[{force.item, force.instance}].push_back({sensor.first_column, numbers});
}

void ForceSensors::find_elements() {
  const LocalModel& local = system_.local();
  std::map<std::pair<int, std::int64_t>, int> signals;
  for (std::size_t s = 0; s < local.signals.size(); ++s)
    if (const LocalSignal& signal = local.signals[s]; signal.target == LocalSignal::Target::actuator)
      signals[{signal.item, signal.instance}] = static_cast<int>(s);
  std::set<std::pair<int, std::int64_t>> begun;
  for (std::size_t f = 0; f < local.families.size() && !wanted_.empty(); ++f)
    for (std::size_t e = 0; e < local.families[f].origins.size(); ++e) {
      const Origin& origin = local.families[f].origins[e];
      if (origin.kind != OriginKind::force) continue;
      const std::pair force(origin.item, origin.instance);
      const auto found = wanted_.find(force);
      if (found == wanted_.end()) continue;
      const auto signal = signals.find(force);
      const bool is_first = begun.insert(force).second;
      probes_.push_back({f, static_cast<int>(e), origin, is_first, signal == signals.end() ? -1 : signal->second, {}});
      for (const auto& [first_column, numbers] : found->second)
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          claim_column(first_column + static_cast<std::int64_t>(k));
          probes_.back().numbers.push_back(numbers[k].component);
        }
    }
  wanted_.clear();
  here_ = {};
}

/// What the force has exchanged since the start, told by its first element here; what single elements measure adds up.
double ForceSensors::exchanged(const Probe& probe, int number) const {
  if (!probe.is_first) return 0;
  const EnergyExchange share = system_.ledger().share(OriginKind::force, probe.origin.item, probe.origin.instance);
  return number == 0 ? share.work : share.dissipated;
}

/// Amounts of actuators as their expressions give them; loads as far as they are applied.
std::vector<double> ForceSensors::signals_of(const Probe& probe, const Stage& stage, const std::vector<double>& feedback) const {
  if (probe.signal >= 0) return {feedback[static_cast<std::size_t>(probe.signal)]};
  const double factor =
      system_.live_factor(probe.family, probe.origin) * (system_.is_load(probe.family) ? system_.load_factor() : 1.0);
  std::vector<double> signals{};
  for (const TimeValue& s : system_.signals(probe.origin, system_.clock(stage))) signals.push_back(factor * s.value);
  return signals;
}

void ForceSensors::measure(const Stage& stage, PetscVec /*acceleration*/, double* values) const {
  if (is_empty_) return;
  system_.share({stage.z}, {stage.lambda});
  std::vector<double> feedback;
  if (has_feedback_) feedback = system_.signal_values(stage);
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values);
  const VecRead z(stage.z), lambda(stage.lambda);
  const auto entries = all_families();
  std::vector<double> signals;
  for (const Probe& probe : probes_) {
    const FamilyEntry& entry = *entries[static_cast<std::size_t>(system_.local().families[probe.family].family)];
    const Family& family = *system_.families()[probe.family];
    const FamilyData& data = family.data();
    const int count = family.shape().nodes_per_element;
    std::vector<Frame<double>> frames;
    std::vector<Twist<double>> twists;
    for (int k = 0; k < count; ++k) {
      const int node = data.nodes[static_cast<std::size_t>(probe.element) * count + k];
      frames.push_back(node_frame(system_.local(), node, config.data()));
      twists.push_back(node_twist(system_.local(), node, z.data()));
    }
    if (&probe == probes_.data() || !(probe.origin == (&probe - 1)->origin)) signals = signals_of(probe, stage, feedback);
    const double* params = family.params_of(probe.element);
    const bool reads = entry.shape.num_multipliers > 0;
    const double* multipliers = reads ? lambda.data() + data.rows[static_cast<std::size_t>(probe.element)] : nullptr;
    std::vector<double> all;
    if (entry.measure)
      all = entry.measure({params, signals.data(), frames.data(), twists.data(), multipliers, family.params_per_element()});
    const auto measured = static_cast<int>(all.size());
    for (const int number : probe.numbers)
      *values++ = number < measured ? all[static_cast<std::size_t>(number)] : exchanged(probe, number - measured);
  }
}

}  // namespace sinew
