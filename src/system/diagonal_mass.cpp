#include "system/diagonal_mass.hpp"

#include "base/mat_operation.hpp"
#include "base/reduction.hpp"

#include <memory>

namespace sinew {

namespace {

/// The diagonal, which the matrix owns.
PetscVec diagonal_of(PetscMat A) {
  void* context = nullptr;
  petsc(MatShellGetContext(A, &context));
  return *static_cast<VecHandle*>(context);
}

/// MatMult of PETSc. Sums of products begin with zero, as those of rows do.
PetscErrorCode multiply(PetscMat A, PetscVec x, PetscVec y) {
  const PetscScalar *masses = nullptr, *from = nullptr;
  PetscScalar* to = nullptr;
  PetscInt count = 0;
  const PetscVec diagonal = diagonal_of(A);
  PetscCall(VecGetLocalSize(diagonal, &count));
  PetscCall(VecGetArrayRead(diagonal, &masses));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  for (PetscInt i = 0; i < count; ++i) to[i] = 0.0 + masses[i] * from[i];
  PetscCall(VecRestoreArray(y, &to));
  PetscCall(VecRestoreArrayRead(x, &from));
  PetscCall(VecRestoreArrayRead(diagonal, &masses));
  return PetscErrorCode(0);
}

/// MatGetDiagonal.
PetscErrorCode copy_diagonal(PetscMat A, PetscVec out) { return VecCopy(diagonal_of(A), out); }

/// MatDestroy.
PetscErrorCode destroy(PetscMat A) {
  void* context = nullptr;
  PetscCall(MatShellGetContext(A, &context));
  delete static_cast<VecHandle*>(context);
  return PetscErrorCode(0);
}

/// Has this rank's part no other entries?
bool is_diagonal_here(PetscMat A) {
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(A, &first, &end));
  for (PetscInt i = first; i < end; ++i) {
    PetscInt count = 0;
    const PetscInt* columns = nullptr;
    petsc(MatGetRow(A, i, &count, &columns, nullptr));
    const bool is_alone = count == 0 || (count == 1 && columns[0] == i);
    petsc(MatRestoreRow(A, i, &count, &columns, nullptr));
    if (!is_alone) return false;
  }
  return true;
}

}  // namespace

MatHandle as_diagonal(MatHandle A) {
  const MPI_Comm comm = comm_of(A.get());
  if (!is_so_on_all(comm, is_diagonal_here(A))) return A;
  PetscInt local = 0, all = 0;
  petsc(MatGetLocalSize(A, &local, nullptr));
  petsc(MatGetSize(A, &all, nullptr));
  auto diagonal = std::make_unique<VecHandle>();
  petsc(MatCreateVecs(A, nullptr, diagonal->address()));
  petsc(MatGetDiagonal(A, *diagonal));
  MatHandle shell;
  petsc(MatCreateShell(comm, local, local, all, all, diagonal.get(), shell.address()));
  set_operation(MatShellSetOperation, shell, MATOP_DESTROY, destroy);
  (void)diagonal.release();
  set_operation(MatShellSetOperation, shell, MATOP_MULT, multiply);
  set_operation(MatShellSetOperation, shell, MATOP_GET_DIAGONAL, copy_diagonal);
  return shell;
}

}  // namespace sinew
