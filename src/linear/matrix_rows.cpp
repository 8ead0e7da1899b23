#include "linear/matrix_rows.hpp"

namespace sinew {

MatrixRows::MatrixRows(PetscMat A) : matrix_(A) {
  PetscBool done = PETSC_FALSE;
  petsc(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &starts, &columns, &done));
  if (!done) throw SolveError("a sequential AIJ matrix is needed");
  petsc(MatSeqAIJGetArrayRead(A, &values.first));
  values.num_first = starts[n];
  num_first = n;
}

MatrixRows::~MatrixRows() {
  PetscBool done = PETSC_FALSE;
  MatSeqAIJRestoreArrayRead(matrix_, &values.first);
  MatRestoreRowIJ(matrix_, 0, PETSC_FALSE, PETSC_FALSE, &n, &starts, &columns, &done);
}

}  // namespace sinew
