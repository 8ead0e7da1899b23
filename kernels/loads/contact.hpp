/// \file
/// A ball against a smooth shape of another body: what contacts with planes, cylinders and spheres have in common.
#pragma once

#include "kernels/loads/friction.hpp"
#include "kernels/loads/hunt_crossley.hpp"
#include "kernels/loads/joint_forces.hpp"

namespace sinew {

/// What every contact is made of. The shape stands at the first place; the ball of radius r has its middle c at the second.
struct ContactParams {
  HuntCrossley push;
  FrictionLaw friction;
  Vec3<double> point1, point2;  ///< in the axes of their nodes
  Vec3<double> axis;            ///< of the first node: normal of a plane, axis of a cylinder
  double radius = 0;            ///< r
  double first_radius = 0;      ///< of a cylinder or sphere; below 0: of a bore, in which the ball is
  double arm = 0, share = 0;    ///< forces act at c - (arm - share d) n, d the depth: see make_contact
};

/// Where a shape is nearest to the ball: n, the unit normal of its surface there, towards the ball, and the gap between both (m),
/// below 0 where the ball is pressed in. n is 0 in the middle of what is round.
template <class S>
struct Touch {
  Vec3<S> n;
  S gap;
};

/// The ball, the push and the rubbing from their keys, but for the shape's axis. Forces act at a point of both surfaces: in the
/// middle of where they overlap if both bodies can turn. A body that cannot has no moments: there they act at its own place, so
/// that no angular momentum is lost. Throws std::invalid_argument where keys and places do not fit together.
inline ContactParams make_contact(const Setup& setup, double first_radius) {
  require_places(setup, 2, "contact");
  if (setup.places[1].is_ground)
    throw std::invalid_argument("the second place of a contact is the middle of the ball, which moves: name the ground first");
  const FieldValues& fields = setup.fields;
  ContactParams p;
  p.push = make_hunt_crossley(fields, "contact");
  p.friction = make_optional_coulomb_law(fields);
  p.point1 = setup.places[0].point;
  p.point2 = setup.places[1].point;
  p.radius = fields.number("radius", 0);
  p.first_radius = first_radius;
  const bool turns1 = has_axes(setup.places[0]), turns2 = has_axes(setup.places[1]);
  if (!turns1 && !turns2 && fields.has("coefficient"))
    throw std::invalid_argument("two points without orientation do not rub: leave `coefficient` out, or give one of them a body");
  if (!turns2) return p;
  p.arm = turns1 ? p.radius : p.radius + p.first_radius;
  p.share = turns1 ? 0.5 : 1;
  return p;
}

/// What a touch does, where matter of the ball moves with v against that of the shape.
template <class S>
struct Press {
  S rate, normal;          ///< of the gap; N
  Vec3<S> slip, friction;  ///< v along the surface, and what it meets on the ball

  KOKKOS_INLINE_FUNCTION Press(const HuntCrossley& push, const FrictionLaw& law, const Touch<S>& touch, const Vec3<S>& v) {
    rate = dot(touch.n, v);
    slip = v - rate * touch.n;
    normal = value_of(touch.gap) < 0 ? push_back(push, S(-touch.gap), S(-rate)) : S(0.0);
    const S speed = size_from_square(dot(slip, slip));
    friction = -resistance(law, normal, speed) * slip;
  }
};

/// Where the law of a touch has kinks: where the ball touches, and where the damping has used up the push.
inline constexpr int num_touch_kinks = 2;
KOKKOS_INLINE_FUNCTION void touch_kinks(const HuntCrossley& push, double gap, double rate, double* g) {
  g[0] = gap;
  g[1] = gap < 0 ? 1 - push.damping * rate : 1.0;
}

/// Keys of all contacts, behind those of the shape.
template <std::size_t N>
constexpr std::array<FieldSpec, N + 8> contact_fields(const std::array<FieldSpec, N>& shape) {
  const auto push = hunt_crossley_fields(false);
  std::array<FieldSpec, N + 8> all{};
  for (std::size_t i = 0; i < N; ++i) all[i] = shape[i];
  all[N] = {"radius", FieldType::number, "m", false, "0, a point", FieldCheck::nonnegative, "of the ball about the second place"};
  for (std::size_t i = 0; i < 3; ++i) all[N + 1 + i] = push[i];
  for (std::size_t i = 0; i < 4; ++i) all[N + 4 + i] = optional_coulomb_field(i);
  return all;
}

/// Radius of what the ball is outside of, with its middle or axis at the first place.
constexpr FieldSpec first_radius_field() {
  return {"first_radius", FieldType::number, "m", true, "", FieldCheck::positive, "of the round body at the first place"};
}

/// The touch of a round shape of that radius, below 0 of a bore, whose middle (of a sphere), axis (of a cylinder) or nearest
/// point (of a line) is `d` away from the middle of the ball.
template <class S>
KOKKOS_INLINE_FUNCTION Touch<S> touch_round(const Vec3<S>& d, double first_radius, double radius) {
  const S distance = size_from_square(dot(d, d));
  const double side = first_radius > 0 ? 1 : -1;
  return {S(side / distance) * d, side * distance - first_radius - radius};
}

/// Pressed in by the depth d = -gap, the ball is pushed out along n with N by HuntCrossley's law, and held back against its slip,
/// the velocity against the first body across n, by FrictionLaw in proportion to N. `Shape` has
///
///   touch(p, frames)   the Touch of the surface and the ball
template <class Shape>
struct Contact {
  static constexpr NodeKind node_kind = NodeKind::frame;
  static constexpr int num_nodes = 2, num_signals = 0;
  static constexpr const char* degenerate = "is pressed to the middle of the round body, where no side is the nearest";
  static constexpr bool couples(int row, int column) { return couples_all(row, column); }
  using Params = ContactParams;

