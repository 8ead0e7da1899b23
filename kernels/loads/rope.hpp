/// \file
/// What ropes over several places share: their length, and how a tension that is the same all along pulls at the places.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

#include <stdexcept>
#include <vector>

namespace sinew {

/// A place of a rope, and its velocity.
template <class S>
struct RopePoint {
  Frame<S> frame;
  Vec3<double> point;  ///< in the frame's axes
  Vec3<S> x, v;
};

template <class S>
KOKKOS_INLINE_FUNCTION RopePoint<S> rope_point(const Vec3<double>& point, const Frame<S>& frame, const Twist<S>& twist) {
  return {frame, point, place_of(frame, point), place_velocity(frame, twist, point)};
}

/// From the first place over all others to the last, and its rate.
template <class S>
struct RopeLength {
  S length = 0.0, rate = 0.0;

  /// Adds the length of a part, and its rate; returns its direction.
  KOKKOS_INLINE_FUNCTION Vec3<S> add(const RopePoint<S>& from, const RopePoint<S>& to) {
    const Vec3<S> r = to.x - from.x;
    const S part = norm(r);
    const Vec3<S> n = (1.0 / part) * r;
    length += part;
    rate += dot(n, to.v - from.v);
    return n;
  }
};

/// The places of a rope, which are the nodes of an open list behind its first `before` ones. `numbers`: the places in the axes of
/// their bodies, three each.
template <class S, class States, class Numbers>
class RopeOver {
 public:
  KOKKOS_INLINE_FUNCTION RopeOver(const States& states, const Numbers& numbers, int before)
      : states_(states), numbers_(numbers), before_(before) {}

  KOKKOS_INLINE_FUNCTION int count() const { return states_.count() - before_; }
  KOKKOS_INLINE_FUNCTION Vec3<double> point(int k) const { return {{numbers_[3 * k], numbers_[3 * k + 1], numbers_[3 * k + 2]}}; }
  KOKKOS_INLINE_FUNCTION RopePoint<S> at(int k) const {
    const auto node = states_.frame(before_ + k);
    return rope_point(point(k), node.frame[0], node.twist[0]);
  }
  KOKKOS_INLINE_FUNCTION RopeLength<S> length() const {
    RopeLength<S> sum;
    for (int k = 1; k < count(); ++k) sum.add(at(k - 1), at(k));
    return sum;
  }
  /// Place k is pulled with T (n_k - n_(k-1)), the first with T n_1, the last with -T n_(n-1).
  template <class Forces>
  KOKKOS_INLINE_FUNCTION void pull(const S& tension, Forces& f) const {
    RopeLength<S> unused;
    for (int k = 1; k < count(); ++k) {
      const RopePoint<S> from = at(k - 1), to = at(k);
      const Vec3<S> F = tension * unused.add(from, to);
      Wrench<S> first, second;
      add_force_at(from.frame, from.point, F, first);
      add_force_at(to.frame, to.point, -F, second);
      f.frame(before_ + k - 1, first);
      f.frame(before_ + k, second);
    }
  }
  /// Have all parts a direction?
  KOKKOS_INLINE_FUNCTION Verdict verdict() const {
    for (int k = 1; k < count(); ++k) {
      const Frame<double> ends[2] = {states_.frame(before_ + k - 1).frame[0], states_.frame(before_ + k).frame[0]};
      const Verdict verdict = verdict_of_line(ends, point(k - 1), point(k));
      if (verdict != Verdict::ok) return verdict;
    }
    return Verdict::ok;
  }

 private:
  const States& states_;
  const Numbers& numbers_;
  int before_;
};

/// The length at the start over the places behind the first `before` ones. Throws std::invalid_argument where two neighbours
/// coincide.
inline double initial_rope_length(const Setup& setup, std::size_t before) {
  double length = 0;
  for (std::size_t k = before + 1; k < setup.places.size(); ++k) {
    const double part = norm(setup.places[k].position() - setup.places[k - 1].position());
    if (!(part > 0))
      throw std::invalid_argument(
          "a rope runs from place to place, but two of them, one behind the other, coincide at the start: leave one out");
    length += part;
  }
  return length;
}

/// The numbers of RopeOver.
inline std::vector<double> rope_numbers(const Setup& setup, std::size_t before) {
  std::vector<double> points;
  for (std::size_t k = before; k < setup.places.size(); ++k)
    points.insert(points.end(), setup.places[k].point.data, setup.places[k].point.data + 3);
  return points;
}

/// The same of places and velocities on a host, for sensors.
template <class Numbers>
RopeLength<double> rope_length(const Numbers& numbers, const Frame<double>* frames, const Twist<double>* twists) {
  RopeLength<double> sum;
  const auto at = [&](int k) {
    return rope_point(Vec3<double>{{numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]}}, frames[k], twists[k]);
  };
  for (int k = 1; k < numbers.count / 3; ++k) sum.add(at(k - 1), at(k));
  return sum;
}

}  // namespace sinew
