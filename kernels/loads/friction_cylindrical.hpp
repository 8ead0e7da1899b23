/// \file
/// Friction in a cylindrical joint.
#pragma once

#include "kernels/loads/friction.hpp"

namespace sinew {

/// A sleeve on a bar of radius r: the second body slides along the axis e of the first with the speed v and turns about it with
/// the angular speed w, so that its surface slips with (v, r w). Of the reactions (kernels/joints/cylindrical.hpp), forces
/// lambda_0, lambda_1 across the axis at the second place and moments lambda_2, lambda_3 across it, comes the normal force
///
///   N = |(lambda_0, lambda_1)| + (2 / length) |(lambda_2, lambda_3)|                                                       (N)
///
/// with the moments as a couple at the ends of the sleeve. FrictionLaw of N and the size of the slip acts against it: along e a
/// force, about e a moment, on the first body with the slip and on the second against it.
struct FrictionCylindrical {
  static constexpr const char* name = "friction-cylindrical";
  static constexpr const char* help = "dry friction in a cylindrical joint, proportional to its reactions";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0, num_multipliers = 4;
  static constexpr std::array<const char*, 1> joints() { return {"cylindrical"}; }
  static constexpr bool couples(int row, int column) { return couples_all(row, column); }

  struct Params {
    FrictionLaw law;
    Vec3<double> point2, axis;  ///< in the axes of the second and of the first node
    double radius, by_bending;
  };

  static constexpr auto fields() {
    return friction_fields<3>({{axis_field("axis", "common axis"),
                                {"radius", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the bar"},
                                {"length", FieldType::number, "m", false, "moments across the axis do not count",
                                 FieldCheck::positive, "length of the sleeve, over which it takes moments across its axis"}}});
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "no cylindrical joint takes it");
    return {make_friction_law(setup.fields), setup.places[1].point, setup.places[0].local(setup.fields.vector("axis")),
            setup.fields.number("radius"), couple_of_moment(setup.fields, "length")};
  }

  /// What acts on the first body along and about the axis, N and the two parts of the slip.
  template <class S>
  struct Friction {
    S force, moment, normal, sliding, turning;
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static S normal_force(const Params& p, const S* lambda) {
    return size_from_square(lambda[0] * lambda[0] + lambda[1] * lambda[1]) +
           p.by_bending * size_from_square(lambda[2] * lambda[2] + lambda[3] * lambda[3]);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Friction<S> friction(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s,
                                                     const Vec3<S>& e, const S& normal) {
    Friction<S> it;
    it.normal = normal;
    it.sliding = sliding_speed(s, p.point2, e);
    it.turning = p.radius * dot(e, relative_spin(s));
    const S factor = resistance(p.law, normal, size_from_square(it.sliding * it.sliding + it.turning * it.turning));
    it.force = factor * it.sliding;
    it.moment = p.radius * factor * it.turning;
    return it;
  }

  /// Adds what a normal force makes of the slip.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void rub(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s, const S& normal,
                                         NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<S> e = s.frame[0].R * p.axis;
    const Friction<S> it = friction(p, s, e, normal);
    add_force_pair(s.frame, p.point2, it.force * e, f);
    add_moment_pair(s.frame, it.moment * e, f);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
    rub(p, s, normal_force(p, lambda), f);
  }

  static constexpr std::array<MeasureSpec, 5> measures() {
    return {{{"force", 1, "N", "on the first body along the axis: positive where the second one slides along it"},
             {"moment", 1, "N m", "on the first body about the axis: positive where the second one turns about it"},
             {"normal", 1, "N", "normal force that friction is in proportion to"},
             {"sliding", 1, "m/s", "slip along the axis"},
             {"turning", 1, "m/s", "slip around it: the radius times the angular speed"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s,
                      const double* lambda, double* out) {
    measure_slip(p, s, normal_force(p, lambda), out);
  }

  static void measure_slip(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s, double normal, double* out) {
    const Friction<double> it = friction(p, s, s.frame[0].R * p.axis, normal);
    out[0] = it.force;
    out[1] = it.moment;
    out[2] = it.normal;
    out[3] = it.sliding;
    out[4] = it.turning;
  }
};

}  // namespace sinew
