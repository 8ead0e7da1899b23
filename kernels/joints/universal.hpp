/// \file
/// Universal joint: two places stay together and an axis of each stays perpendicular to that of the other.
#pragma once

#include "kernels/joints/cross_axes.hpp"

namespace sinew {

/// Rows 0-2: g = p2 - p1 (m), global frame; row 3: a1 . b2 with the axis a of the cross in the first body and b, perpendicular to
/// it, in the second. lambda: force on the first place (N), moment on the first body about b x a (N m).
struct Universal : PlaceRows<true, 0, 1>, CrossAxes {
  static constexpr const char* name = "universal";
  static constexpr const char* help = "two places stay together; the bodies turn about the two axes of a cross (Cardan joint)";

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "connect it with `spherical`");
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    keep_axes_perpendicular(setup, p);
    return p;
  }
};

}  // namespace sinew
