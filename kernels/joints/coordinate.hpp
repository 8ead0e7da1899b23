/// \file
/// Relative coordinates of two places: what a joint leaves free, as sensors and controls see it.
#pragma once

#include "kernels/algebra/size.hpp"
#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// A scalar function of two frames and the places p_i = x_i + R_i s_i on them, r = p2 - p1:
///   angle     atan2(v . m - u . n, u . m + v . n): from u towards v, which one place carries, to m, which the other carries with
///             n (no n: to m alone); within -pi and pi
///   along     u . r (m), u carried by the first place
///   distance  |r| (m)
///   spread    the angle between u, which the first place carries, and m, which the second does; from 0 to pi
struct RelativeCoordinate {
  enum class Kind { angle, along, distance, spread };
  Kind kind = Kind::distance;
  int carrier = 0;       ///< angle: the place that carries u and v, 0 or 1
  Vec3<double> u, v, m;  ///< unit vectors in the axes of the nodes that carry them
  Vec3<double> n = {};   ///< angle: of the place that carries m, which turns against u, what turns against v; 0: nothing
};

/// The angle by which the second place has turned against the first about a direction, global at the start and carried by both.
inline RelativeCoordinate angle_about(const Setup& setup, const Vec3<double>& axis) {
  const auto across = complete_triad(axis);
  const Place &first = setup.places[0], &second = setup.places[1];
  return {RelativeCoordinate::Kind::angle, 0, first.local(across[0]), first.local(across[1]), second.local(across[0]),
          second.local(across[1])};
}

/// How far the second place is from the first along a direction, global at the start and carried by the first.
inline RelativeCoordinate along_axis(const Setup& setup, const Vec3<double>& axis) {
  return {RelativeCoordinate::Kind::along, 0, setup.places[0].local(axis), {}, {}};
}

/// The angle between two directions, global at the start, of which each place carries one.
inline RelativeCoordinate angle_between(const Setup& setup, const Vec3<double>& first, const Vec3<double>& second) {
  return {RelativeCoordinate::Kind::spread, 0, setup.places[0].local(first), {}, setup.places[1].local(second)};
}

/// The coordinate in a configuration. `place`: s1 and s2 in the nodes' axes.
template <class S>
S coordinate_of(const RelativeCoordinate& c, const Vec3<double> (&place)[2], const Frame<S> (&f)[2]) {
  using math::atan2;
  if (c.kind == RelativeCoordinate::Kind::angle) {
    const Mat3<S>& R = f[c.carrier].R;
    const Vec3<S> u = R * c.u, v = R * c.v, m = f[1 - c.carrier].R * c.m, n = f[1 - c.carrier].R * c.n;
    return atan2(dot(v, m) - dot(u, n), dot(u, m) + dot(v, n));
  }
  if (c.kind == RelativeCoordinate::Kind::spread) {
    const Vec3<S> a = f[0].R * c.u, b = f[1].R * c.m;
    const Vec3<S> normal = cross(a, b);
    return atan2(size_from_square(dot(normal, normal)), dot(a, b));
  }
  const Vec3<S> r = place_of(f[1], place[1]) - place_of(f[0], place[0]);
  return c.kind == RelativeCoordinate::Kind::along ? dot(f[0].R * c.u, r) : norm(r);
}

}  // namespace sinew
