/// \file
/// Fixed-size vectors and matrices over any scalar (double or dual), row-major, usable on the device.
#pragma once

#include "kernels/portability.hpp"

namespace sinew {

/// Vector of N scalars; `Vec<S, N>{}` is zero.
template <class S, int N>
struct Vec {
  S data[N] = {};

  KOKKOS_INLINE_FUNCTION S& operator[](int i) { return data[i]; }
  KOKKOS_INLINE_FUNCTION const S& operator[](int i) const { return data[i]; }
};

/// R x C matrix, row-major; `Mat<S, R, C>{}` is zero.
template <class S, int R, int C = R>
struct Mat {
  S data[R][C] = {};

  KOKKOS_INLINE_FUNCTION S& operator()(int i, int j) { return data[i][j]; }
  KOKKOS_INLINE_FUNCTION const S& operator()(int i, int j) const { return data[i][j]; }
};

template <class S>
using Vec3 = Vec<S, 3>;
template <class S>
using Mat3 = Mat<S, 3, 3>;

/// Three numbers that stand one after the other.
KOKKOS_INLINE_FUNCTION Vec3<double> vec3_at(const double* v) { return Vec3<double>{{v[0], v[1], v[2]}}; }

/// The scalar that a product of scalars S and T gives: the one that carries derivatives.
template <class S, class T>
using Product = decltype(S{} * T{});

template <class S, class T, int N>
KOKKOS_INLINE_FUNCTION Vec<Product<S, T>, N> operator+(const Vec<S, N>& a, const Vec<T, N>& b) {
  Vec<Product<S, T>, N> c;
  for (int i = 0; i < N; ++i) c[i] = a[i] + b[i];
  return c;
}

template <class S, class T, int N>
KOKKOS_INLINE_FUNCTION Vec<Product<S, T>, N> operator-(const Vec<S, N>& a, const Vec<T, N>& b) {
  Vec<Product<S, T>, N> c;
  for (int i = 0; i < N; ++i) c[i] = a[i] - b[i];
  return c;
}

template <class S, int N>
KOKKOS_INLINE_FUNCTION Vec<S, N> operator-(const Vec<S, N>& a) {
  Vec<S, N> c;
  for (int i = 0; i < N; ++i) c[i] = -a[i];
  return c;
}

/// s a, with a scalar on the left.
template <class S, class T, int N>
KOKKOS_INLINE_FUNCTION Vec<Product<S, T>, N> operator*(const S& s, const Vec<T, N>& a) {
  Vec<Product<S, T>, N> c;
  for (int i = 0; i < N; ++i) c[i] = s * a[i];
  return c;
}

template <class S, class T, int N>
KOKKOS_INLINE_FUNCTION Vec<S, N>& operator+=(Vec<S, N>& a, const Vec<T, N>& b) {
  for (int i = 0; i < N; ++i) a[i] = a[i] + b[i];
  return a;
}

template <class S, class T, int N>
KOKKOS_INLINE_FUNCTION Vec<S, N>& operator-=(Vec<S, N>& a, const Vec<T, N>& b) {
  for (int i = 0; i < N; ++i) a[i] = a[i] - b[i];
  return a;
}

template <class S, class T, int N>
KOKKOS_INLINE_FUNCTION Product<S, T> dot(const Vec<S, N>& a, const Vec<T, N>& b) {
  Product<S, T> s = a[0] * b[0];
  for (int i = 1; i < N; ++i) s = s + a[i] * b[i];
  return s;
}

template <class S, class T>
KOKKOS_INLINE_FUNCTION Vec3<Product<S, T>> cross(const Vec3<S>& a, const Vec3<T>& b) {
  Vec3<Product<S, T>> c;
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
  return c;
}

template <class S, int N>
KOKKOS_INLINE_FUNCTION S norm(const Vec<S, N>& a) {
  using math::sqrt;
  return sqrt(dot(a, a));
}

template <class S, class T, int R, int C>
KOKKOS_INLINE_FUNCTION Vec<Product<S, T>, R> operator*(const Mat<S, R, C>& A, const Vec<T, C>& x) {
  Vec<Product<S, T>, R> y;
  for (int i = 0; i < R; ++i) {
    y[i] = A(i, 0) * x[0];
    for (int j = 1; j < C; ++j) y[i] = y[i] + A(i, j) * x[j];
  }
  return y;
}

/// A^T x without forming the transpose.
template <class S, class T, int R, int C>
KOKKOS_INLINE_FUNCTION Vec<Product<S, T>, C> transpose_times(const Mat<S, R, C>& A, const Vec<T, R>& x) {
  Vec<Product<S, T>, C> y;
  for (int j = 0; j < C; ++j) {
    y[j] = A(0, j) * x[0];
    for (int i = 1; i < R; ++i) y[j] = y[j] + A(i, j) * x[i];
  }
  return y;
}

template <class S, class T, int R, int K, int C>
KOKKOS_INLINE_FUNCTION Mat<Product<S, T>, R, C> operator*(const Mat<S, R, K>& A, const Mat<T, K, C>& B) {
  Mat<Product<S, T>, R, C> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      D(i, j) = A(i, 0) * B(0, j);
      for (int k = 1; k < K; ++k) D(i, j) = D(i, j) + A(i, k) * B(k, j);
    }
  return D;
}

