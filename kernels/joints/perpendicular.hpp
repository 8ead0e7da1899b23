/// \file
/// Perpendicular axes: an axis of one body stays across an axis of the other.
#pragma once

#include "kernels/joints/cross_axes.hpp"

namespace sinew {

/// Row 0: a1 . b2 (1), the axis a in the first body and b, perpendicular to it, in the second: the bodies may move apart, and
/// turn about both. lambda: moment on the first body about b x a (N m).
struct Perpendicular : PlaceRows<false, 0, 1>, CrossAxes {
  static constexpr const char* name = "perpendicular";
  static constexpr const char* help = "an axis of one body stays across an axis of the other; every translation is free";

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no axis");
    Params p;
    keep_axes_perpendicular(setup, p);
    return p;
  }
};

}  // namespace sinew
