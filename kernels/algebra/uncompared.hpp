/// \file
/// A number without order: what compiles with it has no branch on the state.
#pragma once

#include "kernels/portability.hpp"

namespace sinew {

/// A number that knows the operations of analytic functions and nothing else: it cannot be compared, not be turned into a plain
/// number, and has no absolute value. It is never computed with. Structs that claim to be analytic (kernels/contract.hpp) are
/// compiled with it, so that a branch on the state does not compile: a matrix may be zero on one side of it and not on the other.
struct Uncompared {
  KOKKOS_DEFAULTED_FUNCTION Uncompared() = default;
  KOKKOS_INLINE_FUNCTION Uncompared(double) {}  // NOLINT: a constant is a number

  friend KOKKOS_INLINE_FUNCTION Uncompared operator-(Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared operator+(Uncompared, Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared operator-(Uncompared, Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared operator*(Uncompared, Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared operator/(Uncompared, Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared& operator+=(Uncompared& a, Uncompared) { return a; }
  friend KOKKOS_INLINE_FUNCTION Uncompared& operator-=(Uncompared& a, Uncompared) { return a; }
  friend KOKKOS_INLINE_FUNCTION Uncompared& operator*=(Uncompared& a, Uncompared) { return a; }

  friend KOKKOS_INLINE_FUNCTION Uncompared sqrt(Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared sin(Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared cos(Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared atan2(Uncompared, Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared log(Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared exp(Uncompared) { return {}; }
  friend KOKKOS_INLINE_FUNCTION Uncompared tanh(Uncompared) { return {}; }
};

}  // namespace sinew
