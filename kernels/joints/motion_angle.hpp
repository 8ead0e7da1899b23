/// \file
/// Prescribed angle: one body turns against another as a function of time.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// Of two frames, u and v of both in global axes. Cosine and sine of the turn of the second against the first go as
/// x = u1 . u2 + v1 . v2 and y = v1 . u2 - u1 . v2.
template <class S>
struct TurnAcross {
  Vec3<S> u1, v1, u2, v2;

  KOKKOS_INLINE_FUNCTION S x() const { return dot(u1, u2) + dot(v1, v2); }
  KOKKOS_INLINE_FUNCTION S y() const { return dot(v1, u2) - dot(u1, v2); }
  /// The same of the turn less phi.
  KOKKOS_INLINE_FUNCTION TurnAcross less(const S& phi) const {
    using math::cos;
    using math::sin;
    return {cos(phi) * u1 + sin(phi) * v1, cos(phi) * v1 - sin(phi) * u1, u2, v2};
  }
};

/// theta: rotation of the second body against the first about the axis e, zero at the start; phi(t): the signal. With (u, v, e)
/// right-handed, carried by both bodies,
///   tan theta = (v1 . u2 - u1 . v2) / (u1 . u2 + v1 . v2)
/// which, where the axes do not stay parallel, is the turn about e that is left when the axis of the second body is swung back to
/// that of the first the shortest way (the twist of swing and twist: 2 atan2(e . q, q0) of the relative quaternion): whichever u
/// is taken. With a1 = cos phi u1 + sin phi v1, b1 = cos phi v1 - sin phi u1
///   g = theta - phi, the angle whose sine and cosine go as s = b1 . u2 - a1 . v2 and c = a1 . u2 + b1 . v2, in (-pi, pi]
/// which knows no limit of turns and, unlike the sine, is not zero half a turn off. lambda (N m): moment of the drive on the
/// first body about e. To be used beside a joint that keeps the axes parallel (revolute, cylindrical).
struct MotionAngle {
  static constexpr const char* name = "motion-angle";
  static constexpr const char* help = "the second body turns against the first about an axis as a given function of time";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 1;
  static constexpr bool is_analytic = true, prescribes_angle = true;

  struct Params {
    Vec3<double> across1, across2;  ///< u and v, first node's axes
    Vec3<double> mark1, mark2;      ///< u and v, second node's axes
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "axis of the rotation"),
             {"angle", FieldType::signal, "rad", true, "", FieldCheck::any,
              "angle from the initial configuration, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no angle");
    return between(setup.places[0], setup.places[1], setup.fields.vector("axis"));
  }

  /// Of the angle by which the second place's body turns against the first's about an axis, global at the start.
  static Params between(const Place& first, const Place& second, const Vec3<double>& axis) {
    const auto across = complete_triad(axis);
    return {first.local(across[0]), first.local(across[1]), second.local(across[0]), second.local(across[1])};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static TurnAcross<S> across(const Params& p, const Frame<S> (&f)[2]) {
    return {f[0].R * p.across1, f[0].R * p.across2, f[1].R * p.mark1, f[1].R * p.mark2};
  }

  static constexpr const char* fault =
      "stands half a turn off its prescribed angle, or its axis no longer lies along that of the body it turns";

  /// b1 and a1, in the first body's axes.
  KOKKOS_INLINE_FUNCTION static Vec3<double> sine_direction(const Params& p, double phi) {
    return math::cos(phi) * p.across2 - math::sin(phi) * p.across1;
  }
  KOKKOS_INLINE_FUNCTION static Vec3<double> cosine_direction(const Params& p, double phi) {
    return math::cos(phi) * p.across1 + math::sin(phi) * p.across2;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* signals, S (&g)[1]) {
    using math::atan2;
    const TurnAcross<S> less = across(p, f).less(signals[0]);
    g[0] = atan2(less.y(), less.x());
  }

  /// s and c and the rows D s and D c.
  struct SineCosine {
    double s, c;
    Mat<double, 1, 12> Gs, Gc;
  };
  KOKKOS_INLINE_FUNCTION static SineCosine sine_cosine(const Params& p, const Frame<double> (&f)[2], double phi) {
    SineCosine it;
    const Vec3<double> a = cosine_direction(p, phi), b = sine_direction(p, phi);
    const TurnAcross<double> less = across(p, f).less(phi);
    it.s = less.y();
    it.c = less.x();
    Mat<double, 1, 12> of_v;
    dot_gradient(f, b, p.mark1, 0, it.Gs);
    dot_gradient(f, a, p.mark2, 0, of_v);
    for (int j = 0; j < 12; ++j) it.Gs(0, j) -= of_v(0, j);
    dot_gradient(f, a, p.mark1, 0, it.Gc);
    dot_gradient(f, b, p.mark2, 0, of_v);
    for (int j = 0; j < 12; ++j) it.Gc(0, j) += of_v(0, j);
    return it;
  }

  /// D theta = (c D s - s D c) / (s^2 + c^2).
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* signals,
                                              Mat<double, 1, 12>& G) {
    const SineCosine it = sine_cosine(p, f, signals[0]);
    const double square = it.s * it.s + it.c * it.c;
    for (int j = 0; j < 12; ++j) G(0, j) = (it.c * it.Gs(0, j) - it.s * it.Gc(0, j)) / square;
  }

  /// The dot rows' stiffness with the factors of D s and D c, and the change of these factors.
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* signals,
                                                         const double (&lambda)[1], Mat<double, 12>& K) {
    const SineCosine it = sine_cosine(p, f, signals[0]);
    const double square = it.s * it.s + it.c * it.c;
    const double by_s = lambda[0] * it.c / square, by_c = -lambda[0] * it.s / square;
    const Vec3<double> a = cosine_direction(p, signals[0]), b = sine_direction(p, signals[0]);
    dot_stiffness(f, outer(by_s * b + by_c * a, p.mark1) + outer(by_c * b - by_s * a, p.mark2), K);
    const double twice = lambda[0] * 2 * it.s * it.c / (square * square);
    const double mixed = lambda[0] * (it.s * it.s - it.c * it.c) / (square * square);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        K(i, j) += twice * (it.Gc(0, i) * it.Gc(0, j) - it.Gs(0, i) * it.Gs(0, j)) +
                   mixed * (it.Gs(0, i) * it.Gc(0, j) + it.Gc(0, i) * it.Gs(0, j));
  }

  /// Solved, the row leaves an angle of zero; half a turn is as far off as it can be.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&)[2], const Frame<double> (&now)[2],
                                              const double* signals) {
    return across(p, now).less(signals[0]).x() > 0 ? Verdict::ok : Verdict::other_branch;
  }
};

}  // namespace sinew
