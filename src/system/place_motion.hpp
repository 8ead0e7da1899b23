/// \file
/// Position and velocity of a place, over any scalar.
#pragma once

#include "kernels/joints/primitives.hpp"
#include "model/items.hpp"
#include "partition/local_model.hpp"

namespace sinew {

/// A frame from its 7 numbers of the configuration, and its twist from its 6 velocities.
inline Frame<double> frame_at(const double* c) {
  return {Vec3<double>{{c[0], c[1], c[2]}}, rotation_matrix(Quaternion{c[3], c[4], c[5], c[6]})};
}
inline Twist<double> twist_at(const double* z) { return {Vec3<double>{{z[0], z[1], z[2]}}, Vec3<double>{{z[3], z[4], z[5]}}}; }

/// A local node as a frame, and its velocity: a point does not turn, the ground does not move.
inline Frame<double> node_frame(const LocalModel& local, int node, const double* config) {
  const double* c = config + local.config_offset[node];
  return local.is_frame[node] ? frame_at(c) : Frame<double>{Vec3<double>{{c[0], c[1], c[2]}}, identity<double, 3>()};
}
inline Twist<double> node_twist(const LocalModel& local, int node, const double* velocity) {
  if (local.dof[node] < 0) return {};
  const double* z = velocity + local.dof[node];
  return local.is_frame[node] ? twist_at(z) : Twist<double>{Vec3<double>{{z[0], z[1], z[2]}}, {}};
}

/// Component c of a quantity of the place x + R s of a frame: position, displacement (from probe.start), velocity v + R (omega x
/// s), angular velocity R omega. Not for orientations.
template <class S>
S frame_component(const Frame<S>& frame, const Twist<S>& twist, const PlaceProbe& probe, Quantity quantity, int c) {
  switch (quantity) {
    case Quantity::position: return place_of(frame, probe.place)[c];
    case Quantity::displacement: return place_of(frame, probe.place)[c] - probe.start[c];
    case Quantity::velocity: return place_velocity(frame, twist, probe.place)[c];
    default: return (frame.R * twist.omega)[c];
  }
}

}  // namespace sinew
