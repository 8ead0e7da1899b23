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

/// A square matrix by rows, held by somebody else: row i has the columns[k] for k = starts[i] ... starts[i + 1] - 1, with the
/// values of the same k. Where it is put together of parts that have lists of their own, only the first rows are in these lists,
/// and all rows may have more entries in a second list, the value of each at its place among all values.
struct SparseRows {
  PetscInt n = 0;
  PetscInt num_first = 0;  ///< rows in the first lists
  const PetscInt* starts = nullptr;
  const PetscInt* columns = nullptr;
  const PetscInt* more_starts = nullptr;  ///< null: there are no more
  const PetscInt* more_columns = nullptr;
  const PetscInt* more_places = nullptr;
  MatrixValues values;

  /// visit(column, place of the value) for the entries of a row.
  template <class Visit>
  void for_places(PetscInt row, const Visit& visit) const {
    for (PetscInt k = begin(row); k < end(row); ++k) visit(columns[k], k);
    if (!more_starts) return;
    for (PetscInt k = more_starts[row]; k < more_starts[row + 1]; ++k) visit(more_columns[k], more_places[k]);
  }
  /// visit(column) likewise.
  template <class Visit>
  void for_columns(PetscInt row, const Visit& visit) const {
    for_places(row, [&visit](PetscInt column, PetscInt) { visit(column); });
  }
  /// visit(column, value) likewise.
  template <class Visit>
  void for_values(PetscInt row, const Visit& visit) const {
    for (PetscInt k = begin(row); k < end(row); ++k) visit(columns[k], values.first[k]);
    if (!more_starts) return;
    for (PetscInt k = more_starts[row]; k < more_starts[row + 1]; ++k) visit(more_columns[k], values[more_places[k]]);
  }

 private:
  PetscInt begin(PetscInt row) const { return row < num_first ? starts[row] : 0; }
  PetscInt end(PetscInt row) const { return row < num_first ? starts[row + 1] : 0; }
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

/// |A| s for s >= 0, entry by entry. Collective.
VecHandle absolute_product(PetscMat A, PetscVec s);

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
