#include "system/system.hpp"

#include "base/object_type.hpp"
#include "base/reduction.hpp"
#include "base/timing.hpp"
#include "kernels/sweep/partner_family.hpp"
#include "kernels/sweep/varying_mass_family.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"
#include "system/ghost_sums.hpp"
#include "system/varying_mass.hpp"

#include <algorithm>

namespace sinew {

System::System(const Model& model, LocalModel local) : model_(model), local_(std::move(local)) {
  local_.trim();
  layout_.comm = local_.comm;
  layout_.num_dofs = local_.num_owned_dofs;
  layout_.num_rows = local_.num_owned_rows;
  layout_.row_is_velocity.assign(local_.row_is_velocity.begin(), local_.row_is_velocity.begin() + local_.num_owned_rows);
  for (int c = 0; c < local_.num_owned_controls; ++c)
    for (int k = 0; k < local_.controls[c].num_states; ++k) {
      const ControlItem& item = model_.controls[static_cast<std::size_t>(local_.controls[c].control)];
      layout_.states.push_back(local_.controls[c].dof + k);
      layout_.state_sizes.push_back(item.state_size(k, local_.controls[c].instance));
      if (item.sampling) layout_.held.push_back(layout_.states.back());
    }
  is_parallel_ = comm_size(local_.comm) > 1;
  dof_template_ = make_ghosted_vector(local_.comm, local_.num_owned_dofs, local_.ghost_dofs);
  row_template_ = make_ghosted_vector(local_.comm, local_.num_owned_rows, local_.ghost_rows);
  if (is_parallel_) halo_ = Halo(dof_template_, local_.ghost_dofs, row_template_, local_.ghost_rows);
  petsc(VecGetSize(dof_template_, &global_dofs_));
  petsc(VecGetSize(row_template_, &global_rows_));
  for (LocalFamily& family : local_.families) {
    const FamilyEntry& entry = family.entry();
    families_.push_back(entry.build(std::move(family.data)));
    is_fed_.push_back(
        std::any_of(entry.fields.begin(), entry.fields.end(), [](const FieldSpec& f) { return f.type == FieldType::feedback; }));
    is_load_.push_back(entry.shape.is_load);
    is_compact_ = is_compact_ || entry.shape.is_solid;
    has_checks_ = has_checks_ || entry.shape.has_check;
    forces_follow_turns_ = forces_follow_turns_ || entry.shape.follows_turns;
    has_passing_forces_ = has_passing_forces_ || entry.shape.passes_by;
    has_kinks_ = has_kinks_ || entry.shape.num_kinks > 0;
    has_held_laws_ = has_held_laws_ || entry.shape.is_held;
    reads_multipliers_ = reads_multipliers_ || entry.shape.num_multipliers > 0;
  }
  make_tables();
  for (const auto& family : families_) {
    has_partners_ = has_partners_ || dynamic_cast<ChoosesPartners*>(family.get()) != nullptr;
    mass_varies_ = mass_varies_ || as_varying(*family) != nullptr;
  }
  choose_partners(make_configuration(), nullptr);
  find_counters();
  measure_elements();
  require_finite_signals();
  make_gathers();
  number_unknowns();
  make_mass();
  for (std::shared_ptr<const KktUnknowns>& unknowns : unknowns_) unknowns = describe_unknowns();
  find_entries();
  make_regularisation();
}

void System::make_tables() {
  std::vector<int> frame = number_frames(local_.kinds);
  num_frames_ = static_cast<int>(std::count(local_.kinds.begin(), local_.kinds.end(), NodeKind::frame));
  has_rotations_ = is_so_on_any(local_.comm, num_frames_ > 1);  // the ground, which everyone has, stays as it is
  const auto is_in_space = [](NodeKind kind) { return manifold_size(kind).has_vector; };
  const bool has_places = std::any_of(local_.kinds.begin(), local_.kinds.begin() + local_.num_owned_nodes, is_in_space);
  is_one_point_ = !(local_.own_extent > 0) && is_so_on_any(local_.comm, has_places);  // shafts have no places, and no length
  nodes_.config = to_device_array("node.config", local_.config_offset);
  nodes_.dof = to_device_array("node.dof", local_.dof);
  nodes_.frame = to_device_array("node.frame", frame);
  relatives_ = std::make_unique<RelativeMotion>(local_, frame);
  for (const SensorItem& sensor : model_.sensors) has_relatives_ = has_relatives_ || sensor.kind == SensorKind::relative;
  ledger_ = std::make_unique<EnergyLedger>(model_, local_);
  feedback_ = std::make_unique<Feedback>(local_, *relatives_, std::move(frame));
  auto curves = std::make_unique<SignalCurves>(local_, feedback_->switches());
  int found[2] = {feedback_->switches().size() > 0 ? 1 : 0, curves->size() > 0 ? 1 : 0};
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_INT, MPI_MAX, local_.comm);
  has_switches_ = found[0] > 0;
  if (found[1] > 0) curves_ = std::move(curves);
}