  /// Where the forces of a touch act.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> place_of_forces(const Params& p, const Frame<S> (&f)[2], const Touch<S>& touch) {
    return place_of(f[1], p.point2) - (p.arm + p.share * touch.gap) * touch.n;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Press<S> press(const Params& p, const NodeStates<S, NodeKind::frame, 2>& s,
                                               const Touch<S>& touch) {
    const Vec3<S> place = place_of_forces(p, s.frame, touch);
    const Vec3<S> v = velocity_at(s.frame[1], s.twist[1], place) - velocity_at(s.frame[0], s.twist[0], place);
    return Press<S>(p.push, p.friction, touch, v);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                           const NodeStates<S, NodeKind::frame, 2>& s, NodeForces<S, NodeKind::frame, 2>& f) {
    const Touch<S> touch = Shape::touch(p, s.frame);
    if (!(value_of(touch.gap) < 0)) return;
    const Press<S> it = press(p, s, touch);
    const Vec3<S> F = it.normal * touch.n + it.friction, place = place_of_forces(p, s.frame, touch);
    for (int k = 0; k < 2; ++k) {
      const double sign = k == 0 ? -1 : 1;
      f.f[k].force += sign * F;
      f.f[k].moment += sign * transpose_times(s.frame[k].R, cross(place - s.frame[k].x, F));
    }
  }

  static constexpr int num_kinks = num_touch_kinks;
  KOKKOS_INLINE_FUNCTION static void kinks(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s, double* g) {
    const Touch<double> touch = Shape::touch(p, s.frame);
    touch_kinks(p.push, touch.gap, press(p, s, touch).rate, g);
  }

  static constexpr std::array<MeasureSpec, 5> measures() {
    return {{{"force", 3, "N", "on the second place, global frame: push and friction"},
             {"normal", 1, "N", "the push"},
             {"gap", 1, "m", "between the surfaces: below 0 where they are pressed together"},
             {"rate", 1, "m/s", "rate of the gap"},
             {"slip_speed", 1, "m/s", "size of the velocity against the surface, along it"}}};
  }

  static void measure(const Params& p, const double* /*signals*/, const NodeStates<double, NodeKind::frame, 2>& s, double* out) {
    const Touch<double> touch = Shape::touch(p, s.frame);
    const Press<double> it = press(p, s, touch);
    const Vec3<double> F = it.normal * touch.n + it.friction;
    for (int i = 0; i < 3; ++i) out[i] = F[i];
    out[3] = it.normal;
    out[4] = touch.gap;
    out[5] = it.rate;
    out[6] = norm(it.slip);
  }

  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    return stored_by_push(p.push, -Shape::touch(p, s.frame).gap);
  }

  /// A round body's middle has, to rounding, no nearest side; in the middle of a bore nothing touches.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
    const double gap = Shape::touch(p, s.frame).gap;
    if (!(math::fabs(gap) < 1e300)) return Verdict::not_finite;
    return gap > -(p.first_radius + p.radius) * (1 - 1e-12) || p.first_radius <= 0 ? Verdict::ok : Verdict::degenerate;
  }
};

/// Of a shape about the axis through the first place: d = (I - e e^T)(c - p1).
template <class Shape>
struct ContactAboutAxis : Contact<Shape> {
  /// `first_radius`: below 0 of a bore.
  static ContactParams make_about_axis(const Setup& setup, double first_radius) {
    require_first_frame(setup, "contact with a cylinder");
    ContactParams p = make_contact(setup, first_radius);
    p.axis = setup.places[0].local(setup.fields.vector("axis"));
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Touch<S> touch(const ContactParams& p, const Frame<S> (&f)[2]) {
    const Vec3<S> e = f[0].R * p.axis, way = place_of(f[1], p.point2) - place_of(f[0], p.point1);
    return touch_round(Vec3<S>(way - dot(e, way) * e), p.first_radius, p.radius);
  }
};

}  // namespace sinew
