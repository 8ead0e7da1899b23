/// \file
/// Prescribed angle: one body turns against another as a function of time.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// theta: rotation of the second body against the first about the axis e, zero at the start; phi(t): the signal. With (u, v, e)
/// right-handed, sin(theta - phi) = (cos phi v1 - sin phi u1) . u2 and cos(theta - phi) = (cos phi u1 + sin phi v1) . u2:
///   g = theta - phi, the angle with that sine and cosine, in (-pi, pi]
/// which knows no limit of turns and, unlike the sine, is not zero half a turn off. lambda (N m): moment of the drive on the
/// first body about e. To be used beside a joint that keeps the axes parallel (revolute, cylindrical).
struct MotionAngle {
  static constexpr const char* name = "motion-angle";
  static constexpr const char* help = "the second body turns against the first about an axis as a given function of time";
  static constexpr int num_nodes = 2, num_position_rows = 1, num_velocity_rows = 0, num_signals = 1;
  static constexpr bool is_analytic = true, prescribes_angle = true;

  struct Params {
    Vec3<double> across1, across2;  ///< u and v, first node's axes
    Vec3<double> mark;              ///< u, second node's axes
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
    return {first.local(across[0]), first.local(across[1]), second.local(across[0])};
  }

  static constexpr const char* fault =
      "stands half a turn off its prescribed angle, or its axis no longer lies along that of the body it turns";

  /// The directions of the first body whose products with u of the second are the sine and the cosine of theta - phi.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> sine_direction(const Params& p, const S& phi) {
    using math::cos;
    using math::sin;
    return cos(phi) * p.across2 - sin(phi) * p.across1;
  }
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> cosine_direction(const Params& p, const S& phi) {
    using math::cos;
    using math::sin;
    return cos(phi) * p.across1 + sin(phi) * p.across2;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* signals, S (&g)[1]) {
    using math::atan2;
    const Vec3<S> mark = f[1].R * p.mark;
    g[0] = atan2(dot(f[0].R * sine_direction(p, signals[0]), mark), dot(f[0].R * cosine_direction(p, signals[0]), mark));
  }

  /// Sine s and cosine c of theta - phi and the rows D s and D c.
  struct SineCosine {
    double s, c;
    Mat<double, 1, 12> Gs, Gc;
  };
  KOKKOS_INLINE_FUNCTION static SineCosine sine_cosine(const Params& p, const Frame<double> (&f)[2], double phi) {
    SineCosine it;
    const Vec3<double> along_s = sine_direction(p, phi), along_c = cosine_direction(p, phi), mark = f[1].R * p.mark;
    it.s = dot(f[0].R * along_s, mark);
    it.c = dot(f[0].R * along_c, mark);
    dot_gradient(f, along_s, p.mark, 0, it.Gs);
    dot_gradient(f, along_c, p.mark, 0, it.Gc);
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
    dot_stiffness(f, outer(by_s * sine_direction(p, signals[0]) + by_c * cosine_direction(p, signals[0]), p.mark), K);
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
    const Vec3<double> mark = now[1].R * p.mark;
    return dot(now[0].R * cosine_direction(p, signals[0]), mark) > 0 ? Verdict::ok : Verdict::other_branch;
  }
};

}  // namespace sinew
