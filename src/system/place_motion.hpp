/// \file
/// Position and velocity of a place, over any scalar.
#pragma once

#include "kernels/joints/primitives.hpp"
#include "model/items.hpp"
#include "partition/local_model.hpp"

namespace sinew {

/// A frame from the numbers of its configuration, and its twist from its velocities.
inline Frame<double> frame_at(const double* c) {
  Frame<double> frame;
  Pose::put_frame(c, frame);
  return frame;
}
inline Twist<double> twist_at(const double* z) {
  Twist<double> twist;
  Pose::put_twist(z, twist);
  return twist;
}

/// A local node as joints and forces see it, a frame, and its velocity: a point does not turn, the ground does not move.
inline Frame<double> node_frame(const LocalModel& local, int node, const double* config) {
  Frame<double> frame;
  on_manifold(local.kinds[static_cast<std::size_t>(node)], PutFrame{config + local.config_offset[node], &frame});
  return frame;
}
inline Twist<double> node_twist(const LocalModel& local, int node, const double* velocity) {
  Twist<double> twist;
  if (local.dof[node] >= 0)
    on_manifold(local.kinds[static_cast<std::size_t>(node)], PutTwist{velocity + local.dof[node], &twist});
  return twist;
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
