/// \file
/// Functions of our own as operations of a PETSc matrix.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// Has a matrix do an operation by a function of ours; `set` is MatSetOperation or MatShellSetOperation, whose type of function
/// depends on PETSc's version.
template <class Function, class Ours>
void set_operation(PetscErrorCode (*set)(PetscMat, MatOperation, Function), PetscMat A, MatOperation operation, Ours ours) {
  petsc(set(A, operation, reinterpret_cast<Function>(ours)));
}

}  // namespace sinew
