#include "kernels/elements/solid_point.hpp"
#include "kernels/material/stress.hpp"
#include "partition/exchange.hpp"
#include "system/sensor_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// A place counts as within an element if it lies no farther outside than this in its reference cell: rounding of coordinates in
/// a mesh file.
constexpr double allowed_excess = 1e-6;

Vec3<double> three(const double* v) { return Vec3<double>{{v[0], v[1], v[2]}}; }

const SolidPointEntry* find_solid_point(const std::string& family) {
  for (const SolidPointEntry& entry : registered_solid_points())
    if (entry.family == family) return &entry;
  return nullptr;
}

/// An element that a place may lie in, as ranks compare them: by how far the place lies outside, then by the nodes.
struct Candidate {
  double excess = 1e300;
  std::int64_t nodes[27] = {};
  bool operator<(const Candidate& other) const {
    if (excess != other.excess) return excess < other.excess;
    return std::lexicographical_compare(nodes, nodes + 27, other.nodes, other.nodes + 27);
  }
};

/// The box around an element's nodes, a tenth of its diagonal larger: quadratic edges bulge out of it.
bool is_near(const Vec3<double>& X, const double* x, int num_nodes) {
  double low[3], high[3], square = 0;
  for (int i = 0; i < 3; ++i) {
    const auto [least, most] = std::minmax_element(x + i * num_nodes, x + (i + 1) * num_nodes);
    low[i] = *least;
    high[i] = *most;
    square += (high[i] - low[i]) * (high[i] - low[i]);
  }
  const double margin = 0.1 * std::sqrt(square);
  for (int i = 0; i < 3; ++i)
    if (X[i] < low[i] - margin || X[i] > high[i] + margin) return false;
  return true;
}

}  // namespace

SolidPointSensors::SolidPointSensors(const Model& model, const System& system) : model_(model), system_(system) {
  for (const auto& family : system.families()) kinds_.push_back(find_solid_point(family->name()));
}

/// The element of this rank that the place lies in, or is nearest to.
SolidPointSensors::Probe SolidPointSensors::search(const InstanceRef& body, const Vec3<double>& X, double& excess,
                                                   std::int64_t (&nodes)[27]) const {
  const LocalModel& local = system_.local();
  Probe best;
  Candidate least;
  for (std::size_t f = 0; f < kinds_.size(); ++f) {
    if (kinds_[f] == nullptr) continue;
    const FamilyData& data = system_.families()[f]->data();
    const int count = kinds_[f]->num_nodes;
    const auto words = data.size > 0 ? data.params.size() / static_cast<std::size_t>(data.size) : 0;
    for (int e = 0; e < data.size; ++e) {
      const Origin& origin = local.families[f].origins[static_cast<std::size_t>(e)];
      if (origin.kind != OriginKind::body || origin.item != body.item || origin.instance != body.instance) continue;
      const double* params = data.params.data() + static_cast<std::size_t>(e) * words;
      if (!is_near(X, params, count)) continue;  // the places of the nodes stand first
      const CellPlace place = kinds_[f]->locate(params, X);
      Candidate here;
      here.excess = place.excess <= allowed_excess ? 0.0 : place.excess;
      for (int k = 0; k < count; ++k)
        here.nodes[k] = local.node_id[static_cast<std::size_t>(data.nodes[static_cast<std::size_t>(e * count + k)])];
      std::sort(here.nodes, here.nodes + count);
      if (!(here < least)) continue;
      least = here;
      best.family = f;
      best.element = e;
      best.xi = place.xi;
    }
  }
  excess = least.excess;
  std::copy_n(least.nodes, 27, nodes);
  return best;
}

void SolidPointSensors::add(const SensorInstance& sensor) {
  const PlaceRef ref = model_.place(*sensor.item->place, sensor.indices, true);
  const OneBody one{model_, ref.body.item, ref.body.instance};
  const Frame<double> frame = evaluate(one.item().body().meshed()->placement, one.indices()).frame;
  const Vec3<double> X = frame.x + frame.R * ref.point;
  Candidate mine;
  Probe probe = search(ref.body, X, mine.excess, mine.nodes);
  const std::vector<Candidate> all = gather_from_all(system_.local().comm, std::vector<Candidate>{mine});
  const auto best = std::min_element(all.begin(), all.end());
  if (best->excess > 0)
    refuse_sensor(model_, sensor,
                  fmt::format("'{}' lies outside of the solid '{}'", sensor.item->place->text,
                              model_.body_name(ref.body.item, ref.body.instance)));
  is_empty_ = false;
  if (static_cast<int>(best - all.begin()) != comm_rank(system_.local().comm)) return;
  probe.item = sensor.item;
  probe.start = X;
  probe.weights = kinds_[probe.family]->weights(probe.xi);
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
    places.push_back(three(config + local.config_offset[node]));
    x += probe.weights[k] * places.back();
    v += probe.weights[k] * three(z + local.dof[node]);
    if (a) acceleration += probe.weights[k] * three(a + local.dof[node]);
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
