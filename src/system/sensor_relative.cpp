#include "system/sensor_groups.hpp"

namespace sinew {

RelativeSensors::RelativeSensors(const Model& model, const System& system) : model_(model), system_(system) {
  for (int k = 0; k < system.local().num_recorded_relatives; ++k) {
    const LocalRelative& relative = system.local().relatives[static_cast<std::size_t>(k)];
    known_[{relative.sensor, relative.instance}].push_back(k);
  }
}

void RelativeSensors::add(const SensorInstance& sensor) {
  const auto found = known_.find({static_cast<int>(sensor.item - model_.sensors.data()), sensor.instance});
  if (found == known_.end()) return;
  const std::vector<int>& coordinates = found->second;
  std::int64_t column = sensor.first_column;
  for (const RecordedNumber& number : recorded_numbers(model_, *sensor.item, sensor.indices)) {
    const std::size_t k = static_cast<std::size_t>(number.component) % coordinates.size();
    const bool is_rate = static_cast<std::size_t>(number.component) >= coordinates.size();
    numbers_.push_back(static_cast<std::size_t>(coordinates[k] + (is_rate ? system_.local().num_recorded_relatives : 0)));
    claim_column(column++);
  }
}

void RelativeSensors::measure(const Stage& stage, PetscVec /*acceleration*/, double* values) const {
  const std::vector<double> all = system_.relative_values(stage);
  for (const std::size_t number : numbers_) *values++ = all[number];
}

}  // namespace sinew
