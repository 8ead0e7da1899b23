/// \file
/// Forces along the line between two places: what springs, dampers and actuators along it share.
#pragma once

#include "kernels/algebra/uncompared.hpp"
#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

#include <type_traits>

namespace sinew {

/// Said of a line whose ends coincide.
inline constexpr const char* line_without_direction = "has no direction: its two places coincide";

/// The places' distance at the start. Throws std::invalid_argument with `refusal`, which names a remedy, where they coincide.
inline double initial_length(const Setup& setup, const char* name, const char* refusal) {
  require_places(setup, 2, name);
  const double length = initial_distance(setup);
  if (!(length > 0)) throw std::invalid_argument(refusal);
  return length;
}

/// Of springs and dampers.
inline constexpr const char* refusal_of_spring =
    "a spring-damper acts along the line between two places, but these coincide at the start: use a bushing";

/// Of springs with a length.
inline constexpr const char* refusal_of_stretched_spring =
    "a spring-damper with a length acts along the line between its places, but these coincide at the start and the line has no "
    "direction: leave `length` out, which makes it 0, start the places apart, or use a bushing";

/// r = p2 - p1: its direction n, its length L = |r| and L' = n . r'.
template <class S>
struct LineMotion {
  Vec3<S> n;
  S length, rate;
};

template <class S>
KOKKOS_INLINE_FUNCTION LineMotion<S> motion_of_line(const NodeStates<S, NodeKind::frame, 2>& s, const Vec3<double>& point1,
                                                    const Vec3<double>& point2) {
  const Vec3<S> r = place_of(s.frame[1], point2) - place_of(s.frame[0], point1);
  const Vec3<S> rate = place_velocity(s.frame[1], s.twist[1], point2) - place_velocity(s.frame[0], s.twist[0], point1);
  const S L = norm(r);
  const Vec3<S> n = (1.0 / L) * r;
  return {n, L, dot(n, rate)};
}

/// Do the places coincide, but for the rounding of where they are? Only forces ask that go on through such places, with all their
/// derivatives along the line: the answer changes no entry of a matrix that is not zero in every state into one that may differ
/// from zero, so that it is no branch in the sense of Uncompared.
template <class S>
KOKKOS_INLINE_FUNCTION bool places_meet(const NodeStates<S, NodeKind::frame, 2>& s, const Vec3<double>& point1,
                                        const Vec3<double>& point2) {
  if constexpr (std::is_same_v<S, Uncompared>) {
    return false;
  } else {
    const Vec3<S> r = place_of(s.frame[1], point2) - place_of(s.frame[0], point1);
    double square = 0, size = norm(point1) + norm(point2);
    for (int i = 0; i < 3; ++i) {
      square += value_of(r[i]) * value_of(r[i]);
      size += math::fabs(value_of(s.frame[0].x[i])) + math::fabs(value_of(s.frame[1].x[i]));
    }
    return math::sqrt(square) <= coincident_part * size;
  }
}

/// Adds a tension along `n`, which pulls the places together.
template <class S>
KOKKOS_INLINE_FUNCTION void add_tension(const NodeStates<S, NodeKind::frame, 2>& s, const Vec3<double>& point1,
                                        const Vec3<double>& point2, const S& tension, const Vec3<S>& n,
                                        NodeForces<S, NodeKind::frame, 2>& f) {
  const Vec3<S> F = tension * n;
  add_force_at(s.frame[0], point1, F, f.f[0]);
  add_force_at(s.frame[1], point2, -F, f.f[1]);
}

/// The length and its rate, the second and third measure of what works along the line.
inline void measure_line(const NodeStates<double, NodeKind::frame, 2>& s, const Vec3<double>& point1, const Vec3<double>& point2,
                         double* out) {
  const LineMotion<double> line = motion_of_line(s, point1, point2);
  out[1] = line.length;
  out[2] = line.rate;
}

/// What springs and dampers along a line tell.
inline constexpr std::array<MeasureSpec, 3> spring_measures() {
  return {{{"force", 1, "N", "tension of spring and damper: positive where it pulls the places together"},
           {"length", 1, "m", "distance of the places"},
           {"rate", 1, "m/s", "rate of the length"}}};
}

}  // namespace sinew