void System::make_gathers() const {
  std::vector<int> dof_of_slot, row_of_slot;
  force_start_.clear();
  row_start_.clear();
  for (const auto& family : families_) {
    force_start_.push_back(static_cast<std::ptrdiff_t>(dof_of_slot.size()));
    row_start_.push_back(static_cast<std::ptrdiff_t>(row_of_slot.size()));
    const SlotLayout forces = family->force_slots(), rows = family->row_slots();
    dof_of_slot.resize(dof_of_slot.size() + forces.size());
    row_of_slot.resize(row_of_slot.size() + rows.size());
    int *const dof_of = dof_of_slot.data() + force_start_.back(), *const row_of = row_of_slot.data() + row_start_.back();
    for (int e = 0; e < family->size(); ++e) {
      const auto dofs = family->element_dofs(e, local_.dof, local_.kinds);
      for (int i = 0; i < forces.width; ++i) dof_of[forces.place(e, i)] = dofs[static_cast<std::size_t>(i)];
      for (int r = 0; r < rows.width; ++r) row_of[rows.place(e, r)] = family->data().rows[static_cast<std::size_t>(e)] + r;
    }
  }
  force_gather_ = Gather(dof_of_slot, local_.num_local_dofs);
  row_gather_ = Gather(row_of_slot, local_.num_local_rows);
  // Slots of forces, slots of rows and T are written anew where they are wanted, and never at the same time.
  const std::size_t dofs = dof_of_slot.size(), rows = row_of_slot.size(), operators = 9 * static_cast<std::size_t>(num_frames_);
  const DeviceArray<double> slots("slots", std::max({dofs, 2 * rows, operators}));
  const auto part = [&slots](std::size_t first, std::size_t count) -> DeviceArray<double> {
    return Kokkos::subview(slots, std::make_pair(first, first + count));
  };
  force_slots_ = part(0, dofs);
  row_slots_ = part(0, rows);
  row_slots2_ = part(rows, rows);
  T_ = part(0, operators);
}

/// KKT numbers of all local unknowns: each rank's owned dofs, then its owned rows.
void System::number_unknowns() {
  PetscInt mine = local_.num_owned_dofs + local_.num_owned_rows, end = 0;
  MPI_Scan(&mine, &end, 1, MPIU_INT, MPI_SUM, local_.comm);
  const PetscInt start = end - mine;
  kkt_index_.reserve(static_cast<std::size_t>(local_.num_local_dofs + local_.num_local_rows));
  const auto numbers = [&](const VecHandle& layout, bool are_dofs, PetscInt first, int owned, int local) {
    VecHandle v = duplicate(layout);
    {
      VecWrite x(v);
      for (int i = 0; i < owned; ++i) x[i] = static_cast<double>(first + i);
    }
    are_dofs ? share({v}, {}) : share({}, {v});
    const VecRead x(v);
    for (int i = 0; i < local; ++i) kkt_index_.push_back(static_cast<PetscInt>(std::llround(x[i])));
  };
  numbers(dof_template_, true, start, local_.num_owned_dofs, local_.num_local_dofs);
  numbers(row_template_, false, start + local_.num_owned_dofs, local_.num_owned_rows, local_.num_local_rows);
}

VecHandle System::make_dof_vector() const {
  VecHandle v = duplicate(dof_template_);
  petsc(VecSet(v, 0.0));
  return v;
}

VecHandle System::make_row_vector() const {
  VecHandle v = duplicate(row_template_);
  petsc(VecSet(v, 0.0));
  return v;
}

Configuration System::make_configuration() const { return {to_device_array("configuration", local_.config)}; }

void System::share(std::initializer_list<PetscVec> dofs, std::initializer_list<PetscVec> rows) const {
  if (is_parallel_) halo_.update(dofs, rows);
}

std::vector<double> System::host_values(const Configuration& q) const {
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  return std::vector<double>(host.data(), host.data() + host.extent(0));
}

void System::given_values(Configuration& q, PetscVec z) const {
  q = make_configuration();
  VecWrite v(z);
  std::copy_n(local_.velocity.begin(), local_.num_owned_dofs, v.data());
}

void System::initial_state(Configuration& q, PetscVec z) const {
  given_values(q, z);
  renew_partners({0.0, &q, z, nullptr});
  relatives_->forget();
  forget_past();
  ledger_->forget();
}

SweepState System::sweep_state(const Configuration& q) const {
  SweepState s;
  s.nodes = nodes_;
  s.config = q.values.data();
  return s;
}

SweepState System::sweep_state(const Stage& stage) const {
  const double t = clock(stage);
  update_signals(t);
  SweepState s = sweep_state(*stage.q);
  s.environment.time = t;
  s.environment.gravity = load_factor_ * (model_.analysis.keeps_gravity ? 1.0 : live_factor_) * model_.gravity;
  share({stage.z}, {stage.lambda});
  return s;
}

