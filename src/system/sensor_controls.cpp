#include "system/sensor_groups.hpp"

namespace sinew {

void ControlSensors::add(const SensorInstance& sensor) {
  const InstanceRef ref = model_.control(sensor.item->control, sensor.indices, sensor.item->of_mark);
  const ControlItem& control = model_.controls[static_cast<std::size_t>(ref.item)];
  const LocalModel& local = system_.local();
  const std::vector<std::string> names = column_names(model_, sensor);
  for (const std::string& name : names) has_outputs_ = has_outputs_ || control.state(name) < 0;
  for (int c = 0; c < local.num_owned_controls; ++c) {
    if (local.controls[c].control != ref.item || local.controls[c].instance != ref.instance) continue;
    for (std::size_t k = 0; k < names.size(); ++k) {
      Value value;
      const int state = control.state(names[k]), output = control.output(names[k]);
      if (state >= 0) value.dof = local.controls[c].dof + state;
      for (std::size_t s = 0; s < local.signals.size() && state < 0; ++s) {
        const LocalSignal& signal = local.signals[s];
        if (signal.target == LocalSignal::Target::output && signal.item == ref.item && signal.instance == ref.instance &&
            signal.number == output)
          value.signal = s;
      }
      claim_column(sensor.first_column + static_cast<std::int64_t>(k));
      values_.push_back(value);
    }
  }
}

void ControlSensors::measure(const Stage& stage, PetscVec /*acceleration*/, double* values) const {
  std::vector<double> signals;
  if (has_outputs_) signals = system_.signal_values(stage);
  const VecRead z(stage.z);
  for (const Value& value : values_) *values++ = value.dof >= 0 ? z[value.dof] : signals[value.signal];
}

}  // namespace sinew
