/// \file
/// Friction in a planar joint.
#pragma once

#include "kernels/loads/friction.hpp"

namespace sinew {

/// A face on a plane with the normal n: the second body slides with the velocity v in the plane, at its place, and turns about n
/// with the angular speed w. Of the reactions (kernels/joints/planar.hpp), the force lambda_0 along n and the moments lambda_1,
/// lambda_2 across it, comes the normal force
///
///   N = |lambda_0| + (2 / length) |(lambda_1, lambda_2)|                                                                   (N)
///
/// Force F and moment M of a face that slides and turns at once lie on the ellipsoid |F|^2 + (M / r)^2 = (mu N)^2 and along its
/// normal, as in R. D. Howe, M. R. Cutkosky, Practical force-motion models for sliding manipulation, Int. J. Robotics Research 15
/// (1996), with the radius r at which N would give the moment of a pure turn: FrictionLaw of N acts against the slip (v, r w), in
/// the plane a force, about n a moment, on the first body with the slip and on the second against it.
struct FrictionPlanar {
  static constexpr const char* name = "friction-planar";
  static constexpr const char* help = "dry friction in a planar joint, proportional to its reactions";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0, num_multipliers = 3;
  static constexpr std::array<const char*, 1> joints() { return {"planar"}; }
  static constexpr bool couples(int row, int column) { return couples_all(row, column); }

  struct Params {
    FrictionLaw law;
    Vec3<double> point2, normal;  ///< in the axes of the second and of the first node
    double radius, by_bending;
  };

  static constexpr auto fields() {
    return friction_fields<3>(
        {{axis_field("normal", "normal of the plane"),
          {"radius", FieldType::number, "m", false, "turning about the normal meets no friction", FieldCheck::positive,
           "of a ring that rubs like the face where it turns on the spot; of a disc two thirds of its own"},
          {"length", FieldType::number, "m", false, "moments across the normal do not count", FieldCheck::positive,
           "length of the face, over which it takes moments across the normal"}}});
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "no planar joint takes it");
    return {make_friction_law(setup.fields), setup.places[1].point, setup.places[0].local(setup.fields.vector("normal")),
            setup.fields.number("radius", 0), couple_of_moment(setup.fields, "length")};
  }

  /// What acts on the first body in the plane and about its normal, N and the two parts of the slip.
  template <class S>
  struct Friction {
    Vec3<S> force, sliding;
    S moment, normal, turning;
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static Friction<S> friction(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s,
                                                     const Vec3<S>& n, const S* lambda) {
    Friction<S> it;
    const Vec3<S> place = place_of(s.frame[1], p.point2);
    const Vec3<S> v = place_velocity(s.frame[1], s.twist[1], p.point2) - velocity_at(s.frame[0], s.twist[0], place);
    it.normal =
        size_from_square(lambda[0] * lambda[0]) + p.by_bending * size_from_square(lambda[1] * lambda[1] + lambda[2] * lambda[2]);
    it.sliding = v - dot(n, v) * n;
    it.turning = p.radius * dot(n, relative_spin(s));
    const S factor = resistance(p.law, it.normal, size_from_square(dot(it.sliding, it.sliding) + it.turning * it.turning));
    it.force = factor * it.sliding;
    it.moment = p.radius * factor * it.turning;
    return it;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
    const Vec3<S> n = s.frame[0].R * p.normal;
    const Friction<S> it = friction(p, s, n, lambda);
    add_force_pair(s.frame, p.point2, it.force, f);
    add_moment_pair(s.frame, it.moment * n, f);
  }

  static constexpr std::array<MeasureSpec, 5> measures() {
    return {{{"force", 3, "N", "on the first body, at the second place, global frame: positive where the second one slides"},
             {"moment", 1, "N m", "on the first body about the normal: positive where the second one turns about it"},
             {"normal", 1, "N", "normal force that friction is in proportion to"},
             {"slip_speed", 1, "m/s", "size of the velocity in the plane"},
             {"turning", 1, "m/s", "slip of the turn: the radius times the angular speed"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s,
                      const double* lambda, double* out) {
    const Friction<double> it = friction(p, s, s.frame[0].R * p.normal, lambda);
    for (int i = 0; i < 3; ++i) out[i] = it.force[i];
    out[3] = it.moment;
    out[4] = it.normal;
    out[5] = norm(it.sliding);
    out[6] = it.turning;
  }
};

}  // namespace sinew
