/// \file
/// Two axes that are perpendicular, one carried by each of two bodies: the cross of a universal joint.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// The keys, the row and the coordinates of joints that keep a1 . b2 = 0, with the axis a in the first body and b in the second.
struct CrossAxes {
  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "axis that the first body carries"),
             {"axis2", FieldType::direction, "1", false, "any direction across `axis`", FieldCheck::any,
              "axis that the second body carries, perpendicular to `axis`"}}};
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

  /// Row a1 . b2, the only dot row of the joint.
  template <class Params>
  static void keep_axes_perpendicular(const Setup& setup, Params& p) {
    p.first[0] = setup.places[0].local(setup.fields.vector("axis"));
    p.second[0] = setup.places[1].local(second_axis(setup));
  }

 private:
  /// b, or any direction across a.
  static Vec3<double> second_axis(const Setup& setup) {
    const Vec3<double> a = setup.fields.vector("axis");
    const Vec3<double> b = setup.fields.has("axis2") ? setup.fields.vector("axis2") : complete_triad(a)[0];
    if (math::fabs(dot(a, b)) > 1e-6)
      throw std::invalid_argument("`axis` and `axis2` of this joint are to be perpendicular, but they are not");
    const Vec3<double> across = b - dot(a, b) * a;
    return (1 / norm(across)) * across;
  }
};

}  // namespace sinew
