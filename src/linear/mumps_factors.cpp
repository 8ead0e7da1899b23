#include "linear/mumps_factors.hpp"

#include "base/error.hpp"

namespace sinew {

#ifdef PETSC_HAVE_MUMPS

void require_memory(PetscMat factors) {
  constexpr PetscInt not_allocated = -13;  // INFOG(1) in the users' guide of MUMPS
  PetscInt code = 0;
  petsc(MatMumpsGetInfog(factors, 1, &code));
  if (code == not_allocated)
    throw EnvironmentError(
        "out of memory: MUMPS found no room for the factors of a matrix; spread the model over ranks on more machines, or make "
        "it "
        "smaller");
}

bool MumpsFactors::factorise(PetscMat A) {
  MatFactorError error = MAT_FACTOR_NOERROR;
  return with_workspace(workspace_,
                        [&](PetscInt) {
                          error = attempt(A);
                          const bool runs_out = error == MAT_FACTOR_OUTMEMORY;
                          if (!runs_out) return false;
                          require_memory(factors_);
                          factors_ = MatHandle();  // PETSc goes on with none that have failed so
                          return true;
                        }) &&
         error == MAT_FACTOR_NOERROR;
}

MatFactorError MumpsFactors::attempt(PetscMat A) {
  MatFactorInfo info;
  petsc(MatFactorInfoInitialize(&info));
  const bool is_first = !factors_, is_symmetric = type_ == MAT_FACTOR_CHOLESKY;
  if (is_first) {
    petsc(MatGetFactor(A, MATSOLVERMUMPS, type_, factors_.address()));
    for (const Setting& setting : settings_) petsc(MatMumpsSetIcntl(factors_, setting.number, setting.value));
    petsc(MatMumpsSetIcntl(factors_, mumps_workspace, workspace_));
    petsc(is_symmetric ? MatCholeskyFactorSymbolic(factors_, A, nullptr, &info)
                       : MatLUFactorSymbolic(factors_, A, nullptr, nullptr, &info));
  }
  petsc(is_symmetric ? MatCholeskyFactorNumeric(factors_, A, &info) : MatLUFactorNumeric(factors_, A, &info));
  MatFactorError error = MAT_FACTOR_NOERROR;
  petsc(MatFactorGetError(factors_, &error));
  return error;
}

#endif

}  // namespace sinew
