#include "kernels/sweep/varying_mass_family.hpp"
#include "system/device_access.hpp"
#include "system/system.hpp"
#include "system/varying_mass.hpp"

namespace sinew {

SystemEnergy System::energy(const Stage& stage) const {
  SweepState s = sweep_state(stage);
  double sums[2] = {0, 0};
  {
    const DeviceRead z(stage.z);
    s.velocity = z.data();
    for (const auto& family : families_) {
      const Energy e = family->energy(s);
      sums[0] += e.strain;
      sums[1] += e.potential;
    }
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, local_.comm);
  VecHandle Mz = duplicate(stage.z);
  mass_times(stage, stage.z, Mz);
  clear_states(Mz);
  double twice = 0;
  petsc(VecDot(stage.z, Mz, &twice));
  return {0.5 * twice, sums[0], sums[1]};
}

bool System::brings_work(std::size_t family) const {
  return families_[family]->shape().rows() > 0 || is_load_[family] || is_fed_[family];
}

/// f . z of the forces that bring work in, or of all others. Every element counts once, on its owner. Forces of inertia do not
/// count: what they do is in the kinetic energy.
double System::power(const SweepState& s, const Stage& stage, bool brings_work) const {
  VecHandle f = make_dof_vector();
  sum_forces(
      s, [&](std::size_t k) { return this->brings_work(k) == brings_work && as_varying(*families_[k]) == nullptr; }, f);
  const VecRead force(f), z(stage.z);
  double sum = 0;
  for (int i = 0; i < local_.num_local_dofs; ++i) sum += force[i] * z[i];
  for (std::size_t k = 0; k < families_.size(); ++k) {
    const VariesMass* varying = as_varying(*families_[k]);
    if (varying == nullptr || this->brings_work(k) != brings_work) continue;
    const auto D = static_cast<std::size_t>(families_[k]->shape().dofs());
    const DeviceArray<double> slots("forces", static_cast<std::size_t>(families_[k]->size()) * D);
    varying->forces_without_inertia(s, slots.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), slots);
    const std::vector<double> forces = families_[k]->force_slots().by_element(host.data());
    for (int e = 0; e < families_[k]->size(); ++e) {
      const std::vector<int> dofs = families_[k]->element_dofs(e, local_.dof, local_.kinds);
      for (std::size_t i = 0; i < D; ++i)
        if (dofs[i] >= 0) sum += forces[static_cast<std::size_t>(e) * D + i] * z[dofs[i]];
    }
  }
  return sum;
}

/// Where f has no potential it depends on the velocities: f(q, 0) changes strain and gravity's potential, f(q, z) - f(q, 0) takes
/// energy away.
EnergyExchange System::exchange_rate(const Stage& stage) const {
  SweepState s = sweep_state(stage);
  feed(stage);
  const VecHandle rest = make_dof_vector();
  const DeviceRead z(stage.z), still(rest), lambda(stage.lambda);
  s.multiplier = lambda.data();
  s.velocity = still.data();
  double sums[2] = {power(s, stage, false), 0};
  s.velocity = z.data();
  sums[0] -= power(s, stage, false);
  sums[1] = power(s, stage, true);
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, local_.comm);
  return {sums[0], sums[1]};
}

}  // namespace sinew
