/// \file
/// What a multistep method remembers: positions, velocities and one row vector at past times, and linear combinations of them.
#pragma once

#include "integrate/integrator.hpp"

#include <deque>
#include <span>
#include <vector>

namespace sinew {

/// Points newest first. Positions are charted at the newest one, q_j = q_0 o exp(w_j), so that they form a linear space.
/// Distances are sums of step sizes, never differences of times, and keep their digits however small the steps are.
class MultistepHistory {
 public:
  MultistepHistory(const DynamicSystem&, int capacity);

  /// Forgets all and begins with the q, z and t of a state. Collective.
  void restart(const State&, PetscVec rows);
  /// The state as a new point, a step h after the newest. Collective.
  void push(const State&, double h, PetscVec rows);

  /// Collective.
  void persist(Archive&);

  int size() const { return static_cast<int>(points_.size()); }
  /// Of the newest points: how many lie within a turn of `most` rad of the newest one, for everything that turns. Charts of
  /// points beyond half a turn would have lost their turns.
  int points_within(double most) const;
  /// The largest angular speed at the newest point, rad/s.
  double angular_speed() const { return points_.front().angular_speed; }
  /// Is t the time of the newest point, up to what is nothing beside a step?
  bool ends_at(double t, double h) const;
  /// Distances of the newest `count` points to the time a step h after the newest.
  std::vector<double> distances(double h, int count) const;

  /// out = sum weights_j x_j over the newest points. Collective.
  void combine_positions(std::span<const double> weights, PetscVec out) const;
  void combine_velocities(std::span<const double> weights, PetscVec out) const;
  void combine_rows(std::span<const double> weights, PetscVec out) const;
  PetscVec newest_rows() const { return points_.front().rows; }

 private:
  struct Point {
    double step = 0;  ///< from the point before
    double angular_speed = 0;
    Configuration q;
    VecHandle w, z, rows;
  };
  Point take_storage();

  const DynamicSystem& system_;
  std::size_t capacity_;
  double t_ = 0;
  std::deque<Point> points_;
  std::vector<Point> spare_;
};

}  // namespace sinew
