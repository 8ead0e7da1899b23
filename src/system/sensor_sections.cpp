#include "system/place_motion.hpp"
#include "system/sensor_groups.hpp"

namespace sinew {

SectionSensors::Place SectionSensors::place(const SensorInstance& sensor, const InstanceRef& body) const {
  const double at = sensor.item->at.value(sensor.indices);
  const LineBody& line = *model_.body_at(body.item).line();
  Place found;
  found.station = line.station_at({model_, body.item, body.instance}, at);
  if (found.station.xi > 1 - same_place && found.station.element + 1 < line.num_elements)
    found.station = {found.station.element + 1, 0.0};
  found.first_node = line.first_node(found.station.element);
  found.family = element_family(line.element_family());
  return found;
}

void SectionSensors::add(const SensorInstance& sensor) {
  is_empty_ = false;
  const InstanceRef body = model_.body(sensor.item->body, sensor.indices, sensor.item->of_mark);
  const Place where = place(sensor, body);
  const LocalModel& local = system_.local();
  const int first = local.local_node(numbering_.node(body.item, body.instance, where.first_node));
  if (first < 0 || first >= local.num_owned_nodes) return;
  Probe probe;
  probe.xi = where.station.xi;
  while (local.families[probe.family].family != where.family) ++probe.family;
  const FamilyData& data = system_.families()[probe.family]->data();
  const int count = system_.families()[probe.family]->shape().nodes_per_element;
  while (data.nodes[static_cast<std::size_t>(probe.element) * count] != first) ++probe.element;
  std::int64_t column = sensor.first_column;
  for (const RecordedNumber& number : recorded_numbers(model_, *sensor.item, sensor.indices)) {
    claim_column(column++);
    probe.numbers.push_back(number.component);
  }
  probes_.push_back(std::move(probe));
}

std::vector<double> SectionSensors::measured(const Probe& probe, const double* config, const double* z) const {
  const LocalModel& local = system_.local();
  const FamilyEntry& entry = *all_families()[static_cast<std::size_t>(local.families[probe.family].family)];
  const Family& family = *system_.families()[probe.family];
  const int count = entry.shape.nodes_per_element;
  const int* nodes = family.data().nodes.data() + static_cast<std::ptrdiff_t>(probe.element) * count;
  std::vector<Frame<double>> frames;
  std::vector<Twist<double>> twists;
  for (int k = 0; k < count; ++k) {
    frames.push_back(node_frame(local, nodes[k], config));
    twists.push_back(node_twist(local, nodes[k], z));
  }
  return entry.measure_section(
      {family.params_of(probe.element), nullptr, frames.data(), twists.data(), nullptr, family.params_per_element()}, probe.xi);
}

void SectionSensors::measure(const Stage& stage, PetscVec /*acceleration*/, double* values) const {
  if (is_empty_) return;
  system_.share({stage.z}, {});
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values);
  const VecRead z(stage.z);
  for (const Probe& probe : probes_) {
    const std::vector<double> all = measured(probe, config.data(), z.data());
    for (const int number : probe.numbers) *values++ = all[static_cast<std::size_t>(number)];
  }
}

}  // namespace sinew
