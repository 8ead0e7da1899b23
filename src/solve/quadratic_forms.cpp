#include "solve/quadratic_forms.hpp"

namespace sinew {

double product(PetscMat A, PetscVec y, PetscVec x) {
  VecHandle Ax = duplicate(x);
  PetscScalar value = 0;
  petsc(MatMult(A, x, Ax));
  petsc(VecDot(y, Ax, &value));
  return value;
}

double terms_of(PetscVec diagonal, PetscVec x) {
  VecHandle squares = duplicate(x);
  PetscScalar sum = 0;
  petsc(VecPointwiseMult(squares, x, x));
  petsc(VecDot(squares, diagonal, &sum));
  return sum;
}

}  // namespace sinew
