/// \file
/// Rack and pinion: a wheel and a bar on a third body, of which one turns as the other slides.
#pragma once

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
    Vec3<double> point1, point2;  ///< places of the carrier and of the rack, in their nodes' axes
    Vec3<double> along;           ///< u, first node's axes
    double start, slope;          ///< u . r at the start (m), 1/a
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
    const Vec3<double> u = setup.fields.vector("direction");
    Params p;
    p.turn = MotionAngle::between(setup.places[0], setup.places[1], setup.fields.vector("axis"));
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[2].point;
    p.along = setup.places[0].local(u);
    p.start = dot(u, setup.places[2].position() - setup.places[0].position());
    p.slope = 1 / setup.fields.number("radius");
    return p;
  }

  static constexpr const char* fault = "has slipped: its pinion stands half a turn off the rack";

  /// d / a.
  template <class S>
  KOKKOS_INLINE_FUNCTION static S angle_of_way(const Params& p, const Frame<S> (&f)[3]) {
    return p.slope * (dot(f[0].R * p.along, place_of(f[2], p.point2) - place_of(f[0], p.point1)) - p.start);
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[3], const S* /*signals*/, S (&g)[1]) {
    const S wanted = angle_of_way(p, f);
    MotionAngle::position(p.turn, Gear::WithCarrier<S>(f, 1).f, &wanted, g);
  }

  /// D theta - D d / a.
  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[3], const double* /*signals*/,
                                              Mat<double, 1, 18>& G) {
    for (int j = 0; j < 18; ++j) G(0, j) = 0;
    Gear::add_angle_gradient(p.turn, f, 1, 1.0, G);
    Mat<double, 1, 12> way;
    along_gradient(Gear::WithCarrier<double>(f, 2).f, p.point2, p.along, 0, way);
    for (int j = 0; j < 12; ++j) G(0, Gear::column_of(j, 2)) -= p.slope * way(0, j);
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[3], const double* /*signals*/,
                                                         const double (&lambda)[1], Mat<double, 18>& K) {
    Gear::add_angle_stiffness(p.turn, f, 1, lambda[0], K);
    Mat<double, 12> of_way;
    along_stiffness(Gear::WithCarrier<double>(f, 2).f, p.point2, (-p.slope * lambda[0]) * p.along, of_way);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) K(Gear::column_of(i, 2), Gear::column_of(j, 2)) += of_way(i, j);
  }

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[3], const Frame<double> (&now)[3],
                                              const double*) {
    const double wanted = angle_of_way(p, now);
    return MotionAngle::check(p.turn, Gear::WithCarrier<double>(before, 1).f, Gear::WithCarrier<double>(now, 1).f, &wanted);
  }
};

}  // namespace sinew
