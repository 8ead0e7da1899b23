/// \file
/// Universal joint: two places stay together and an axis of each stays perpendicular to that of the other.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// Rows 0-2: g = p2 - p1 (m), global frame; row 3: a1 . b2 with the axis a of the cross in the first body and b, perpendicular to
/// it, in the second. lambda: force on the first place (N), moment on the first body about b x a (N m).
struct Universal : PlaceRows<true, 0, 1> {
  static constexpr const char* name = "universal";
  static constexpr const char* help = "two places stay together; the bodies turn about the two axes of a cross (Cardan joint)";
  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "axis of the cross that the first body carries"),
             {"axis2", FieldType::direction, "1", false, "any direction across `axis`", FieldCheck::any,
              "axis of the cross that the second body carries, perpendicular to `axis`"}}};
  }

  /// The turn of the cross against the first body about a, and that of the second body against the cross about b.
  static constexpr std::array<const char*, 2> coordinate_names() { return {"angle", "angle2"}; }
  static std::array<RelativeCoordinate, 2> coordinates(const Setup& setup) {
    const Place &first = setup.places[0], &second = setup.places[1];
    const Vec3<double> a = setup.fields.vector("axis"), b = second_axis(setup);
    const auto angle = RelativeCoordinate::Kind::angle;
    return {RelativeCoordinate{angle, 0, first.local(b), first.local(cross(a, b)), second.local(b)},
            RelativeCoordinate{angle, 1, second.local(a), second.local(cross(a, b)), first.local(a)}};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "connect it with `spherical`");
    const Vec3<double> a = setup.fields.vector("axis");
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    p.first[0] = setup.places[0].local(a);
    p.second[0] = setup.places[1].local(second_axis(setup));
    return p;
  }

 private:
  /// b, or any direction across a.
  static Vec3<double> second_axis(const Setup& setup) {
    const Vec3<double> a = setup.fields.vector("axis");
    const Vec3<double> b = setup.fields.has("axis2") ? setup.fields.vector("axis2") : complete_triad(a)[0];
    if (math::fabs(dot(a, b)) > 1e-6)
      throw std::invalid_argument("the axes of a universal joint are perpendicular, but `axis` and `axis2` are not");
    const Vec3<double> across = b - dot(a, b) * a;
    return (1 / norm(across)) * across;
  }
};

}  // namespace sinew
