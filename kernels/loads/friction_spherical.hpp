/// \file
/// Friction in a spherical joint.
#pragma once

#include "kernels/loads/friction.hpp"

namespace sinew {

/// A ball of radius r whose second body turns against the first with the angular velocity w. The reaction is the force F =
/// (lambda_0, lambda_1, lambda_2), N = |F|. Friction acts as a moment of size r F(N, r |w|) of FrictionLaw along w on the first
/// body, against it on the second: as that of the whole force at the arm r, wherever on the ball it presses.
struct FrictionSpherical {
  static constexpr const char* name = "friction-spherical";
  static constexpr const char* help = "dry friction in a spherical joint, proportional to its reaction";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0, num_multipliers = 3;
  static constexpr std::array<const char*, 1> joints() { return {"spherical"}; }
  static constexpr bool couples(int row, int column) { return couples_turning(row, column); }

  struct Params {
    FrictionLaw law;
    double radius;
  };

  static constexpr auto fields() {
    return friction_fields<1>({{{"radius", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the ball"}}});
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no spin that friction could resist");
    return {make_friction_law(setup.fields), setup.fields.number("radius")};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static S normal_force(const S* lambda) {
    return size_from_square(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]);
  }

  /// On the first body.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> friction(const Params& p, const Vec3<S>& spin, const S* lambda) {
    const S speed = p.radius * size_from_square(dot(spin, spin));
    return (p.radius * p.radius * resistance(p.law, normal_force(lambda), speed)) * spin;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
    add_moment_pair(s.frame, friction(p, relative_spin(s), lambda), f);
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"moment", 3, "N m", "on the first body, global frame: along the spin of the second one against it"},
             {"normal", 1, "N", "normal force that friction is in proportion to"},
             {"slip_speed", 1, "m/s", "size of the spin times the radius"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s,
                      const double* lambda, double* out) {
    const Vec3<double> spin = relative_spin(s), moment = friction(p, spin, lambda);
    for (int i = 0; i < 3; ++i) out[i] = moment[i];
    out[3] = normal_force(lambda);
    out[4] = p.radius * norm(spin);
  }
};

}  // namespace sinew
