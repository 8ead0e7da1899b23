/// \file
/// The angle between an axis of one body and an axis of another, as sensors and controls see it.
#pragma once

#include "kernels/joints/primitives.hpp"

namespace sinew {

/// Two directions, each carried by one of two places.
struct Inclination {
  Vec3<double> a, b;  ///< unit vectors in the axes of the nodes that carry them
};

/// atan2(|a x b|, a . b), rad, from 0 to pi; without a derivative where the axes are parallel, at both ends.
template <class S>
S inclination_of(const Inclination& c, const Frame<S> (&f)[2]) {
  using math::atan2;
  const Vec3<S> a = f[0].R * c.a, b = f[1].R * c.b;
  return atan2(norm(cross(a, b)), dot(a, b));
}

}  // namespace sinew
