#include "kernels/elements/solid_point.hpp"
#include "kernels/material/stress.hpp"
#include "model/cell_place.hpp"
#include "partition/exchange.hpp"
#include "system/sensor_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

const SolidPointEntry* find_solid_point(const std::string& family) {
  for (const SolidPointEntry& entry : registered_solid_points())
    if (entry.family == family) return &entry;
  return nullptr;
}

}  // namespace

SolidPointSensors::SolidPointSensors(const Model& model, const System& system) : model_(model), system_(system) {
  for (const auto& family : system.families()) kinds_.push_back(find_solid_point(family->name()));
}

/// The element of this rank that the place lies in, or is nearest to.
SolidPointSensors::Probe SolidPointSensors::search(const InstanceRef& body, const Vec3<double>& X, CellCandidate& least) const {
  const LocalModel& local = system_.local();
  Probe best;
  std::vector<Vec3<double>> x;
  for (std::size_t f = 0; f < kinds_.size(); ++f) {
    if (kinds_[f] == nullptr) continue;
    const FamilyData& data = system_.families()[f]->data();
    const int count = kinds_[f]->num_nodes;
    const CellShape shape = *shape_of_family(kinds_[f]->family);
    x.resize(static_cast<std::size_t>(count));
    const auto words = data.size > 0 ? data.params.size() / static_cast<std::size_t>(data.size) : 0;
    for (int e = 0; e < data.size; ++e) {
      const Origin& origin = local.families[f].origins[static_cast<std::size_t>(e)];
      if (origin.kind != OriginKind::body || origin.item != body.item || origin.instance != body.instance) continue;
      const double* params = data.params.data() + static_cast<std::size_t>(e) * words;
      for (int k = 0; k < count; ++k)  // the places of the nodes stand first
        x[static_cast<std::size_t>(k)] = {{params[k], params[count + k], params[2 * count + k]}};
      const CellPlace place = locate_in_cell(shape, x, X);
      CellCandidate here;
      here.excess = place.is_inside() ? 0.0 : place.excess;
      for (int k = 0; k < count; ++k)
        here.nodes[k] = local.node_id[static_cast<std::size_t>(data.nodes[static_cast<std::size_t>(e * count + k)])];
      std::sort(here.nodes, here.nodes + count);
      if (!(here < least)) continue;
      least = here;
      best.family = f;
      best.element = e;
      best.xi = vec3_at(place.xi.data());
      best.weights = shape_functions(shape, place.xi).values;
    }
  }
  return best;
}

void SolidPointSensors::add(const SensorInstance& sensor) {
  const PlaceRef ref = model_.place(*sensor.item->place, sensor.indices, true);
  const OneBody one{model_, ref.body.item, ref.body.instance};
  const Frame<double> frame = evaluate(one.item().body().meshed()->placement, one.indices()).frame;
  const Vec3<double> X = frame.x + frame.R * ref.point;
  CellCandidate mine;
  Probe probe = search(ref.body, X, mine);
  const int rank = rank_of_first(system_.local().comm, mine);
  if (rank < 0)
    refuse_sensor(model_, sensor,
                  fmt::format("'{}' lies outside of the solid '{}'", sensor.item->place->text,
                              model_.body_name(ref.body.item, ref.body.instance)));
  is_empty_ = false;
  if (rank != comm_rank(system_.local().comm)) return;
  probe.item = sensor.item;
  probe.start = X;
  probe.first_value = claim(sensor);
  probes_.push_back(std::move(probe));
}

/// What the point does, and the material in it.
void SolidPointSensors::write(const Probe& probe, const double* config, const double* z, const double* a, double* out) const {
  const LocalModel& local = system_.local();
  const FamilyData& data = system_.families()[probe.family]->data();
  const std::size_t count = probe.weights.size();
  std::vector<Vec3<double>> places;
  Vec3<double> x, v, acceleration;
  for (std::size_t k = 0; k < count; ++k) {
    const auto node = static_cast<std::size_t>(data.nodes[static_cast<std::size_t>(probe.element) * count + k]);
    places.push_back(vec3_at(config + local.config_offset[node]));
    x += probe.weights[k] * places.back();
    v += probe.weights[k] * vec3_at(z + local.dof[node]);
    if (a) acceleration += probe.weights[k] * vec3_at(a + local.dof[node]);
  }
  const auto words = data.params.size() / static_cast<std::size_t>(data.size);
  const MaterialPoint material = kinds_[probe.family]->measure(
      data.params.data() + static_cast<std::size_t>(probe.element) * words, places.data(), probe.xi);
  const auto put = [&out](const Vec3<double>& vector) { out = std::copy_n(vector.data, 3, out); };
  for (const RecordedQuantity& recorded : probe.item->record) {
    switch (recorded.quantity) {
      case Quantity::position: put(x); break;
      case Quantity::displacement: put(x - probe.start); break;
      case Quantity::velocity: put(v); break;
      case Quantity::acceleration: put(acceleration); break;
      case Quantity::stress: out = std::copy_n(material.stress, 6, out); break;
      case Quantity::strain: out = std::copy_n(material.strain, 6, out); break;
      case Quantity::von_mises: *out++ = von_mises(material.stress); break;
      default: break;
    }
  }
}

void SolidPointSensors::measure(const Stage& stage, PetscVec acceleration, double* values) const {
  if (is_empty_) return;
  system_.share({stage.z, acceleration}, {});
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values);
  const VecRead z(stage.z);
  const std::unique_ptr<VecRead> a = acceleration ? std::make_unique<VecRead>(acceleration) : nullptr;
  for (const Probe& probe : probes_) write(probe, config.data(), z.data(), a ? a->data() : nullptr, values + probe.first_value);
}

}  // namespace sinew
