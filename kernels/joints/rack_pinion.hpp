/// \file
/// Rack and pinion: a wheel and a bar on a third body, of which one turns as the other slides.
#pragma once

#include "kernels/joints/angle_of_way.hpp"
#include "kernels/joints/gear.hpp"

namespace sinew {

/// Three bodies: the carrier, the pinion, which turns by theta against it about an axis that it carries, and the rack, whose
/// place goes the way d = u . r (m) since the start along a direction u that it carries too. With the radius a:
///   g = theta - d / a, the angle with that sine and cosine, in (-pi, pi]
/// which knows no limit of turns. lambda (N m): moment of the teeth on the pinion against its axis; the force lambda / a acts on
/// the rack along u, and the carrier bears the rest.
struct RackPinion {
  static constexpr const char* name = "rack-pinion";
  static constexpr const char* help = "a wheel turns as a bar slides, both against the body that carries them";
  static constexpr int num_nodes = 3, num_position_rows = 1, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;

  struct Params {
    MotionAngle::Params turn;
    AngleOfWay way;  ///< d / a, from the carrier to the rack
  };

  static constexpr std::array<FieldSpec, 3> fields() {
    return {{axis_field("axis", "axis of the pinion, moving with the first place's body"),
             axis_field("direction", "where the rack goes when the pinion turns by the right-hand rule, with the first place"),
             {"radius", FieldType::number, "m", true, "", FieldCheck::positive, "pitch radius of the pinion"}}};
  }

  static Params make(const Setup& setup) {
    require_places(setup, 3, name);
    if (!has_axes(setup.places[0]) || !has_axes(setup.places[1]))
      throw std::invalid_argument("a rack-pinion needs a first and a second place that can turn: a point has no angle");
    const Vec3<double> axis = setup.fields.vector("axis"), direction = setup.fields.vector("direction");
    if (!(math::fabs(dot(axis, direction)) < 1 - 1e-9))
      throw std::invalid_argument("the rack of a rack-pinion moves along the axis of its pinion: give a `direction` across it");
    return {MotionAngle::between(setup.places[0], setup.places[1], axis),
            AngleOfWay::between(setup.places[0], setup.places[2], direction, 1 / setup.fields.number("radius"))};
  }

  static constexpr const char* fault = "has slipped: its pinion stands half a turn off the rack";

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[3], const S* /*signals*/, S (&g)[1]) {
    const S wanted = p.way.angle(Gear::WithCarrier<S>(f, 2).f);
    MotionAngle::position(p.turn, Gear::WithCarrier<S>(f, 1).f, &wanted, g);
  }

  /// D theta - D d / a.
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[3], const double* /*signals*/,
                                              Mat<double, 1, 18>& G) {
    for (int j = 0; j < 18; ++j) G(0, j) = 0;
    Gear::add_angle_gradient(p.turn, f, 1, 1.0, G);
    Mat<double, 1, 12> way;
    p.way.gradient(Gear::WithCarrier<double>(f, 2).f, way);
    for (int j = 0; j < 12; ++j) G(0, Gear::column_of(j, 2)) -= way(0, j);
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[3], const double* /*signals*/,
                                                         const double (&lambda)[1], Mat<double, 18>& K) {
    Gear::add_angle_stiffness(p.turn, f, 1, lambda[0], K);
    Mat<double, 12> of_way;
    p.way.stiffness(Gear::WithCarrier<double>(f, 2).f, -lambda[0], of_way);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) K(Gear::column_of(i, 2), Gear::column_of(j, 2)) += of_way(i, j);
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[3], const Frame<double> (&now)[3],
                                              const double*) {
    const double wanted = p.way.angle(Gear::WithCarrier<double>(now, 2).f);
    return MotionAngle::check(p.turn, Gear::WithCarrier<double>(before, 1).f, Gear::WithCarrier<double>(now, 1).f, &wanted);
  }
};

}  // namespace sinew
