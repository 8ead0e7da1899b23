/// \file
/// Small dense matrices on one process, by LAPACK: products, solutions, singular values, and the null space of a
/// matrix by a pivoted QR factorisation.
#pragma once

#include <petscsys.h>

#include <cstddef>
#include <vector>

namespace sinew {

/// By columns.
struct Dense {
  int rows = 0, columns = 0;
  std::vector<double> values;

  Dense() = default;
  Dense(int rows_in, int columns_in)
      : rows(rows_in), columns(columns_in), values(static_cast<std::size_t>(rows_in) * columns_in, 0.0) {}
  double& operator()(int i, int j) { return values[static_cast<std::size_t>(j) * rows + i]; }
  double operator()(int i, int j) const { return values[static_cast<std::size_t>(j) * rows + i]; }
  double* column(int j) { return values.data() + static_cast<std::size_t>(j) * rows; }
  const double* column(int j) const { return values.data() + static_cast<std::size_t>(j) * rows; }
};

Dense product(const Dense& A, const Dense& B);
Dense transposed(const Dense& A);
/// A + factor B.
Dense sum(Dense A, double factor, const Dense& B);
/// X with A X = B by LU with row pivoting. Throws SolveError where A, which `meaning` names for the user, is singular.
Dense solution(Dense A, Dense B, const char* meaning);
/// The singular values of a square matrix, in descending order; leaves the right singular vectors as its rows. Throws SolveError.
std::vector<double> singular_values(Dense& A);

/// A^T P = Q R with columns sorted by what is left of them (Householder): the range and the null space of A, and solutions with A
/// and A^T.
class RowSpace {
 public:
  /// Rows of A (scaled to length 1) that depend on the others up to `tolerance` do not count.
  explicit RowSpace(const Dense& A, double tolerance = 1e-9);

  int rank() const { return rank_; }
  /// Orthonormal basis of the null space of A: A.columns x (A.columns - rank).
  Dense null_space() const;
  /// The shortest X with A X = B; rows of B that belong to dependent rows of A are not looked at.
  Dense shortest(const Dense& B) const;
  /// X with A^T X = B in the sense of least squares; 0 for dependent rows.
  Dense multipliers(const Dense& B) const;

 private:
  void apply(Dense& X, bool transposes) const;
  void divide_by_triangle(Dense& X, bool transposes) const;

  Dense factors_;  ///< Householder vectors below, R on and above the diagonal
  std::vector<double> tau_, scale_;
  std::vector<PetscBLASInt> pivots_;
  int rank_ = 0;
};

}  // namespace sinew
