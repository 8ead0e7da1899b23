/// \file
/// The row that `motion-position` and `motion-displacement` share.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// g = e1 . (p2 - p1) - start - u(t) (m), the axis e carried by the first body. lambda (N): force of the drive on the first body
/// along e, at the second place.
struct MotionAlong {
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> point1, point2, axis;
    double start;
  };

  /// Params with start = 0.
  static Params make_along(const Setup& setup, const char* who) {
    require_first_frame(setup, who);
    const Vec3<double> e = setup.fields.vector("axis");
    return {setup.places[0].point, setup.places[1].point, setup.places[0].local(e), 0.0};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* signals, S (&g)[1]) {
    g[0] = dot(f[0].R * p.axis, place_of(f[1], p.point2) - place_of(f[0], p.point1)) - p.start - signals[0];
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                              Mat<double, 1, 12>& G) {
    along_gradient(f, p.point2, p.axis, 0, G);
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                                         const double (&lambda)[1], Mat<double, 12>& K) {
    along_stiffness(f, p.point2, lambda[0] * p.axis, K);
  }
};

}  // namespace sinew