void System::sum_forces(const SweepState& s, const std::function<bool(std::size_t)>& counts, PetscVec out) const {
  for (std::size_t f = 0; f < families_.size(); ++f) {
    double* slots = force_slots_.data() + force_start_[f];
    const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(families_[f]->size()) * families_[f]->shape().dofs();
    if (counts(f)) {
      families_[f]->forces(s, slots);
      scale_load(f, slots, count);
    } else {
      zero_numbers(slots, count);
    }
  }
  const DeviceWrite sum(out, OldValues::overwritten);
  force_gather_.sum(force_slots_.data(), sum.data());
}

void System::forces(const Stage& stage, PetscVec out) const {
  const TimedPhase timed(Phase::assembly);
  SweepState s = sweep_state(stage);
  feed(stage);
  {
    const DeviceRead z(stage.z), lambda(stage.lambda);
    s.velocity = z.data();
    s.multiplier = lambda.data();
    sum_forces(
        s, [](std::size_t) { return true; }, out);
  }
  add_rates(stage, out);
  add_ghosts_to_owners(is_parallel_, out);
}

void System::force_magnitudes(const Stage& stage, PetscVec out) const {
  VecHandle f = make_dof_vector();
  forces(stage, f);  // fills the slots
  {
    const DeviceWrite sum(out, OldValues::overwritten);
    force_gather_.sum_magnitudes(force_slots_.data(), sum.data());
  }
  add_ghosts_to_owners(is_parallel_, out);
  clear_states(out);
}

void System::force_change(const Stage& stage, PetscVec change, PetscVec out) const {
  if (reads_multipliers_ && stage.lambda) return force_difference(stage, change, out);
  const TimedPhase timed(Phase::assembly);
  SweepState s = sweep_state({stage.t, stage.q, stage.z, change});
  {
    const DeviceRead z(stage.z), mu(change);
    s.velocity = z.data();
    s.multiplier = mu.data();
    sum_forces(
        s, [this](std::size_t f) { return families_[f]->shape().rows() > 0; }, out);
  }
  add_ghosts_to_owners(is_parallel_, out);
}

/// The two sums of what depends on multipliers, one less the other.
void System::force_difference(const Stage& stage, PetscVec change, PetscVec out) const {
  const TimedPhase timed(Phase::assembly);
  VecHandle changed = duplicate(change), before = duplicate(out);
  petsc(VecWAXPY(changed, 1.0, stage.lambda, change));
  const auto sum = [&](PetscVec lambda, PetscVec sums) {
    SweepState s = sweep_state({stage.t, stage.q, stage.z, lambda});
    {
      const DeviceRead z(stage.z), multiplier(lambda);
      s.velocity = z.data();
      s.multiplier = multiplier.data();
      sum_forces(
          s, [this](std::size_t f) { return families_[f]->shape().coupled_rows() > 0; }, sums);
    }
    add_ghosts_to_owners(is_parallel_, sums);
  };
  sum(stage.lambda, before);
  sum(changed, out);
  petsc(VecAXPY(out, -1.0, before));
}

void System::sum_rows(double* slots, PetscVec out) const {
  if (!out) return;
  {
    const DeviceWrite sum(out, OldValues::overwritten);
    row_gather_.sum(slots, sum.data());
  }
  add_ghosts_to_owners(is_parallel_, out);
}

void System::constraints(const Stage& stage, PetscVec position, PetscVec velocity) const {
  const TimedPhase timed(Phase::assembly);
  SweepState s = sweep_state({stage.t, stage.q, velocity ? stage.z : nullptr, nullptr});
  {
    const DeviceRead z(velocity ? stage.z : nullptr);
    s.velocity = z.data();
    for (std::size_t f = 0; f < families_.size(); ++f)
      families_[f]->constraints(s, position ? row_slots_.data() + row_start_[f] : nullptr,
                                velocity ? row_slots2_.data() + row_start_[f] : nullptr);
  }
  sum_rows(row_slots_.data(), position);
  sum_rows(row_slots2_.data(), velocity);
}

void System::constraint_drift(const Stage& stage, PetscVec drift) const {
  const TimedPhase timed(Phase::assembly);
  SweepState s = sweep_state(stage);
  {
    const DeviceRead z(stage.z);
    s.velocity = z.data();
    for (std::size_t f = 0; f < families_.size(); ++f) families_[f]->constraint_drift(s, row_slots_.data() + row_start_[f]);
  }
  sum_rows(row_slots_.data(), drift);
}

std::vector<double> System::family_forces(std::size_t family, const Stage& stage) const {
  SweepState s = sweep_state(stage);
  if (is_fed_[family]) feed(stage);
  const DeviceRead z(stage.z), lambda(stage.lambda);
  s.velocity = z.data();
  s.multiplier = lambda.data();
  double* slots = force_slots_.data() + force_start_[family];
  if (const VariesMass* varying = as_varying(*families_[family]))
    varying->forces_without_inertia(s, slots);  // what inertia does is in the kinetic energy
  else
    families_[family]->forces(s, slots);
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), force_slots_);
  return families_[family]->force_slots().by_element(host.data() + force_start_[family]);
}

}  // namespace sinew
