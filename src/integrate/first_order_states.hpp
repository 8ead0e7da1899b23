/// \file
/// Which dofs are first-order states, and what the integrators do to them alone.
#pragma once

#include "system/dynamic_system.hpp"

namespace sinew {

/// The first-order states of a system (see Layout). Where there are none, nothing here costs more than a question.
class FirstOrderStates {
 public:
  /// Collective.
  explicit FirstOrderStates(const DynamicSystem&);

  /// Has any rank a state?
  bool exist() const { return exist_; }
  /// Their local numbers on this rank.
  const std::vector<PetscInt>& dofs() const { return dofs_; }
  /// to := from in the states of dof vectors. On all ranks.
  void copy(PetscVec from, PetscVec to) const;
  /// v := value in the states. On all ranks.
  void set(PetscVec v, double value) const;
  /// Norm of the other entries: NORM_INFINITY or NORM_2. Collective.
  double norm_of_others(PetscVec v, NormType type = NORM_INFINITY) const;
  /// max |d| / (1 + |s|) over the states of this rank, every one by its own size; 0 where there are none. Local.
  double relative_norm(PetscVec d, PetscVec s) const;

 private:
  MPI_Comm comm_;
  std::vector<PetscInt> dofs_;
  bool exist_ = false;
};

}  // namespace sinew
