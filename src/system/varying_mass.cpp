#include "system/varying_mass.hpp"

#include "kernels/sweep/varying_mass_family.hpp"
#include "system/device_access.hpp"
#include "system/device_loops.hpp"
#include "system/ghost_sums.hpp"
#include "system/system.hpp"

namespace sinew {

const VariesMass* as_varying(const Family& family) { return dynamic_cast<const VariesMass*>(&family); }

/// The matrix holds what is constant; what depends on the configuration is swept.
void System::mass_times(const Stage& stage, PetscVec a, PetscVec out) const {
  petsc(MatMult(mass_, a, out));
  if (!mass_varies_) return;
  share({a}, {});
  SweepState s = sweep_state(*stage.q);
  VecHandle varying = make_dof_vector();
  {
    const DeviceRead rate(a);
    s.velocity = rate.data();
    for (std::size_t f = 0; f < families_.size(); ++f) {
      double* slots = force_slots_.data() + force_start_[f];
      if (const VariesMass* family = as_varying(*families_[f]))
        family->mass_times(s, slots);
      else
        zero_numbers(slots, static_cast<std::ptrdiff_t>(families_[f]->size()) * families_[f]->shape().dofs());
    }
    const DeviceWrite sum(varying, OldValues::overwritten);
    force_gather_.sum(force_slots_.data(), sum.data());
  }
  add_ghosts_to_owners(is_parallel_, varying);
  petsc(VecAXPY(out, 1.0, varying));
}

}  // namespace sinew
