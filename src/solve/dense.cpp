#include "solve/dense.hpp"

#include "base/error.hpp"

#include <slepcblaslapack.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace sinew {

Dense product(const Dense& A, const Dense& B) {
  Dense C(A.rows, B.columns);
  if (A.rows == 0 || A.columns == 0 || B.columns == 0) return C;
  const double one = 1, zero = 0;
  const PetscBLASInt m = A.rows, n = B.columns, k = A.columns;
  BLASgemm_("N", "N", &m, &n, &k, &one, A.values.data(), &m, B.values.data(), &k, &zero, C.values.data(), &m);
  return C;
}

Dense transposed(const Dense& A) {
  Dense T(A.columns, A.rows);
  for (int j = 0; j < A.columns; ++j)
    for (int i = 0; i < A.rows; ++i) T(j, i) = A(i, j);
  return T;
}

Dense sum(Dense A, double factor, const Dense& B) {
  for (std::size_t k = 0; k < A.values.size(); ++k) A.values[k] += factor * B.values[k];
  return A;
}

Dense solution(Dense A, Dense B, const char* meaning) {
  const PetscBLASInt n = A.rows, columns = B.columns;
  if (n == 0) return B;
  double largest = 0;
  for (const double a : A.values) largest = std::max(largest, std::abs(a));
  std::vector<PetscBLASInt> pivots(static_cast<std::size_t>(n));
  PetscBLASInt info = 0;
  LAPACKgetrf_(&n, &n, A.values.data(), &n, pivots.data(), &info);
  for (int k = 0; k < n; ++k)
    if (!(std::abs(A(k, k)) > 1e-15 * largest)) throw SolveError(std::string(meaning) + " is singular");
  LAPACKgetrs_("N", &n, &columns, A.values.data(), &n, pivots.data(), B.values.data(), &n, &info);
  return B;
}

std::vector<double> singular_values(Dense& A) {
  std::vector<double> values(static_cast<std::size_t>(A.rows)), work(static_cast<std::size_t>(A.rows) * 8);
  const auto n = static_cast<PetscBLASInt>(A.rows), size = static_cast<PetscBLASInt>(work.size()), one = PetscBLASInt(1);
  PetscBLASInt info = 0;
  double none = 0;
  LAPACKgesvd_("N", "O", &n, &n, A.values.data(), &n, values.data(), &none, &one, &none, &one, work.data(), &size, &info);
  if (info != 0) throw SolveError("LAPACK finds no singular values of a small matrix");
  return values;
}

RowSpace::RowSpace(const Dense& A, double tolerance)
    : factors_(transposed(A)), tau_(std::min(A.rows, A.columns)), scale_(A.rows, 1.0), pivots_(A.rows, 0) {
  PetscBLASInt n = factors_.rows, m = factors_.columns, space = std::max(1, 64 * (m + 1)), info = 0;
  for (int j = 0; j < m; ++j) {
    const double size = std::sqrt(std::inner_product(factors_.column(j), factors_.column(j) + n, factors_.column(j), 0.0));
    if (size > 0) scale_[j] = 1 / size;
    for (int i = 0; i < n; ++i) factors_(i, j) *= scale_[j];
  }
  if (n == 0 || m == 0) return;
  std::vector<double> work(static_cast<std::size_t>(space));
  LAPACKgeqp3_(&n, &m, factors_.values.data(), &n, pivots_.data(), tau_.data(), work.data(), &space, &info);
  for (PetscBLASInt& p : pivots_) --p;  // LAPACK counts from 1
  while (rank_ < std::min(n, m) && std::abs(factors_(rank_, rank_)) > tolerance) ++rank_;
}

/// X <- Q X or Q^T X.
void RowSpace::apply(Dense& X, bool transposes) const {
  if (rank_ == 0 || X.columns == 0) return;
  PetscBLASInt n = X.rows, columns = X.columns, rank = rank_, space = 64 * columns, info = 0;
  std::vector<double> work(static_cast<std::size_t>(space));
  // PETSc declares what LAPACK does not write without const.
  auto* vectors = const_cast<double*>(factors_.values.data());
  auto* tau = const_cast<double*>(tau_.data());
  const char* which = transposes ? "T" : "N";
  LAPACKormqr_("L", which, &n, &columns, &rank, vectors, &n, tau, X.values.data(), &n, work.data(), &space, &info);
}

/// X <- R^-1 X or R^-T X in the first rows of X.
void RowSpace::divide_by_triangle(Dense& X, bool transposes) const {
  if (rank_ == 0 || X.columns == 0) return;
  const PetscBLASInt rank = rank_, columns = X.columns, height = factors_.rows, rows = X.rows;
  PetscBLASInt info = 0;
  LAPACKtrtrs_("U", transposes ? "T" : "N", "N", &rank, &columns, factors_.values.data(), &height, X.values.data(), &rows, &info);
}

Dense RowSpace::null_space() const {
  const int n = factors_.rows;
  Dense Z(n, n - rank_);
  for (int j = 0; j < Z.columns; ++j) Z(rank_ + j, j) = 1;
  apply(Z, false);
  return Z;
}

Dense RowSpace::shortest(const Dense& B) const {
  // R^T c = P^T B, X = Q [c; 0]
  Dense X(factors_.rows, B.columns);
  for (int j = 0; j < B.columns; ++j)
    for (int k = 0; k < rank_; ++k) X(k, j) = scale_[pivots_[k]] * B(pivots_[k], j);
  divide_by_triangle(X, true);
  apply(X, false);
  return X;
}

Dense RowSpace::multipliers(const Dense& B) const {
  Dense C = B, X(factors_.columns, B.columns);
  apply(C, true);
  divide_by_triangle(C, false);
  for (int j = 0; j < B.columns; ++j)
    for (int k = 0; k < rank_; ++k) X(pivots_[k], j) = scale_[pivots_[k]] * C(k, j);
  return X;
}

}  // namespace sinew
