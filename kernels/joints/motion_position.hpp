/// \file
/// Prescribed position along a direction.
#pragma once

#include "kernels/joints/motion_along.hpp"

namespace sinew {

/// g = e1 . (p2 - p1) - u(t) (m): see MotionAlong.
struct MotionPosition : MotionAlong {
  static constexpr const char* name = "motion-position";
  static constexpr const char* help = "the second place is at a given distance, a function of time, from the first along an axis";

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "direction of the motion"),
             {"position", FieldType::signal, "m", true, "", FieldCheck::any, "coordinate along the axis, expression of t"}}};
  }

  static Params make(const Setup& setup) { return make_along(setup, name); }
};

}  // namespace sinew
