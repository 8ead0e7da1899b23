/// \file
/// The size of a vector where it may be zero.
#pragma once

#include "kernels/algebra/dual.hpp"

namespace sinew {

/// A number whose square is not rounded away and that no force, speed or sine is small beside.
inline constexpr double least_size = 1e-100;

/// |a| from a . a. The root has no slope at 0; there the derivative is that of sqrt(a . a + 1e-200), 0, and no other value of it
/// is changed: beside any other square the added number is rounded away.
template <class S>
KOKKOS_INLINE_FUNCTION S size_from_square(const S& square) {
  using math::sqrt;
  return sqrt(square + least_size * least_size);
}

}  // namespace sinew
