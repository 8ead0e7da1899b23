/// \file
/// A place stays on a straight line of another body.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// With the axis e and (u, v, e) right-handed, carried by the first body: u . r, v . r (m), r = p2 - p1: the second place stays
/// on the line through the first. lambda (N): forces on the first body along u, v, at the second place.
struct PointOnLine : PlaceRows<false, 2, 0> {
  static constexpr const char* name = "point-on-line";
  static constexpr const char* help = "the second place stays on a line through the first (also for points)";
  static constexpr std::array<FieldSpec, 1> fields() { return {{axis_field("axis", "direction of the line")}}; }

  static constexpr std::array<const char*, 1> coordinate_names() { return {"distance"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup& setup) {
    return {along_axis(setup, setup.fields.vector("axis"))};
  }

  static Params make(const Setup& setup) {
    require_first_frame(setup, name);
    const auto across = complete_triad(setup.fields.vector("axis"));
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    for (int i = 0; i < 2; ++i) p.along[i] = setup.places[0].local(across[i]);
    return p;
  }
};

}  // namespace sinew
