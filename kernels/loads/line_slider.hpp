/// \file
/// A place that slides along a line that deforms: a trolley on a bridge, a cabin on a rope, a rope through an eye.
#pragma once

#include "kernels/loads/friction.hpp"
#include "kernels/loads/on_line.hpp"

namespace sinew {

/// The place is held across the line by a spring with a damper: d away from the nearest point of the line, and with the velocity
/// u against the line there, of which u_t is along the tangent t and u_n across it,
///
///   F = -k d - c u_n - mu(|u_t|) N tanh(|u_t| / v_t) u_t / |u_t|       N = |k d + c u_n|
///
/// the last by FrictionLaw.
struct LineSlider : OnLine<LineSlider> {
  static constexpr const char* name = "line-slider";
  static constexpr const char* help = "holds a place to a beam, a cable or a ring, along which it slides";
  static constexpr bool has_ends = false;

  struct Params : OnLineParams {
    double stiffness, damping;
    FrictionLaw friction;
  };

  static constexpr auto fields() {
    std::array<FieldSpec, 6> all{};
    all[0] = {"stiffness", FieldType::number, "N/m", true, "", FieldCheck::positive, "that holds the place across the line"};
    all[1] = {"damping", FieldType::number, "N s/m", false, "0", FieldCheck::nonnegative, "of its motion across the line"};
    for (std::size_t i = 0; i < 4; ++i) all[2 + i] = optional_coulomb_field(i);
    return all;
  }

  /// A place is on its line to so much of the length of an element: coordinates given by hand, and what the elements make of a
  /// line that is curved, are nearer.
  static constexpr double most_apart = 0.1;

  static Params make(const Setup& setup) {
    Params p;
    static_cast<OnLineParams&>(p) = make_on_line(setup);
    const double away = setup.fields.at("distance").at(0), length = setup.fields.at("distance").at(1);
    if (away > most_apart * length)
      throw std::invalid_argument("its place lies " + std::to_string(away) +
                                  " m from the line at the start, and slides on it: put it there");
    p.stiffness = setup.fields.number("stiffness");
    p.damping = setup.fields.number("damping", 0);
    p.friction = make_optional_coulomb_law(setup.fields);
    return p;
  }

  /// What the friction is against, and what holds across the line.
  template <class S>
  struct Hold {
    Vec3<S> pull, slip;
    S speed;  ///< along the line, in the direction of its beginning to its end
  };
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Hold<S> hold_across(const P& p, const LineMeeting<S>& m) {
    Hold<S> it;
    it.speed = dot(m.slip, m.on.tangent);
    it.slip = it.speed * m.on.tangent;
    it.pull = -(p.stiffness * m.away) - p.damping * (m.slip - it.slip);
    return it;
  }

  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> push(const P& p, const LineMeeting<S>& m) {
    const Hold<S> it = hold_across(p, m);
    const S normal = size_from_square(dot(it.pull, it.pull)), speed = size_from_square(it.speed * it.speed);
    return it.pull - resistance(p.friction, normal, speed) * it.slip;
  }

  KOKKOS_INLINE_FUNCTION static bool acts(const Params& /*p*/, double /*away*/) { return true; }
  KOKKOS_INLINE_FUNCTION static double stored(const Params& p, double away) { return p.stiffness * away * away / 2; }

  static constexpr std::array<MeasureSpec, 5> measures() {
    return {{{"force", 3, "N", "on the place, global frame: what holds it, and friction"},
             {"normal", 1, "N", "size of what holds it across the line"},
             {"deflection", 1, "m", "of the place from the line"},
             {"distance", 1, "m", "that the place has along the unstressed line from its beginning"},
             {"speed", 1, "m/s", "of the place along the line, against it"}}};
  }
  template <class P>
  static void measure(const P& p, const double* /*signals*/, const States<double>& s, double* out) {
    const LineMeeting<double> m = meet(p, s);
    const Hold<double> it = hold_across(p, m);
    const Vec3<double> F = push(p, m);
    for (int i = 0; i < 3; ++i) out[i] = F[i];
    out[3] = norm(it.pull);
    out[4] = norm(m.away);
    out[5] = p.part.distance(m.on.xi);
    out[6] = it.speed;
  }
};

}  // namespace sinew
