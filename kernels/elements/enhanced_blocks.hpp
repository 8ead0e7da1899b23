/// \file
/// From a symmetric matrix over the seven vectors of an enhanced hexahedron to that of its nodes, on hosts:
///   K_ab = sum_AB T_Aa T_Bb K_AB,   f_A = sum_a T_Aa x_a.
/// Of 3 x 3 blocks over the vectors those with A <= B are kept, 28 of 49: with what is found of two nodes at a time they stay in
/// the first-level cache. Every number that is read from there is used for two nodes, so that loads do not hold up sums.
#pragma once

#include "kernels/algebra/nine_sums.hpp"
#include "kernels/elements/enhanced_geometry.hpp"

namespace sinew {

template <class P>
class EnhancedBlocks {
 public:
  static constexpr int N = Hex8::num_nodes, count = EnhancedVectors::count;
  using Weights = P[count][N];

  /// Where K_AB stands, A <= B.
  KOKKOS_INLINE_FUNCTION static constexpr int place(int A, int B) { return B * (B + 1) / 2 + A; }
  KOKKOS_FORCEINLINE_FUNCTION P (&at(int A, int B))[9] { return K_[place(A, B)]; }
  /// sum + t K_AB, of any two vectors.
  template <int A, int B>
  KOKKOS_FORCEINLINE_FUNCTION void add_to(NineSums<P>& sum, const P& t) const {
    if constexpr (A <= B)
      sum.add(t, K_[place(A, B)]);
    else
      sum.add_transposed(t, K_[place(B, A)]);
  }

  /// Hands K_ab to put(a, b, K_ab) for a <= b; K_ba is its transpose. The last row adds up to zero with the others.
  template <class Put>
  KOKKOS_FORCEINLINE_FUNCTION void put_upper(const Weights& T, const Put& put) const {
    P rows[at_once][count][9];
    Mat3<P> corner;
    const auto put_above = [&](int a, int b, Mat3<P>& K) __attribute__((always_inline)) {
      if (b == N - 1) corner = corner - K;
      put(a, b, K);
    };
    int a = 0;
    for (; a + at_once < N; a += at_once) {
      set_rows<at_once>(T, a, rows);
      for (int r = 0; r < at_once; ++r) put_row(T, a + r, rows[r], put_above);
    }
    for (; a < N - 1; ++a) {
      set_rows<1>(T, a, rows);
      put_row(T, a, rows[0], put_above);
    }
    put(N - 1, N - 1, corner);
  }

 private:
  /// Nodes at a time: two blocks of sums fill registers of which there are 32, one those of which there are 16.
  static constexpr int at_once = sizeof(P) >= 64 ? 2 : 1;

  /// sum_A T_Aa K_AB of n nodes from a on.
  template <int n>
  KOKKOS_FORCEINLINE_FUNCTION void set_rows(const Weights& T, int a, P (&rows)[at_once][count][9]) const {
    unrolled<count>([&](auto B) __attribute__((always_inline)) {
      NineSums<P> first, second;
      unrolled<count>([&](auto A) __attribute__((always_inline)) {
        add_to<A, B>(first, T[A][a]);
        if constexpr (n > 1) add_to<A, B>(second, T[A][a + 1]);
      });
      first.store(rows[0][B]);
      if constexpr (n > 1) second.store(rows[1][B]);
    });
  }
  /// K_ab of all b >= a.
  template <class Put>
  KOKKOS_FORCEINLINE_FUNCTION static void put_row(const Weights& T, int a, const P (&row)[count][9], const Put& put) {
    int b = a;
    if ((N - a) % at_once != 0) put_blocks<1>(T, a, b++, row, put);
    for (; b < N; b += at_once) put_blocks<at_once>(T, a, b, row, put);
  }
  /// K_ab of n nodes from b on.
  template <int n, class Put>
  KOKKOS_FORCEINLINE_FUNCTION static void put_blocks(const Weights& T, int a, int b, const P (&row)[count][9], const Put& put) {
    NineSums<P> first(T[0][b], row[0]), second;
    if constexpr (n > 1) second.add(T[0][b + 1], row[0]);
    unrolled<count - 1>([&](auto B) __attribute__((always_inline)) {
      first.add(T[B + 1][b], row[B + 1]);
      if constexpr (n > 1) second.add(T[B + 1][b + 1], row[B + 1]);
    });
    Mat3<P> K;
    first.store(&K(0, 0));
    put(a, b, K);
    if constexpr (n > 1) {
      second.store(&K(0, 0));
      put(a, b + 1, K);
    }
  }

  P K_[place(0, count)][9];
};

}  // namespace sinew
