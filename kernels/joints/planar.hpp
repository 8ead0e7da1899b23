/// \file
/// Planar joint: a flat face of one body slides on a plane of the other.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// Row 0: n . r (m), r = p2 - p1: the second place stays in the plane through the first whose normal n the first body carries;
/// rows 1-2: the small rotation of the second body against the first about u and v, (u, v, n) right-handed: it turns about n
/// only. lambda: force on the first body along n, at the second place (N), moments on the first body about u, v (N m).
struct Planar : PlaceRows<false, 1, 2> {
  static constexpr const char* name = "planar";
  static constexpr const char* help = "a flat face slides and turns on a plane through the first place";
  static constexpr std::array<FieldSpec, 1> fields() { return {{axis_field("normal", "normal of the plane")}}; }

  static constexpr std::array<const char*, 1> coordinate_names() { return {"angle"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup& setup) {
    return {angle_about(setup, setup.fields.vector("normal"))};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "connect it with `point-on-plane`");
    const Vec3<double> n = setup.fields.vector("normal");
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    p.along[0] = setup.places[0].local(n);
    keep_axes_parallel(setup, n, 0, p);
    return p;
  }
};

}  // namespace sinew
