/// \file
/// Prescribed angular velocity about an axis, a row at velocity level.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// k = e1 . (R2 omega2 - R1 omega1) - u(t) (rad/s), the axis e carried by the first body. psi (N m): moment of the drive on the
/// first body about e.
struct MotionAngularVelocity {
  static constexpr const char* name = "motion-angular-velocity";
  static constexpr const char* help = "the second body turns against the first about an axis with a given angular velocity";
  static constexpr int num_nodes = 2, num_position_rows = 0, num_velocity_rows = 1, num_signals = 1;
  static constexpr bool is_analytic = true;

  struct Params {
    Vec3<double> axis;
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "axis of the rotation"),
             {"angular_velocity", FieldType::signal, "rad/s", true, "", FieldCheck::any,
              "angular velocity about the axis, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no angular velocity");
    return {setup.places[0].local(setup.fields.vector("axis"))};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void velocity(const Params& p, const Frame<S> (&f)[2], const Twist<S> (&z)[2], const S* signals,
                                              S (&k)[1]) {
    k[0] = dot(f[0].R * p.axis, f[1].R * z[1].omega - f[0].R * z[0].omega) - signals[0];
  }
};

}  // namespace sinew
