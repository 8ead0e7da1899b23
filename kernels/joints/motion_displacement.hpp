/// \file
/// Prescribed displacement along a direction.
#pragma once

#include "kernels/joints/motion_along.hpp"

namespace sinew {

/// g = e1 . (p2 - p1) - its initial value - u(t) (m): see MotionAlong.
struct MotionDisplacement : MotionAlong {
  static constexpr const char* name = "motion-displacement";
  static constexpr const char* help = "the second place moves against the first along an axis as a given function of time";

  static constexpr std::array<FieldSpec, 2> fields() {
    return {{axis_field("axis", "direction of the motion"),
             {"displacement", FieldType::signal, "m", true, "", FieldCheck::any,
              "displacement along the axis from the initial configuration, expression of t"}}};
  }

  static Params make(const Setup& setup) {
    Params p = make_along(setup, name);
    p.start = dot(setup.fields.vector("axis"), setup.places[1].position() - setup.places[0].position());
    return p;
  }
};

}  // namespace sinew
