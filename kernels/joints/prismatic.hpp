/// \file
/// Prismatic joint: one body slides along an axis of the other and does not turn against it.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// With the axis e and (u, v, e) right-handed, carried by the first body: rows 0-1: u . r, v . r (m), r = p2 - p1; rows 2-4: the
/// small rotation of the second body against the first about u, v and e. lambda: forces on the first body along u, v, at the
/// second place (N), moments on the first body about u, v, e (N m).
struct Prismatic : PlaceRows<false, 2, 3> {
  static constexpr const char* name = "prismatic";
  static constexpr const char* help = "one body slides along an axis of the other and does not turn against it (slider)";
  static constexpr std::array<FieldSpec, 1> fields() {
    return {{axis_field("axis", "direction of sliding, through the first place")}};
  }

  static constexpr std::array<const char*, 1> coordinate_names() { return {"distance"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup& setup) {
    return {along_axis(setup, setup.fields.vector("axis"))};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "connect it with `point-on-line`");
    const Vec3<double> e = setup.fields.vector("axis");
    const auto across = complete_triad(e);
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    for (int i = 0; i < 2; ++i) p.along[i] = setup.places[0].local(across[i]);
    keep_orientation(setup, {across[0], across[1], e}, 0, p);
    return p;
  }
};

}  // namespace sinew
