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

VecHandle absolute_product(PetscMat A, PetscVec s) {
  MatHandle scaled;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, scaled.address()));
  petsc(MatDiagonalScale(scaled, nullptr, s));
  VecHandle product = duplicate(s);
  PetscInt first = 0, last = 0;
  petsc(MatGetOwnershipRange(scaled, &first, &last));
  VecWrite sums(product);
  for (PetscInt row = first; row < last; ++row) {
    double sum = 0;
    for_entries(scaled, row, [&](PetscInt, double value) { sum += std::abs(value); });
    sums[row - first] = sum;
  }
  return product;
}

}  // namespace sinew
