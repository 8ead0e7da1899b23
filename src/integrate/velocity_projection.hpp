/// \file
/// The second stage of a SOI2 step: a1 = at + delta, lambda1 = lambda~ + mu, with M delta + (th/m) G^T mu = 0 and the constraints at velocity level.
#pragma once

#include "integrate/stage_equations.hpp"

namespace sinew {

/// Solves [M G^T; G 0](delta, mu') = (0, -gv(t1,y1,zt)/(gamma h)), mu' = (th/m) mu, at a fixed configuration y1, by corrections with a matrix
/// that is kept as long as it serves. The constraints are affine in z, so that with a matrix of y1 itself one correction is exact.
class VelocityProjection {
 public:
  explicit VelocityProjection(StageEquations&);

  /// delta = 0, mu = 0: start of a step.
  void reset();
  /// One correction at the present configuration: changes delta, mu and z1 = zt + gamma h delta. `position` receives g of that
  /// configuration. Returns the size of the correction of a1, in velocity units. Collective.
  double correct(PetscVec zt, PetscVec z1, PetscVec position);
  /// The matrix is assembled anew at the next correction.
  void invalidate() { usable_ = false; }

  PetscVec delta() const { return delta_; }
  PetscVec M_delta() const { return M_delta_; }
  /// mu, the change of the multipliers. Collective.
  void multiplier_change(PetscVec mu) const;
  int factorizations() const { return factorizations_; }

 private:
  void assemble(PetscVec z1);

  StageEquations& equations_;
  const DynamicSystem& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle delta_, mu_, M_delta_, momentum_, velocity_, rhs_, solution_, d_delta_, d_mu_;
  bool usable_ = false;
  bool is_fresh_ = false;        ///< assembled since the last reset
  bool lag_is_bad_ = false;      ///< a matrix of an earlier step does not serve
  int calls_ = 0;                ///< since the last reset
  double last_correction_ = 0;   ///< of this step, in velocity units
  int factorizations_ = 0;
};

}  // namespace sinew
