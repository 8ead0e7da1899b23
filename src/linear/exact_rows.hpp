/// \file
/// Solutions in which redundant rows hold as they are, by factors of a matrix in which they are regularised.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// The matrix of a KSP is [A G^T; G -R] where [A G^T; G 0] is meant: the rows give way like springs 1/R, by a part R / (S + R) of
/// what they hold, S the compliance of what lies beside them. Every solution x is corrected by its residual in the matrix that is
/// meant,
///
///   x += [A G^T; G -R]^-1 (b - [A G^T; G 0] x),
///
/// which leaves that part of it each time; combinations of rows that say nothing (G^T v = 0) have no part in x but for
/// multipliers that do nothing. So many corrections are made as the first solutions show to be needed, and the same number from
/// then on: the map from b to x stays linear, and symmetric with the matrix.
class ExactRows {
 public:
  /// Of the KSP, once its options are read; it must be there as long as the KSP solves. Does nothing where `r` is null, and where
  /// options have put iterations in the place of factors alone. `r`: KKT vector of R, 0 for all that is no row; `size`: of the
  /// unknowns by which corrections are measured, 0 of those that do not count. Collective.
  ExactRows(KSP, PetscVec r, PetscVec size);
  ExactRows(const ExactRows&) = delete;
  ExactRows& operator=(const ExactRows&) = delete;

  /// Takes what is regularised out of a residual b - [A G^T; G -R] x: that of the matrix that is meant. Local.
  void add_to_residual(PetscVec x, PetscVec residual);
  /// The part of a solution that corrections no longer make smaller, as far as the first ones have told. Local.
  double left() const { return left_; }

 private:
  static PetscErrorCode after_solution(KSP, PetscVec b, PetscVec x, void* rows);
  void correct(PetscMat A, PC pc, PetscVec b, PetscVec x);
  double norm(PetscVec x);

  VecHandle r_, weight_, residual_, change_;
  int solutions_ = 0, corrections_ = 0;
  double left_ = 0;
};

}  // namespace sinew
