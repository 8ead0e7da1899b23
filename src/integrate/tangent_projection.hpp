/// \file
/// What of a change of motion the constraints allow.
#pragma once

#include "system/dynamic_system.hpp"

namespace sinew {

/// e := e - M^-1 G^T nu with G e = 0. Index-3 steps need it for their errors: across the constraints their accelerations carry an
/// oscillation that does not fall with the step, though no position has it. Keeps a matrix of the projection's pattern.
class TangentProjection {
 public:
  explicit TangentProjection(const DynamicSystem&);

  /// Takes G and M of a stage. Collective.
  void set(const Stage&);
  /// Collective.
  void apply(PetscVec e);

 private:
  const DynamicSystem& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle change_, product_, solution_, momentum_, rows_, zero_;
};

}  // namespace sinew
