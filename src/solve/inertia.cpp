#include "solve/inertia.hpp"

#include "base/timing.hpp"
#include "linear/matrix_rows.hpp"

#include <cmath>

namespace sinew {

namespace {

/// Settings of MUMPS: no ScaLAPACK, which does not tell signs; per cent more workspace than estimated, for the pivots of
/// constraints are delayed, of dependent ones nearly all.
constexpr PetscInt root_by_mumps = 13, extra_workspace = 14;

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

PetscErrorCode count_negative(PetscMat A, PetscMat factor, PetscInt workspace, PetscInt& negative) {
  MatFactorInfo info;
  PetscErrorCode code = MatFactorInfoInitialize(&info);
  if (code == 0) code = MatMumpsSetIcntl(factor, root_by_mumps, 1);
  if (code == 0) code = MatMumpsSetIcntl(factor, extra_workspace, workspace);
  if (code == 0) code = MatCholeskyFactorSymbolic(factor, A, nullptr, &info);
  if (code == 0) code = MatCholeskyFactorNumeric(factor, A, &info);
  MatFactorError error = MAT_FACTOR_NOERROR;
  if (code == 0) code = MatFactorGetError(factor, &error);
  if (code == 0 && error == MAT_FACTOR_OUTMEMORY) return PETSC_ERR_MEM;
  if (code == 0 && error != MAT_FACTOR_NOERROR) return PETSC_ERR_MAT_CH_ZRPVT;
  return code == 0 ? MatGetInertia(factor, &negative, nullptr, nullptr) : code;
}

}  // namespace

std::optional<PetscInt> negative_eigenvalues(PetscMat A) {
  const TimedPhase timed(Phase::factorization);
  MatHandle symmetric;
  petsc(MatTranspose(A, MAT_INITIAL_MATRIX, symmetric.address()));
  petsc(MatAXPY(symmetric, 1.0, A, DIFFERENT_NONZERO_PATTERN));
  petsc(MatScale(symmetric, 0.5));
  int ranks = 1;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(A)), &ranks);
  if (ranks > 1) soften_constraints(symmetric);
  petsc(MatSetOption(symmetric, MAT_SYMMETRIC, PETSC_TRUE));
  MatHandle factor;
  PetscInt negative = 0;
  PetscErrorCode code = PETSC_ERR_MEM;
  for (PetscInt workspace = 200; code == PETSC_ERR_MEM && workspace <= 51200; workspace *= 4)
    code = quietly([&] {
      factor = MatHandle();  // PETSc goes on with none that have failed
      const PetscErrorCode made = MatGetFactor(symmetric, MATSOLVERMUMPS, MAT_FACTOR_CHOLESKY, factor.address());
      return made == 0 ? count_negative(symmetric, factor, workspace, negative) : made;
    });
  if (code != 0) return std::nullopt;
  return negative;
}

}  // namespace sinew
