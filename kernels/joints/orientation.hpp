/// \file
/// Locked orientation: two bodies do not turn against each other.
#pragma once

#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// Rows 0-2: z1 . y2, x1 . z2, y1 . x2, the small rotation of the second body against the first about the axes x, y, z that are
/// global at the start and carried by the bodies; they may move apart in every direction. lambda (N m): moments on the first body
/// about x1, y1, z1.
struct Orientation : PlaceRows<false, 0, 3> {
  static constexpr const char* name = "orientation";
  static constexpr const char* help = "two bodies do not turn against each other; every translation is free";
  static constexpr std::array<FieldSpec, 0> fields() { return {}; }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no orientation");
    Params p;
    keep_orientation(setup, global_triad(), 0, p);
    return p;
  }
};

}  // namespace sinew
