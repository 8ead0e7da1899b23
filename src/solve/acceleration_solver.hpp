/// \file
/// Accelerations and multipliers that belong to a state.
#pragma once

#include "system/dynamic_system.hpp"

#include <string>

namespace sinew {

/// M a = f(t,q,z,lambda), G a + D[g_t + G z](1,z) = 0, k_z a + D[k](1,z) = 0: Newton in (a, lambda), exact in one iteration for
/// forces affine in lambda. `lambda` holds the first guess. Keeps its matrix and factors between calls. What is left of the
/// equations decides whether they are solved: throws SolveError with the time, body and joints where not. Collective.
class AccelerationSolver {
 public:
  explicit AccelerationSolver(const DynamicSystem&);
  ~AccelerationSolver();
  void solve(double t, const Configuration& q, PetscVec z, PetscVec a, PetscVec lambda);
  /// a := what the model takes up within a step of a, of M^-1 forces and of what constraints ask for besides (both may be null):
  /// J a' + G^T nu = shift.a (M a + forces), G a' = G a + rows with J of that shift. Slow modes keep theirs, modes of a frequency
  /// w that the step does not resolve lose all but about 1/(h w)^2 of it. False, a untouched, where J is singular. Collective.
  bool soften(const Stage&, TangentShift, PetscVec a, PetscVec forces = nullptr, PetscVec rows = nullptr);

 private:
  double imbalance(const Stage&);
  std::string forces_without_number(const Stage&);
  [[noreturn]] void give_up(double t, const std::string& why) const;

  const DynamicSystem& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle rhs_, solution_, product_, momentum_, rows_, da_, dlambda_;
  VecHandle drift_, unbalanced_, open_;           ///< of the equations in `solve`
  VecHandle dof_sizes_, row_sizes_;               ///< they stay
  VecHandle force_, mobility_, work_, row_work_;  ///< of `imbalance`
};

}  // namespace sinew
