/// \file
/// Screw joint: one body turns about an axis of the other and moves along it in proportion (screw in its nut, helical gear on a
/// shaft).
#pragma once

#include "kernels/joints/angle_of_way.hpp"
#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/cylindrical.hpp"
#include "kernels/joints/motion_angle.hpp"

#include <numbers>

namespace sinew {

/// The rows of a cylindrical joint, and one that ties its two coordinates. With the way d = e . r since the start (m), the angle
/// theta that the second body has turned against the first about e, and the pitch p (m a turn):
///   g = theta - 2 pi d / p, the angle with that sine and cosine, in (-pi, pi]
/// which holds for any number of turns. lambda: as cylindrical; moment about e on the first body, on which a force of 2 pi / p
/// times that acts along -e (N m).
struct Screw {
  static constexpr const char* name = "screw";
  static constexpr const char* help = "one body turns about an axis of the other and moves along it in proportion (screw)";
  static constexpr int num_nodes = 2, num_position_rows = 5, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true, shows_turns = true;

  struct Params {
    Cylindrical::Params guide;
    MotionAngle::Params turn;
    AngleOfWay way;  ///< 2 pi d / p
  };

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "common axis, through the first place"),
             {"pitch", FieldType::number, "m", true, "", FieldCheck::any,
              "way along the axis in one turn of the second body about it; negative: a left-handed thread"}}};
  }

  static constexpr std::array<const char*, 2> coordinate_names() { return Cylindrical::coordinate_names(); }
  static std::array<RelativeCoordinate, 2> coordinates(const Setup& setup) { return Cylindrical::coordinates(setup); }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no angle");
    const Vec3<double> e = setup.fields.vector("axis");
    const double pitch = setup.fields.number("pitch");
    if (!(math::fabs(2 * std::numbers::pi / pitch) < 1e300))
      throw std::invalid_argument("the pitch is zero: a body that turns and stays where it is takes a `revolute` joint");
    Params p;
    p.guide = Cylindrical::make(setup);
    p.turn = MotionAngle::between(setup.places[0], setup.places[1], e);
    p.way = AngleOfWay::between(setup.places[0], setup.places[1], e, 2 * std::numbers::pi / pitch);
    return p;
  }

  static constexpr const char* fault =
      "has turned over: the axes of its bodies point opposite ways, or one is half a turn off its thread";

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* signals, S (&g)[5]) {
    S guide[4], turn[1];
    const S phi = p.way.angle(f);
    Cylindrical::position(p.guide, f, signals, guide);
    MotionAngle::position(p.turn, f, &phi, turn);
    for (int i = 0; i < 4; ++i) g[i] = guide[i];
    g[4] = turn[0];
  }

  /// That of the guide; D theta - 2 pi D d / p.
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* signals,
                                              Mat<double, 5, 12>& G) {
    Mat<double, 4, 12> guide;
    Mat<double, 1, 12> turn, way;
    const double phi = p.way.angle(f);
    Cylindrical::gradient(p.guide, f, signals, guide);
    MotionAngle::gradient(p.turn, f, &phi, turn);
    p.way.gradient(f, way);
    for (int j = 0; j < 12; ++j) {
      for (int i = 0; i < 4; ++i) G(i, j) = guide(i, j);
      G(4, j) = turn(0, j) - way(0, j);
    }
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* signals,
                                                         const double (&lambda)[5], Mat<double, 12>& K) {
    const double of_guide[4] = {lambda[0], lambda[1], lambda[2], lambda[3]}, of_turn[1] = {lambda[4]};
    const double phi = p.way.angle(f);
    Cylindrical::geometric_stiffness(p.guide, f, signals, of_guide, K);
    MotionAngle::geometric_stiffness(p.turn, f, &phi, of_turn, K);
    p.way.stiffness(f, -lambda[4], K);
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[2], const Frame<double> (&now)[2],
                                              const double* signals) {
    const double phi = p.way.angle(now);
    const Verdict guided = Cylindrical::check(p.guide, before, now, signals);
    return guided == Verdict::ok ? MotionAngle::check(p.turn, before, now, &phi) : guided;
  }
};

}  // namespace sinew
