/// \file
/// Frames, how they move and what pushes them.
#pragma once

#include "kernels/lie/so3.hpp"

namespace sinew {

/// Position and orientation of a body-fixed frame.
template <class S>
struct Frame {
  Vec3<S> x;
  Mat3<S> R = identity<S, 3>();
};

/// Velocity of a frame: v in the global frame, omega in body axes.
template <class S>
struct Twist {
  Vec3<S> v;
  Vec3<S> omega;
};

/// Force in the global frame and moment about the frame's origin in body axes.
template <class S>
struct Wrench {
  Vec3<S> force;
  Vec3<S> moment;
};

}  // namespace sinew
