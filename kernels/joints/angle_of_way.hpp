/// \file
/// A way along a direction as the angle that goes with it: what a thread or the teeth of a rack ask for.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// phi = k (u . r - d0) (rad): r = p2 - p1 leads from a place of the first body to one of the second, u is a direction that the
/// first body carries, d0 = u . r at the start (m), and k the slope (rad/m).
struct AngleOfWay {
  Vec3<double> point1, point2;  ///< the places in their nodes' axes
  Vec3<double> along;           ///< u, first node's axes
  double start = 0;             ///< d0
  double slope = 0;             ///< k

  /// Zero at the start; the direction is global there.
  static AngleOfWay between(const Place& first, const Place& second, const Vec3<double>& direction, double slope) {
    return {first.point, second.point, first.local(direction), dot(direction, second.position() - first.position()), slope};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION S angle(const Frame<S> (&f)[2]) const {
    return slope * (dot(f[0].R * along, place_of(f[1], point2) - place_of(f[0], point1)) - start);
  }

  /// D phi.
  KOKKOS_INLINE_FUNCTION void gradient(const Frame<double> (&f)[2], Mat<double, 1, 12>& G) const {
    along_gradient(f, point2, slope * along, 0, G);
  }

  /// Adds lambda D D phi.
  KOKKOS_INLINE_FUNCTION void stiffness(const Frame<double> (&f)[2], double lambda, Mat<double, 12>& K) const {
    along_stiffness(f, point2, (lambda * slope) * along, K);
  }
};

}  // namespace sinew
