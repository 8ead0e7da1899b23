#include "solve/inertia.hpp"

#include "base/error.hpp"
#include "base/timing.hpp"
#include "linear/matrix_rows.hpp"
#include "linear/mumps_factors.hpp"
#include "solve/linearised.hpp"

#include <cmath>

namespace sinew {

namespace {

/// Setting of MUMPS: no ScaLAPACK, which does not tell signs.
constexpr MumpsFactors::Setting root_by_mumps{13, 1};

/// A diagonal of this part of the rows' own compliance, sum A_ij^2 / A_jj, in place of zero. It counts as the negative eigenvalue
/// that a row of constraints has anyway, and moves others by so little of the largest ones.
constexpr double softening = 1e-12;

/// Puts -softening sum A_ij^2 / |A_jj| on zero diagonals: distributed matrices are not permuted for pivots of two by two, and the
/// factorisation of MUMPS takes them for singular without.
void soften_constraints(PetscMat A) {
  VecHandle diagonal, inverse_root;
  petsc(MatCreateVecs(A, inverse_root.address(), diagonal.address()));
  petsc(MatGetDiagonal(A, diagonal));
  double mean = 0;
  PetscInt size = 0, first = 0, last = 0;
  petsc(VecNorm(diagonal, NORM_1, &mean));
  petsc(VecGetSize(diagonal, &size));
  mean = mean > 0 ? mean / static_cast<double>(size) : 1.0;
  petsc(MatGetOwnershipRange(A, &first, &last));
  {
    const VecRead d(diagonal);
    VecWrite r(inverse_root);
    // what is rounding beside the others is no stiffness: rows would be softened by one over it
    for (PetscInt i = 0; i < last - first; ++i) r[i] = 1 / std::sqrt(std::abs(d[i]) > softening * mean ? std::abs(d[i]) : mean);
  }
  MatHandle scaled;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, scaled.address()));
  petsc(MatDiagonalScale(scaled, nullptr, inverse_root));
  {
    VecWrite d(diagonal);
    for (PetscInt i = 0; i < last - first; ++i) {
      if (d[i] != 0) continue;
      for_entries(scaled, first + i, [&](PetscInt, double value) { d[i] -= softening * value * value; });
    }
  }
  petsc(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  petsc(MatDiagonalSet(A, diagonal, INSERT_VALUES));
}

}  // namespace

std::optional<PetscInt> negative_eigenvalues(PetscMat A) {
  const TimedPhase timed(Phase::factorization);
  const MatHandle symmetric = symmetric_part(A);
  int ranks = 1;
  MPI_Comm_size(comm_of(A), &ranks);
  if (ranks > 1) soften_constraints(symmetric);
  petsc(MatSetOption(symmetric, MAT_SYMMETRIC, PETSC_TRUE));
  MumpsFactors factors(MAT_FACTOR_CHOLESKY, {root_by_mumps});
  PetscInt negative = 0;
  try {
    if (!factors.factorise(symmetric)) return std::nullopt;
    petsc(MatGetInertia(factors.get(), &negative, nullptr, nullptr));
  } catch (const SolveError&) {
    return std::nullopt;
  }
  return negative;
}

}  // namespace sinew
