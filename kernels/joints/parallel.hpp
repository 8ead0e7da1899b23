/// \file
/// Parallel axes: an axis of one body keeps its direction in the other.
#pragma once

#include "kernels/joints/coordinate.hpp"
#include "kernels/joints/place_rows.hpp"
#include "kernels/joints/places.hpp"

namespace sinew {

/// The small rotation of the second body against the first about u and v, (u, v, axis) right-handed: the bodies may move apart
/// and turn about the axis. lambda (N m): moments on the first body about u, v.
struct Parallel : PlaceRows<false, 0, 2> {
  static constexpr const char* name = "parallel";
  static constexpr const char* help = "two bodies keep an axis parallel; every translation is free";
  static constexpr std::array<FieldSpec, 1> fields() { return {{axis_field("axis", "direction that both bodies share")}}; }

  static constexpr std::array<const char*, 1> coordinate_names() { return {"angle"}; }
  static std::array<RelativeCoordinate, 1> coordinates(const Setup& setup) {
    return {angle_about(setup, setup.fields.vector("axis"))};
  }

  static Params make(const Setup& setup) {
    require_two_frames(setup, name, "a point has no axis");
    Params p;
    keep_axes_parallel(setup, setup.fields.vector("axis"), 0, p);
    return p;
  }
};

}  // namespace sinew
