/// \file
/// Gear: two wheels on a third body turn against it in proportion.
#pragma once

#include "kernels/joints/turn.hpp"

namespace sinew {

/// Three bodies: the carrier and two wheels, which turn by theta1 and theta2 against it about axes that it carries. With the
/// ratio i, and with angles in (-pi, pi] of the faster wheel, times i if that is the second:
///   g = theta1 - i theta2
/// The turns of the slower wheel count, those of the faster one follow. lambda (N m): moment of the teeth on the first wheel
/// against its axis; on the second one i lambda acts along its own, and the carrier bears the rest.
struct Gear {
  static constexpr const char* name = "gear";
  static constexpr const char* help = "two wheels turn in proportion against the body that carries their axes";
  static constexpr int num_nodes = 3, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    MotionAngle::Params fast, slow;
    double fast_node;  ///< 1 or 2
    double times;      ///< turns of the fast wheel in one of the slow one
    double scale;      ///< from the fast wheel's angle to the row
    /// An angle of the slow wheel in the past, less than half a turn away, and that of the fast one there. Both without whole
    /// turns, so that they are as exact after many of them.
    double near = 0, fast_near = 0;
    KOKKOS_INLINE_FUNCTION int fast_wheel() const { return fast_node < 1.5 ? 1 : 2; }
    KOKKOS_INLINE_FUNCTION int slow_wheel() const { return 3 - fast_wheel(); }
  };

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{axis_field("axis", "axis of the first wheel, moving with the first place's body"),
             {"second_axis", FieldType::direction, "1", false, "`axis`", FieldCheck::any, "axis of the second wheel"},
             {"ratio", FieldType::number, "1", true, "", FieldCheck::any,
              "turns of the first wheel in one turn of the second, by the right-hand rule; teeth outside: negative"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 3, name);
    for (const Place& place : setup.places)
      if (!has_axes(place)) throw std::invalid_argument("a gear needs three places that can turn: a point has no angle");
    const Vec3<double> axis = setup.fields.vector("axis");
    const double ratio = setup.fields.number("ratio");
    if (ratio == 0) throw std::invalid_argument("the ratio is zero: the first wheel would not turn at all");
    const auto first = MotionAngle::between(setup.places[0], setup.places[1], axis);
    const auto second = MotionAngle::between(setup.places[0], setup.places[2],
                                             setup.fields.has("second_axis") ? setup.fields.vector("second_axis") : axis);
    const bool first_is_fast = math::fabs(ratio) >= 1;
    return first_is_fast ? Params{first, second, 1, ratio, 1} : Params{second, first, 2, 1 / ratio, -ratio};
  }

  static constexpr const char* fault =
      "cannot be followed: its slower wheel turns by more than three eighths of a turn in a step, so that turns might be lost";

  /// The frames of the carrier and of a wheel.
  template <class S>
  struct WithCarrier {
    Frame<S> f[2];
    KOKKOS_INLINE_FUNCTION WithCarrier(const Frame<S> (&all)[3], int wheel) : f{all[0], all[wheel]} {}
  };

  template <class S>
  KOKKOS_INLINE_FUNCTION static S turned(const Params& p, const Frame<S> (&f)[3]) {
    return turned_since(TurnAbout{p.slow, p.near}, WithCarrier<S>(f, p.slow_wheel()).f);
  }

  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const Frame<double> (&f)[3]) {
    const double since = turned(p, f);
    if (math::fabs(since) < memorable_turn) return false;
    p.near = without_turns(p.near + since);
    p.fast_near = without_turns(p.fast_near + p.times * since);
    return true;
  }
  /// The rate of the angle whose turns are counted, that of the slow wheel. Where the fast one makes whole turns in each of its
  /// turns, none need be.
  template <class States>
  KOKKOS_INLINE_FUNCTION static double counted_rate(const Params& p, const States& s) {
    if (p.times == math::floor(p.times)) return 0;
    const int wheel = p.slow_wheel();
    const Twist<double> twists[2] = {s.twist[0], s.twist[wheel]};
    return turn_gradient(TurnAbout{p.slow, p.near}, WithCarrier<double>(s.frame, wheel).f).rate(twists);
  }
  KOKKOS_INLINE_FUNCTION static double without_turns(double angle) { return math::atan2(math::sin(angle), math::cos(angle)); }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[3], const S* /*signals*/, S (&g)[1]) {
    const S wanted = p.fast_near + p.times * turned(p, f);
    MotionAngle::position(p.fast, WithCarrier<S>(f, p.fast_wheel()).f, &wanted, g);
    g[0] = p.scale * g[0];
  }

  /// D theta1 - i D theta2, whichever is the faster wheel.
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[3], const double* /*signals*/,
                                              Mat<double, 1, 18>& G) {
    for (int j = 0; j < 18; ++j) G(0, j) = 0;
    add_angle_gradient(p.fast, f, p.fast_wheel(), p.scale, G);
    add_angle_gradient(p.slow, f, p.slow_wheel(), -p.scale * p.times, G);
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[3], const double* /*signals*/,
                                                         const double (&lambda)[1], Mat<double, 18>& K) {
    add_angle_stiffness(p.fast, f, p.fast_wheel(), p.scale * lambda[0], K);
    add_angle_stiffness(p.slow, f, p.slow_wheel(), -p.scale * p.times * lambda[0], K);
  }

  /// Half a turn of the slow wheel could be one in either direction. What it has turned since `near` is known up to there.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[3], const Frame<double> (&now)[3],
                                              const double*) {
    const int wheel = p.slow_wheel();
    return verdict_of_turn({p.slow, p.near}, WithCarrier<double>(before, wheel).f, WithCarrier<double>(now, wheel).f);
  }

  /// Adds factor D theta of a wheel; the column of each of the 12 degrees of freedom of carrier and wheel.
  KOKKOS_INLINE_FUNCTION static int column_of(int j, int wheel) { return j < 6 ? j : 6 * wheel + j - 6; }
  KOKKOS_INLINE_FUNCTION static void add_angle_gradient(const MotionAngle::Params& angle, const Frame<double> (&f)[3], int wheel,
                                                        double factor, Mat<double, 1, 18>& G) {
    Mat<double, 1, 12> of_two;
    const double zero = 0;
    MotionAngle::gradient(angle, WithCarrier<double>(f, wheel).f, &zero, of_two);
    for (int j = 0; j < 12; ++j) G(0, column_of(j, wheel)) += factor * of_two(0, j);
  }
  KOKKOS_INLINE_FUNCTION static void add_angle_stiffness(const MotionAngle::Params& angle, const Frame<double> (&f)[3], int wheel,
                                                         double moment, Mat<double, 18>& K) {
    Mat<double, 12> of_two;
    const double zero = 0, lambda[1] = {moment};
    MotionAngle::geometric_stiffness(angle, WithCarrier<double>(f, wheel).f, &zero, lambda, of_two);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) K(column_of(i, wheel), column_of(j, wheel)) += of_two(i, j);
  }
};

}  // namespace sinew
