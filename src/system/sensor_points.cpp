#include "model/inner_points.hpp"
#include "system/place_motion.hpp"
#include "system/sensor_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

bool is_accelerational(Quantity q) { return q == Quantity::acceleration || q == Quantity::angular_acceleration; }

Quaternion quaternion_at(const double* c) { return {c[0], c[1], c[2], c[3]}; }

}  // namespace

PointSensors::PointSensors(const Model& model, const SolidMeshes& meshes, const Numbering& numbering, const System& system)
    : model_(model), system_(system), expansion_(model, meshes, numbering) {}

void PointSensors::add(const SensorInstance& sensor) {
  const SensorItem& item = *sensor.item;
  const PlaceRef ref = model_.place(*item.place, sensor.indices, true);
  Probe probe;
  probe.item = &item;
  probe.where = expansion_.probe(ref);
  const bool is_mine = locate(probe.where);
  has_stations_ = has_stations_ || probe.where.num_nodes > 1;
  if (probe.where.kind == PlaceProbe::Kind::points)
    for (const RecordedQuantity& recorded : item.record)
      if (is_rotational(recorded.quantity))
        refuse_sensor(model_, sensor,
                      fmt::format("'{}' does not turn: it has no {}", item.place->text, quantity_name(recorded.quantity)));
  if (!is_mine) return;
  probe.first_value = claim(sensor);
  probes_.push_back(probe);
}

/// Fills in the local nodes; true if this rank evaluates the place: the owner of its first node, which has the others as ghosts.
bool PointSensors::locate(PlaceProbe& probe) const {
  const LocalModel& local = system_.local();
  if (probe.num_nodes == 0) return comm_rank(local.comm) == 0;
  for (int k = 0; k < probe.num_nodes; ++k) probe.node[k] = local.local_node(probe.natural[k]);
  return probe.node[0] >= 0 && probe.node[0] < local.num_owned_nodes;
}

PointSensors::Motion PointSensors::motion(const PlaceProbe& probe, const double* config, const double* z, const double* a) const {
  const LocalModel& local = system_.local();
  Motion m;
  if (probe.kind == PlaceProbe::Kind::ground) {
    m.x = probe.place;
    return m;
  }
  if (probe.kind == PlaceProbe::Kind::scalar) {
    m.angle = config[local.config_offset[probe.node[0]]];
    m.rate = z[local.dof[probe.node[0]]];
    return m;
  }
  if (probe.kind == PlaceProbe::Kind::points) {
    for (int k = 0; k < probe.num_nodes; ++k) {
      const int dof = local.dof[probe.node[k]];
      m.x += probe.weight[k] * vec3_at(config + local.config_offset[probe.node[k]]);
      m.v += probe.weight[k] * vec3_at(z + dof);
      if (a) m.a += probe.weight[k] * vec3_at(a + dof);
    }
    return m;
  }
  const int node = probe.node[0], dof = local.dof[node];
  const double* c = config + local.config_offset[node];
  const Frame<double> frame = frame_at(c);
  const Twist<double> twist = twist_at(z + dof);
  const Mat3<double>& R = frame.R;
  const Vec3<double>&omega = twist.omega, &s = probe.place;
  m.orientation = quaternion_at(c + 3);
  m.x = place_of(frame, s);
  m.v = place_velocity(frame, twist, s);
  m.omega = R * omega;
  if (!a) return m;
  const Vec3<double> alpha = vec3_at(a + dof + 3);
  m.a = vec3_at(a + dof) + R * (cross(alpha, s) + cross(omega, cross(omega, s)));
  m.alpha = R * alpha;  // (R omega)' = R alpha, since omega x omega = 0
  return m;
}

void PointSensors::measure(const Stage& stage, PetscVec acceleration, double* values) const {
  if (has_stations_) {
    system_.share({stage.z, acceleration}, {});
  }
  if (probes_.empty()) return;
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values);
  const VecRead z(stage.z);
  const std::unique_ptr<VecRead> a = acceleration ? std::make_unique<VecRead>(acceleration) : nullptr;
  for (const Probe& probe : probes_) {
    const Motion m = motion(probe.where, config.data(), z.data(), a ? a->data() : nullptr);
    double* out = values + probe.first_value;
    const auto put = [&out](const Vec3<double>& v) { out = std::copy_n(v.data, 3, out); };
    for (const RecordedQuantity& recorded : probe.item->record) {
      const Quantity q = recorded.quantity;
      if (is_accelerational(q) && !a) throw std::logic_error("a sensor needs accelerations, but none were given");
      switch (q) {
        case Quantity::position: put(m.x); break;
        case Quantity::displacement: put(m.x - probe.where.start); break;
        case Quantity::velocity: put(m.v); break;
        case Quantity::acceleration: put(m.a); break;
        case Quantity::angular_velocity: put(m.omega); break;
        case Quantity::angular_acceleration: put(m.alpha); break;
        case Quantity::orientation:
          *out++ = m.orientation.w;
          put(Vec3<double>{{m.orientation.x, m.orientation.y, m.orientation.z}});
          break;
        case Quantity::angle: *out++ = m.angle; break;
        case Quantity::rate: *out++ = m.rate; break;
        default: break;
      }
    }
  }
}

}  // namespace sinew
