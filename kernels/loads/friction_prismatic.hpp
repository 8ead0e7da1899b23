/// \file
/// Friction in a prismatic joint.
#pragma once

#include "kernels/loads/friction.hpp"

namespace sinew {

/// The second body slides with the speed v along the axis e of the first. Of the reactions (kernels/joints/prismatic.hpp), forces
/// lambda_0, lambda_1 across the axis at the second place and moments lambda_2, lambda_3 about directions across and lambda_4
/// about it, come the normal forces
///
///   N = |(lambda_0, lambda_1)| + (2 / length) |(lambda_2, lambda_3)| + (2 / width) |lambda_4|                              (N)
///
/// a couple at the ends of the guide's length, respectively at the edges of its width. The force FrictionLaw of N and v acts
/// along e on the first body and against it on the second, both at the second place.
struct FrictionPrismatic {
  static constexpr const char* name = "friction-prismatic";
  static constexpr const char* help = "dry friction in a prismatic joint, proportional to its reactions";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0, num_multipliers = 5;
  static constexpr std::array<const char*, 1> joints() { return {"prismatic"}; }
  static constexpr bool couples(int row, int column) { return couples_all(row, column); }

  struct Params {
    FrictionLaw law;
    Vec3<double> point2, axis;  ///< in the axes of the second and of the first node
    double by_bending, by_turning;
  };

  static constexpr auto fields() {
    return friction_fields<3>({{axis_field("axis", "direction of sliding"),
                                {"length", FieldType::number, "m", false, "moments across the axis do not count",
                                 FieldCheck::positive, "length of the guide, over which it takes moments across its axis"},
                                {"width", FieldType::number, "m", false, "moments about the axis do not count",
                                 FieldCheck::positive, "width of the guide, over which it takes moments about its axis"}}});
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "no prismatic joint takes it");
    return {make_friction_law(setup.fields), setup.places[1].point, setup.places[0].local(setup.fields.vector("axis")),
            couple_of_moment(setup.fields, "length"), couple_of_moment(setup.fields, "width")};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static S normal_force(const Params& p, const S* lambda) {
    S normal = size_from_square(lambda[0] * lambda[0] + lambda[1] * lambda[1]);
    normal += p.by_bending * size_from_square(lambda[2] * lambda[2] + lambda[3] * lambda[3]);
    normal += p.by_turning * size_from_square(lambda[4] * lambda[4]);
    return normal;
  }

  /// On the first body along the axis.
  template <class S>
  KOKKOS_INLINE_FUNCTION static S friction(const Params& p, const S* lambda, const S& slip) {
    return resistance(p.law, normal_force(p, lambda), size_from_square(slip * slip)) * slip;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<S> e = s.frame[0].R * p.axis;
    add_force_pair(s.frame, p.point2, friction(p, lambda, sliding_speed(s, p.point2, e)) * e, f);
  }

  static constexpr std::array<MeasureSpec, 3> measures() {
    return {{{"force", 1, "N", "on the first body along the axis: positive where the second one slides along it"},
             {"normal", 1, "N", "normal force that friction is in proportion to"},
             {"slip_speed", 1, "m/s", "of the second body along the axis"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s,
                      const double* lambda, double* out) {
    out[1] = normal_force(p, lambda);
    out[2] = sliding_speed(s, p.point2, s.frame[0].R * p.axis);
    out[0] = friction(p, lambda, out[2]);
  }
};

}  // namespace sinew
