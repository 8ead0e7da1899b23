#include "kernels/joints/primitives.hpp"
#include "system/sensor_groups.hpp"

#include <algorithm>

namespace sinew {

// ---- energies and constraints

void GlobalSensors::add(const SensorInstance& sensor) {
  (sensor.item->kind == SensorKind::energy ? has_energy_ : has_constraints_) = true;
  if (has_constraints_ && !g_) {
    g_ = system_.make_row_vector();
    k_ = system_.make_row_vector();
  }
  if (comm_rank(system_.local().comm) != 0) return;
  claim(sensor);
  for (const RecordedQuantity& recorded : sensor.item->record) values_.push_back({sensor.item->kind, recorded.quantity});
}

void GlobalSensors::measure(const Stage& stage, PetscVec, double* values) const {
  SystemEnergy energy;
  double position = 0, velocity = 0;
  if (has_energy_) energy = system_.energy(stage);
  if (has_constraints_) {
    system_.constraints(stage, g_, k_);
    position = max_norm(g_);
    velocity = max_norm(k_);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    switch (values_[i].quantity) {
      case Quantity::kinetic: values[i] = energy.kinetic; break;
      case Quantity::strain: values[i] = energy.strain; break;
      case Quantity::potential: values[i] = energy.potential; break;
      case Quantity::dissipated: values[i] = system_.ledger().whole().dissipated; break;
      case Quantity::work: values[i] = system_.ledger().whole().work; break;
      case Quantity::total: values[i] = energy.kinetic + energy.strain + energy.potential; break;
      case Quantity::position: values[i] = position; break;
      case Quantity::velocity: values[i] = velocity; break;
      default: break;
    }
  }
}

void GlobalSensors::measure_terms(const Stage& stage, double* values) const {
  if (!has_energy_) return;
  const SystemEnergy energy = system_.energy(stage);
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i].quantity == Quantity::total)
      values[i] = std::max({std::abs(energy.kinetic), std::abs(energy.strain), std::abs(energy.potential)});
}

// ---- mass and momentum

SystemSensors::SystemSensors(const Model& model, const Numbering& numbering, const System& system)
    : model_(model), numbering_(numbering), system_(system) {}

/// Nodes are in the order of their numbers, in which those of a body stand together.
std::vector<int> SystemSensors::selected_nodes(const SensorInstance& sensor) const {
  const LocalModel& local = system_.local();
  const auto ids = local.node_id.begin(), end = ids + local.num_owned_nodes;
  std::vector<int> nodes;
  const auto add = [&](int body, std::int64_t first_instance, std::int64_t count) {
    const std::int64_t before = numbering_.node(body, first_instance, 0),
                       behind = numbering_.node(body, first_instance + count, 0);
    for (auto id = std::lower_bound(ids, end, before); id != end && *id < behind; ++id)
      nodes.push_back(static_cast<int>(id - ids));
  };
  for (const BodySelection& body : sensor.item->bodies) {
    if (body.all_of >= 0) {
      add(body.all_of, 0, model_.num_instances(body.all_of));
    } else {
      const InstanceRef ref = model_.body(body.name, sensor.indices, body.mark);
      add(ref.item, ref.instance, 1);
    }
  }
  for (int body = 0; sensor.item->bodies.empty() && body < static_cast<int>(model_.bodies.size()); ++body)
    add(body, 0, model_.num_instances(body));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());  // bodies may be named twice
  return nodes;
}

/// (e x mode)^T M z for the three rotations about the origin: points and slopes turn as e x x, frames also with omega = R^T e.
Vec3<double> SystemSensors::angular_momentum(int node, const double* config, const double* Mz) const {
  const LocalModel& local = system_.local();
  const double* c = config + local.config_offset[node];
  const Vec3<double> of_place = cross(vec3_at(c), vec3_at(Mz + local.dof[node]));
  return local.turns(node) ? of_place + rotation_matrix(Pose::quaternion(c)) * vec3_at(Mz + local.dof[node] + Pose::first_turn)
                           : of_place;
}

/// Positions and slopes where velocities stand; zero for rotations.
void SystemSensors::find_positions(const double* config) const {
  const LocalModel& local = system_.local();
  VecWrite out(x_);
  for (int n = 0; n < local.num_owned_nodes; ++n)
    if (local.has_vector(n)) std::copy_n(config + local.config_offset[n], 3, out.data() + local.dof[n]);
}

