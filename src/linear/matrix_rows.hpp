/// \file
/// The rows of a matrix as arrays.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// The numbers of a matrix in two arrays, as if the second stood behind the first.
struct MatrixValues {
  const PetscScalar* first = nullptr;
  PetscInt num_first = 0;
  const PetscScalar* second = nullptr;
  double operator[](PetscInt k) const { return k < num_first ? first[k] : second[k - num_first]; }
};

/// A square matrix by rows, held by somebody else: row i has the columns[k] for k = starts[i] ... starts[i + 1] - 1, the value of
/// each at places[k], or at k where there are no places.
struct SparseRows {
  PetscInt n = 0;
  const PetscInt* starts = nullptr;
  const PetscInt* columns = nullptr;
  const PetscInt* places = nullptr;
  MatrixValues values;
  PetscInt place(PetscInt k) const { return places ? places[k] : k; }
};

/// Calls use(column, value) for the entries of a row of this rank, by their numbers in the matrix.
template <class Use>
void for_entries(PetscMat A, PetscInt row, const Use& use) {
  PetscInt count = 0;
  const PetscInt* columns = nullptr;
  const PetscScalar* values = nullptr;
  petsc(MatGetRow(A, row, &count, &columns, &values));
  for (PetscInt k = 0; k < count; ++k) use(columns[k], values[k]);
  petsc(MatRestoreRow(A, row, &count, &columns, &values));
}

/// The rows of a sequential AIJ matrix, as long as this object lives. Throws SolveError for other matrices.
class MatrixRows : public SparseRows {
 public:
  explicit MatrixRows(PetscMat A);
  ~MatrixRows();
  MatrixRows(const MatrixRows&) = delete;
  MatrixRows& operator=(const MatrixRows&) = delete;

 private:
  PetscMat matrix_;
};

}  // namespace sinew
