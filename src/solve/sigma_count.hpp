/// \file
/// How many combinations of constraint rows have a small sigma.
#pragma once

#include "system/dynamic_system.hpp"

#include <optional>

namespace sinew {

/// Counts the eigenvalues sigma of D^-1/2 G M^-1 G^T D^-1/2 (see `NullSpace`), with M positive: as many eigenvalues of
/// [M G^T; G s D] are negative as sigma are above s. Rows of few unknowns are eliminated by hand, which leaves
/// M - G^T (s D)^-1 G of the unknowns and of the other rows what it was: the pivots s D are positive and change no count. A
/// factorisation that may choose does not take pivots so small: in redundant rows of a hub, to which many bodies are jointed, it
/// puts them off until all the hub's rows are one dense front. G^T D^-1 G, however, is a stiffness, in which a small pivot has
/// small numbers beside it.
class SigmaCount {
 public:
  /// Of a stage's G. Collective.
  SigmaCount(const DynamicSystem&, const Stage&);
  /// How many are smaller than this. Empty where that cannot be counted. Collective.
  std::optional<PetscInt> below(double s) const;

 private:
  void split(PetscMat A, PetscVec D);

  PetscInt rows_ = 0;    ///< of the model
  MatHandle kept_;       ///< M, and the rows that stay
  MatHandle stiffness_;  ///< G^T D^-1 G of the other rows
  VecHandle diagonal_;   ///< D of the rows that stay, zero for unknowns
};

}  // namespace sinew