template <class S, class T, int R, int C>
KOKKOS_INLINE_FUNCTION Mat<Product<S, T>, R, C> operator+(const Mat<S, R, C>& A, const Mat<T, R, C>& B) {
  Mat<Product<S, T>, R, C> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) D(i, j) = A(i, j) + B(i, j);
  return D;
}

template <class S, class T, int R, int C>
KOKKOS_INLINE_FUNCTION Mat<Product<S, T>, R, C> operator-(const Mat<S, R, C>& A, const Mat<T, R, C>& B) {
  Mat<Product<S, T>, R, C> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) D(i, j) = A(i, j) - B(i, j);
  return D;
}

template <class S, class T, int R, int C>
KOKKOS_INLINE_FUNCTION Mat<Product<S, T>, R, C> operator*(const S& s, const Mat<T, R, C>& A) {
  Mat<Product<S, T>, R, C> D;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) D(i, j) = s * A(i, j);
  return D;
}

template <class S, int R, int C>
KOKKOS_INLINE_FUNCTION Mat<S, C, R> transpose(const Mat<S, R, C>& A) {
  Mat<S, C, R> B;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) B(j, i) = A(i, j);
  return B;
}

/// a b^T
template <class S, class T, int R, int C>
KOKKOS_INLINE_FUNCTION Mat<Product<S, T>, R, C> outer(const Vec<S, R>& a, const Vec<T, C>& b) {
  Mat<Product<S, T>, R, C> A;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) A(i, j) = a[i] * b[j];
  return A;
}

/// The skew matrix a~ with a~ b = a x b.
template <class S>
KOKKOS_INLINE_FUNCTION Mat3<S> skew(const Vec3<S>& a) {
  Mat3<S> A;
  A(0, 1) = -a[2];
  A(0, 2) = a[1];
  A(1, 0) = a[2];
  A(1, 2) = -a[0];
  A(2, 0) = -a[1];
  A(2, 1) = a[0];
  return A;
}

template <class S, int N>
KOKKOS_INLINE_FUNCTION Mat<S, N, N> identity() {
  Mat<S, N, N> A;
  for (int i = 0; i < N; ++i) A(i, i) = S(1.0);
  return A;
}

/// Column j of a matrix.
template <class S, int R, int C>
KOKKOS_INLINE_FUNCTION Vec<S, R> column(const Mat<S, R, C>& A, int j) {
  Vec<S, R> a;
  for (int i = 0; i < R; ++i) a[i] = A(i, j);
  return a;
}

/// Determinant of a 3 x 3 matrix.
template <class S>
KOKKOS_INLINE_FUNCTION S determinant(const Mat3<S>& A) {
  return A(0, 0) * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1)) - A(0, 1) * (A(1, 0) * A(2, 2) - A(1, 2) * A(2, 0)) +
         A(0, 2) * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
}

/// Inverse of a 3 x 3 matrix by cofactors; `det` is its determinant, which the caller has checked.
template <class S>
KOKKOS_INLINE_FUNCTION Mat3<S> inverse(const Mat3<S>& A, const S& det) {
  Mat3<S> B;
  const S r = S(1.0) / det;
  B(0, 0) = r * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1));
  B(0, 1) = r * (A(0, 2) * A(2, 1) - A(0, 1) * A(2, 2));
  B(0, 2) = r * (A(0, 1) * A(1, 2) - A(0, 2) * A(1, 1));
  B(1, 0) = r * (A(1, 2) * A(2, 0) - A(1, 0) * A(2, 2));
  B(1, 1) = r * (A(0, 0) * A(2, 2) - A(0, 2) * A(2, 0));
  B(1, 2) = r * (A(0, 2) * A(1, 0) - A(0, 0) * A(1, 2));
  B(2, 0) = r * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
  B(2, 1) = r * (A(0, 1) * A(2, 0) - A(0, 0) * A(2, 1));
  B(2, 2) = r * (A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0));
  return B;
}

}  // namespace sinew
