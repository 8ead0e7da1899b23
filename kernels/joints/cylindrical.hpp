/// \file
/// Cylindrical joint: one body slides along an axis of the other and turns about it.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// With the axis e and (u, v, e) right-handed, u and v carried by the first body: rows 0-1: u . r, v . r (m), r = p2 - p1; rows
/// 2-3: the small rotation of the second body against the first about u and v. lambda: forces on the first body along u, v, at
/// the second place (N), moments on the first body about u, v (N m).
struct Cylindrical : PlaceRows<false, 2, 2> {
  static constexpr const char* name = "cylindrical";
  static constexpr const char* help = "one body slides along an axis of the other and turns about it (sleeve on a round bar)";
  static constexpr std::array<FieldSpec, 1> fields() { return {{axis_field("axis", "common axis, through the first place")}}; }

  static constexpr std::array<const char*, 2> coordinate_names() { return {"angle", "distance"}; }
  static std::array<RelativeCoordinate, 2> coordinates(const Setup& setup) {
    const Vec3<double> e = setup.fields.vector("axis");
    return {angle_about(setup, e), along_axis(setup, e)};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "connect it with `point-on-line`");
    const Vec3<double> e = setup.fields.vector("axis");
    const auto across = complete_triad(e);
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    for (int i = 0; i < 2; ++i) p.along[i] = setup.places[0].local(across[i]);
    keep_axes_parallel(setup, e, 0, p);
    return p;
  }
};

}  // namespace sinew
