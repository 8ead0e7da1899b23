/// \file
/// Symmetric matrices that keep their lower triangle only.
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// N x N; `Symmetric<S, N>{}` is zero.
template <class S, int N>
struct Symmetric {
  S data[N * (N + 1) / 2] = {};  ///< rows of the lower triangle

  KOKKOS_INLINE_FUNCTION static constexpr int place(int i, int j) { return i < j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j; }
  KOKKOS_INLINE_FUNCTION S& operator()(int i, int j) { return data[place(i, j)]; }
  KOKKOS_INLINE_FUNCTION const S& operator()(int i, int j) const { return data[place(i, j)]; }

  /// The symmetric part of a full one.
  static Symmetric of(const Mat<S, N>& A) {
    Symmetric B;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) B(i, j) = 0.5 * (A(i, j) + A(j, i));
    return B;
  }
};

template <class S, class T, int N>
KOKKOS_INLINE_FUNCTION Vec<Product<S, T>, N> operator*(const Symmetric<S, N>& A, const Vec<T, N>& x) {
  Vec<Product<S, T>, N> y;
  for (int i = 0; i < N; ++i) {
    y[i] = A(i, 0) * x[0];
    for (int j = 1; j < N; ++j) y[i] = y[i] + A(i, j) * x[j];
  }
  return y;
}

/// Is a symmetric matrix positive definite, in whatever units? By the pivots of Cholesky's factors of the matrix scaled
/// to a diagonal of 1; what is below 1e-14 there is rounding. For a few rows; larger matrices are LAPACK's (src/solve/dense.hpp).
template <int N>
bool is_positive_definite(const Mat<double, N>& A) {
  Mat<double, N> left;
  for (int i = 0; i < N; ++i)
    if (!(A(i, i) > 0)) return false;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) left(i, j) = A(i, j) / math::sqrt(A(i, i) * A(j, j));
  for (int k = 0; k < N; ++k) {
    if (!(left(k, k) > 1e-14)) return false;
    for (int i = k + 1; i < N; ++i)
      for (int j = k + 1; j < N; ++j) left(i, j) -= left(i, k) * left(k, j) / left(k, k);
  }
  return true;
}

}  // namespace sinew
