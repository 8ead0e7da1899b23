/// \file
/// How far the nodes of an element have turned against each other. Elements that interpolate turns tell those of less than half a
/// turn apart.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/contract.hpp"

namespace sinew {

inline constexpr const char* turned_too_far =
    "turns by half a turn within an element, where it has no shape: use more elements";

/// Cosine of the largest turn from node `from` to another, (tr - 1)/2; not a number where a place or a turn is none.
template <class P, int N>
KOKKOS_INLINE_FUNCTION P cosine_of_largest_turn(const Frame<P> (&frame)[N], int from) {
  P sum = 0.0, least = 1.0;
  for (int a = 0; a < N; ++a) {
    P trace = 0.0;
    for (int i = 0; i < 3; ++i) {
      sum += frame[a].x[i] * frame[a].x[i];
      for (int j = 0; j < 3; ++j) trace += frame[from].R(i, j) * frame[a].R(i, j);
    }
    sum += trace * trace;
    least = smaller(0.5 * (trace - 1.0), least);
  }
  return number_below(1e300, sum, least);
}

/// -0.999 is 177 degrees.
KOKKOS_INLINE_FUNCTION Verdict judge_turn(double cosine) {
  if (!(cosine <= 1)) return Verdict::not_finite;
  return cosine < -0.999 ? Verdict::degenerate : Verdict::ok;
}

}  // namespace sinew
