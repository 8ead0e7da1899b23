/// \file
/// Spherical joint: two places stay together.
#pragma once

#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// g = p2 - p1 = x2 + R2 s2 - x1 - R1 s1 (m), in the global frame. lambda (N): the force of the joint on the first place.
struct Spherical : PlaceRows<true, 0, 0> {
  static constexpr const char* name = "spherical";
  static constexpr const char* help = "two places stay together and turn freely (ball joint; also for points)";
  static constexpr std::array<FieldSpec, 0> fields() { return {}; }

  static Params make(const Setup& setup) {
    require_places(setup, 2, name);
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = setup.places[1].point;
    return p;
  }
};

}  // namespace sinew
