#include "solve/dense.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {

Dense product(const Dense& A, const Dense& B) {
  Dense C(A.rows, B.columns);
  for (int j = 0; j < B.columns; ++j)
    for (int k = 0; k < A.columns; ++k) {
      const double factor = B(k, j);
      if (factor == 0) continue;
      const double* a = A.column(k);
      double* c = C.column(j);
      for (int i = 0; i < A.rows; ++i) c[i] += factor * a[i];
    }
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

Dense solution(Dense A, Dense B) {
  const int n = A.rows;
  double largest = 0;
  for (const double a : A.values) largest = std::max(largest, std::abs(a));
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(p, k))) p = i;
    if (!(std::abs(A(p, k)) > 1e-15 * largest))
      throw SolveError("the mass matrix of the motions that the constraints leave is singular: a body without mass is not held");
    for (int j = 0; p != k && j < n; ++j) std::swap(A(k, j), A(p, j));
    for (int j = 0; p != k && j < B.columns; ++j) std::swap(B(k, j), B(p, j));
    for (int i = k + 1; i < n; ++i) A(i, k) /= A(k, k);
    for (int j = k + 1; j < n; ++j) {
      const double factor = A(k, j);
      for (int i = k + 1; i < n; ++i) A(i, j) -= factor * A(i, k);
    }
    for (int j = 0; j < B.columns; ++j)
      for (int i = k + 1; i < n; ++i) B(i, j) -= B(k, j) * A(i, k);
  }
  for (int j = 0; j < B.columns; ++j)
    for (int k = n - 1; k >= 0; --k) {
      B(k, j) /= A(k, k);
      for (int i = 0; i < k; ++i) B(i, j) -= B(k, j) * A(i, k);
    }
  return B;
}

RowSpace::RowSpace(const Dense& A, double tolerance) : factors_(transposed(A)), scale_(A.rows, 1.0), pivots_(A.rows) {
  const int n = factors_.rows, m = factors_.columns;
  std::iota(pivots_.begin(), pivots_.end(), 0);
  for (int j = 0; j < m; ++j) {
    double square = 0;
    for (int i = 0; i < n; ++i) square += factors_(i, j) * factors_(i, j);
    if (square > 0) scale_[j] = 1 / std::sqrt(square);
    for (int i = 0; i < n; ++i) factors_(i, j) *= scale_[j];
  }
  for (int k = 0; k < std::min(n, m); ++k) {
    int best = k;
    double most = -1;
    for (int j = k; j < m; ++j) {
      double square = 0;
      for (int i = k; i < n; ++i) square += factors_(i, j) * factors_(i, j);
      if (square > most) {
        most = square;
        best = j;
      }
    }
    if (!(std::sqrt(most) > tolerance)) break;
    if (best != k) {
      std::swap_ranges(factors_.column(k), factors_.column(k) + n, factors_.column(best));
      std::swap(pivots_[k], pivots_[best]);
    }
    // the reflection 1 - tau v v^T, v_k = 1, takes the column to beta e_k
    double* v = factors_.column(k);
    const double beta = v[k] > 0 ? -std::sqrt(most) : std::sqrt(most);
    tau_.push_back((beta - v[k]) / beta);
    for (int i = k + 1; i < n; ++i) v[i] /= v[k] - beta;
    v[k] = beta;
    for (int j = k + 1; j < m; ++j) {
      double* x = factors_.column(j);
      double dot = x[k];
      for (int i = k + 1; i < n; ++i) dot += v[i] * x[i];
      dot *= tau_[k];
      x[k] -= dot;
      for (int i = k + 1; i < n; ++i) x[i] -= dot * v[i];
    }
    ++rank_;
  }
}

/// X <- Q X or Q^T X.
void RowSpace::apply(Dense& X, bool transposes) const {
  const int n = factors_.rows;
  for (int step = 0; step < rank_; ++step) {
    const int k = transposes ? step : rank_ - 1 - step;
    const double* v = factors_.column(k);
    for (int j = 0; j < X.columns; ++j) {
      double* x = X.column(j);
      double dot = x[k];
      for (int i = k + 1; i < n; ++i) dot += v[i] * x[i];
      dot *= tau_[k];
      x[k] -= dot;
      for (int i = k + 1; i < n; ++i) x[i] -= dot * v[i];
    }
  }
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
    for (int k = 0; k < rank_; ++k) {
      double value = scale_[pivots_[k]] * B(pivots_[k], j);
      for (int i = 0; i < k; ++i) value -= factors_(i, k) * X(i, j);
      X(k, j) = value / factors_(k, k);
    }
  apply(X, false);
  return X;
}

Dense RowSpace::multipliers(const Dense& B) const {
  Dense C = B, X(factors_.columns, B.columns);
  apply(C, true);
  for (int j = 0; j < B.columns; ++j)
    for (int k = rank_ - 1; k >= 0; --k) {
      double value = C(k, j);
      for (int i = k + 1; i < rank_; ++i) value -= factors_(k, i) * X(pivots_[i], j) / scale_[pivots_[i]];
      X(pivots_[k], j) = scale_[pivots_[k]] * value / factors_(k, k);
    }
  return X;
}

}  // namespace sinew
