/// \file
/// A ball, or a point, against a round line that deforms: a pantograph under its wire, a rope over another, a ball on a beam.
#pragma once

#include "kernels/loads/contact.hpp"
#include "kernels/loads/on_line.hpp"

namespace sinew {

/// The ball of radius r about the place and the line, round with the radius R: gap = |d| - R - r with d from the nearest point of
/// the line to the place, n = d/|d|. Pressed in the ball is pushed along n by HuntCrossley's law, and rubbed by FrictionLaw
/// against its velocity across n. Both bodies are taken at the line, so that nothing turns it: a ball rolls on its middle.
struct LineContact : OnLine<LineContact> {
  static constexpr const char* name = "line-contact";
  static constexpr const char* help = "push and friction between a ball and a round line: a beam, a cable or a ring";
  static constexpr bool has_ends = true;

  struct Params : OnLineParams {
    HuntCrossley push;
    FrictionLaw friction;
    double first_radius, radius;  ///< R, r
  };

  static constexpr auto fields() {
    return contact_fields<1>({{{"first_radius", FieldType::number, "m", true, "", FieldCheck::positive, "R, of the line"}}});
  }

  static Params make(const Setup& setup) {
    Params p;
    static_cast<OnLineParams&>(p) = make_on_line(setup);
    p.push = make_hunt_crossley(setup.fields, name);
    p.friction = make_optional_coulomb_law(setup.fields);
    p.first_radius = setup.fields.number("first_radius");
    p.radius = setup.fields.number("radius", 0);
    return p;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Touch<S> touch(const Params& p, const LineMeeting<S>& m) {
    return touch_round(m.away, p.first_radius, p.radius);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> push(const Params& p, const LineMeeting<S>& m) {
    const Touch<S> now = touch(p, m);
    if (!(value_of(now.gap) < 0)) return {};
    const Press<S> it(p.push, p.friction, now, m.slip);
    return it.normal * now.n + it.friction;
  }

  KOKKOS_INLINE_FUNCTION static bool acts(const Params& p, double away) { return away < p.first_radius + p.radius; }
  KOKKOS_INLINE_FUNCTION static double stored(const Params& p, double away) {
    return stored_by_push(p.push, p.first_radius + p.radius - away);
  }

  static constexpr int num_kinks = num_touch_kinks;
  template <class P>
  KOKKOS_INLINE_FUNCTION static void kinks(const P& p, const States<double>& s, double* g) {
    const LineMeeting<double> m = meet(p, s);
    const Touch<double> now = touch(p, m);
    touch_kinks(p.push, now.gap, Press<double>(p.push, p.friction, now, m.slip).rate, g);
  }

  static constexpr std::array<MeasureSpec, 5> measures() {
    return {{{"force", 3, "N", "on the second place, global frame: push and friction"},
             {"normal", 1, "N", "the push"},
             {"gap", 1, "m", "between ball and line: below 0 where they are pressed together"},
             {"distance", 1, "m", "of the nearest point along the unstressed line, from its beginning"},
             {"slip_speed", 1, "m/s", "size of the velocity against the line, across the push"}}};
  }
  template <class P>
  static void measure(const P& p, const double* /*signals*/, const States<double>& s, double* out) {
    const LineMeeting<double> m = meet(p, s);
    const Touch<double> now = touch(p, m);
    const Press<double> it(p.push, p.friction, now, m.slip);
    const Vec3<double> F = push(p, m);
    for (int i = 0; i < 3; ++i) out[i] = F[i];
    out[3] = it.normal;
    out[4] = now.gap;
    out[5] = p.part.distance(m.on.xi);
    out[6] = norm(it.slip);
  }
};

}  // namespace sinew