/// M 1: what every place weighs, in each direction.
void SystemSensors::weigh_nodes() {
  for (VecHandle* room : {&x_, &weights_, &Mx_, &Mz_}) *room = system_.make_dof_vector();
  petsc(VecSet(x_, 0.0));
  {
    VecWrite x(x_);
    const LocalModel& local = system_.local();
    for (int n = 0; n < local.num_owned_nodes; ++n) x[local.dof[n]] = local.is_place(n) ? 1.0 : 0.0;
  }
  petsc(MatMult(system_.mass(), x_, weights_));
  petsc(VecSet(x_, 0.0));  // rotations stay zero
}

void SystemSensors::add(const SensorInstance& sensor) {
  Probe probe;
  probe.nodes = selected_nodes(sensor);
  if (!x_) weigh_nodes();
  {
    const VecRead weights(weights_);
    for (const int n : probe.nodes)
      if (system_.local().is_place(n)) probe.local_mass += weights[system_.local().dof[n]];
  }
  MPI_Allreduce(&probe.local_mass, &probe.mass, 1, MPI_DOUBLE, MPI_SUM, system_.local().comm);
  std::size_t at = claim(sensor);
  for (const RecordedQuantity& recorded : sensor.item->record) {
    if (recorded.quantity == Quantity::center_of_mass && !(probe.mass > 0))
      refuse_sensor(model_, sensor,
                    "its bodies have no mass, and no centre of it (record other quantities, or name other bodies)");
    probe.values.emplace_back(recorded.quantity, at);
    at += recorded.quantity == Quantity::mass ? 1 : 3;
  }
  probes_.push_back(std::move(probe));
}

/// Sums of (M v)_x over the nodes that are places are e^T M v for the three translations. Bodies share no nodes, so that M has no
/// entries between them and leaving out nodes leaves out bodies.
template <class Take>
void SystemSensors::visit(const Stage& stage, const Take& take) const {
  if (probes_.empty()) return;
  const auto is_recorded = [this](Quantity q) {
    return std::any_of(probes_.begin(), probes_.end(), [q](const Probe& p) {
      return std::any_of(p.values.begin(), p.values.end(), [q](const auto& value) { return value.first == q; });
    });
  };
  const LocalModel& local = system_.local();
  const auto config = Kokkos::create_mirror_view_and_copy(HostSpace(), stage.q->values);
  if (is_recorded(Quantity::momentum) || is_recorded(Quantity::angular_momentum)) system_.mass_times(stage, stage.z, Mz_);
  if (is_recorded(Quantity::center_of_mass)) {
    find_positions(config.data());
    petsc(MatMult(system_.mass(), x_, Mx_));
  }
  const VecRead p(Mz_), s(Mx_);
  for (const Probe& probe : probes_)
    for (const auto& [quantity, first] : probe.values)
      for (const int n : probe.nodes) {
        const int dof = local.dof[n];
        switch (quantity) {
          case Quantity::center_of_mass:
            if (local.is_place(n)) take(first, (1 / probe.mass) * vec3_at(s.data() + dof));
            break;
          case Quantity::momentum:
            if (local.is_place(n)) take(first, vec3_at(p.data() + dof));
            break;
          case Quantity::angular_momentum:
            if (local.has_vector(n)) take(first, angular_momentum(n, config.data(), p.data()));
            break;
          default: break;
        }
      }
}

void SystemSensors::measure(const Stage& stage, PetscVec, double* values) const {
  for (const Probe& probe : probes_)
    for (const auto& [quantity, first] : probe.values)
      if (quantity == Quantity::mass) values[first] = probe.local_mass;
  visit(stage, [values](std::size_t first, const Vec3<double>& part) {
    for (int i = 0; i < 3; ++i) values[first + static_cast<std::size_t>(i)] += part[i];
  });
}

void SystemSensors::measure_terms(const Stage& stage, double* values) const {
  visit(stage, [values](std::size_t first, const Vec3<double>& part) {
    for (int i = 0; i < 3; ++i) values[first + static_cast<std::size_t>(i)] += norm(part);
  });
}

}  // namespace sinew
