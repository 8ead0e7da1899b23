/// \file
/// Friction in a revolute joint.
#pragma once

#include "kernels/loads/friction.hpp"

namespace sinew {

/// A pin of radius r and a collar of mean radius r_c; the second body turns against the first about the axis a with the angular
/// speed w. Of the reactions (kernels/joints/revolute.hpp), the force F = (lambda_0, lambda_1, lambda_2) and the moments
/// lambda_3, lambda_4 across the axis, come the normal forces
///
///   N   = |F - a (a . F)| + (2 / length) |(lambda_3, lambda_4)|       at the pin                                          (N)
///   N_c = |a . F|                                                     at the collar                                       (N)
///
/// where the moments are a couple at the ends of the bearing's length. The moment r F(N, r w) + r_c F(N_c, r_c w) of FrictionLaw
/// acts about a on the first body, its opposite on the second.
struct FrictionRevolute {
  static constexpr const char* name = "friction-revolute";
  static constexpr const char* help = "dry friction in a revolute joint, proportional to its reactions";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0, num_multipliers = 5;
  static constexpr std::array<const char*, 1> joints() { return {"revolute"}; }
  static constexpr bool couples(int row, int column) { return couples_turning(row, column); }

  struct Params {
    FrictionLaw law;
    Vec3<double> axis;  ///< first node's axes
    double radius, collar, by_bending;
  };

  static constexpr auto fields() {
    return friction_fields<4>({{axis_field("axis", "direction of the hinge"),
                                {"radius", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the pin"},
                                {"collar_radius", FieldType::number, "m", false, "forces along the axis do not count",
                                 FieldCheck::positive, "mean radius of the collar that takes forces along the axis"},
                                {"length", FieldType::number, "m", false, "moments across the axis do not count",
                                 FieldCheck::positive, "length of the bearing, over which it takes moments across its axis"}}});
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "no revolute joint takes it");
    return {make_friction_law(setup.fields), setup.places[0].local(setup.fields.vector("axis")), setup.fields.number("radius"),
            setup.fields.number("collar_radius", 0), couple_of_moment(setup.fields, "length")};
  }

  /// N and N_c.
  template <class S>
  struct Normals {
    S pin, collar;
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static Normals<S> normal_forces(const Params& p, const Vec3<S>& a, const S* lambda) {
    const Vec3<S> F{{lambda[0], lambda[1], lambda[2]}};
    const S along = dot(a, F);
    const Vec3<S> across = F - along * a;
    return {
        size_from_square(dot(across, across)) + p.by_bending * size_from_square(lambda[3] * lambda[3] + lambda[4] * lambda[4]),
        size_from_square(along * along)};
  }

  /// On the first body about the axis.
  template <class S>
  KOKKOS_INLINE_FUNCTION static S friction(const Params& p, const Normals<S>& normal, const S& spin) {
    const S size = size_from_square(spin * spin);
    S moment = p.radius * p.radius * resistance(p.law, normal.pin, p.radius * size) * spin;
    if (p.collar > 0) moment += p.collar * p.collar * resistance(p.law, normal.collar, p.collar * size) * spin;
    return moment;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<S> a = s.frame[0].R * p.axis;
    add_moment_pair(s.frame, friction(p, normal_forces(p, a, lambda), dot(a, relative_spin(s))) * a, f);
  }

  static constexpr std::array<MeasureSpec, 4> measures() {
    return {{{"moment", 1, "N m", "on the first body about the axis: positive where the second one turns about it"},
             {"normal", 1, "N", "normal force at the pin"},
             {"collar", 1, "N", "normal force at the collar"},
             {"slip_speed", 1, "m/s", "at the pin: its radius times the angular speed of the second body"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s,
                      const double* lambda, double* out) {
    const Vec3<double> a = s.frame[0].R * p.axis;
    const Normals<double> normal = normal_forces(p, a, lambda);
    const double spin = dot(a, relative_spin(s));
    out[0] = friction(p, normal, spin);
    out[1] = normal.pin;
    out[2] = normal.collar;
    out[3] = p.radius * spin;
  }
};

}  // namespace sinew
