/// \file
/// Loops that are unrolled before compilers look at arrays: numbers of an array whose places are all constants stay in registers,
/// which those of a loop that is unrolled later do not.
#pragma once

#include "kernels/portability.hpp"

#include <utility>

namespace sinew {

/// i, as a number of a type of its own.
template <int i>
struct Constant {
  static constexpr int value = i;
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator int() const { return i; }  // NOLINT: it is a number
};

namespace detail {
template <class Body, int... i>
KOKKOS_FORCEINLINE_FUNCTION void unroll(Body& body, std::integer_sequence<int, i...>) {
  (body(Constant<i>()), ...);
}
}  // namespace detail

/// body(i) for i = 0 ... n - 1, where i is a constant. Where time counts bodies are lambdas that are inlined whatever their size:
///   unrolled<3>([&](auto i) __attribute__((always_inline)) { ... });
template <int n, class Body>
KOKKOS_FORCEINLINE_FUNCTION void unrolled(Body body) {
  detail::unroll(body, std::make_integer_sequence<int, n>());
}

}  // namespace sinew
