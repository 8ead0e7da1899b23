#include "system/sensor_groups.hpp"

#include <cmath>

namespace sinew {

ControlSensors::ControlSensors(const Model& model, const System& system) : model_(model), system_(system) {
  const LocalModel& local = system_.local();
  std::size_t output = 0;
  for (int c = 0; c < local.num_owned_controls; ++c) {
    const LocalControl& control = local.controls[c];
    starts_[{control.control, control.instance}] = {control.dof, output};
    const ControlItem& item = model_.controls[static_cast<std::size_t>(control.control)];
    if (!item.sampling) output += item.outputs.size();
  }
}

void ControlSensors::add(const SensorInstance& sensor) {
  const InstanceRef ref = model_.control(sensor.item->control, sensor.indices, sensor.item->of_mark);
  const ControlItem& control = model_.controls[static_cast<std::size_t>(ref.item)];
  const std::vector<std::string> names = column_names(model_, sensor);
  for (const std::string& name : names) has_outputs_ = has_outputs_ || control.remembered(name) < 0;
  const auto start = starts_.find({ref.item, ref.instance});
  if (start == starts_.end()) return;
  for (std::size_t k = 0; k < names.size(); ++k) {
    Value value;
    const int remembered = control.remembered(names[k]);
    if (remembered >= 0) {
      value.dof = start->second.dof + remembered;
    } else {
      const auto output = static_cast<std::size_t>(control.output(names[k]));
      value.output = start->second.output + output;
      value.expression = &control.outputs[output].value.value;
    }
    claim_column(sensor.first_column + static_cast<std::int64_t>(k));
    values_.push_back(value);
  }
}

void ControlSensors::measure(const Stage& stage, PetscVec /*acceleration*/, double* values) const {
  std::vector<double> outputs;
  if (has_outputs_) outputs = system_.output_values(stage);
  const Expression* failed = nullptr;
  {
    const VecRead z(stage.z);
    for (const Value& value : values_) {
      *values++ = value.dof >= 0 ? z[value.dof] : outputs[value.output];
      if (value.dof < 0 && !std::isfinite(outputs[value.output]) && failed == nullptr) failed = value.expression;
    }
  }
  if (has_outputs_) system_.require_numbers(failed, stage.t);
}

}  // namespace sinew
