/// \file
/// The motions that the constraints of a small model leave, as a dense basis.
#pragma once

#include "solve/dense.hpp"
#include "system/system.hpp"

namespace sinew {

/// An orthonormal basis Z of the null space of G, the same on all ranks. Redundant rows do not count, and nor do those that miss
/// each other by as little as the system takes for inaccuracy: it tells how many motions there are.
class MotionSpace {
 public:
  /// G stands in a KKT matrix [K G^T; G 0] of the system, which must outlive this. Collective.
  MotionSpace(const System&, PetscMat kkt);

  int size() const { return Z_.columns; }
  /// Z^T A Z of the block of A that has no multipliers. Collective.
  Dense reduced(PetscMat A) const;
  /// This rank's part of Z x, `size` numbers, for the owned dofs. Local.
  std::vector<double> motion(const double* x) const;
  /// Z^T w of owned dofs. Collective.
  std::vector<double> coordinates(const double* w) const;

 private:
  const System& system_;
  std::vector<char> is_multiplier_;  ///< of all KKT unknowns
  int first_dof_ = 0;                ///< of this rank
  Dense Z_;
};

/// An orthonormal basis of the displacements and velocities (w, v) that the constraints of linearised equations allow, the same
/// on all ranks: G w = G v = 0, and k_q w + k_z v = 0 in rows that have rates.
class StateMotions {
 public:
  /// `K` has the rows G and k_q, `D` the rows k_z. Collective.
  StateMotions(const System&, PetscMat K, PetscMat D);

  int size() const { return basis_.columns; }
  /// This rank's part of the states x: displacements of the owned dofs, then velocities. Local.
  std::vector<double> state(const std::vector<double>& x) const;
  /// The coordinates of such parts, `count` of them one after the other. Collective.
  Dense coordinates(const std::vector<double>& states, int count) const;

 private:
  const System& system_;
  int num_dofs_ = 0, first_dof_ = 0;  ///< of all ranks; of this one
  Dense basis_;                       ///< displacements above velocities
};

}  // namespace sinew
