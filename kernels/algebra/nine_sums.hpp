/// \file
/// Sums of 3 x 3 blocks in registers.
#pragma once

#include "kernels/algebra/unrolled.hpp"
#include "kernels/algebra/vec.hpp"

namespace sinew {

/// A 3 x 3 block that is summed, row by row. Its numbers are named one by one at compile time: see unrolled.hpp.
template <class P>
class NineSums {
 public:
  /// Zero, x y^T or t A.
  KOKKOS_FORCEINLINE_FUNCTION NineSums() { start(Numbers()); }
  KOKKOS_FORCEINLINE_FUNCTION NineSums(const Vec3<P>& x, const Vec3<P>& y) { start(x, y, Numbers()); }
  KOKKOS_FORCEINLINE_FUNCTION NineSums(const P& t, const P (&A)[9]) { start(t, A, Numbers()); }

  KOKKOS_FORCEINLINE_FUNCTION void add(const Vec3<P>& x, const Vec3<P>& y) { add(x, y, Numbers()); }
  KOKKOS_FORCEINLINE_FUNCTION void subtract(const Vec3<P>& x, const Vec3<P>& y) { subtract(x, y, Numbers()); }
  KOKKOS_FORCEINLINE_FUNCTION void add(const P& t, const P (&A)[9]) { add(t, A, Numbers()); }
  KOKKOS_FORCEINLINE_FUNCTION void subtract(const P& t, const P (&A)[9]) { subtract(t, A, Numbers()); }
  /// Adds t A^T.
  KOKKOS_FORCEINLINE_FUNCTION void add_transposed(const P& t, const P (&A)[9]) { add_transposed(t, A, Numbers()); }
  KOKKOS_FORCEINLINE_FUNCTION void store(P* to) const { store(to, Numbers()); }

 private:
  using Numbers = std::make_integer_sequence<int, 9>;
  template <int... e>
  using List = std::integer_sequence<int, e...>;

  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void start(List<e...>) {
    ((sum_[e] = 0.0), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void start(const Vec3<P>& x, const Vec3<P>& y, List<e...>) {
    ((sum_[e] = x[e / 3] * y[e % 3]), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void start(const P& t, const P (&A)[9], List<e...>) {
    ((sum_[e] = t * A[e]), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Vec3<P>& x, const Vec3<P>& y, List<e...>) {
    ((sum_[e] = sum_[e] + x[e / 3] * y[e % 3]), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void subtract(const Vec3<P>& x, const Vec3<P>& y, List<e...>) {
    ((sum_[e] = sum_[e] - x[e / 3] * y[e % 3]), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void add(const P& t, const P (&A)[9], List<e...>) {
    ((sum_[e] = sum_[e] + t * A[e]), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void subtract(const P& t, const P (&A)[9], List<e...>) {
    ((sum_[e] = sum_[e] - t * A[e]), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void add_transposed(const P& t, const P (&A)[9], List<e...>) {
    ((sum_[e] = sum_[e] + t * A[3 * (e % 3) + e / 3]), ...);
  }
  template <int... e>
  KOKKOS_FORCEINLINE_FUNCTION void store(P* to, List<e...>) const {
    ((to[e] = sum_[e]), ...);
  }

  P sum_[9];
};

}  // namespace sinew
