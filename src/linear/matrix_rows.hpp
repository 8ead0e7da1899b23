/// \file
/// The rows of a matrix as arrays.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// The rows of a sequential AIJ matrix, as long as this object lives. Throws SolveError for other matrices.
class MatrixRows {
 public:
  explicit MatrixRows(PetscMat A);
  ~MatrixRows();
  MatrixRows(const MatrixRows&) = delete;
  MatrixRows& operator=(const MatrixRows&) = delete;

  PetscInt n = 0;
  const PetscInt* starts = nullptr;
  const PetscInt* columns = nullptr;
  const PetscScalar* values = nullptr;

 private:
  PetscMat matrix_;
};

}  // namespace sinew
