/// \file
/// Friction in a universal joint.
#pragma once

#include "kernels/joints/universal.hpp"
#include "kernels/loads/friction.hpp"

namespace sinew {

/// The pins of the cross have the radius r; the cross turns against the first body about a, the second body against the cross
/// about b, with the angular speeds a . w and b . w of the relative spin w (a and b are perpendicular). Both pins carry the
/// reactions (kernels/joints/universal.hpp), the force F = (lambda_0, lambda_1, lambda_2) and the moment lambda_3 about b x a:
///
///   N = |F| + (2 / length) |lambda_3|                                                                                      (N)
///
/// with the moment as a couple at the ends of each pin. The moment r F(N, r |a . w|) of FrictionLaw acts about a and likewise one
/// about b, on the first body with the spin, on the second against it.
struct FrictionUniversal {
  static constexpr const char* name = "friction-universal";
  static constexpr const char* help = "dry friction at the pins of a universal joint, proportional to its reactions";
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0, num_multipliers = 4;
  static constexpr std::array<const char*, 1> joints() { return {"universal"}; }
  static constexpr bool couples(int row, int column) { return couples_turning(row, column); }

  struct Params {
    FrictionLaw law;
    Vec3<double> axis1, axis2;  ///< a and b, in the axes of the first and of the second node
    double radius, by_bending;
  };

  static constexpr auto fields() {
    return friction_fields<4>(
        {{axis_field("axis", "axis of the cross that the first body carries"),
          {"axis2", FieldType::direction, "1", false, "that of the joint", FieldCheck::any,
           "axis of the cross that the second body carries"},
          {"radius", FieldType::number, "m", true, "", FieldCheck::positive, "radius of the pins of the cross"},
          {"length", FieldType::number, "m", false, "the moment that the cross carries does not count", FieldCheck::positive,
           "distance of the bearings of a pin, over which it takes moments"}}});
  }

  static Params make(const Setup& setup) {
    const Universal::Params joint = Universal::make(setup);
    return {make_friction_law(setup.fields), joint.first[0], joint.second[0], setup.fields.number("radius"),
            couple_of_moment(setup.fields, "length")};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static S normal_force(const Params& p, const S* lambda) {
    return size_from_square(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]) +
           p.by_bending * size_from_square(lambda[3] * lambda[3]);
  }

  /// On the first body about one of the axes.
  template <class S>
  KOKKOS_INLINE_FUNCTION static S friction(const Params& p, const S& normal, const S& spin) {
    return p.radius * p.radius * resistance(p.law, normal, p.radius * size_from_square(spin * spin)) * spin;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> moment(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda) {
    const Vec3<S> a = s.frame[0].R * p.axis1, b = s.frame[1].R * p.axis2, spin = relative_spin(s);
    const S normal = normal_force(p, lambda);
    return friction(p, normal, dot(a, spin)) * a + friction(p, normal, dot(b, spin)) * b;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, const S* lambda,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
    add_moment_pair(s.frame, moment(p, s, lambda), f);
  }

  static constexpr std::array<MeasureSpec, 4> measures() {
    return {{{"moment", 3, "N m", "on the first body, global frame"},
             {"normal", 1, "N", "normal force at each pin"},
             {"slip_speed", 1, "m/s", "at the pin that the first body carries"},
             {"slip_speed2", 1, "m/s", "at the pin that the second body carries"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s,
                      const double* lambda, double* out) {
    const Vec3<double> M = moment(p, s, lambda), spin = relative_spin(s);
    for (int i = 0; i < 3; ++i) out[i] = M[i];
    out[3] = normal_force(p, lambda);
    out[4] = p.radius * dot(s.frame[0].R * p.axis1, spin);
    out[5] = p.radius * dot(s.frame[1].R * p.axis2, spin);
  }
};

}  // namespace sinew
