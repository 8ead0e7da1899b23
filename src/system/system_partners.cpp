// Elements that choose their partners, and the pattern that follows them.

#include "kernels/sweep/partner_family.hpp"
#include "system/device_access.hpp"
#include "system/system.hpp"

namespace sinew {

/// Families whose elements choose others than they have are replaced; all ranks hear of it. Candidates are among the nodes that a
/// rank knows, so that its vectors and their ghosts stay what they are.
bool System::choose_partners(const Configuration& q, PetscVec z) const {
  if (!has_partners_) return false;
  if (z) share({z}, {});
  int changed = 0;
  {
    SweepState s = sweep_state(q);
    const DeviceRead velocity(z);
    s.velocity = velocity.data();
    for (std::unique_ptr<Family>& family : families_) {
      const auto* chooser = dynamic_cast<const ChoosesPartners*>(family.get());
      if (chooser == nullptr || family->size() == 0) continue;
      std::unique_ptr<Family> other = chooser->with_partners(s);
      if (!other) continue;
      family = std::move(other);
      changed = 1;
    }
  }
  if (is_parallel_) MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, local_.comm);
  return changed > 0;
}

/// The mass and projection matrices hold nothing of these families: theirs are the sums of forces and the tangent alone.
bool System::renew_partners(const Stage& stage) const {
  if (!choose_partners(*stage.q, stage.z)) return false;
  signals_are_set_ = false;
  make_gathers();
  constexpr int tangent = static_cast<int>(MatrixKind::tangent);
  fillings_[tangent] = {};
  unknowns_[tangent] = describe_unknowns();
  return true;
}

}  // namespace sinew
