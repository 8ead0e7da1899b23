#include "model/choices.hpp"
#include "system/sensor_groups.hpp"

namespace sinew {

namespace {

/// Closer to the end of an element than this part of its length is at the beginning of the next one: rounding of `at`.
constexpr double same_place = 1e-9;

Vec3<double> three(const double* v) { return Vec3<double>{{v[0], v[1], v[2]}}; }

}  // namespace

void SectionSensors::add(const SensorInstance& sensor) {
  is_empty_ = false;
  const InstanceRef body = model_.body(sensor.item->body, sensor.indices, sensor.item->of_mark);
  const CableInstance cable = model_.cable(body.item, body.instance);
  CableStation station = cable.station(sensor.item->at.value(sensor.indices));
  if (station.xi > 1 - same_place && station.element + 1 < cable.num_elements) station = {station.element + 1, 0.0};
  const LocalModel& local = system_.local();
  const int first = local.local_node(numbering_.node(body.item, body.instance, 2 * station.element));
  if (first < 0 || first >= local.num_owned_nodes) return;
  const int family = element_family(name_in_file(model_.bodies[static_cast<std::size_t>(body.item)].kind()));
  Probe probe;
  probe.xi = station.xi;
  while (local.families[probe.family].family != family) ++probe.family;
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

void SectionSensors::measure(const Stage& stage, PetscVec /*acceleration*/, double* values) const {
  if (is_empty_) return;
  system_.share({stage.z}, {});
  const LocalModel& local = system_.local();
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values);
  const VecRead z(stage.z);
  const auto entries = all_families();
  for (const Probe& probe : probes_) {
    const FamilyEntry& entry = *entries[static_cast<std::size_t>(local.families[probe.family].family)];
    const FamilyData& data = system_.families()[probe.family]->data();
    const int count = entry.shape.nodes_per_element;
    std::vector<Vec3<double>> x, v;
    for (int k = 0; k < count; ++k) {
      const int node = data.nodes[static_cast<std::size_t>(probe.element) * count + k];
      x.push_back(three(config.data() + local.config_offset[node]));
      v.push_back(three(z.data() + local.dof[node]));
    }
    const double* params = data.params.data() + static_cast<std::ptrdiff_t>(probe.element) * entry.params_per_element;
    const std::vector<double> all = entry.measure_section({params, x.data(), v.data()}, probe.xi);
    for (const int number : probe.numbers) *values++ = all[static_cast<std::size_t>(number)];
  }
}

}  // namespace sinew
