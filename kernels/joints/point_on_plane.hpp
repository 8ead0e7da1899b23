/// \file
/// A place stays on a plane of another body.
#pragma once

#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// n . r (m), r = p2 - p1: the second place stays in the plane through the first whose normal n the first body carries.
/// lambda (N): force on the first body along n, at the second place.
struct PointOnPlane : PlaceRows<false, 1, 0> {
  static constexpr const char* name = "point-on-plane";
  static constexpr const char* help = "the second place stays on a plane through the first (also for points)";
  static constexpr std::array<FieldSpec, 1> fields() { return {{axis_field("normal", "normal of the plane")}}; }

  static Params make(const Setup& setup) {
    require_first_frame(setup, name);
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    p.along[0] = setup.places[0].local(setup.fields.vector("normal"));
    return p;
  }
};

}  // namespace sinew
