/// \file
/// Prescribed velocity along a direction, a row at velocity level.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// k = e1 . (velocity of the second place against the first body there) - u(t) (m/s), the axis e carried by the first body: the
/// rate of e1 . (p2 - p1). psi (N): force of the drive on the first body along e, at the second place.
struct MotionVelocity {
  static constexpr const char* name = "motion-velocity";
  static constexpr const char* help = "the second place moves along an axis of the first with a given velocity";
  static constexpr int num_nodes = 2, num_position_rows = 0, num_velocity_rows = 1, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> point2, axis;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "direction of the motion"),
             {"velocity", FieldType::signal, "m/s", true, "", FieldCheck::any, "velocity along the axis, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_first_frame(setup, name);
    return {setup.places[1].point, setup.places[0].local(setup.fields.vector("axis"))};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&f)[2], const Twist<S> (&z)[2], const S* signals,
                                              S (&k)[1]) {
    const Vec3<S> relative = place_velocity(f[1], z[1], p.point2) - velocity_at(f[0], z[0], place_of(f[1], p.point2));
    k[0] = dot(f[0].R * p.axis, relative) - signals[0];
  }
};

}  // namespace sinew
