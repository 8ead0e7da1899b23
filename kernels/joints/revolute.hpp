/// \file
/// Revolute joint: two places stay together and two bodies turn about one axis.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// Rows 0-2: g = p2 - p1 (m), global frame; rows 3-4: -(v1 . e2), u1 . e2, the small rotation about u and v, with the axis e and
/// (u, v, e) right-handed, u and v carried by the first body. lambda: force on the first place (N), moments on the first body
/// about u and v (N m).
struct Revolute : PlaceRows<true, 0, 2> {
  static constexpr const char* name = "revolute";
  static constexpr const char* help = "two places stay together; the bodies turn about one common axis (hinge)";
  static constexpr std::array<FieldSpec, 1> fields() { return {{axis_field("axis", "direction of the hinge")}}; }

  static constexpr std::array<const char*, 1> coordinate_names() { return {"angle"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup& setup) {
    return {angle_about(setup, setup.fields.vector("axis"))};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "connect it with `spherical`");
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    keep_axes_parallel(setup, setup.fields.vector("axis"), 0, p);
    return p;
  }
};

}  // namespace sinew
