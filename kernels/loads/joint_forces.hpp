/// \file
/// Forces that two bodies exert on each other in a joint, and how they move there.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

// Which entries of the matrix of what two bodies exert on each other may differ from zero: see PATTERN in kernels/contract.hpp.
// Its rows are those of momentum; columns of multipliers stand behind those of the 12 degrees of freedom.

/// Of forces at a place: all.
constexpr bool couples_all(int row, int /*column*/) { return row < 12; }

/// Of moments that depend on how the bodies turn and on multipliers.
constexpr bool couples_turning(int row, int column) { return row < 12 && row % 6 >= 3 && (column >= 12 || column % 6 >= 3); }

/// Adds the moment M (global) on the first body and its opposite on the second.
template <class S>
KOKKOS_INLINE_FUNCTION void add_moment_pair(const Frame<S> (&frame)[2], const Vec3<S>& M, NodeForces<S, NodeKind::frame, 2>& f) {
  f.f[0].moment += transpose_times(frame[0].R, M);
  f.f[1].moment -= transpose_times(frame[1].R, M);
}

/// Adds the force F (global) on the first body at the place of the second, and its opposite there on the second.
template <class S>
KOKKOS_INLINE_FUNCTION void add_force_pair(const Frame<S> (&frame)[2], const Vec3<double>& point2, const Vec3<S>& F,
                                           NodeForces<S, NodeKind::frame, 2>& f) {
  f.f[0].force += F;
  f.f[0].moment += transpose_times(frame[0].R, cross(place_of(frame[1], point2) - frame[0].x, F));
  add_force_at(frame[1], point2, -F, f.f[1]);
}

/// Spin of the second body against the first, global.
template <class S>
KOKKOS_INLINE_FUNCTION Vec3<S> relative_spin(const NodeStates<S, NodeKind::frame, 2>& s) {
  return s.frame[1].R * s.twist[1].omega - s.frame[0].R * s.twist[0].omega;
}

/// How fast the place of the second body slides over the first body along the direction e, global.
template <class S>
KOKKOS_INLINE_FUNCTION S sliding_speed(const NodeStates<S, NodeKind::frame, 2>& s, const Vec3<double>& point2, const Vec3<S>& e) {
  const Vec3<S> place = place_of(s.frame[1], point2);
  return dot(e, place_velocity(s.frame[1], s.twist[1], point2) - velocity_at(s.frame[0], s.twist[0], place));
}

}  // namespace sinew
