/// \file
/// Fixed joint: two bodies move as one.
#pragma once

#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// Rows 0-2: g = p2 - p1 (m), global frame, p2 the point of the second body that is at the first place at the start; rows 3-5: z1
/// . y2, x1 . z2, y1 . x2, the small rotation about the axes x, y, z that are global at the start and carried by the bodies.
/// lambda: force on the first place (N), moments on the first body about x1, y1, z1 (N m).
struct Fixed : PlaceRows<true, 0, 3> {
  static constexpr const char* name = "fixed";
  static constexpr const char* help = "two bodies keep their relative position and orientation of the start (weld)";
  static constexpr std::array<FieldSpec, 0> fields() { return {}; }

  static Params make(const Setup& setup) {
    const bool has_ground = setup.places.size() == 2 && (setup.places[0].is_ground || setup.places[1].is_ground);
    require_two_frames(setup, name,
                       has_ground ? "hold it to the ground with `clamp`" : "connect it with `spherical`");
    const Place& second = setup.places[1];
    Params p;
    p.point1 = setup.places[0].point;
    p.point2 = second.local(setup.places[0].position() - second.frame.x);
    keep_orientation(setup, global_triad(), 0, p);
    return p;
  }
};

}  // namespace sinew
